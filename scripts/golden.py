#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Run a program and compare its standard output with a golden file, byte for byte.

    scripts/golden.py PROGRAM GOLDEN             exit 1 and a diff when they differ
    scripts/golden.py --update PROGRAM GOLDEN    write the golden file
"""
import difflib
import pathlib
import subprocess
import sys


def main(arguments):
    update = '--update' in arguments
    program, golden = [a for a in arguments if a != '--update']
    done = subprocess.run([program], capture_output=True, timeout=60, check=False)
    text = done.stdout.decode()
    if update:
        pathlib.Path(golden).write_text(text)
        return done.returncode
    expected = pathlib.Path(golden).read_text() if pathlib.Path(golden).is_file() else ''
    if done.returncode == 0 and text == expected and text:
        return 0
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), text.splitlines(True), golden, 'output'))
    print(f'exit {done.returncode}')
    return 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
