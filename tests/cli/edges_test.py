#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The command line at its edges: pairs of files, dumps of several files, odd options and odd outputs.

    edges_test.py TOOL ROOT      exit 1 and one line per failed expectation
"""
import json
import os
import pathlib
import re
import subprocess
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


def long_text(folder):
    """Nothing is cut: names and branch tables may be long. File names may be of any bytes."""
    name = 'k' * 3000
    text = LISTING.read_text().replace('sgemm_tiled', name)
    broken = re.sub(r'(/\* 0x[0-9a-f]{16} \*/)', lambda m: f'/* 0x{int(m.group(1)[3:-3], 16) & ~(0x3f << 52):016x} */'
                    if int(m.group(1)[3:-3], 16) >> 52 & 0x3f and int(m.group(1)[3:-3], 16) >> 58 == 0 else m.group(1), text)
    code, out, err = run('check', '-', data=broken.encode())
    expect(code == 1 and f'  {name} (sm_80, standard input):\n' in out, f'a long name: exit {code}: {out[:200]}{err[:200]}')
    strange = os.fsencode(folder) + b'/\xff\xe9"name.sass'
    with open(strange, 'wb') as file:
        file.write(SAXPY.read_bytes())
    code, out, err = run('check', os.fsdecode(strange), '--json')
    expect(code == 0 and json.loads(out)[0]['file'].endswith('/\u00ff\u00e9"name.sass'), f'a file name of odd bytes: exit {code}: {out[:200]}{err}')
    named = folder / 'n\u00e4me\u4e2d.sass'
    named.write_bytes(SAXPY.read_bytes())
    code, out, err = run('check', named, '--json')
    expect(code == 0 and json.loads(out)[0]['file'] == str(named), f'a file name in UTF-8: exit {code}: {out[:200]}{err}')


def written(folder):
    """Outputs: one name for two, all or nothing, protected files, links to nothing, long names."""
    home = os.getcwd()
    os.chdir(folder)
    os.symlink('.', 'around')
    pair = lambda a, b: run('schedule', SAXPY, '-o', a, '--cubin', SAXPY_CUBIN, '--cubin-out', b)
    for a, b in (('same', './same'), ('same', folder / 'same'), ('around/same', 'same')):
        code, _, err = pair(a, b)
        expect(code == 2 and 'two outputs' in err and not (folder / 'same').exists(), f'{a} and {b}: exit {code}: {err}')
    os.chdir(home)
    old = folder / 'old.sass'
    old.write_text('old')
    if pathlib.Path('/dev/full').exists():
        code, _, err = pair(old, '/dev/full')
        expect(code == 2 and old.read_text() == 'old', f'a second output that is full: exit {code}, {len(old.read_text())} bytes: {err}')
        with open('/dev/full', 'w', encoding='ascii') as full:
            done = subprocess.run([cli_test.TOOL, 'schedule', SAXPY, '-o', old], stdout=full, stderr=subprocess.PIPE, check=False)
        expect(done.returncode == 2 and done.stderr and old.read_text() == 'old', 'standard output is full: the output was touched')
    done = subprocess.run([cli_test.TOOL, 'schedule', SAXPY, '--cubin', SAXPY_CUBIN, '--cubin-out', '-'], capture_output=True, check=False)
    expect(done.returncode == 0 and done.stdout[:4] == b'\x7fELF' and len(done.stdout) == SAXPY_CUBIN.stat().st_size and b'saxpy' in done.stderr,
           'a cubin on standard output is nothing but the cubin')
    old.chmod(0o444)
    code, _, err = run('schedule', SAXPY, '-o', old)
    expect(code == 2 and 'old.sass: cannot write' in err and old.read_text() == 'old', f'a protected output: exit {code}: {err}')
    link, there = folder / 'dangling', folder / 'there'
    link.symlink_to('there')
    code, _, err = run('schedule', SAXPY, '-o', link)
    expect(code == 0 and link.is_symlink() and there.is_file(), f'a link to a file that is not there yet: exit {code}: {err}')
    there.unlink()
    code, _, err = pair(link, there)
    expect(code == 2 and 'two outputs' in err and not there.exists(), f'a link, and where it leads: exit {code}: {err}')
    long_name = folder / ('n' * 255)
    code, _, err = run('schedule', SAXPY, '-o', long_name)
    expect(code == 0 and long_name.is_file(), f'a name of 255 bytes: exit {code}: {err}')


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in PARTS:
            part(folder)
        leftovers = [p.name for p in folder.iterdir() if p.name.startswith('.warpwright.')]
        expect(not leftovers, f'temporary files left behind: {leftovers}')
    for line in cli_test.faults:
        print(line)
    print(f'{cli_test.checks} expectations, {len(cli_test.faults)} failed')
    return 1 if cli_test.faults or cli_test.checks == 0 else 0


PARTS = [letters, functions, device_functions, long_text, written]

if __name__ == '__main__':
    sys.exit(main())
