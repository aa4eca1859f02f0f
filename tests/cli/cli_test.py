#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Run the command line on good and bad input.

    cli_test.py TOOL ROOT      exit 1 and one line per failed expectation
"""
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import time

from expectations import ROOT, TOOL, bodies, expect, finish, run

DATA = ROOT / 'tests' / 'data'
DEMO = DATA / 'demo'
LISTING = DEMO / 'sgemm_tiled.sm80.sass'
CUBIN = DEMO / 'sgemm_tiled.sm80.cubin'
KEYS = ['name', 'sm', 'instructions', 'blocks', 'cycles_before', 'cycles_after', 'bound', 'max_live_before', 'max_live_after',
        'registers_before', 'registers_after', 'hazards', 'notes', 'seconds']
CONTROL = re.compile(r'/\* 0x([0-9a-f]{16}) \*/')


def searched(folder, scheduled):
    """--search N: other places are tried behind any strategy; never dearer than without, proved, the same every time."""
    for order in ([], ['--strategy', 'depth_first'], ['--strategy', 'global_motion'], ['--scoreboard', 'shared']):
        found, again, cubin = folder / 'searched.sass', folder / 'again.sass', folder / 'searched.cubin'
        words = ['--warps', 1, *order]
        plain = json.loads(run('schedule', LISTING, *words, '--json')[1])[0]
        code, out, err = run('schedule', LISTING, *words, '--search', 1000, '-o', found, '--cubin', CUBIN, '--cubin-out', cubin, '--json')
        expect(code == 0, f'--search {order}: exit {code}: {out}{err}')
        row = json.loads(out)[0] if code == 0 else plain
        expect(row['cycles_after'] < plain['cycles_after'], f'--search {order}: {plain["cycles_after"]} cycles, {row["cycles_after"]} with it')
        expect(row['bound'] <= row['cycles_after'] and row['blocks_kept'] <= row['blocks'], f'--search {order}: {row}')
        expect(run('check', found, '--original', LISTING)[0] == 0, f'--search {order}: check')
        run('schedule', LISTING, *words, '--search=1000', '-o', again)
        expect(again.read_text() == found.read_text() != scheduled, f'--search {order}: same input, same bytes')
    # Words that are asked for may suit the order without the search better: then that is the result.
    for name, policy in (('noinline_call.sm100', 'text'), ('tma_pipeline.sm90a', 'minimal')):
        folder_of = DATA / ('listings' if (DATA / 'listings' / f'{name}.sass').is_file() else 'listings_blackwell')
        words = ['compare', folder_of / f'{name}.sass', '--warps', 1, '--scoreboard', policy, '--json']
        plain, found = json.loads(run(*words)[1]), json.loads(run(*words, '--search', 41)[1])
        expect(all(f['cycles_after'] <= p['cycles_after'] for f, p in zip(found, plain, strict=True)), f'{name}: --scoreboard {policy} --search: dearer')


def on_terminal(*words):
    """What the tool writes to a terminal on its standard error, and what to its standard output."""
    ours, its = pty.openpty()
    process = subprocess.Popen([TOOL, *map(str, words)], stdout=subprocess.PIPE, stderr=its)
    os.close(its)
    seen = b''
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # nobody has the other end any more
            break
        if not part:
            break
        seen += part
    os.close(ours)
    return seen.decode(), process.communicate()[0].decode(), process.returncode


def shown():
    """A terminal sees how far the work is, on one line that is gone at the end; nobody else does."""
    words = ['compare', LISTING, DEMO / 'spmv_csr.sm86.sass', '--warps', 1, '--search', 300]
    seen, out, code = on_terminal(*words)
    expect((code, out, '') == run(*words), f'on a terminal: exit {code}: {out}')
    expect(re.search(r'\r2 of 2 files, [1-9]\d* places tried\r {60}\r$', seen), f'files and places, and the line goes: {seen!r}')
    seen = on_terminal('compare', LISTING, '--warps', 1, '--search', 20000)[0]
    counts = [*map(int, re.findall(r'\r(\d+) places tried', seen))]
    expect(counts and counts == sorted(counts) and counts[-1] <= 20000 and 'of 1' not in seen, f'places of one file: {seen!r}')
    expect(on_terminal(*words, '--quiet')[0] == '' == on_terminal('compare', LISTING, '--warps', 1)[0], 'nothing to show, or --quiet')


def ended(folder):
    """Ctrl-C ends a search, and what it has found is written, proved; nobody else's Ctrl-C does anything new."""
    found = folder / 'ended.sass'
    words = ['schedule', LISTING, '--warps', '1', '--search', '1000000', '-o', found, '--json']
    process = subprocess.Popen([TOOL, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, err = (text.decode() for text in process.communicate(timeout=60))
    expect(process.returncode == 0 and 'the search was ended' in err, f'Ctrl-C: exit {process.returncode}: {err}')
    row = json.loads(out)[0] if process.returncode == 0 else {}
    plain = json.loads(run('schedule', LISTING, '--warps', 1, '--json')[1])[0]
    expect(row and row['cycles_after'] < plain['cycles_after'], f'Ctrl-C: {plain["cycles_after"]} cycles, {row.get("cycles_after")} with a part of a search')
    expect(run('check', found, '--original', LISTING)[0] == 0, 'Ctrl-C: check')


def good(folder):
    code, out, err = run('check', LISTING)
    expect(code == 0, f'check of compiler output: exit {code}: {out}{err}')
    code, out, err = run('check', LISTING, '--json')
    rows = json.loads(out) if code == 0 else []
    expect(len(rows) == 1 and all(k in rows[0] for k in KEYS) and rows[0]['hazards'] == [], f'check --json: {out[:300]}{err}')
    code, out, err = run('check', '-', input=LISTING.read_bytes())
    expect(code == 0, f'check from standard input: exit {code}: {err}')

    new, new_cubin = folder / 'new.sass', folder / 'new.cubin'
    code, out, err = run('schedule', LISTING, '-o', new, '--cubin', CUBIN, '--cubin-out', new_cubin)
    expect(code == 0 and new.is_file() and new_cubin.is_file(), f'schedule with cubin: exit {code}: {out}{err}')
    if new.is_file():
        before, after = LISTING.read_text(), new.read_text()
        expect(sorted(bodies(before)) == sorted(bodies(after)), 'schedule keeps the multiset of instructions')
        expect(before != after, 'schedule changes something on this kernel')
        expect(run('check', new)[0] == 0, 'the scheduled listing passes check')
        code, out, _ = run('schedule', LISTING, '--json')
        rows = json.loads(out) if code == 0 else []
        expect(len(rows) == 1 and rows[0]['cycles_after'] <= rows[0]['cycles_before'], 'never slower by the model')
        expect(rows and rows[0]['bound'] <= rows[0]['cycles_after'], 'the bound is a bound')
        first = run('schedule', LISTING, '-o', folder / 'again.sass')
        expect(first[0] == 0 and (folder / 'again.sass').read_text() == after, 'same input, same bytes')
    searched(folder, after)
    shown()
    ended(folder)
    if new_cubin.is_file():
        expect(run('check', new_cubin)[0] == 0, 'the patched cubin passes the control checks')
        a, b = CUBIN.read_bytes(), new_cubin.read_bytes()
        expect(len(a) == len(b) and a != b, 'the patched cubin has the same size and new content')
    for policy in ('text', 'shared', 'minimal'):
        words = folder / f'{policy}.sass'
        code, out, err = run('schedule', LISTING, '--keep-order', '--scoreboard', policy, '-o', words)
        expect(code == 0 and run('check', words)[0] == 0, f'--scoreboard {policy}: exit {code}: {out}{err}')
        expect(words.is_file() and bodies(words.read_text()) == bodies(LISTING.read_text()), f'--scoreboard {policy} keeps the order')
    code, out, _ = run('compare', LISTING)
    expect(code == 0 and 'stall cycles' in out and 'barriers' in out and 'DEPBARs' in out and 'reuse hits' in out,
           f'compare shows the control words: {out}')
    listings = sorted(DEMO.glob('*.sass'))
    code, out, err = run('compare', *listings, '--json')
    rows = json.loads(out) if code == 0 else []
    expect(len(rows) >= len(listings), f'compare --json of {len(listings)} files: exit {code}: {err}')
    expect(all(r['cycles_after'] <= r['cycles_before'] for r in rows), 'compare: no kernel above 1.00')
    for what in ('archs', 'strategies', 'modes', 'backends', 'constraints', 'priorities', 'phases'):
        code, out, _ = run('list', what)
        expect(code == 0 and out.strip(), f'list {what}')
    expect('sm_90a' in run('list', 'archs')[1], 'list archs names sm_90a')
    expect('backend_b' in run('list', 'strategies')[1], 'list strategies names the backends')
    table = run('list', 'backends')[1].splitlines()
    expect(any(l.startswith('sm_75') and 'text: unified' in l for l in table), f'list backends: A on sm_75: {table}')
    expect(any(l.startswith('sm_80') and 'text: backend_bc' in l for l in table), f'list backends: B and C on sm_80: {table}')
    texts = {}
    for backend in ('a', 'b', 'c', 'text'):
        path = folder / f'{backend}.sass'
        code, out, err = run('schedule', LISTING, '--backend', backend, '--warps', 1, '-o', path)
        expect(code == 0 and run('check', path)[0] == 0, f'--backend {backend}: exit {code}: {err}')
        texts[backend] = path.read_text() if path.is_file() else ''
    expect(len(set(texts.values())) > 1, 'the backends do not all give one order')
    path = folder / 'c2.sass'
    for name, backend in (('unified', 'a'), ('backend_b', 'b'), ('backend_c', 'c'), ('backend_bc', 'text')):
        run('schedule', LISTING, '--strategy', name, '--warps', 1, '-o', path)
        expect(path.read_text() == texts[backend], f'--backend {backend} is --strategy {name} on sm_80')
    for mode in ('ilp', 'reduce_reg', 'reduce-reg', 'dyn_batch', 'dynbatch'):
        path = folder / f'mode_{mode}.sass'
        code, out, err = run('schedule', LISTING, '--mode', mode, '--warps', 1, '-o', path)
        expect(code == 0 and run('check', path)[0] == 0, f'--mode {mode}: exit {code}: {err}')
    expect(run('schedule', LISTING, '--mode', 'fast')[0] == 2, 'a mode that is not there')
    expect(run('schedule', LISTING, '--scoreboard', 'fast')[0] == 2, 'a counter policy that is not there')
    expect(run('schedule', LISTING, '--scoreboard', 'text', '--o0')[0] == 2, '--o0 has no counter policy')
    expect(run('schedule', LISTING, '--mode', 'ilp', '--backend', 'c')[0] == 2, 'modes belong to the unified engine')
    regional(folder)
    original(folder)
    path = folder / 'kept.sass'
    code, out, err = run('schedule', LISTING, '--keep-order', '-o', path)
    strip = lambda text: [re.sub(r'/\*.*?\*/', '', l).strip() for l in text.splitlines()]
    expect(code == 0 and strip(path.read_text()) == strip(LISTING.read_text()), '--keep-order changes control words alone')
    places = 'places in code that other sections name'
    whole = DATA / 'listings' / 'formats' / 'noinline_call.sm80.whole.txt'
    code, out, err = run('schedule', whole, '-o', folder / 'whole.sass')
    expect(code == 0 and places in out, f'a whole listing whose order changed says what is old in it: exit {code}: {out}{err}')
    code, out, err = run('schedule', whole, '--keep-order', '-o', folder / 'whole.sass')
    expect(code == 0 and places not in out, f'... and not where the order is kept: exit {code}: {out}{err}')
    code, out, err = run('schedule', LISTING, '-o', folder / 'code.sass')
    expect(code == 0 and places not in out, f'... nor where the listing is code alone: exit {code}: {out}{err}')
    code, out, _ = run('schedule', LISTING, '--o0', '-o', folder / 'o0.sass')
    expect(code == 0 and run('check', folder / 'o0.sass')[0] == 0, 'the conservative form passes check')


def bodies(text):
    """The instructions of a listing, without addresses, branch targets and reuse marks."""
    found = re.findall(r'^\s+/\*[0-9a-f]{4,}\*/\s+([^;]*);', text, re.M)
    return [re.sub(r'\.reuse|`\(.*?\)|0x[0-9a-f]+0$', '', b).strip() for b in found]


def exchanged(lines, at, other):
    """The listing with two instructions in each other's place; `at` and `other` are their first lines."""
    out = lines[:]
    address = lambda line: re.search(r'/\*[0-9a-f]{4,}\*/', line).group(0)
    out[at] = lines[other].replace(address(lines[other]), address(lines[at]), 1)
    out[other] = lines[at].replace(address(lines[at]), address(lines[other]), 1)
    out[at + 1], out[other + 1] = lines[other + 1], lines[at + 1]
    return ''.join(out)


def original(folder):
    """check --original: what the schedulers write is the same program; what hands exchange is not, whatever its timing."""
    lines = LISTING.read_text().splitlines(keepends=True)
    new = folder / 'scheduled.sass'
    for name in ('list', 'unified', 'global_motion', 'loop_aware'):
        run('schedule', LISTING, '--strategy', name, '--warps', 1, '-o', new)
        code, out, err = run('check', new, '--original', LISTING)
        expect(code == 0 and '0 hazards' in out, f'{name} against its original: exit {code}: {out}{err}')
        expect(run('check', LISTING, '--original', new)[0] == 0, f'the original against {name}')
    first = [n for n, line in enumerate(lines[:-1]) if re.search(r'/\*0[0-9a-f]{3}\*/', line) and CONTROL.search(lines[n + 1])]
    names = lambda line: re.findall(r'\b(U?[RP][0-9]+)\b', line.split(';')[0].split('*/', 1)[1])
    pairs = [(a, b) for a, b in zip(first, first[1:]) if b == a + 2 and '@' not in lines[a] + lines[b]
             and re.search(r'\b(FFMA|IMAD|IADD3|LEA|FMUL|FADD|LDS|LDG)\b', lines[a]) and names(lines[a])
             and names(lines[a])[0] in names(lines[b])[1:] and 'EXIT' not in lines[b] and 'BRA' not in lines[b]]
    expect(len(pairs) >= 5, f'dependent neighbours in the listing: {len(pairs)}')
    for a, b in pairs:
        text = exchanged(lines, a, b).encode()
        code, out, err = run('check', '-', '--original', LISTING, input=text)
        expect(code == 1 and 'other_value on ' in out and 'documented' in out, f'lines {a + 1} and {b + 1} exchanged: exit {code}: {out}{err}')
    code, out, _ = run('check', '-', '--original', LISTING, '--json', input=exchanged(lines, *pairs[0]).encode())
    rows = json.loads(out) if code == 1 else [{'hazards': []}]
    expect(any(h['kind'] == 'other_value' and h['first'] and h['register'] for h in rows[0]['hazards']), f'--original --json: {out[:400]}')
    stores = [n for n in first if re.search(r'\bSTG?S?\b', lines[n])]
    barrier = next(n for n in first if 'BAR.SYNC' in lines[n])
    before = [n for n in stores if n < barrier][-1]
    code, out, _ = run('check', '-', '--original', LISTING, input=exchanged(lines, before, barrier).encode())
    expect(code == 1 and 'effects_reordered' in out and 'BAR.SYNC' in out, f'a store behind a barrier: exit {code}: {out}')
    changed = ''.join(lines).replace('FFMA R', 'FMUL R', 1).encode()
    code, out, err = run('check', '-', '--original', LISTING, input=changed)
    expect(code == 1 and 'foreign_instruction' in out, f'an instruction of nobody: exit {code}: {out}{err}')
    refused = {
        'another kernel': [LISTING, '--original', DEMO / 'saxpy.sm80.sass'],
        'an original that is not there': [LISTING, '--original', folder / 'no such original'],
        'a cubin as original': [LISTING, '--original', CUBIN],
        'a cubin against a listing': [CUBIN, '--original', LISTING],
        'two files': [LISTING, LISTING, '--original', LISTING],
        'standard input twice': ['-', '--original', '-'],
        'no name': [LISTING, '--original'],
    }
    for name, words in refused.items():
        code, out, err = run('check', *words, input=b'')
        expect(code == 2 and err and not out, f'--original, {name}: exit {code}: {out}{err}')
    for command in ('schedule', 'compare'):
        code, _, err = run(command, LISTING, '--original', LISTING)
        expect(code == 2 and 'has no option --original' in err, f'{command} --original: exit {code}: {err}')


def regional(folder):
    """Strategies between blocks: those that a listing can hold, and those that it cannot."""
    table = {l.split()[0]: l.split()[1] for l in run('list', 'strategies')[1].splitlines()}
    expect(table.get('global_motion') == table.get('prefetch') == 'region' and table.get('list') == 'block',
           f'list strategies tells blocks from regions: {table}')
    moved = 0
    for path in sorted(DEMO.glob('*.sm80.sass')):
        outs = {}
        for name in ('global_motion', 'loop_aware', 'list'):
            out_path = folder / f'{name}.sass'
            code, out, err = run('schedule', path, '--strategy', name, '--warps', 1, '-o', out_path)
            expect(code == 0 and run('check', out_path)[0] == run('check', path)[0], f'{name} on {path.name}: exit {code}: {err}')
            outs[name] = bodies(out_path.read_text())
            expect(sorted(outs[name]) == sorted(bodies(path.read_text())), f'{name} keeps the instructions of {path.name}')
        exits = [[i for i, b in enumerate(outs[n]) if 'EXIT' in b or 'BRA' in b] for n in ('global_motion', 'list')]
        moved += exits[0] != exits[1]
    expect(moved > 0, 'no instruction moved between blocks in any listing')
    saxpy, cubin = DEMO / 'saxpy.sm80.sass', DEMO.parent / 'cubin' / 'saxpy.sm80.cubin'
    code, _, err = run('schedule', saxpy, '--strategy', 'global_motion', '--warps', 1, '--cubin', cubin, '--cubin-out',
                       folder / 'moved.cubin')
    expect(code == 0 and run('check', folder / 'moved.cubin')[0] == 0, f'a cubin with motion: exit {code}: {err}')
    target = folder / 'memory only.sass'
    target.write_text('keep me')
    for name in ('software_pipeline', 'barrier_coalescence', 'prefetch'):
        code, out, err = run('schedule', saxpy, '--strategy', name, '-o', target)
        expect(code == 2 and name in err and 'in memory' in err and target.read_text() == 'keep me',
               f'{name} is refused by name: exit {code}: {err}')


def planted():
    """A wait bit dropped from real code is found, with both instructions named."""
    lines = LISTING.read_text().splitlines(keepends=True)
    found = 0
    tried = 0
    for number, line in enumerate(lines):
        match = CONTROL.search(line)
        if not match or '/*0' in line.split('/* 0x')[0]:
            continue
        word = int(match.group(1), 16)
        if (word >> 52) & 0x3f == 0:
            continue
        tried += 1
        edited = lines[:]
        edited[number] = line.replace(match.group(1), f'{word & ~(0x3f << 52):016x}')
        code, out, err = run('check', '-', input=''.join(edited).encode())
        found += code == 1 and 'SB' in out + err
    expect(tried >= 10 and found >= tried - 1, f'dropped waits: {found} of {tried} found')


def bad_words(folder):
    """Control words that no compiler writes: check names them, schedule refuses them by line and writes nothing."""
    lines = LISTING.read_text().splitlines(keepends=True)

    def edited(opcode, change):
        for number in range(1, len(lines)):
            match = CONTROL.search(lines[number])
            if not match or CONTROL.search(lines[number - 1]) is None or not re.search(rf'\b{opcode}\b', lines[number - 1]):
                continue
            word = f'{change(int(match.group(1), 16)):016x}'
            return ''.join(lines[:number] + [lines[number].replace(match.group(1), word)] + lines[number + 1:])
        expect(False, f'no {opcode} in the listing')
        return ''

    code_of = lambda code: lambda w: w & ~(0x1f << 41) | code << 41
    cases = [('counter 6, written', 'LDG', lambda w: w & ~(7 << 46) | 6 << 46, 'counter_index, SB6'),
             ('counter 6, read', 'STS', lambda w: w & ~(7 << 49) | 6 << 49, 'counter_index, SB6')]
    cases += [(f'issue code {c}', 'FFMA', code_of(c), 'issue_code') for c in (16, 28, 29, 30, 31)]
    out_path = folder / 'repaired.sass'
    for name, opcode, change, kind in cases:
        text = edited(opcode, change).encode()
        code, out, err = run('check', '-', input=text)
        expect(code == 1 and kind in out and opcode in out, f'{name}: check gives exit {code}: {out}{err}')
        for order in ([], ['--keep-order']):
            code, out, err = run('schedule', '-', '-o', out_path, *order, input=text)
            expect(code == 2 and opcode in err and 'expected a ' in err, f'{name}: schedule {order} gives exit {code}: {out}{err}')
            expect(not out_path.exists(), f'{name}: schedule {order} wrote something')
    code, out, err = run('check', '-', input=edited('FFMA', lambda w: w | 0x3f << 52).encode())
    expect(code == 0, f'a wait for counters that nobody set is no error: exit {code}: {out}{err}')
    first = next(n for n, line in enumerate(lines) if re.search(r'/\*0[0-9a-f]*\*/ .*\bR[0-9]+, .*/\* 0x[0-9a-f]{16} \*/', line))
    word = re.search(r'/\* 0x([0-9a-f]{16}) \*/', lines[first]).group(1)
    other = lines[first].replace(word, f'{int(word, 16) ^ 1 << 17:016x}')
    text = ''.join(lines[:first] + [other] + lines[first + 1:]).encode()
    code, out, err = run('check', '-', input=text)
    expect(code == 0 and f'is that of another than the text, which was followed; the first is in line {first + 1}\n'
           in out + err, f'hex of another register: check gives exit {code}: {out}{err}')
    for command in (['schedule', '-', '-o', folder / 'other.sass'], ['schedule', '-', '--keep-order'], ['compare', '-']):
        code, out, err = run(*command, input=text)
        expect(code == 2 and f':{first + 1}:1: expected the registers and numbers of the text in the hex of' in err
               and not (folder / 'other.sass').exists(), f'hex of another register: {command} gives exit {code}: {out}{err}')
    old = DATA / 'listings' / 'formats' / 'maxwell.sm52.vliw.txt'
    code, _, err = run('check', old, '--sm', 'sm_80')
    expect(code == 2 and 'flags of the SM' in err and old.name in err, f'control words of sm_52 as those of sm_80: exit {code}: {err}')


def outputs(folder):
    """Where results go: links, modes, devices, pipes; and what must not be written at all."""
    kept, link = folder / 'kept.sass', folder / 'link.sass'
    kept.write_text('old')
    kept.chmod(0o600)
    link.symlink_to(kept)
    code, out, err = run('schedule', LISTING, '-o', link)
    expect(code == 0 and link.is_symlink() and len(kept.read_text()) > 1000, f'an output that is a link: exit {code}: {err}')
    expect(kept.stat().st_mode & 0o777 == 0o600, 'an output keeps its mode')
    pipe = folder / 'pipe'
    os.mkfifo(pipe)
    with subprocess.Popen(['cat', str(pipe)], stdout=subprocess.PIPE) as reader:
        code, _, err = run('schedule', LISTING, '-o', pipe)
        got = reader.communicate()[0]
    expect(code == 0 and got == kept.read_bytes() and pipe.is_fifo(), f'an output that is a pipe: exit {code}: {err}')
    empty, here = folder / 'empty.cubin', folder / 'here.sass'
    empty.write_bytes(b'')
    refused = {
        'an empty cubin': [LISTING, '-o', here, '--cubin', empty, '--cubin-out', folder / 'x.cubin'],
        'a folder as second output': [LISTING, '-o', here, '--cubin', CUBIN, '--cubin-out', folder],
        'one name for two outputs': [LISTING, '-o', here, '--cubin', CUBIN, '--cubin-out', here],
        'both outputs standard output': [LISTING, '-o', '-', '--cubin', CUBIN, '--cubin-out', '-'],
        'standard output, and a folder that is not there': [LISTING, '-o', '-', '--cubin', CUBIN, '--cubin-out', folder / 'no' / 'x'],
        'another SM than the listing is for': [LISTING, '-o', here, '--sm', 'sm_90'],
    }
    for name, words in refused.items():
        code, out, err = run('schedule', *words)
        expect(code == 2 and err and not out and not here.exists(), f'{name}: exit {code}, {len(out)} bytes: {err}')
    if pathlib.Path('/dev/full').exists():
        with open('/dev/full', 'w', encoding='ascii') as full:
            done = subprocess.run([TOOL, 'list', 'archs'], stdout=full, stderr=subprocess.PIPE, check=False)
        expect(done.returncode == 2 and done.stderr, 'a full device is no success')
    branches = DATA / 'cli' / 'switch.sm80.cuobjdump.txt'
    code, out, err = run('schedule', branches, '-o', here)
    expect(code == 0 and 'no known targets' in out and bodies(here.read_text()) == bodies(branches.read_text()),
           f'an indirect branch without a table: exit {code}: {out}{err}')
    code, out, _ = run('check', branches)
    expect(code == 0 and 'no known targets' in out, f'check says so too: exit {code}: {out}')
    code, out, _ = run('check', DATA / 'cli' / 'two_switches.sm90.cuobjdump.txt')
    expect(code == 0 and 'no known targets' in out, f'cases of one switch are not reached from another: exit {code}: {out}')


def bad(folder):
    text = LISTING.read_text()
    half = text[:len(text) // 2]
    cases = {
        'empty': b'',
        'blank': b'\n\n\n',
        'prose': b'This is not a listing.\n',
        'truncated': half[:half.rfind('/* 0x') + 9].encode(),
        'mixed hex': re.sub(r'/\* 0x[0-9a-f]{16} \*/', '', text, count=1).encode(),
        'not utf-8': text.replace('MOV', 'M\xff\xfeV', 1).encode('latin-1'),
        'zero bytes': b'\0' * 4096,
        'missing label': re.sub(r'`\(\.L_x_\d+\)', '`(.L_x_999)', text, count=1).encode(),
        'branch out of section': re.sub(r'BRA `\(\.L_x_\d+\)', 'BRA 0xfffff0', text, count=1).encode(),
        'one long line': b'A' * (64 << 20),
        'hex of wrong length': re.sub(r'/\* 0x([0-9a-f]{15})[0-9a-f] \*/', r'/* 0x\1 */', text, count=1).encode(),
        'duplicate label': text.replace('sgemm_tiled:\n', 'sgemm_tiled:\nsgemm_tiled:\n', 1).encode(),
        'elf magic only': b'\x7fELF',
        'elf cut': CUBIN.read_bytes()[:200],
        'elf wild': bytearray(CUBIN.read_bytes()),
    }
    cases['elf wild'][40:48] = b'\xff' * 8
    target = folder / 'untouched.sass'
    for name, content in cases.items():
        path = folder / 'bad.sass'
        path.write_bytes(bytes(content))
        target.write_text('keep me')
        for command in (['check', path], ['schedule', path, '-o', target]):
            code, out, err = run(*command, limit=60)
            expect(code == 2, f'{name}: {command[0]} gives exit {code}, not 2: {(out + err)[:200]}')
            expect('bad.sass' in err, f'{name}: {command[0]} does not name the file: {err[:200]}')
        expect(target.read_text() == 'keep me', f'{name}: the output was touched')
    formats = DATA / 'listings' / 'formats'
    both = folder / 'both.txt'
    parts = [formats / 'cuobjdump-saxpy.sm80.txt', formats / 'cuobjdump-saxpy.sm90.txt']
    first = parts[0].read_text()
    both.write_text(first + parts[1].read_text())
    for command in (['check', both], ['schedule', both, '-o', target]):
        target.write_text('keep me')
        code, out, err = run(*command, '--sm', 'sm_80')
        place = re.search(r'both\.txt:(\d+):', err)
        expect(code == 2 and not out and place and int(place.group(1)) > first.count('\n'),
               f'not all for --sm: {code}: {out}{err}')
        expect(target.read_text() == 'keep me', 'not all for --sm: the output was touched')
    code, out, err = run('check', both, '--json')
    expect(code == 0 and [row['sm'] for row in json.loads(out)] == ['sm_80', 'sm_80', 'sm_90', 'sm_90'], f'code of two SMs: {code}: {out}{err}')
    code, out, err = run('schedule', both, '-o', target)
    apart = ''
    for part in parts:
        run('schedule', part, '-o', folder / 'part.sass')
        apart += (folder / 'part.sass').read_text()
    expect(code == 0 and target.read_text() == apart, f'code of two SMs is not scheduled as that of each: {code}: {err}')
    code, out, err = run('check', target, '--original', both)
    expect(code == 0, f'code of two SMs against its original: {code}: {out}{err}')
    code, out, err = run('check', target, '--original', parts[0])
    expect(code == 2 and 'expected code for the SM' in err, f'code of two SMs against that of one: {code}: {out}{err}')
    code, out, err = run('schedule', both, '--cubin', DATA / 'cubin' / 'saxpy.sm80.cubin', '--cubin-out', folder / 'two.cubin')
    expect(code == 2 and 'another SM' in err and not (folder / 'two.cubin').exists(), f'a cubin for code of two SMs: {code}: {err}')
    code, _, err = run('check', folder / 'no such file')
    expect(code == 2 and 'no such file' in err, 'a missing file')
    code, _, err = run('check', folder)
    expect(code == 2 and err, 'a folder instead of a file')
    code, _, err = run('schedule', LISTING, '-o', folder / 'no' / 'such' / 'folder.sass')
    expect(code == 2 and err, 'an output that cannot be created')
    code, _, err = run('check', LISTING, '--sm', 'sm_12345')
    expect(code == 2 and 'sm_12345' in err, 'an unknown SM')
    code, _, err = run('check', LISTING, '--sm', 'sm_52')
    expect(code == 2 and err, 'a listing of another SM family')
    other = folder / 'other.cubin'
    other.write_bytes(CUBIN.read_bytes()[:-1])
    code, _, err = run('schedule', LISTING, '--cubin', other, '--cubin-out', folder / 'never.cubin')
    expect(code == 2 and not (folder / 'never.cubin').exists(), f'a damaged cubin: exit {code}')
    code, _, err = run('schedule', DEMO / 'saxpy.sm80.sass', '--cubin', CUBIN, '--cubin-out', folder / 'never.cubin')
    expect(code == 2 and not (folder / 'never.cubin').exists(), f'a cubin of another kernel: exit {code}: {err}')
    for words in ([], ['frobnicate'], ['check'], ['check', LISTING, '--frob'], ['schedule', LISTING, '--warps', 'x'],
                  ['schedule', LISTING, '--warps', ' 4'], ['schedule', LISTING, '--warps', '+4'], ['schedule', LISTING, '--warps', '4 '],
                  ['schedule', LISTING, '--strategy', 'nonsense'], ['schedule', LISTING, '--backend', 'z'],
                  ['schedule', LISTING, '--backend', 'b', '--strategy', 'keep'], ['list', 'x']):
        code, _, err = run(*words)
        expect(code == 2 and err, f'{words}: exit {code}')
    # an option that the command has no use for is refused, not forgotten
    for words in (['check', LISTING, '-o', target], ['check', LISTING, '--keep-order'], ['check', LISTING, '--backend', 'c'],
                  ['compare', LISTING, '--cubin', CUBIN, '--cubin-out', target], ['compare', LISTING, '-o', target],
                  ['list', 'archs', '--o0']):
        target.write_text('keep me')
        code, _, err = run(*words)
        expect(code == 2 and 'has no option' in err, f'{words}: exit {code}: {err}')
        expect(target.read_text() == 'keep me', f'{words}: the output was touched')
    for words in (['check', '--help'], ['schedule', LISTING, '-h'], ['help'], ['--help']):
        code, out, err = run(*words)
        expect(code == 0 and 'usage' in out and not err, f'{words}: exit {code}')

    code, out, err = run('schedule', LISTING, '--profile', folder, '-o', folder / 'profiled.sass')
    expect(code == 2 and 'cannot read' in err and not (folder / 'profiled.sass').exists(), f'a folder as profile: {code}: {err}')
    profile = folder / 'profile'
    profile.write_text('.text.nobody 0 5\n')
    code, out, err = run('schedule', LISTING, '--profile', profile)
    expect(code == 2 and 'profile:1:1: expected a line with the name of a section' in err, f'a profile of somebody else: {code}: {out}{err}')


if __name__ == '__main__':
    finish(good, lambda _: planted(), bad_words, outputs, bad)
