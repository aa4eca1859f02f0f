#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Change one rule at a time and see that its test notices.

    scripts/mutation.py [ROOT] [--only TEXT]      exit 1 when a change survives

Reads tests/mutation.tsv: ID, header, old text, new text, test source, name of the test case that must fail. Each change is
made in a copy of the headers; the test source is built and its test case run.
"""
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile


def survives(root, work, row):
    identifier, header, old, new, source, case = row
    copy = work / 'include'
    shutil.copytree(root / 'include', copy)
    try:
        path = copy / 'warpwright' / header
        text = path.read_text()
        if text.count(old) != 1:
            return f'"{old}" stands {text.count(old)} times in {header}'
        path.write_text(text.replace(old, new))
        program = work / 'test'
        built = subprocess.run(
            ['g++', '-std=c++20', '-O0', f'-I{copy}', f'-I{root / "tests"}', f'-DWW_TEST_DATA="{root / "tests/data"}"',
             f'-DWW_SOURCE_DIR="{root}"', str(root / source), str(root / 'tests/support/main.cpp'), '-o', str(program)],
            capture_output=True, text=True, check=False)
        if built.returncode != 0:
            return '' if 'static assertion failed' in built.stderr else 'does not build: ' + built.stderr[:400]
        name = case.replace(',', '\\,')
        done = subprocess.run([str(program), name], capture_output=True, text=True, check=False, timeout=300)
        if 'No test cases matched' in done.stdout:
            return f'no test case "{case}"'
        return '' if done.returncode != 0 else 'not noticed'
    finally:
        shutil.rmtree(copy)


def main(arguments):
    only = arguments[arguments.index('--only') + 1] if '--only' in arguments else ''
    places = [a for a in arguments if not a.startswith('--') and a != only]
    root = pathlib.Path(places[0] if places else '.').resolve()
    bad = 0
    rows = [r for r in csv.reader((root / 'tests/mutation.tsv').open(), delimiter='\t') if r and not r[0].startswith('#')]
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            if only and only not in row[0] + row[1]:
                continue
            fault = survives(root, pathlib.Path(folder), row)
            bad += 1 if fault else 0
            print(f'{"SURVIVES" if fault else "caught  "} {row[0]:8} {row[2][:50]!r} -> {row[3][:50]!r} {fault}', flush=True)
    print(f'{len(rows)} changes, {bad} not caught')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
