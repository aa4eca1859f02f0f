#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The command line at its edges: pairs of files, dumps of several files, odd options and odd outputs.

    edges_test.py TOOL ROOT      exit 1 and one line per failed expectation
"""
import json
import os
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import cli_test
from cli_test import CUBIN, DATA, DEMO, LISTING, expect, run

SAXPY, SAXPY_CUBIN = DEMO / 'saxpy.sm80.sass', DATA / 'cubin' / 'saxpy.sm80.cubin'


def letters(folder):
    """A listing without the letter of its SM takes it from its cubin."""
    listing, cubin = DATA / 'listings' / 'tma_pipeline.sm90a.sass', DATA / 'cubin' / 'tma_pipeline.sm90a.cubin'
    code, out, err = run('schedule', listing, '-o', folder / 'a.sass', '--cubin', cubin, '--cubin-out', folder / 'a.cubin', '--json')
    rows = json.loads(out) if code == 0 else []
    expect(code == 0 and all(r['sm'] == 'sm_90a' for r in rows), f'a listing of sm_90a with its cubin: exit {code}: {out[:200]}{err}')
    code, _, err = run('schedule', listing, '--sm', 'sm_90', '--cubin', cubin, '--cubin-out', folder / 'b.cubin')
    expect(code == 2 and 'another SM' in err, f'sm_90 by name, and a cubin of sm_90a: exit {code}: {err}')
    code, _, err = run('schedule', SAXPY, '--cubin', cubin, '--cubin-out', folder / 'b.cubin')
    expect(code == 2 and 'another SM' in err, f'sm_80 and a cubin of sm_90a: exit {code}: {err}')


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in PARTS:
            part(folder)
        leftovers = [p.name for p in folder.iterdir() if re.search(r'\.[A-Za-z0-9]{6}$', p.name)]
        expect(not leftovers, f'temporary files left behind: {leftovers}')
    for line in cli_test.faults:
        print(line)
    print(f'{cli_test.checks} expectations, {len(cli_test.faults)} failed')
    return 1 if cli_test.faults or cli_test.checks == 0 else 0


PARTS = [letters]

if __name__ == '__main__':
    sys.exit(main())
