#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Check the house: who may include whom, what a header looks like, what may not stand in it.

    scripts/check_structure.py [ROOT]      exit 1 and one line per fault
    scripts/check_structure.py --graph     print the folders and the folders that they include

Run by ctest. Rules are the tables below.
"""
import csv
import pathlib
import re
import sys

# What each folder may include besides itself. A folder that is not named here may not exist.
BASE = {'meta', 'ir', 'isa', 'arch'}
GRAPH = BASE | {'graph'}
LEAVES = GRAPH | {'simd', 'pressure', 'lift', 'priority', 'constraint'}
MAY = {
    'meta': set(),
    'ir': {'meta'},
    'isa': {'meta', 'ir'},
    'arch': {'meta', 'ir', 'isa'},
    'graph': BASE,
    'simd': {'meta'},
    'pressure': GRAPH | {'simd'},
    'lift': BASE | {'simd', 'pressure'},
    'priority': GRAPH | {'simd', 'pressure'},
    'constraint': GRAPH,
    'schedule': LEAVES,
    'backend': LEAVES | {'schedule'},
    'scoreboard': LEAVES | {'schedule'},
    'regalloc': LEAVES | {'schedule', 'scoreboard', 'verify'},  # verify: allocation_map.hpp, what it says of its work
    'layout': LEAVES | {'schedule', 'scoreboard'},
    'model': GRAPH | {'simd'},
    'verify': BASE,
    'strategy': LEAVES | {'schedule', 'scoreboard', 'model', 'backend'},
    'region': LEAVES | {'schedule', 'scoreboard', 'model', 'strategy'},
    'pipeline': LEAVES | {'lift', 'schedule', 'scoreboard', 'regalloc', 'layout', 'model', 'verify'},
    'sass': BASE,
    'report': LEAVES | {'schedule', 'scoreboard', 'regalloc', 'layout', 'model', 'verify', 'strategy', 'region', 'pipeline', 'sass'},
}
TOP = {'warpwright.hpp', 'strategies.hpp', 'tools.hpp'}
LEAF_FOLDERS = {'sass', 'report'}  # may use strings and range-v3
BANNED = [
    (r'\bvirtual\b', 'virtual'), (r'std::function\b', 'std::function'), (r'\bdynamic_cast\b', 'dynamic_cast'),
    (r'\btypeid\s*\(', 'typeid'), (r'\bthrow\b', 'throw'), (r'\btry\s*\{', 'try'),
    (r'#\s*include\s*<(iostream|functional|regex|map|ranges|format|any)>', 'a banned standard header'),
    (r'#\s*include\s*<boost/hana\.hpp>', 'the whole of Hana'),
    (r'\b(TODO|FIXME|XXX)\b', 'unfinished work'),
]
SM_NUMBER = re.compile(r'\bsm\w*\s*(>=|>|<=|<|==|!=)\s*[0-9]{2,4}\b|\bsm_id\s*[{(]\s*[0-9]')
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
APPROX = re.compile(r'(?<!ww_test::)\bApprox\s*\(')
CATCH = re.compile(r'\bCatch::|\b(REQUIRE|CHECK)_THAT\b|\bBENCHMARK\s*\(')
MIN_HEAD, MAX_HEAD, MAX_LINES, MAX_BYTES = 4, 24, 400, 40000


def code_of(line):
    return re.sub(r'//.*', '', re.sub(r'"(\\.|[^"\\])*"', '""', line))


def main(arguments):
    graph = '--graph' in arguments
    rest = [a for a in arguments if not a.startswith('--')]
    root = pathlib.Path(rest[0] if rest else '.').resolve()
    library = root / 'include' / 'warpwright'
    faults, uses = [], {}

    def fault(path, number, text):
        faults.append(f'{path.relative_to(root)}:{number}: {text}')

    headers = sorted(library.rglob('*.hpp'))
    if not headers:
        faults.append('no headers found under include/warpwright')
    for path in headers:
        parts = path.relative_to(library).parts
        folder = parts[0] if len(parts) > 1 else ''
        lines = path.read_text(encoding='utf-8').splitlines()
        if folder == '' and path.name not in TOP:
            fault(path, 1, 'only the umbrella headers stand at the top')
        if folder and folder not in MAY:
            fault(path, 1, f'folder {folder} is not in the house')
            continue
        if not lines or lines[0] != '// SPDX-License-Identifier: BSL-1.0':
            fault(path, 1, 'the first line is the SPDX line')
        head = 0
        for line in lines[1:]:
            if not line.startswith('//'):
                break
            head += 1
        if not MIN_HEAD <= head <= MAX_HEAD:
            fault(path, 2, f'the head comment has {head} lines; {MIN_HEAD} to {MAX_HEAD} say what the file is')
        if '#pragma once' not in lines:
            fault(path, 1, '#pragma once is missing')
        if len(lines) > MAX_LINES:
            fault(path, len(lines), f'{len(lines)} lines; split above {MAX_LINES}')
        if path.stat().st_size > MAX_BYTES:
            fault(path, 1, f'{path.stat().st_size} bytes; split above {MAX_BYTES}')
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if match:
                target = (path.parent / match.group(1)).resolve()
                if not target.is_file() or library not in target.parents:
                    fault(path, number, f'"{match.group(1)}" is not a file of the library')
                    continue
                other = target.relative_to(library).parts
                other = other[0] if len(other) > 1 else ''
                if folder and other != folder:
                    uses.setdefault(folder, set()).add(other)
                    if other not in MAY[folder]:
                        fault(path, number, f'{folder}/ may not include {other or "an umbrella"}/')
                if folder == 'arch' and len(parts) == 3:
                    own = parts[1]
                    named = target.relative_to(library).parts
                    reuse = any('// same:' in other_line for other_line in lines)
                    if len(named) == 3 and named[1] != own and named[1].startswith('sm') and not reuse:
                        fault(path, number, 'another SM only by declared reuse: say "// same: <why>" where it is taken')
                continue
            code = code_of(line)
            for pattern, what in BANNED:
                target_text = line if what in ('a banned standard header', 'the whole of Hana', 'unfinished work') else code
                if re.search(pattern, target_text):
                    fault(path, number, what)
            if folder != 'arch' and SM_NUMBER.search(code):
                fault(path, number, 'an SM number outside arch/')
            if folder not in LEAF_FOLDERS and re.search(r'#\s*include\s*<range/', line):
                fault(path, number, 'range-v3 in a core header')
    # every header is reachable from an umbrella
    seen, stack = set(), [library / t for t in TOP if (library / t).is_file()]
    while stack:
        path = stack.pop()
        if path in seen:
            continue
        seen.add(path)
        for line in path.read_text(encoding='utf-8').splitlines():
            match = INCLUDE.match(line)
            if match:
                stack.append((path.parent / match.group(1)).resolve())
    optional = {library / 'meta' / 'hana.hpp'}
    for path in headers:
        if path not in seen and path not in optional:
            fault(path, 1, 'no umbrella header leads here')
    # Catch2 2.13 declares more with its one header than support/catch.hpp includes of version 3
    for path in sorted((root / 'tests').rglob('*.[ch]pp')):
        if path.parent.name == 'support' and path.name in ('catch.hpp', 'main.cpp'):
            continue
        text = path.read_text(encoding='utf-8')
        named = 'using ww_test::Approx;' in text or 'using namespace ww_test;' in text
        for number, line in enumerate(text.splitlines(), 1):
            if CATCH.search(code_of(line)) or not named and APPROX.search(code_of(line)) or re.search(r'#\s*include\s*<catch2/', line):
                fault(path, number, 'of Catch2 only what tests/support/catch.hpp gives, so that both versions do')
    # the changes that tests must notice: each still finds its place, once
    changes = csv.reader((root / 'tests' / 'mutation.tsv').open(encoding='utf-8'), delimiter='\t')
    for row in changes:
        number = changes.line_num
        if not row or row[0].startswith('#'):
            continue
        if len(row) != 6:
            faults.append(f'tests/mutation.tsv:{number}: {len(row)} columns, 6 wanted')
            continue
        _, header, before, _, source, case = row
        found = (library / header).read_text(encoding='utf-8').count(before) if (library / header).is_file() else 0
        if found != 1:
            faults.append(f'tests/mutation.tsv:{number}: "{before}" stands {found} times in {header}')
        quoted = case.replace('"', '\\"')
        cases = (root / source).read_text(encoding='utf-8') if (root / source).is_file() else ''
        if quoted not in re.sub(r'"\s*\n\s*"', '', cases):
            faults.append(f'tests/mutation.tsv:{number}: no test case "{case}" in {source}')
    # the ledger
    coverage = root / 'docs' / 'coverage.md'
    rows = [f'PLS-{i}' for i in range(1, 20)] + [f'SB-{i}' for i in range(1, 11)] + [f'FPA-{i}' for i in range(1, 12)] + \
           [f'PS-{i}' for i in range(1, 5)] + [f'HC-{i}' for i in range(1, 9)]
    text = coverage.read_text(encoding='utf-8') if coverage.is_file() else ''
    for row in rows:
        line = next((l for l in text.splitlines() if l.startswith(f'| {row} |')), None)
        if line is None:
            faults.append(f'docs/coverage.md: no row {row}')
            continue
        for name in re.findall(r'`([a-z_0-9]+/[a-z_0-9/]+\.hpp)`', line):
            if not (library / name).is_file():
                faults.append(f'docs/coverage.md: {row} names {name}, which does not exist')
        for name in re.findall(r'`(tests/[a-z_0-9/]+\.(?:cpp|sh|py|txt))`', line):
            if not (root / name).is_file():
                faults.append(f'docs/coverage.md: {row} names {name}, which does not exist')
    if graph:
        for folder in sorted(uses):
            print(f'{folder}: {" ".join(sorted(x or "(umbrella)" for x in uses[folder]))}')
    for line in faults:
        print(line)
    print(f'{len(headers)} headers, {len(faults)} faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
