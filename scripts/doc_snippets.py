#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compile and run the C++ of a page, as printed.

    scripts/doc_snippets.py COMPILER PAGE FOLDER [ROOT]      exit 1 when a snippet does not compile or an assertion in it fails

A block ```cpp that begins with an include, a comment or a definition at file scope stands there; every other one is the body of a function
of its own. #line names the place in the page. FOLDER takes the program.
"""
import pathlib
import re
import subprocess
import sys

FILE_SCOPE = re.compile(r'#include|(?:void|bool|int|program|instr_id|struct|template|using namespace)\b[^;=]*[({]')


def unit_of(page):
    """The page's snippets as one program."""
    lines = page.read_text().split('\n')
    out, bodies, at = [], 0, 0
    while at < len(lines):
        if lines[at] != '```cpp':
            at += 1
            continue
        end = lines.index('```', at)
        block = lines[at + 1:end]
        first = next(x for x in block if not x.startswith('//'))
        whole = FILE_SCOPE.match(first) is not None
        if not whole:
            out.append(f'static void snippet_{bodies}() {{')
            bodies += 1
        out.append(f'#line {at + 2} "{page}"')
        out += block
        if not whole:
            out.append('}')
        at = end + 1
    if bodies == 0:
        sys.exit(f'{page}: no snippet')
    out.append('int main() {')
    out += [f'  snippet_{k}();' for k in range(bodies)]
    out.append('}')
    return '\n'.join(out) + '\n'


def main():
    compiler, page, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    root = pathlib.Path(sys.argv[4] if len(sys.argv) > 4 else pathlib.Path(__file__).resolve().parent.parent)
    folder.mkdir(parents=True, exist_ok=True)
    source, program = folder / (page.stem + '.cpp'), folder / page.stem
    source.write_text(unit_of(page))
    flags = ['-std=c++20', '-O0', '-Wall', '-Wextra', '-Werror', '-Wno-unused-function']
    built = subprocess.run([*compiler.split(), *flags, f'-I{root / "include"}', str(source), '-o', str(program)], check=False)
    if built.returncode != 0:
        sys.exit(f'{page}: a snippet does not compile')
    if subprocess.run([str(program)], stdout=subprocess.DEVNULL, check=False).returncode != 0:
        sys.exit(f'{page}: a snippet does not do what it says')


if __name__ == '__main__':
    main()
