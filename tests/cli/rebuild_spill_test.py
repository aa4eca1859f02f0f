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
OWN_CALLS, OWN_CALLS_CUBIN = DATA / 'listings' / 'scan.sm86.sass', DATA / 'cubin' / 'scan.sm86.cubin'
TABLES = [(DATA / 'listings' / f'jumptable.{sm}.sass', DATA / 'cubin' / f'jumptable.{sm}.cubin') for sm in ('sm80', 'sm90')]
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


def sections_of(data):
    """(name, bytes, index) of the file's sections."""
    table, = struct.unpack_from('<Q', data, 40)
    count, names = struct.unpack_from('<HH', data, 60)
    headers = [struct.unpack_from('<IIQQQQIIQQ', data, table + 64 * k) for k in range(count)]
    name = lambda h: data[headers[names][4] + h[0]:].split(b'\0', 1)[0].decode()
    return [(name(h), b'' if h[1] == 8 else data[h[4]:h[4] + h[5]], k) for k, h in enumerate(headers)]


def functions_of(data):
    """{(section, symbol): (start, end)} of the functions of the file."""
    sections = sections_of(data)
    strings = next(b for n, b, _ in sections if n == '.strtab')
    symbols = next(b for n, b, _ in sections if n == '.symtab')
    found = {}
    for at in range(0, len(symbols), 24):
        name, info, _, section, value, size = struct.unpack_from('<IBBHQQ', symbols, at)
        if info & 15 == 2 and 0 < section < len(sections):
            found[sections[section][0], strings[name:].split(b'\0', 1)[0].decode()] = (value, value + size)
    return found


def places(text):
    """{section: {label: address}} of a listing, and by section the labels that its indirect branches go to."""
    labels, targets, section, waiting = {}, {}, '', []
    for line in text.splitlines():
        if m := re.match(r'\s*\.section\s+(\.text\.[^,]+),', line):
            section, waiting = m.group(1), []
        elif m := re.match(r'([.$\w]+):\s*$', line):
            waiting.append(m.group(1))
        elif m := re.match(r'\s*/\*([0-9a-f]{4,})\*/', line):
            labels.setdefault(section, {}).update((name, int(m.group(1), 16)) for name in waiting)
            waiting = []
            if t := re.search(r'BRANCH_TARGETS ([^"]*)"', line):
                targets.setdefault(section, set()).update(t.group(1).split(','))
    return labels, targets


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


def calls(folder):
    """Functions of the kernel's own: calls come back behind themselves, and symbols stand where the functions are."""
    new, new_cubin = folder / 'calls.sass', folder / 'calls.cubin'
    for most in (15, 12):
        words = ['rebuild', OWN_CALLS, '--max-regs', most, '-o', new, '--cubin', OWN_CALLS_CUBIN, '--cubin-out', new_cubin]
        code, out, err = run(*words)
        expect(code == 0 and 'note: spilled: ' in out, f'{words}: exit {code}: {out}{err}')
        if code != 0:
            continue
        text = new.read_text()
        expect(run('check', new)[0] == 0, f'{words}: the new listing passes check')
        labels, _ = places(text)
        functions = functions_of(new_cubin.read_bytes())
        old = functions_of(OWN_CALLS_CUBIN.read_bytes())
        own = [(section, name) for section, name in functions if functions[section, name][0] != 0]
        expect(own and functions.keys() == old.keys(), f'{words}: functions {functions}')
        expect(any(functions[f] != old[f] for f in own), f'{words}: no function has moved: {functions}')
        for section, name in functions:
            expect(functions[section, name][0] == labels[section][name], f'{words}: {name} at {functions[section, name]}, {labels[section]}')
        size = {n: len(b) for n, b, _ in sections_of(new_cubin.read_bytes())}
        expect(all(end <= size[section] for (section, _), (_, end) in functions.items()), f'{words}: {functions} beyond {size}')
        expect(any(end == size[section] for (section, _), (_, end) in functions.items()), f'{words}: {functions}, {size}')
        steps = sorted(int(m.group(1), 16) for b in bodies(text) if (m := re.match(r'IADD3 R1, R1, -0x([0-9a-f]+), RZ', b)))
        for attribute in (0x11, 0x12):  # of the kernel alone
            told = sorted(b for a, b in frames(new_cubin.read_bytes()) if a == attribute and b != 0)
            expect(steps and told == steps, f'{words}: frames {told}, steps {steps}')
        lines = [m.groups() for m in re.finditer(r'/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;', text)]
        behind = {int(a, 16) + 16 for a, body in lines if 'CALL.REL' in body}
        numbers = [int(m.group(1), 16) for _, body in lines if (m := re.match(r'MOV R\d+, 0x([0-9a-f]+)$', body)) and int(m.group(1), 16) in behind]
        expect(sorted(numbers) == sorted(behind) and len(behind) == 4, f'{words}: numbers {numbers}, calls {behind}')
        code, out, err = run('schedule', new, '--cubin', new_cubin, '--cubin-out', folder / 'again.cubin')
        expect(code == 0, f'{words}: the new listing fits the new cubin: {out}{err}')


def tables(folder):
    """The constants of branch tables are the places of the labels that the branches name."""
    new, new_cubin = folder / 'tables.sass', folder / 'tables.cubin'
    for listing, cubin in TABLES:
        words = ['rebuild', listing, '--max-regs', 9, '-o', new, '--cubin', cubin, '--cubin-out', new_cubin]
        code, out, err = run(*words)
        expect(code == 0 and 'branch tables' in out and 'note: spilled: ' in out, f'{words}: exit {code}: {out}{err}')
        if code != 0:
            continue
        labels, targets = places(new.read_text())
        before = {n: b for n, b, _ in sections_of(cubin.read_bytes())}
        after = {n: b for n, b, _ in sections_of(new_cubin.read_bytes())}
        moved = 0
        for section, names in targets.items():
            bank = section.replace('.text.', '.nv.constant2.')
            count = len(after[bank]) // 4
            there = struct.unpack(f'<{count}I', after[bank])
            expect(set(there) == {labels[section][n] for n in names}, f'{words}: {bank} {there}, {names}')
            was = struct.unpack(f'<{count}I', before[bank])
            expect(all((was[a] < was[b]) == (there[a] < there[b]) for a in range(count) for b in range(count)), f'{words}: order of {bank}')
            moved += was != there
        expect(moved > 0, f'{words}: no table has changed')
        code, out, err = run('schedule', new, '--cubin', new_cubin, '--cubin-out', folder / 'again.cubin')
        expect(code == 0, f'{words}: the new listing fits the new cubin: {out}{err}')


def enough(folder):
    """With registers enough nothing is spilled, and nothing is said of it."""
    plain, limited = folder / 'plain.sass', folder / 'limited.sass'
    code, out, err = run('rebuild', SAXPY, '--max-regs', 255, '-o', limited, '--json')
    expect(code == 0 and '"spill_' not in out and local(limited.read_text())[0] == 0, f'enough: exit {code}: {out}{err}')
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
    finish(good, calls, tables, enough, bad)
