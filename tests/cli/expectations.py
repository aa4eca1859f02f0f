# SPDX-License-Identifier: BSL-1.0
"""What the tests of the command line share: the tool run, expectations counted, and the end of a script.

    SCRIPT.py TOOL ROOT      exit 1 and one line per failed expectation
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
TOOL, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
faults = []
checks = 0


# What a script may leave out of a long part: under sanitizers every step takes ten times as long (tests/support/slow.hpp).
SLOW = os.environ.get('WARPWRIGHT_SLOW') == '1'


def expect(condition, text):
    global checks
    checks += 1
    if not condition:
        faults.append(text)


def run(*arguments, limit=300, **more):
    """Exit code, standard output and standard error of the tool; bytes that are no text are replaced."""
    done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, timeout=limit, check=False, **more)
    return done.returncode, done.stdout.decode('utf-8', 'replace'), done.stderr.decode('utf-8', 'replace')


def bodies(text):
    """The instructions of a listing, as written."""
    return [m.group(1).strip() for m in re.finditer(r'/\*[0-9a-f]{4,5}\*/\s*(.*?);', text)]


def finish(*parts):
    """Runs each part in a folder, the same for all, in which the tool may leave nothing temporary behind; then exits."""
    os.environ.pop('WARPWRIGHT_CORPUS', None)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in parts:
            part(folder)
        leftovers = [str(p) for p in folder.rglob('.warpwright*')]
        expect(not leftovers, f'temporary files left behind: {leftovers}')
    for line in faults:
        print(line)
    print(f'{checks} expectations, {len(faults)} failed')
    sys.exit(1 if faults or checks == 0 else 0)
