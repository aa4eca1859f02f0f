#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Run `warpwright rebuild --max-regs` where values have to go into local memory.

    rebuild_spill_test.py TOOL ROOT      exit 1 and one line per failed expectation
"""
import json
import re
import struct

from expectations import ROOT, bodies, expect, finish, run

DATA = ROOT / 'tests' / 'data'
SAXPY, CUBIN = DATA / 'listings' / 'saxpy.sm80.sass', DATA / 'cubin' / 'saxpy.sm80.cubin'
TURING, TURING_CUBIN = DATA / 'listings' / 'cas_atomics.sm75.sass', DATA / 'cubin' / 'cas_atomics.sm75.cubin'
CALLS = DATA / 'listings' / 'noinline_call.sm80.sass'
BLACKWELL, BLACKWELL_CUBIN = DATA / 'listings' / 'saxpy.sm120.sass', DATA / 'cubin' / 'saxpy.sm120.cubin'


def local(text):
    """Stores and reloads in the text, and the highest byte behind the stack pointer that they touch."""
    stores = loads = top = 0
    for body in bodies(text):
        m = re.match(r'(STL|LDL)(?:\.(64|128))? .*\[R1(?:\+0x([0-9a-f]+))?\]', body)
        if m:
            stores, loads = stores + (m.group(1) == 'STL'), loads + (m.group(1) == 'LDL')
            top = max(top, int(m.group(3) or '0', 16) + int(m.group(2) or 32) // 8)
    return stores, loads, top


def frames(data):
    """(attribute, bytes) of FRAME_SIZE and MIN_STACK_SIZE in the file's .nv.info."""
    table, = struct.unpack_from('<Q', data, 40)
    count, names = struct.unpack_from('<HH', data, 60)
    sections = [struct.unpack_from('<IIQQQQIIQQ', data, table + 64 * k) for k in range(count)]
    found = []
    for s in sections:
        name = data[sections[names][4] + s[0]:].split(b'\0', 1)[0]
        at = s[4]
        while name == b'.nv.info' and at + 4 <= s[4] + s[5]:
            form, attribute, size = struct.unpack_from('<BBH', data, at)
            at += 4
            if form == 4:
                if attribute in (0x11, 0x12) and size == 8:
                    found.append((attribute, struct.unpack_from('<II', data, at)[1]))
                at += size
    return found


def good(folder):
    for listing, cubin, most in ((SAXPY, CUBIN, 16), (SAXPY, CUBIN, 12), (TURING, TURING_CUBIN, 10)):
        new, new_cubin = folder / 'new.sass', folder / 'new.cubin'
        words = ['rebuild', listing, '--max-regs', most, '-o', new, '--cubin', cubin, '--cubin-out', new_cubin]
        code, out, err = run(*words)
        expect(code == 0 and 'note: spilled: ' in out and ' bytes of local memory' in out and not err, f'{words}: exit {code}: {out}{err}')
        if code != 0:
            continue
        text = new.read_text()
        code, out, err = run(*words, '--json')
        rows = json.loads(out)
        spilled = [r for r in rows if 'spill_bytes' in r]
        expect(spilled and all(r['registers_after'] <= most for r in rows), f'{words}: registers: {out}')
        stores, loads, top = local(text)
        expect(stores == sum(r['spill_stores'] for r in spilled), f'{words}: {stores} stores in the text: {out}')
        expect(loads == sum(r['spill_loads'] for r in spilled), f'{words}: {loads} reloads in the text: {out}')
        expect(0 < top <= max(r['spill_bytes'] for r in spilled), f'{words}: accesses up to {top}: {out}')
        steps = sorted(int(m.group(1), 16) for b in bodies(text) if (m := re.match(r'IADD3 R1, R1, -0x([0-9a-f]+), RZ', b)))
        expect(steps == sorted(r['spill_bytes'] for r in spilled), f'{words}: steps {steps}: {out}')
        expect(run('check', new)[0] == 0, f'{words}: the new listing passes check')
        told = frames(new_cubin.read_bytes())
        for attribute in (0x11, 0x12):
            expect(sorted(b for a, b in told if a == attribute and b != 0) == steps, f'{words}: frames {told}, steps {steps}')
        expect(all(b == 0 for _, b in frames(cubin.read_bytes())), 'the input has no frame')
        code, out, err = run('check', new_cubin)
        expect(code == 0, f'{words}: control words of the new cubin: {out}{err}')
        code, out, err = run('schedule', listing, '--cubin', new_cubin, '--cubin-out', folder / 'not')
        expect(code == 2 and not (folder / 'not').exists(), f'{words}: the old listing fits the new cubin: {out}{err}')
        code, out, err = run('schedule', new, '--cubin', new_cubin, '--cubin-out', folder / 'again.cubin')
        expect(code == 0, f'{words}: the new listing fits the new cubin: {out}{err}')
        first = (text, new_cubin.read_bytes())
        run(*words)
        expect(first == (new.read_text(), new_cubin.read_bytes()), f'{words}: the same bytes again')


def enough(folder):
    """With registers enough nothing is spilled, and nothing is said of it."""
    plain, limited = folder / 'plain.sass', folder / 'limited.sass'
    code, out, err = run('rebuild', SAXPY, '--max-regs', 255, '-o', limited, '--json')
    expect(code == 0 and 'spill' not in out and local(limited.read_text())[0] == 0, f'enough: exit {code}: {out}{err}')
    code, out, err = run('rebuild', SAXPY, '-o', plain)
    expect(code == 0 and 'spilled' not in out and local(plain.read_text())[0] == 0, f'no limit: exit {code}: {out}{err}')


def bad(folder):
    target, cubin = folder / 'bad.sass', folder / 'bad.cubin'
    target.write_text('keep me')
    for words, said in (([CALLS, '--max-regs', 8], 'calls others'), ([SAXPY, '--max-regs', 3], 'keep its registers'),
                        ([BLACKWELL, '--max-regs', 12, '--cubin', BLACKWELL_CUBIN, '--cubin-out', cubin], 'internal form')):
        code, out, err = run('rebuild', *words, '-o', target)
        expect(code == 2 and said in err and err.count('\n') == 1 and not out, f'{words}: exit {code}: {out}{err}')
    expect(target.read_text() == 'keep me' and not cubin.exists(), 'bad input: an output was touched')


if __name__ == '__main__':
    finish(good, enough, bad)
