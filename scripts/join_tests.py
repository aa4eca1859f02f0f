#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Joins test files into one unit, so that the library's templates are instantiated once for all of them.

    scripts/join_tests.py OUT.cpp FILE.cpp...

Every header that a file includes comes first; then each file, in a namespace of its own: its names meet no others, and its
includes are empty by then. A file that cannot be joined (tests/CMakeLists.txt says which) is compiled alone.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"]', re.M)


def main():
    out, *files = map(pathlib.Path, sys.argv[1:])
    headers, bodies = [], []
    for file in map(pathlib.Path.resolve, files):
        for kind, name in INCLUDE.findall(file.read_text()):
            near = file.parent / name
            line = f'#include "{near.resolve()}"' if kind == '"' and near.is_file() else f'#include <{name}>'
            if line not in headers:
                headers.append(line)
        bodies.append(f'namespace {file.parent.name}_{file.stem} {{\n#include "{file}"\n}}')
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text('\n'.join(headers + bodies) + '\n')


if __name__ == '__main__':
    main()
