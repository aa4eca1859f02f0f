#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Run `warpwright rebuild` on good and bad input.

    rebuild_test.py TOOL ROOT      exit 1 and one line per failed expectation
"""
import collections
import json
import re
import struct

from expectations import ROOT, SLOW, expect, finish, run

DATA = ROOT / 'tests' / 'data'
DEMO = DATA / 'demo'
LISTINGS, CUBINS = DATA / 'listings', DATA / 'cubin'
SAXPY = LISTINGS / 'saxpy.sm80.sass'


def rows_of(out):
    """The objects of --json by name."""
    try:
        return {row['name']: row for row in json.loads(out)}
    except ValueError:
        return {}


INSTRUCTION = re.compile(r'^\s+/\*([0-9a-f]{4,5})\*/\s+(.*?)\s*;\s+/\* 0x([0-9a-f]{16}) \*/\s*\n\s+/\* 0x([0-9a-f]{16}) \*/', re.M)


def sections(text):
    """(address, body, low word, high word) of each instruction, by section."""
    found = {}
    for part in re.split(r'^\s*\.section\s+\.text\.', text, flags=re.M)[1:]:
        name = part[:part.index(',')]
        found[name] = [(int(a, 16), body, int(low, 16), int(high, 16)) for a, body, low, high in INSTRUCTION.findall(part)]
    return found


def stripped(body):
    """An instruction without the numbers of its registers."""
    body = re.sub(r'\.reuse\b', '', body)
    body = re.sub(r'`\([^)]*\)', '`()', body)
    return re.sub(r'\b(UR|UP|R|P)(\d+)', r'\1n', body)


def registers(body):
    return [int(n) for n in re.findall(r'(?<![A-Z0-9_.])R(\d+)', body)]


def code_of(cubin):
    """Bytes and register counts of the code sections of an ELF file, by kernel name."""
    data = cubin.read_bytes()
    offset, = struct.unpack_from('<Q', data, 40)
    size, count, names = struct.unpack_from('<HHH', data, 58)
    headers = [struct.unpack_from('<IIQQQQIIQQ', data, offset + k * size) for k in range(count)]

    def text(table, at):
        start = headers[table][4] + at
        return data[start:data.index(b'\0', start)].decode()

    code, counts = {}, {}
    name_of = [text(names, h[0]) for h in headers]
    symbols = next(h for h in headers if h[1] == 2)
    for h, name in zip(headers, name_of):
        if name.startswith('.text.'):
            code[name[6:]] = data[h[4]:h[4] + h[5]]
        if name == '.nv.info':
            at = h[4]
            while at + 4 <= h[4] + h[5]:
                form, attribute, value = struct.unpack_from('<BBH', data, at)
                length = value if form == 4 else 0
                if form == 4 and attribute == 0x2f:
                    symbol, registers_asked = struct.unpack_from('<II', data, at + 4)
                    entry = struct.unpack_from('<IBBHQQ', data, symbols[4] + symbol * 24)
                    counts[text(symbols[6], entry[0])] = registers_asked
                at += 4 + length
    return code, counts


def compare(name, before, after, rows):
    was, now = sections(before), sections(after)
    expect(was.keys() == now.keys(), f'{name}: the sections are the same')
    for section in was:
        expect(collections.Counter(stripped(b) for _, b, _, _ in was[section]) ==
               collections.Counter(stripped(b) for _, b, _, _ in now[section]), f'{name} {section}: the same instructions but for registers')
        expect([a for a, *_ in was[section]] == [a for a, *_ in now[section]], f'{name} {section}: the same addresses')
        row = rows.get(section, {})
        highest = max((r for _, b, _, _ in now[section] for r in registers(b)), default=0)
        new = not any('registers as they were' in n for n in row.get('notes', []))
        expect(not new or highest < row.get('registers_after', 0) <= 255, f'{name} {section}: R{highest} is within {row.get("registers_after")}')
        expect(row.get('cycles_after', 1) <= row.get('cycles_before', 0) + 1e-6, f'{name} {section}: not dearer')


def good(folder):
    new, changed = folder / 'new.sass', 0
    for listing in sorted(LISTINGS.glob('*.sass'))[::4 if SLOW else 1]:
        code, out, err = run('rebuild', listing, '-o', new, '--json')
        expect(code == 0 and not err, f'{listing.name}: exit {code}: {err}')
        if code != 0:
            continue
        rows = rows_of(out)
        before, after = listing.read_text(), new.read_text()
        compare(listing.name, before, after, rows)
        changed += sum(not any('registers as they were' in n for n in r['notes']) for r in rows.values())
        expect(run('check', new)[0] == run('check', listing)[0] == 0, f'{listing.name}: the new listing passes check')
        expect(not any(h['kind'] == 'other_words' for r in rows_of(run('check', new, '--json')[1]).values() for h in r['hazards']),
               f'{listing.name}: words and text agree')
        for number in re.findall(r'SHI_REGISTERS=(\d+)', after):
            expect(int(number) in {r['registers_after'] for r in rows.values()}, f'{listing.name}: the text tells {number} registers')
    expect(changed > (5 if SLOW else 20), f'{changed} functions have new registers')
    one, two = folder / 'one.sass', folder / 'two.sass'
    listing = LISTINGS / 'histogram.sm90.sass'
    run('rebuild', listing, '-o', one)
    run('rebuild', listing, '-o', two)
    expect(one.read_bytes() == two.read_bytes(), 'the same input gives the same bytes')
    code, out, _ = run('rebuild', listing)
    expect(code == 0 and 'geometric mean' in out, 'without -o there is a table alone')


def cubins(folder):
    new, patched = folder / 'new.sass', folder / 'new.cubin'
    pairs = [(l, c) for c in sorted(CUBINS.glob('*.cubin')) + sorted(DEMO.glob('*.cubin'))
             for l in (LISTINGS / f'{c.stem}.sass', DEMO / f'{c.stem}.sass') if l.is_file()]
    written = 0
    for listing, cubin in pairs:
        code, out, err = run('rebuild', listing, '-o', new, '--cubin', cubin, '--cubin-out', patched, '--json')
        if code != 0:  # what cannot be patched is said, and nothing is written
            expect(code == 2 and 'expected' in err, f'{cubin.name}: exit {code}: {err}')
            continue
        written += 1
        rows, now = rows_of(out), sections(new.read_text())
        code_bytes, counts = code_of(patched)
        _, had = code_of(cubin)
        for section, instructions in now.items():
            held = code_bytes[section]
            words = [struct.unpack_from('<QQ', held, 16 * k) for k in range(len(instructions))]
            expect(words == [(low, high) for _, _, low, high in instructions], f'{cubin.name} {section}: listing and cubin hold the same words')
            asked = had.get(section) if rows[section]['registers_before'] == rows[section]['registers_after'] else rows[section]['registers_after']
            expect(counts.get(section) == asked, f'{cubin.name} {section}: asks for {counts.get(section)} of {asked} registers')
    expect(written >= 3, f'{written} cubins were written')


def levels(folder):
    new = folder / 'level.sass'
    for level in ('-O0', '-O1', '-O2', '-O3'):
        code, out, err = run('rebuild', SAXPY, level, '-o', new, '--json')
        expect(code == 0 and run('check', new)[0] == 0, f'{level}: exit {code}: {err}')
        kept = all(any('registers as they were' in n for n in r['notes']) for r in rows_of(out).values())
        expect(level != '-O0' or kept, '-O0 keeps the registers')
    # Where nothing says where a branch leads, all stays, and the note says why.
    jumps = LISTINGS / 'formats' / 'cuobjdump-jumptable.sm80.txt'
    code, out, err = run('rebuild', jumps, '-o', new, '--json')
    expect(code == 0 and new.read_bytes() == jumps.read_bytes(), f'unknown targets: exit {code}: {err}')
    expect(all(any('registers as they were' in n for n in r['notes']) for r in rows_of(out).values()), f'unknown targets: {out}')
    code, out, _ = run('rebuild', LISTINGS / 'histogram.sm90.sass', '--json')
    had = max(r['registers_before'] for r in rows_of(out).values())
    code, out, err = run('rebuild', LISTINGS / 'histogram.sm90.sass', '--max-regs', had, '-o', new, '--json')
    expect(code == 0 and all(r['registers_after'] <= had for r in rows_of(out).values()), f'--max-regs {had}: exit {code}: {err}')


def searched(folder):
    """--search behind a rebuild: never dearer, the same words and registers, proved, the cubin too."""
    plain, new, new_cubin = folder / 'plain.sass', folder / 'searched.sass', folder / 'searched.cubin'
    for name, words in (('noinline_call.sm90', ['--warps', 1]), ('saxpy.sm80', ['--warps', 1, '--max-regs', 12])):
        listing, cubin = LISTINGS / f'{name}.sass', CUBINS / f'{name}.cubin'
        _, out, _ = run('rebuild', listing, *words, '-o', plain, '--json')
        before = rows_of(out)
        code, out, err = run('rebuild', listing, *words, '--search', 200, '-o', new, '--cubin', cubin, '--cubin-out', new_cubin, '--json')
        rows = rows_of(out) if code == 0 else {}
        expect(code == 0 and rows.keys() == before.keys(), f'rebuild --search {words}: exit {code}: {out}{err}')
        expect(all(r['cycles_after'] <= before[n]['cycles_after'] for n, r in rows.items()), f'--search {words}: dearer: {out}')
        expect(any(r['cycles_after'] < before[n]['cycles_after'] for n, r in rows.items()), f'--search {words}: nothing found: {out}')
        expect(all(r['registers_after'] == before[n]['registers_after'] for n, r in rows.items()), f'--search {words}: registers: {out}')
        expect(run('check', new)[0] == 0 and run('check', new_cubin)[0] == 0, f'--search {words}: check')
        bare = lambda text: sorted(stripped(i[1]) for s in sections(text).values() for i in s)
        expect(bare(new.read_text()) == bare(plain.read_text()), f'--search {words}: other instructions than without')


def told_limit(folder):
    """A cubin whose compiler was told a limit gets no more registers than that."""
    listing, cubin = LISTINGS / 'saxpy.sm86.sass', CUBINS / 'saxpy.sm86.cubin'
    new, new_cubin, limited = folder / 'told.sass', folder / 'told.cubin', folder / 'limited.cubin'
    _, out, _ = run('rebuild', listing, '-o', new, '--cubin', cubin, '--cubin-out', new_cubin, '--json')
    rows = rows_of(out).values()
    before, after = max(r['registers_before'] for r in rows), max(r['registers_after'] for r in rows)
    expect(before + 1 < after, f'without a limit more registers than {before} are taken: {after}')
    record = b'\x03\x1b'  # EIATTR_MAXREG_COUNT with its value
    data = cubin.read_bytes()
    expect(data.count(record + b'\xff\x00') == 2, 'the cubin has two limits of 255')
    limited.write_bytes(data.replace(record + b'\xff\x00', record + bytes([before + 1, 0])))
    code, out, err = run('rebuild', listing, '-o', new, '--cubin', limited, '--cubin-out', new_cubin, '--json')
    most = max((r['registers_after'] for r in rows_of(out).values()), default=0)
    expect(code == 0 and before <= most <= before + 1, f'MAXREG_COUNT {before + 1}: exit {code}, {most} registers: {err}')
    expect(code == 0 and run('check', new)[0] == 0 and new_cubin.exists(), 'the result within the limit is right')


def counts_for_callees(folder):
    """What a kernel asks for because of what it calls, or called, is told alike by the listing, its row and the cubin."""
    listing, cubin = DATA / 'cli' / 'halved-rdc.sm86.sass', CUBINS / 'halved-rdc.sm86.cubin'
    new, patched = folder / 'called.sass', folder / 'called.cubin'
    asked = lambda path: dict(re.findall(r'\.text\.(\w+),.*\n.*SHI_REGISTERS=(\d+)', path.read_text()))
    had = asked(listing)
    expect(had == {'__cuda_sm70_shflsync_down_p': '24', 'halved': '24'}, f'the compiler asks for {had}')
    for words in (['--cubin', cubin, '--cubin-out', patched], []):
        code, out, err = run('rebuild', listing, '-o', new, '--json', *words)
        row = rows_of(out).get('halved', {})
        changed = code == 0 and not any('registers as they were' in n for n in row['notes'])
        expect(changed, f'the kernel gets other registers: exit {code}: {err} {row}')
        expect(asked(new) == had and row.get('registers_after') == 24, f'{words}: the listing asks for {asked(new)}: {row}')
        expect(any('more than its code needs' in n for n in row.get('notes', [])), f'the reason is told: {row}')
    expect({n: str(c) for n, c in code_of(patched)[1].items()} == had, f'the cubin asks for {code_of(patched)[1]}')
    alone, text = folder / 'alone.sass', listing.read_text()
    first, second = (m.start() for m in re.finditer(r'^//-+ \.text\.', text, flags=re.M))
    alone.write_text(text[:first] + text[second:])
    code, out, err = run('rebuild', alone, '--max-regs', '12', '-o', folder / 'few.sass')
    expect(code == 2 and 'for what it calls it asks for 24' in err and not (folder / 'few.sass').exists(), f'--max-regs 12: exit {code}: {err}')
    code, out, err = run('rebuild', listing, '-O0', '-o', new, '--cubin', cubin, '--cubin-out', patched, '--json')
    expect(code == 0 and asked(new) == had and all(r['registers_after'] == 24 for r in rows_of(out).values()), f'-O0: exit {code}: {err}')


def bad(folder):
    target = folder / 'target.sass'
    target.write_text('keep me')
    for words, said in ((['--max-regs', '256'], 'a number from 0 to 255'), (['-O4'], 'unknown option'), (['-O1', '-O2'], 'one of -O0'), (['-O0', '--search', '5'], 'exclude each other'), (['-O0', '--search', '0'], 'exclude each other'),
                        (['-O0', '--max-regs', '20'], 'exclude each other'), (['--o0'], 'has no option'), (['--strategy', 'list'], 'has no option'),
                        (['--scoreboard', 'text'], 'has no option'), (['--html', 'x'], 'has no option'), (['--cubin', CUBINS / 'saxpy.sm80.cubin'], 'go together')):
        code, out, err = run('rebuild', SAXPY, '-o', target, *words)
        expect(code == 2 and said in err and not out, f'rebuild {words}: exit {code}: {err}')
    for few in (1, 2):  # not a limit that is no limit
        code, out, err = run('rebuild', SAXPY, '-o', target, '--max-regs', few)
        expect(code == 2 and f'in {few} registers' in err and not out, f'--max-regs {few}: exit {code}: {err}')
    code, _, err = run('schedule', SAXPY, '--max-regs', '20')
    expect(code == 2 and 'has no option' in err, f'schedule --max-regs: exit {code}: {err}')
    code, _, err = run('rebuild')
    expect(code == 2 and 'an input file is missing' in err, f'rebuild alone: exit {code}: {err}')
    lines = SAXPY.read_text().splitlines(True)
    broken = folder / 'broken.sass'
    broken.write_text(''.join(lines[:len(lines) // 2])[:-7])
    code, _, err = run('rebuild', broken, '-o', target)
    expect(code == 2 and 'broken.sass' in err, f'a truncated listing: exit {code}: {err}')
    plain = folder / 'plain.sass'
    plain.write_text(re.sub(r'/\* 0x[0-9a-f]{16} \*/', '', SAXPY.read_text()))
    code, _, err = run('rebuild', plain, '-o', target)
    expect(code == 2 and 'hex words' in err, f'a listing without hex: exit {code}: {err}')
    code, _, err = run('rebuild', SAXPY, '-o', target, '--cubin', CUBINS / 'saxpy.sm90.cubin', '--cubin-out', folder / 'x.cubin')
    expect(code == 2 and 'another SM' in err and not (folder / 'x.cubin').exists(), f'the cubin of another SM: exit {code}: {err}')
    expect(target.read_text() == 'keep me', 'outputs are untouched on errors')


if __name__ == '__main__':
    finish(good, cubins, levels, searched, told_limit, counts_for_callees, bad)
