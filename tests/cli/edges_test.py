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


def functions(folder):
    """check --original: functions of one name are told apart, and none may be missing."""
    text = (DATA / 'listings' / 'formats' / 'cuobjdump-saxpy.sm80.txt').read_text()
    twice, first = folder / 'twice.txt', folder / 'first.txt'
    twice.write_text(text.replace('Function : saxpy_vec4', 'Function : saxpy'))
    code, out, err = run('check', twice, '--original', twice)
    expect(code == 0, f'two functions of one name against themselves: exit {code}: {out[:300]}{err}')
    end = re.search(r'\.\.\.\.\.+\n', twice.read_text()).end()
    first.write_text(twice.read_text()[:end])
    code, out, err = run('check', first, '--original', twice)
    expect(code == 1 and 'missing_function' in out and 'function saxpy is not in' in out, f'a lost function: exit {code}: {out[:300]}{err}')
    code, out, _ = run('check', first, '--original', twice, '--json')
    rows = json.loads(out) if code == 1 else []
    expect([r['sm'] for r in rows] == ['sm_80', 'sm_80'] and rows[1]['hazards'][0]['kind'] == 'missing_function', f'... as JSON: {out[:300]}')
    code, out, err = run('check', twice, '--original', first)
    expect(code == 2 and 'expected 2 sections saxpy' in err, f'a function that the original lacks: exit {code}: {out[:300]}{err}')


def device_functions(_):
    """Code of an object file: a function that returns has a caller, who gave it registers."""
    code, out, err = run('check', DATA / 'cli' / 'device_function.sm80.cuobjdump.txt')
    expect(code == 0 and out.startswith('0 hazards in 2 functions'), f'a function that returns: exit {code}: {out[:300]}{err}')
    text = (DATA / 'cli' / 'device_function.sm80.cuobjdump.txt').read_text()
    assert text.count('RET.ABS.NODEC R20 0x0') == 2
    code, out, _ = run('check', '-', data=re.sub(r'RET\.ABS\.NODEC R20 0x0', 'EXIT', text).encode())
    expect(code == 1 and 'undefined_read on R20' in out, f'a kernel has no caller: exit {code}: {out[:300]}')


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


PARTS = [letters, functions, device_functions]

if __name__ == '__main__':
    sys.exit(main())
