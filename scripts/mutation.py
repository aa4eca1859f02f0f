#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Change one rule at a time and see that its test notices.

    scripts/mutation.py [ROOT] [--only TEXT] [--from N] [--write FILE]      exit 1 when a change survives

Reads tests/mutation.tsv: ID, header, old text, new text, test source, name of the test case that must fail. Each change is
made in a copy of the headers; the test source is built and its test case run. --only takes the rows whose ID, header or test
source contain TEXT, --from leaves out the first N. --write makes the list of what was tried and what caught it (tests/mutation.md), only from a whole run
without survivors.
"""
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

COMPILER = [*os.environ.get('CXX', 'g++').split(), '-std=c++20', '-O0']


def build_main(root, work):
    """Catch2's own part is built once."""
    done = work / 'main.o'
    subprocess.run([*COMPILER, '-c', str(root / 'tests/support/main.cpp'), '-o', str(done)], check=True)
    return done


def survives(root, work, catch_main, row):
    """'' where the change was noticed, else the fault."""
    _, header, old, new, source, case = row
    copy = work / 'include'
    shutil.copytree(root / 'include', copy)
    try:
        path = copy / 'warpwright' / header
        text = path.read_text()
        if text.count(old) != 1:
            return f'"{old}" stands {text.count(old)} times in {header}'
        path.write_text(text.replace(old, new))
        program = work / 'test'
        counts = 'count_allocations.hpp' in (root / source).read_text()
        helpers = [str(root / 'tests/schedule/count_allocations.cpp')] if counts else []
        built = subprocess.run(
            [*COMPILER, f'-I{copy}', f'-I{root / "tests"}', f'-DWW_TEST_DATA="{root / "tests/data"}"', f'-DWW_SOURCE_DIR="{root}"',
             str(root / source), *helpers, str(catch_main), '-o', str(program)], capture_output=True, text=True, errors='replace', check=False)
        if built.returncode != 0:
            if 'static assertion failed' in built.stderr or 'static_assert failed' in built.stderr:
                return ''
            return 'does not build: ' + built.stderr[:400]
        name = case.replace(',', '\\,')
        try:
            done = subprocess.run([str(program), name], capture_output=True, text=True, errors='replace', check=False, timeout=600)
        except subprocess.TimeoutExpired:
            return 'ran past 600 s'
        if 'No test cases matched' in done.stdout:
            return f'no test case "{case}"'
        return '' if done.returncode != 0 else 'not noticed'
    finally:
        shutil.rmtree(copy)


def document(rows):
    """tests/mutation.md: one table an ID."""
    lines = ['# What was changed, and which test noticed', '',
             'Written by `scripts/mutation.py --write tests/mutation.md` from `tests/mutation.tsv`: each change was made alone, the',
             'named test was built with it, and it failed, or a `static_assert` in what it includes did.',
             f'{len(rows)} changes.', '']

    def quoted(text):
        text = ' '.join(text.split()) or '(nothing)'
        ticks = '``' if '`' in text else '`'
        return ticks + text.replace('|', '\\|') + ticks

    groups = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row)
    for identifier in sorted(groups, key=lambda x: (x.split('-')[0], int(x.split('-')[1]) if x.split('-')[1].isdigit() else 0)):
        lines += [f'## {identifier}', '', '| header | rule | changed to | caught by |', '|---|---|---|---|']
        for _, header, old, new, source, case in groups[identifier]:
            lines.append(f'| `{header}` | {quoted(old)} | {quoted(new)} | `{source.removeprefix("tests/")}`: {case} |')
        lines.append('')
    return '\n'.join(lines)


def main(arguments):
    values = {}
    for option in ('--only', '--from', '--write'):
        if option in arguments:
            at = arguments.index(option)
            values[option] = arguments[at + 1]
            del arguments[at:at + 2]
    only = values.get('--only', '')
    root = pathlib.Path(arguments[0] if arguments else '.').resolve()
    bad = 0
    rows = [r for r in csv.reader((root / 'tests/mutation.tsv').open(), delimiter='\t')
            if r and not r[0].startswith('#')]
    rows = [r for r in rows if only in r[0] or only in r[1] or only in r[4]][int(values.get('--from', '0')):]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        catch_main = build_main(root, work)
        for row in rows:
            fault = survives(root, work, catch_main, row)
            bad += 1 if fault else 0
            print(f'{"SURVIVES" if fault else "caught  "} {row[0]:8} {row[2][:50]!r} -> {row[3][:50]!r} {fault}', flush=True)
    print(f'{len(rows)} changes, {bad} not caught')
    if '--write' in values and len(values) == 1 and bad == 0:
        pathlib.Path(values['--write']).write_text(document(rows))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
