#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compile every header alone, twice included, with the strict flags; core headers without exceptions and RTTI.

    scripts/check_headers.py CXX [ROOT]     exit 1 and the compiler's words for each header that fails
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

STRICT = ['-std=c++20', '-fsyntax-only', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror', '-DWARPWRIGHT_WARNINGS',
          '-fno-exceptions', '-fno-rtti', '-x', 'c++', '-']


def compile_alone(cxx, root, header):
    name = header.relative_to(root / 'include').as_posix()
    source = f'#include <{name}>\n#include <{name}>\nint main() {{ return 0; }}\n'
    done = subprocess.run([cxx, '-I', str(root / 'include'), *STRICT], input=source, capture_output=True, text=True, check=False)
    return name, done.returncode, done.stderr


def main(arguments):
    cxx = arguments[0] if arguments else 'g++'
    root = pathlib.Path(arguments[1] if len(arguments) > 1 else '.').resolve()
    headers = sorted((root / 'include').rglob('*.hpp'))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        for name, status, words in pool.map(lambda h: compile_alone(cxx, root, h), headers):
            if status != 0:
                failed += 1
                print(f'{name}:\n{words[:2000]}')
    print(f'{len(headers)} headers, {failed} failed')
    return 1 if failed or not headers else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
