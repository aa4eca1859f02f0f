#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Run every strategy of the command line over listings and write the tables and plots of docs/results/schedulers.md.

    scripts/results.py PROGRAM OUT LISTING...     PROGRAM: the warpwright command line; OUT: folder for .json, .md and .svg
    scripts/results.py --lifted BENCH OUT LISTING...    BENCH: bench_lifted; the same on virtual registers, *_lifted.*

For each strategy, mode and backend: modelled cycles against as compiled and against the bound (one warp, and eight warps of a
sub-core), live registers, time per instruction of the whole run (pipeline and checker included). Same input, same bytes but
for the times.
"""
import json
import math
import pathlib
import subprocess
import sys

BATCH = 60


def variants(program):
    lines = subprocess.run([program, 'list', 'strategies'], capture_output=True, text=True, check=True).stdout.splitlines()
    named = [line.split()[0] for line in lines if 'a program in memory' not in line]  # those need more than a listing
    out = [(name, ['--strategy', name]) for name in named if name != 'unified']
    if 'unified' in named:
        out += [(f'unified, {mode}', ['--strategy', 'unified', '--mode', mode]) for mode in ('ilp', 'reduce_reg', 'dyn_batch')]
    return out


def measure(program, options, warps, files):
    rows = []
    for first in range(0, len(files), BATCH):
        done = subprocess.run([program, 'compare', '--json', '--quiet', '--warps', str(warps), '--jobs', '1', *options, *files[first:first + BATCH]],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f'{options}: {done.stderr.strip()[:400]}')
        rows += json.loads(done.stdout)
    return {f'{r["file"]}:{r["name"]}': r for r in rows}


def geomean(values):
    values = [v for v in values if v > 0]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else 1.0


def summary(rows):
    used = [r for r in rows.values() if r['cycles_before'] > 0]
    instructions = sum(r['instructions'] for r in used)
    return {
        'kernels': len(used),
        'cycles': geomean(r['cycles_after'] / r['cycles_before'] for r in used),
        'worst': max(r['cycles_after'] / r['cycles_before'] for r in used),
        'over_bound': geomean(r['cycles_after'] / r['bound'] for r in used if r['bound'] > 0),
        'better': sum(r['cycles_after'] < r['cycles_before'] for r in used),
        'live': geomean((r['max_live_after'] + 1) / (r['max_live_before'] + 1) for r in used),
        'live_not_above': sum(r['max_live_after'] <= r['max_live_before'] for r in used) / len(used),
        'ns': 1e9 * sum(r['seconds'] for r in used) / max(1, instructions),
    }


def bars(title, unit, values, base):
    """A horizontal bar chart; `base` is drawn as a line."""
    height, left, width = 22, 210, 420
    low = min([base] + [v for _, v in values]) * 0.98
    high = max([base] + [v for _, v in values]) * 1.02
    scale = lambda v: left + width * (v - low) / (high - low or 1)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 90}" height="{height * len(values) + 60}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="100%" height="100%" fill="white"/><text x="10" y="20" font-size="14">{title}</text>']
    for k, (name, value) in enumerate(values):
        y = 36 + k * height
        lines.append(f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{name}</text>'
                     f'<rect x="{left}" y="{y + 2}" width="{scale(value) - left:.1f}" height="{height - 6}" fill="#4477aa"/>'
                     f'<text x="{scale(value) + 6:.1f}" y="{y + 13}">{value:.3f}{unit}</text>')
    x = scale(base)
    lines.append(f'<line x1="{x:.1f}" y1="30" x2="{x:.1f}" y2="{36 + height * len(values)}" stroke="#aa3333" stroke-dasharray="4 3"/>')
    lines.append('</svg>')
    return '\n'.join(lines) + '\n'


def lifted(arguments):
    program, out, files = arguments[0], pathlib.Path(arguments[1]), arguments[2:]
    out.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([program, '--json', '--check', *files], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr.strip()[:400])
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    (out / 'lifted.json').write_text(json.dumps(rows, indent=1) + '\n')
    table = ['| strategy | sum of peaks | peak, geometric mean | peak not above | cycles | kernels slower |', '|---|---|---|---|---|---|']
    for r in rows:
        table.append(f'| {r["name"]} | {r["peak_after"]:,} | {r["peak_ratio"]:.3f} | {100 * r["not_above"]:.0f} % | {r["cycles"]:.4f} | '
                     f'{r["slower"]} of {r["programs"]} |')
    (out / 'lifted_table.md').write_text('\n'.join(table) + '\n')
    (out / 'lifted_live.svg').write_text(bars('Peak live general registers on lifted code (geometric mean)', '',
                                              [(r['name'], r['peak_ratio']) for r in rows], 1.0))
    (out / 'lifted_cycles.svg').write_text(bars('Modelled cycles on lifted code, one warp (geometric mean)', '',
                                                [(r['name'], r['cycles']) for r in rows], 1.0))
    print('\n'.join(table))


def main(arguments):
    if arguments[:1] == ['--lifted'] and len(arguments) >= 3:
        return lifted(arguments[1:])
    if len(arguments) < 3:
        sys.exit(__doc__)
    program, out, files = arguments[0], pathlib.Path(arguments[1]), arguments[2:]
    out.mkdir(parents=True, exist_ok=True)
    data, best = {}, {}
    for warps in (1, 8):
        for name, options in variants(program):
            rows = measure(program, options, warps, files)
            data.setdefault(name, {})[str(warps)] = summary(rows)
            for key, r in rows.items():
                if warps == 1 and r['cycles_before'] > 0:
                    best[key] = min(best.get(key, 1.0), r['cycles_after'] / r['cycles_before'])
            print(f'{warps} warps  {name:24} {data[name][str(warps)]["cycles"]:.4f}', flush=True)
    data['best of all'] = {'1': {'cycles': geomean(best.values()), 'kernels': len(best)}}
    (out / 'schedulers.json').write_text(json.dumps(data, indent=1, sort_keys=True) + '\n')
    table = ['| strategy | 1 warp: cycles | over bound | kernels better | 8 warps: cycles | live registers | live not above | ns/instr |',
             '|---|---|---|---|---|---|---|---|']
    for name, d in data.items():
        if 'ns' not in d['1']:
            table.append(f'| {name} | {d["1"]["cycles"]:.4f} | | | | | | |')
            continue
        a, b = d['1'], d['8']
        table.append(f'| {name} | {a["cycles"]:.4f} | {a["over_bound"]:.3f} | {a["better"]} of {a["kernels"]} | {b["cycles"]:.4f} | '
                     f'{a["live"]:.3f} | {100 * a["live_not_above"]:.0f} % | {a["ns"]:.0f} |')
    (out / 'schedulers_table.md').write_text('\n'.join(table) + '\n')
    shown = [(n, d['1']['cycles']) for n, d in data.items()]
    (out / 'schedulers_cycles.svg').write_text(bars('Modelled cycles against as compiled, one warp (geometric mean)', '', shown, 1.0))
    shown = [(n, d['1']['live']) for n, d in data.items() if 'live' in d['1']]
    (out / 'schedulers_live.svg').write_text(bars('Peak live general registers against as compiled (geometric mean)', '', shown, 1.0))
    print('\n'.join(table))


if __name__ == '__main__':
    main(sys.argv[1:])
