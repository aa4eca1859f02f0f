#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Run `warpwright layout` on good and bad input.

    layout_test.py TOOL ROOT      exit 1 and one line per failed expectation
"""
import collections
import json
import re

from expectations import ROOT, expect, finish, run

DEMO = ROOT / 'tests' / 'data' / 'demo'
LISTING = DEMO / 'sgemm_naive.sm75.sass'  # cold by its shape
OTHER, OTHER_CUBIN = DEMO / 'sgemm_tiled.sm80.sass', DEMO / 'sgemm_tiled.sm80.cubin'  # nothing is
DUMPS = ROOT / 'tests' / 'data' / 'listings' / 'formats'
SAXPY, CUBIN = ROOT / 'tests' / 'data' / 'listings' / 'saxpy.sm80.sass', ROOT / 'tests' / 'data' / 'cubin' / 'saxpy.sm80.cubin'


def bodies(text):
    """Instructions without their targets and guards, and without plain branches and filling, which come and go."""
    found = (m.group(1).strip() for m in re.finditer(r'/\*[0-9a-f]{4,5}\*/\s*(.*?);', text))
    bare = (re.sub(r'`\(.*\)', '`()', re.sub(r'^@!?', '@', b)).replace('.reuse', '') for b in found)
    return collections.Counter(b for b in bare if b not in ('BRA `()', 'NOP'))


def good(folder):
    new = folder / 'new.sass'
    code, out, err = run('layout', LISTING, '-o', new)
    expect(code == 0 and '1 of 1 functions laid out anew' in out and not err, f'layout: exit {code}: {out}{err}')
    if code != 0:
        return
    before, after = LISTING.read_text(), new.read_text()
    expect(before != after and bodies(before) == bodies(after), 'layout keeps the instructions')
    expect(run('check', new)[0] == 0, 'the new listing passes check')
    code, out, err = run('layout', LISTING, '--json')
    row = json.loads(out)[0] if code == 0 else {}
    lay = row.get('layout', {})
    expect(lay.get('changed') and lay['cold'] > 0 and lay['patterns'] > 0 and lay['moved'] > 0 and lay['inserted'] > 0, f'layout --json: {out}{err}')
    count = sum(len(re.findall(r'/\*[0-9a-f]{4,5}\*/\s+(?!NOP|\s)', text)) * sign for text, sign in ((after, 1), (before, -1)))
    expect(count == lay.get('inserted', 0) - lay.get('removed', 0), 'layout --json counts the branches')
    expect(row.get('cycles_before', 0) > 0 and row.get('cycles_after', 0) > 0, 'layout --json has cycles')
    code, out, err = run('layout', new, '-o', folder / 'twice.sass')
    expect(code == 0 and run('check', folder / 'twice.sass')[0] == 0, f'layout of what was laid out: {out}{err}')
    code, out, err = run('layout', OTHER, '-o', folder / 'same.sass')
    expect(code == 0 and '0 of 1 functions' in out and (folder / 'same.sass').read_bytes() == OTHER.read_bytes(), f'nothing cold: {out}{err}')
    for words in (['--cold-arms', 'beside'], ['--cold-arms=behind'], ['--in-loops', 'mac-first'], ['--in-loops', 'off'],
                  ['--scoreboard', 'text'], ['--warps', '2'], ['--loads', 'both']):
        code, out, err = run('layout', LISTING, '-o', new, *words)
        expect(code == 0 and run('check', new)[0] == 0, f'{words}: exit {code}: {out}{err}')


def two_sms(folder):
    """A file with code of two SMs: each function is laid out for its own."""
    both, new, alone = folder / 'both.sass', folder / 'both_new.sass', folder / 'alone.sass'
    other = OTHER.read_text().replace('.L_x_', '.L_other_')
    run('layout', LISTING, '-o', alone)
    for texts, anew in (((LISTING.read_text(), other), (alone.read_text(), other)), ((other, LISTING.read_text()), (other, alone.read_text()))):
        both.write_text(''.join(texts))
        code, out, err = run('layout', both, '-o', new)
        expect(code == 0 and '1 of 2 functions laid out anew' in out and not err, f'layout of two SMs: exit {code}: {out}{err}')
        expect(code != 0 or sorted(bodies(new.read_text()).items()) == sorted(bodies(''.join(anew)).items()), 'layout of two SMs: other code than alone')
        expect(run('check', new)[0] == 0, 'the new listing of two SMs passes check')
    dumps = DUMPS / 'cuobjdump-saxpy.sm80.txt', DUMPS / 'cuobjdump-saxpy.sm90.txt'
    both.write_text(''.join(d.read_text() for d in dumps))
    code, out, err = run('layout', both, '-o', new)
    expect(code == 0 and new.read_text() == both.read_text(), f'layout of a dump of two SMs: exit {code}: {out}{err}')


def dearer(folder):
    """What the model finds dearer stays as it was, and says so."""
    listing, same = ROOT / 'tests' / 'data' / 'listings_rare' / 'whole_grid.sm100.sass', folder / 'dearer.sass'
    code, out, err = run('layout', listing, '--warps', '1', '-o', same)
    expect(code == 0 and 'left as it was: dearer by the model' in out + err, f'a dearer layout: exit {code}: {out}{err}')
    code, out, err = run('layout', listing, '--warps', '1', '--json')
    rows = json.loads(out) if code == 0 else []
    expect(rows and all(r['cycles_after'] <= r['cycles_before'] for r in rows), f'a dearer layout: {out}{err}')


def cubins(folder):
    """Block 2 of eight ran seldom: listing and cubin change, and belong to each other."""
    profile, new, new_cubin = folder / 'counts', folder / 'saxpy.sass', folder / 'saxpy.cubin'
    profile.write_text(''.join(f'saxpy_vec4 {b} {1 if b == 2 else 100}\n' for b in range(8)))
    words = ['layout', SAXPY, '-o', new, '--profile', profile]
    code, out, err = run(*words, '--cubin', CUBIN, '--cubin-out', new_cubin)
    expect(code == 0 and '1 of 2 functions laid out anew' in out and not err, f'layout with cubin: exit {code}: {out}{err}')
    if code != 0:
        return
    expect(bodies(SAXPY.read_text()) == bodies(new.read_text()), 'layout of a cubin keeps the instructions')
    lines = [len(re.findall(r'/\*[0-9a-f]{4,5}\*/', path.read_text())) for path in (SAXPY, new)]
    expect(lines[0] == lines[1], f'the new listing is as long as the code of the cubin: {lines}')
    expect(CUBIN.stat().st_size == new_cubin.stat().st_size and CUBIN.read_bytes() != new_cubin.read_bytes(), 'layout writes the cubin')
    again = folder / 'again.cubin'
    code, out, err = run('schedule', SAXPY, '--cubin', new_cubin, '--cubin-out', again)
    expect(code == 2 and not again.exists(), f'the old listing fits the new cubin: {out}{err}')
    code, out, err = run('check', new_cubin)
    expect(code == 0, f'control words of the new cubin: {out}{err}')
    plain = folder / 'plain.cubin'
    code, out, err = run('layout', OTHER, '--cubin', OTHER_CUBIN, '--cubin-out', plain)
    expect(code == 0 and plain.read_bytes() == OTHER_CUBIN.read_bytes(), f'a cubin of which nothing changes: {out}{err}')


def profiles(folder):
    """What was measured decides: blocks that ran often are hot whatever they look like, others are cold."""
    profile, new = folder / 'profile', folder / 'profiled.sass'

    def cold(lines, listing=LISTING, *more):
        profile.write_text(lines)
        code, out, err = run('layout', listing, '--profile', profile, '-o', new, '--json', *more)
        return (json.loads(out)[0].get('layout', {'cold': 0}) if code == 0 else None), err

    name = 'sgemm_naive'
    blocks = json.loads(run('layout', LISTING, '--json')[1])[0]['blocks']
    hot, err = cold(''.join(f'{name} {b} 100\n' for b in range(blocks)))
    expect(hot is not None and hot['cold'] == 0, f'all blocks ran: {hot}{err}')
    one, err = cold(''.join(f'{name} {b} {1 if b == 3 else 100}\n' for b in range(blocks)))
    expect(one is not None and one['cold'] == 1, f'one block ran seldom: {one}{err}')
    for text, said in ((f'{name} 999 1\n', 'a block number'), (f'{name} 0->999 0.5\n', 'a way from'), (f'{name} 0->0 0.5\n', 'a way from'),
                       (f'{name} 0->1 1.5\n', 'probability'), (f'{name} 0->1\n', 'expected'), ('elsewhere 0 1\n', 'a section')):
        profile.write_text(text)
        new.write_text('keep me')
        code, out, err = run('layout', LISTING, '--profile', profile, '-o', new)
        expect(code == 2 and said in err and err.count('\n') == 1 and not out, f'{text!r}: exit {code}: {out}{err}')
        expect(new.read_text() == 'keep me', f'{text!r}: the output was touched')


def bad(folder):
    target = folder / 'bad.sass'
    target.write_text('keep me')
    broken = folder / 'broken.sass'
    broken.write_text(LISTING.read_text()[:5000])
    for words, said in (
            ([LISTING, '--strategy', 'list'], 'has no option'), ([LISTING, '--keep-order'], 'has no option'), ([LISTING, '--o0'], 'has no option'),
            ([LISTING, '--original', LISTING], 'has no option'), ([LISTING, '--cold-arms', 'away'], 'behind, beside'),
            ([LISTING, '--in-loops', 'x'], 'off, mac-first'), ([LISTING, OTHER], 'one input file'), ([], 'input file is missing'),
            ([LISTING, '--cubin', CUBIN], 'go together'), ([LISTING, '--cubin', OTHER_CUBIN, '--cubin-out', folder / 'x'], 'another SM'),
            ([LISTING, '--cubin', LISTING, '--cubin-out', folder / 'x'], 'expected'), ([broken], 'expected'), ([folder / 'none'], 'cannot open')):
        code, out, err = run('layout', *words, '-o', target)
        expect(code == 2 and said in err and not out, f'{words}: exit {code}: {out}{err}')
    for command in ('check', 'schedule', 'compare'):
        code, out, err = run(command, LISTING, '--cold-arms', 'beside')
        expect(code == 2 and 'has no option' in err, f'{command} --cold-arms: exit {code}: {out}{err}')
    expect(target.read_text() == 'keep me' and not (folder / 'x').exists(), 'bad input: an output was touched')


if __name__ == '__main__':
    finish(good, dearer, two_sms, cubins, profiles, bad)
