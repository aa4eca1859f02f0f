#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The command line at its edges: pairs of files, dumps of several files, odd options and odd outputs.

    edges_test.py TOOL ROOT      exit 1 and one line per failed expectation
"""
import json
import os
import pathlib
import re
import resource
import struct
import subprocess

from cli_test import CUBIN, DATA, DEMO, LISTING
from expectations import SLOW, TOOL, expect, finish, run

PRIORITY = run('list', 'priorities')[1].split()[0]
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


def pinned(folder):
    """A cubin whose register map lets nothing cross a place is scheduled around that place, not refused."""
    listing, cubin = DATA / 'listings' / 'reduce_shfl.sm90.sass', folder / 'mapped.cubin'
    mapped = bytearray((DATA / 'cubin' / 'reduce_shfl.sm90.cubin').read_bytes())
    record = mapped.find(bytes([4, 0x17, 12, 0]))  # a kernel parameter, as large as a record of EIATTR_INSTR_REG_MAP
    mapped[record + 1] = 0x40
    mapped[record + 4:record + 16] = struct.pack('<III', 0x40, 0xc80201, 0xffffffff)
    cubin.write_bytes(mapped)
    at = lambda text: re.search(r'/\*0040\*/\s*([^;]*);', text).group(1)
    for command in ('schedule', 'rebuild'):
        new = folder / f'{command}.sass'
        code, out, err = run(command, listing, '--warps', 1, '-o', new, '--cubin', cubin, '--cubin-out', folder / 'new.cubin')
        expect(code == 0, f'{command} of a file with a register map: exit {code}: {out}{err}')
        if code == 0:
            expect(at(new.read_text()) == at(listing.read_text()), f'{command}: the pinned instruction has moved')
            expect(new.read_text() != listing.read_text(), f'{command}: nothing else has moved')


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


def labels(folder):
    """check --original: labels are places and not names; what names another place, or another symbol, is another program."""
    listings = DATA / 'listings'
    held = lambda new, old, what: expect((got := run('check', new, '--original', old))[0] == 0, f'{what}: exit {got[0]}: {got[1][:300]}{got[2]}')
    for name in ('saxpy.sm75', 'saxpy.sm80', 'saxpy.sm90', 'jumptable.sm80', 'noinline_call.sm80'):
        labelled, plain = listings / f'{name}.sass', listings / 'formats' / f'cuobjdump-{name}.txt'
        held(plain, labelled, f'{name}: cuobjdump against nvdisasm')
        held(labelled, plain, f'{name}: nvdisasm against cuobjdump')
        new = folder / 'labels.sass'
        run('schedule', labelled, '-o', new)
        held(new, plain, f'{name}: scheduled, against cuobjdump')
        new.write_text(new.read_text().replace('.L_x_', '.L_other_'))
        held(new, labelled, f'{name}: labels of other names')
        held(labelled, new, f'{name}: labels of other names, exchanged')
    changed = folder / 'changed.sass'

    def told(listing, old, new, kinds, what, against=None):
        text = listing.read_text()
        expect(old in text, f'{what}: the listing has changed')
        changed.write_text(text.replace(old, new, 1).replace('.L_x_', '.L_other_'))
        code, out, err = run('check', changed, '--original', against or listing)
        expect(code == 1 and any(k in out for k in kinds), f'{what}: exit {code}: {out[:300]}{err}')

    other = ('foreign_instruction', 'other_target')
    saxpy, plain = listings / 'saxpy.sm80.sass', listings / 'formats' / 'cuobjdump-saxpy.sm80.txt'
    for against in (saxpy, plain):
        told(saxpy, '@!P0 BRA `(.L_x_1)', '@!P0 BRA `(.L_x_0)', other, 'a branch to another label', against)
        told(saxpy, 'BSSY B0, `(.L_x_0)', 'BSSY B0, `(.L_x_3)', other, 'a region with another end', against)
    told(plain, 'BSSY B0, 0x350', 'BSSY B0, 0x360', other, 'another number', saxpy)
    printing, linked = listings / 'printf_assert.sm100.sass', listings / 'relocatable.sm80.sass'
    held(printing, printing, 'LEPC against itself')
    told(printing, 'LEPC R20, `(.L_x_3)', 'LEPC R20, `(.L_x_2)', ('other_target',), 'LEPC of another label')
    changed.write_text(printing.read_text().replace('.L_x_', '.L_other_'))
    held(changed, printing, 'LEPC of a label of another name')
    told(linked, '32@lo(fp)', '32@lo(h)', ('other_target',), 'another symbol')
    told(linked, '[R2.X4+`(st)]', '[R2.X4+`(dyn)]', ('other_target',), 'another symbol in an address')
    told(linked, '_Z1kPf + .L_x_0@srel', '_Z1kPf + .L_x_1@srel', ('other_target',), 'a return to another label')
    changed.write_text(linked.read_text().replace('.L_x_', '.L_other_'))
    held(changed, linked, 'relocations of labels of other names')


def device_functions(_):
    """Code of an object file: a function that returns has a caller, who gave it registers."""
    code, out, err = run('check', DATA / 'cli' / 'device_function.sm80.cuobjdump.txt')
    expect(code == 0 and out.startswith('0 hazards in 2 functions'), f'a function that returns: exit {code}: {out[:300]}{err}')
    text = (DATA / 'cli' / 'device_function.sm80.cuobjdump.txt').read_text()
    assert text.count('RET.ABS.NODEC R20 0x0') == 2
    code, out, _ = run('check', '-', input=re.sub(r'RET\.ABS\.NODEC R20 0x0', 'EXIT', text).encode())
    expect(code == 1 and 'undefined_read on R20' in out, f'a kernel has no caller: exit {code}: {out[:300]}')


def long_text(folder):
    """Nothing is cut: names and branch tables may be long. File names may be of any bytes."""
    name = 'k' * 3000
    text = LISTING.read_text().replace('sgemm_tiled', name)
    broken = re.sub(r'(/\* 0x[0-9a-f]{16} \*/)', lambda m: f'/* 0x{int(m.group(1)[3:-3], 16) & ~(0x3f << 52):016x} */'
                    if int(m.group(1)[3:-3], 16) >> 52 & 0x3f and int(m.group(1)[3:-3], 16) >> 58 == 0 else m.group(1), text)
    code, out, err = run('check', '-', input=broken.encode())
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
            done = subprocess.run([TOOL, 'schedule', SAXPY, '-o', old], stdout=full, stderr=subprocess.PIPE, check=False)
        expect(done.returncode == 2 and done.stderr and old.read_text() == 'old', 'standard output is full: the output was touched')
    # An output that would replace the other input.
    for name, data in (('in.cubin', pathlib.Path(SAXPY_CUBIN).read_bytes()), ('in.sass', pathlib.Path(SAXPY).read_bytes())):
        (folder / name).write_bytes(data)
        out = ('-o', folder / name, '--cubin', folder / name, '--cubin-out', folder / 'y.cubin') if name == 'in.cubin' else \
            ('-o', folder / 'y.sass', '--cubin', SAXPY_CUBIN, '--cubin-out', folder / name)
        code, _, err = run('schedule', SAXPY if name == 'in.cubin' else folder / name, *out)
        expect(code == 2 and 'replace it' in err, f'{name} would be replaced: {code}, {err}')
        expect((folder / name).read_bytes() == data, f'{name} was replaced')
    # The same by other names, by a link, and of a profile.
    text, weights = pathlib.Path(SAXPY).read_bytes(), b'saxpy 0 7\n'
    (folder / 'in.sass').write_bytes(text)
    (folder / 'counts').write_bytes(weights)
    (folder / 'linked').symlink_to(folder / 'in.sass')
    os.chdir(folder)
    for words in (['report', 'in.sass', '--html', './in.sass'], ['report', './in.sass', '--trace', folder / 'in.sass'], ['report', 'in.sass', '--dot', 'linked'],
                  ['report', 'linked', '--dot', 'in.sass'], ['schedule', 'in.sass', '--cubin', SAXPY_CUBIN, '--cubin-out', './in.sass'],
                  ['schedule', 'in.sass', '--cubin', 'in.cubin', '--cubin-out', 'y', '-o', './in.cubin'],
                  ['schedule', 'in.sass', '--profile', 'counts', '-o', 'counts'], ['layout', 'in.sass', '--profile', 'counts', '-o', './counts'],
                  ['report', 'in.sass', '--profile', './counts', '--html', 'counts']):
        code, _, err = run(*words)
        expect(code == 2 and 'replace it' in err, f'{words}: exit {code}: {err}')
        expect((folder / 'in.sass').read_bytes() == text and (folder / 'counts').read_bytes() == weights, f'{words}: an input was replaced')
    code, _, err = run('schedule', 'in.sass', '-o', './in.sass')
    expect(code == 0, f'a listing in the place of the one that is read: exit {code}: {err}')
    os.chdir(home)
    done = subprocess.run([TOOL, 'schedule', SAXPY, '--cubin', SAXPY_CUBIN, '--cubin-out', '-'], capture_output=True, check=False)
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


def source_lines(folder):
    """Lines that name the source stay where they are: that is said where the order changes."""
    lines = SAXPY.read_text().splitlines(keepends=True)
    at = next(n for n, l in enumerate(lines) if '/*0040*/' in l)
    listing, said = folder / 'lines.sass', 'source lines (//## File ..) stand at their old places'
    listing.write_text(''.join(lines[:at]) + '\t//## File "saxpy.cu", line 5\n' + ''.join(lines[at:]))
    code, out, err = run('schedule', listing, '--warps', '2', '-o', folder / 'moved.sass')
    expect(code == 0 and said in out, f'source lines in a new order: exit {code}: {out}{err}')
    code, out, err = run('schedule', listing, '--keep-order', '-o', folder / 'moved.sass')
    expect(code == 0 and said not in out, f'source lines in the old order: exit {code}: {out}{err}')


def flags(folder):
    """The SM in the flags of newer cubins, however they were compiled; --sm must not contradict what can be read."""
    text = SAXPY.read_text()
    for bits in ('6000000', 'a000000', 'f000000', '9000000', 'e000000', '1e000000'):
        code, out, err = run('check', '-', '--json', input=text.replace('unrecognized:6000000', f'unrecognized:{bits}').encode())
        expect(code == 0 and json.loads(out)[0]['sm'] == 'sm_80', f'flags {bits}: exit {code}: {err}')
    code, _, err = run('check', '-', input=text.replace(' unrecognized:6000000', '').encode())
    expect(code == 2 and 'the SM is not known: the listing names no SM that can be trusted; name it with --sm' in err, f'no flags: {err}')
    code, _, err = run('check', '-', '--sm', 'sm_86', input=text.replace(' unrecognized:6000000', '').encode())
    expect(code == 0, f'no flags and a name: exit {code}: {err}')
    for name in ('sm_86', 'sm_89', 'sm_90'):
        code, _, err = run('check', SAXPY, '--sm', name)
        expect(code == 2 and f":1:15: expected flags of the SM that the caller named ({name}), found 'sm_80'" in err, f'{name} against the flags: exit {code}: {err}')
    text = re.sub(r'\t\.headerflags.*\n', '', (DATA / 'listings' / 'tma_pipeline.sm90a.sass').read_text())
    for target, name, good in (('sm_90a', 'sm_90', False), ('sm_90', 'sm_90a', False), ('sm_90a', '90a', True), (None, 'sm_90', True), (None, 'sm_90a', True)):
        directive = f'\t.target\t{target}\n' if target else ''
        code, out, err = run('check', '-', '--sm', name, input=(directive + text).encode())
        expect(code == 0 if good else code == 2 and f"expected the SM that the caller named ({name}), found '{target}'" in err,
               f'--sm {name} for {target}: exit {code}: {out[:200]}{err}')
    code, _, err = run('check', DATA / 'listings' / 'tma_pipeline.sm90a.sass', '--sm', 'sm_90a')
    expect(code == 0, f'a letter that the flags do not have: exit {code}: {err}')


def dumps(_):
    """What cuobjdump prints beside code: members of libraries, resource usage, PTX."""
    text = (DATA / 'listings' / 'formats' / 'cuobjdump-saxpy.sm80.txt').read_text()
    member = '\nmember /tmp/lib.a:saxpy.o:\n\nFatbin elf code:\n================\narch = sm_80\n\n'
    usage = ('Resource usage:\n Common:\n  GLOBAL:24\n Function saxpy:\n  REG:24 STACK:0 SHARED:0 LOCAL:0 TEXTURE:0 SURFACE:0 SAMPLER:0\n\n')
    ptx = ('\nFatbin ptx code:\n================\narch = sm_80\nptxasOptions =  \n\n.version 9.0\n.target sm_80\n\n.visible .entry k(\n.param .u64 p\n)\n'
           '{\n.reg .b64 %rd<2>;\n$L__BB0_1:\n@%p1 bra $L__BB0_1;\nFunction : k\n\tret;\n\n}\n\n')
    for name, whole in (('a member', member + text), ('resource usage', member + usage + text), ('PTX', ptx + member[1:] + text),
                        ('PTX of a member', ptx + member + text + ptx)):
        code, out, err = run('check', '-', input=whole.encode())
        expect(code == 0 and 'in 2 functions' in out, f'{name}: exit {code}: {out}{err}')
    code, _, err = run('check', '-', input=ptx.encode())
    expect(code == 2 and 'at least one code section' in err, f'PTX alone: exit {code}: {err}')


def contradictions(folder):
    """Options that contradict each other, that the command does not use, or that name nothing: one sentence, nothing written."""
    target = folder / 'contradiction'
    target.write_text('keep me')
    for words, said in (
            (['--keep-order', '--strategy', 'list'], '--keep-order exclude'), (['--keep-order', '--backend', 'a'], '--keep-order exclude'),
            (['--keep-order', '--mode', 'ilp'], '--keep-order exclude'), (['--keep-order', '--priority', 'x'], '--keep-order exclude'),
            (['--strategy', 'list', '--backend', 'a'], 'exclude each other'), (['--strategy', 'list', '--mode', 'ilp'], 'unified engine'),
            (['--o0', '--strategy', 'bogus'], '--o0 exclude'), (['--o0', '--backend', 'bogus'], '--o0 exclude'),
            (['--o0', '--mode', 'bogus'], '--o0 exclude'), (['--o0', '--priority', 'bogus'], '--o0 exclude'),
            (['--o0', '--keep-order'], '--o0 exclude'), (['--o0', '--search', '9'], '--o0 exclude'), (['--keep-order', '--search', '9'], '--keep-order exclude'), (['--strategy', 'keep', '--search', '9'], 'exclude each other'),
            (['--search', '1e3'], '--search needs a number'), (['--search', '-1'], '--search needs a number'), (['--search', '1000001'], '--search needs a number'), (['--strategy', 'bogus'], "no strategy 'bogus'"), (['--backend', 'z'], "no backend 'z'"),
            (['--mode', 'fast'], "no mode 'fast'"), (['--priority', 'bogus'], "no priority 'bogus'"),
            (['--strategy', 'unified', '--priority', 'bogus'], 'list scheduling'), (['--cubin', '', '--cubin-out', ''], '--cubin needs a value'),
            (['-o', ''], '-o needs a value')):
        # an input that the strategies leave alone: names are looked at all the same
        code, out, err = run('schedule', DATA / 'cli' / 'switch.sm80.cuobjdump.txt', *([] if '-o' in words else ['-o', target]), *words)
        expect(code == 2 and said in err and err.count('\n') == 1 and not out, f'{words}: exit {code}: {out}{err}')
    for words in (['check', SAXPY, '--warps', '4'], ['check', SAXPY, '--profile', SAXPY], ['list', 'archs', '--json'], ['list', 'archs', '--warps', '1'],
                  ['check', SAXPY, '--search', '1'], ['layout', SAXPY, '--search', '1'],
                  ['list', 'archs', '--sm', 'sm_80']):
        code, out, err = run(*words)
        expect(code == 2 and 'has no option' in err and not out, f'{words}: exit {code}: {out}{err}')
    expect(target.read_text() == 'keep me', 'contradictions: the output was touched')
    for words in (['--strategy', 'unified', '--mode', 'ilp'], ['--backend', 'a', '--mode', 'ilp'], ['--strategy', 'keep', '--scoreboard', 'text'],
                  ['--strategy', 'list', '--priority', PRIORITY], ['--o0', '--warps', '2'], ['--keep-order', '--warps', '2']):
        code, out, err = run('schedule', SAXPY, *words)
        expect(code == 0, f'{words}: exit {code}: {out}{err}')


def profiles(folder):
    """Profiles: both names of a section, and what is wrong with its place."""
    profile = folder / 'weights'
    for name in ('saxpy', '.text.saxpy'):
        profile.write_text(f'# weights\n{name} 0 7\n')
        code, out, err = run('schedule', SAXPY, '--profile', profile)
        expect(code == 0 and out.count('not in the profile') == 1, f'a profile for {name}: exit {code}: {out}{err}')
        profile.write_text(f'# weights\n  {name} 99 7\n')
        code, _, err = run('schedule', SAXPY, '--profile', profile)
        expect(code == 2 and f'weights:2:{len(name) + 4}: expected a block number of section saxpy' in err, f'a wrong block: exit {code}: {err}')
    costs = []
    for counts in (((0, 1), (1, 100)), ((0, 1), (1, 60), (1, 40)), ((0, 1), (1, 60))):  # counts of one block add up
        profile.write_text(''.join(f'saxpy {b} {c}\n' for b, c in counts))
        code, out, err = run('schedule', SAXPY, '--profile', profile, '--json', '--quiet')
        costs.append(next(r['cycles_before'] for r in json.loads(out) if r['name'] == 'saxpy') if code == 0 else err)
    expect(costs[0] == costs[1] != costs[2], f'counts of one block: {costs}')


def without_hex(folder):
    """Of a listing without hex there are no control words: check and compare do what needs none, and say so."""
    bare = folder / 'bare.sass'
    bare.write_text(re.sub(r'(?m) */\* 0x[0-9a-f]{16} \*/$', '', re.sub(r'(?m)^\s*/\* 0x[0-9a-f]{16} \*/\n', '', LISTING.read_text())))
    code, out, err = run('check', bare)
    expect(code == 0 and '0 hazards' in out and 'values that nothing has set were looked for' in out + err, f'check without hex: exit {code}: {out}{err}')
    code, out, err = run('compare', bare, '--warps', '1', '--json')
    rows = json.loads(out) if code == 0 else []
    expect(rows and all(0 < r['cycles_after'] <= r['cycles_before'] and r['bound'] > 0 for r in rows), f'compare without hex: exit {code}: {out}{err}')
    expect(rows and rows[0]['cycles_after'] < rows[0]['cycles_before'], f'compare without hex: nothing gained: {out}')
    unset = folder / 'unset.sass'  # R0 is taken in front of what sets it
    unset.write_text(re.sub(r'(S2R R0, SR_TID.X)((?:.*\n)+?.*)(LEA R2, R4, R0, 0x4)', r'\3\2\1', bare.read_text(), count=1))
    code, out, err = run('check', unset)
    expect(unset.read_text() != bare.read_text() and code == 1 and 'undefined_read' in out, f'check without hex, a value that nothing has set: exit {code}: {out}{err}')
    for command in (['schedule', bare, '-o', folder / 'never'], ['layout', bare, '-o', folder / 'never'], ['rebuild', bare, '-o', folder / 'never']):
        code, _, err = run(*command)
        expect(code == 2 and 'no place for control words' in err and not (folder / 'never').exists(), f'{command[0]} without hex: exit {code}: {err}')


def places(folder):
    """Every error names the file and the place."""
    columns = folder / 'columns.sass'
    columns.write_text(re.sub(r'(/\*0000\*/.*)', r'\1  // |  1    |', SAXPY.read_text(), count=1))
    for text, place in ((columns, r'columns\.sass:\d+:1: expected no change'),
                        (DATA / 'listings' / 'formats' / 'saxpy.sm80.plr-wide.txt', r'plr-wide\.txt:\d+:1: expected hex words')):
        code, _, err = run('schedule', text, '--warps', '2', '-o', folder / 'never')  # for which the order changes
        expect(code == 2 and re.search(place, err) and not (folder / 'never').exists(), f'{text.name}: exit {code}: {err}')
    atomics = DATA / 'listings' / 'cas_atomics.sm75.sass'
    columns.write_text(re.sub(r'(?m)(/\*[0-9a-f]{4}\*/ .*)', r'\1  // |  1    |', atomics.read_text()))
    code, _, err = run('rebuild', columns, '-o', folder / 'never')
    expect(code == 2 and re.match(r'warpwright: \S*columns\.sass:\d+:1: expected', err) and 'input:' not in err, f'rebuild, columns: exit {code}: {err}')
    bad = folder / 'bad target.sass'
    bad.write_text(re.sub(r'BRA `\(\.L_x_\d+\)', 'BRA 0xfffff0', LISTING.read_text(), count=1))
    line, column = next((n + 1, l.index('0xfffff0') + 1) for n, l in enumerate(bad.read_text().splitlines()) if '0xfffff0' in l)
    code, _, err = run('check', bad)
    expect(code == 2 and f"sass:{line}:{column}: expected a branch target inside the section, found '0xfffff0'" in err, f'a bad target: {err}')
    code, _, err = run('check', '-', input=b'\n\n')
    expect(code == 2 and ':3:1: expected a listing' in err, f'blank lines: {err}')


def outputs(folder):
    """Standard output by another name, pipes, links in a circle, standard input for two, options given twice."""
    tool = TOOL
    plain = subprocess.run([tool, 'schedule', SAXPY, '-o', '-'], capture_output=True, check=False)
    expect(plain.returncode == 0 and plain.stdout and b'function' in plain.stderr, f'-o -: exit {plain.returncode}')
    for name in ('/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'):
        done = subprocess.run([tool, 'schedule', SAXPY, '-o', name], capture_output=True, check=False)  # a pipe
        expect(done.returncode == 0 and done.stdout == plain.stdout and done.stderr == plain.stderr,
               f'{name} as a pipe: exit {done.returncode}: {done.stderr[:200]}')
        with open(folder / 'same', 'wb') as file:  # an ordinary file
            done = subprocess.run([tool, 'schedule', SAXPY, '-o', name], stdout=file, stderr=subprocess.PIPE, check=False)
        expect(done.returncode == 0 and (folder / 'same').read_bytes() == plain.stdout, f'{name} as a file: exit {done.returncode}')
    with open(folder / 'same', 'wb') as file:
        done = subprocess.run([tool, 'schedule', SAXPY, '-o', folder / 'same'], stdout=file, stderr=subprocess.PIPE, check=False)
    expect(done.returncode == 0 and (folder / 'same').read_bytes() == plain.stdout, f'the file that standard output goes to: {done.stderr[:200]}')
    near, far = os.pipe()
    done = subprocess.run([tool, 'schedule', SAXPY, '-o', f'/dev/fd/{far}'], capture_output=True, pass_fds=[far], check=False)
    os.close(far)
    with os.fdopen(near, 'rb') as file:
        expect(done.returncode == 0 and file.read() == plain.stdout and b'function' in done.stdout, f'another pipe: exit {done.returncode}: {done.stderr[:200]}')
    (folder / 'there').symlink_to(folder / 'back')
    (folder / 'back').symlink_to(folder / 'there')
    code, _, err = run('schedule', SAXPY, '-o', folder / 'there')
    expect(code == 2 and 'there: cannot write' in err and (folder / 'there').is_symlink(), f'links in a circle: exit {code}: {err}')
    if os.access('/proc/self/comm', os.W_OK):  # may be written to, but nothing may be made beside it
        code, _, err = run('schedule', SAXPY, '-o', '/proc/self/comm')
        expect(code == 2 and 'comm: cannot create the temporary file beside it' in err, f'a folder that takes no files: exit {code}: {err}')
    code, _, err = run('schedule', SAXPY, LISTING, '--profile', '-', input=b'nobody 0 5\n')
    expect(code == 2 and '-:1:1: expected a line with the name of a section' in err, f'a profile for two files: exit {code}: {err}')
    for words in (['check', '-', '-'], ['schedule', '-', '--cubin', '-', '--cubin-out', folder / 'x'], ['schedule', '-', '--profile', '-']):
        code, _, err = run(*words, input=SAXPY.read_bytes())
        expect(code == 2 and 'standard input (-) is read once' in err, f'{words}: exit {code}: {err}')
    code, _, err = run('schedule', SAXPY, '-o', folder / 'a1', '-o', folder / 'b1')
    expect(code == 2 and '-o is given twice' in err and not (folder / 'a1').exists(), f'-o twice: exit {code}: {err}')
    for words in (['--warps', '1', '--warps', '2'], ['--warps=1', '--warps', '1'], ['--jobs', '1', '--jobs', '1'], ['--json', '--json'], ['--quiet', '--quiet'],
                  ['--o0', '--o0'], ['--keep-order', '--keep-order'], ['--sm', 'sm_80', '--sm=sm_80'], ['--strategy', 'list', '--strategy', 'list']):
        code, out, err = run('compare', SAXPY, *words)
        expect(code == 2 and f"{words[0].split('=')[0]} is given twice" in err and not out, f'{words}: exit {code}: {out[:100]}{err}')
    two = [run('compare', SAXPY, *words) for words in (['--warps=4', '--sm=sm_80', '--strategy=list'], ['--warps', '4', '--sm', 'sm_80', '--strategy', 'list'])]
    expect(two[0] == two[1] and two[0][0] == 0, f'--name=value: {two}')
    for word, said in (('--warps=', 'needs a number'), ('--warps=x', 'needs a number'), ('--sm=', '--sm needs a value'), ('--json=1', '--json takes no value'),
                       ('--keep-order=', '--keep-order takes no value'), ('--no=1', "unknown option '--no=1'"), ('-o=x', 'write -o x'), ('--=1', 'unknown option')):
        code, out, err = run('schedule', SAXPY, word)
        expect(code == 2 and said in err and not out, f'{word}: exit {code}: {out[:100]}{err}')
    code, _, err = run('schedule', SAXPY, f'--cubin={SAXPY_CUBIN}', f'--cubin-out={folder / "a=b"}')
    expect(code == 0 and (folder / 'a=b').is_file(), f'a value with = in it: exit {code}: {err}')
    with open('/dev/full', 'wb') as full:
        for words in (['--help'], ['--version'], ['list', 'archs']):
            done = subprocess.run([tool, *words], stdout=full, stderr=subprocess.PIPE, check=False)
            expect(done.returncode == 2 and b'cannot write' in done.stderr, f'{words} to a full device: exit {done.returncode}')
    code, _, err = run('check', SAXPY, '--original', DATA / 'listings' / 'saxpy.sm75.sass')
    expect(code == 2 and 'expected a listing for the SM of the file that it is compared with' in err, f'an original of another SM: exit {code}: {err}')


def called_once(folder):
    """Text without labels: a function with one caller makes its return address itself; a kernel of it keeps its waits."""
    text = DATA / 'cli' / 'called_once.sm75.cuobjdump.txt'
    code, out, err = run('check', text)
    expect(code == 0, f'a function that is called once: exit {code}: {out[:300]}{err}')
    code, out, err = run('schedule', text, '--warps', '1', '-o', folder / 'once.txt')
    expect(code == 0, f'... scheduled: exit {code}: {out[:300]}{err}')
    code, out, err = run('check', folder / 'once.txt', '--original', text)
    expect(code == 0, f'... and checked: exit {code}: {out[:300]}{err}')


def memory(folder):
    """Where there is not enough memory that is said, of the file that asks for it, and nothing is written."""
    if SLOW:  # sanitizers take terabytes of addresses for themselves
        return
    text = SAXPY.read_text()
    begin = text.index('\t.section\t.text.saxpy')
    many, target = folder / 'many.sass', folder / 'new.sass'
    with many.open('w') as file:
        file.write(text[:begin])
        for k in range(1500):
            file.write(text[begin:].replace('saxpy', f'saxpy{k}').replace('.L_', f'.L_{k}_'))
    target.write_text('keep me')
    enough = 3 << 25
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (enough, enough))
    for command in (['schedule', many, '-o', target], ['rebuild', many, '-o', target], ['check', many], ['check', SAXPY, many]):
        code, out, err = run(*command, '--jobs', 1, preexec_fn=limit)
        expect(code == 2 and 'many.sass: there is not enough memory for it' in err and not out, f'{command[0]} in 96 MB: exit {code}: {out[:200]}{err[:300]}')
    expect(target.read_text() == 'keep me', 'outputs are untouched where memory is short')
    code, _, err = run('check', SAXPY, preexec_fn=limit)
    expect(code == 0, f'a small file in 96 MB: exit {code}: {err}')
    code, _, err = run('check', *[SAXPY] * 64, '--jobs', 64, preexec_fn=limit)  # room for a few stacks
    expect(code == 0, f'fewer threads than asked for: exit {code}: {err}')


if __name__ == '__main__':
    finish(pinned, letters, functions, labels, device_functions, long_text, written, source_lines, flags, dumps, contradictions, profiles, without_hex, places, outputs, called_once, memory)
