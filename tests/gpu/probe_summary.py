#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Tables of what ww_gpu_probe found: tests/gpu/probe_summary.py RESULTS...

Standard output is markdown: totals; harmless edits and those of them that were not harmless; per counter cell how many edits the hardware
minded; per distance cell the checker's number, and for each shorter distance `minded of tried`. A wrong result proves that a distance is
too short; a right one proves nothing by itself, for the value may not matter there.
"""
import collections
import sys


def main():
    rows = [line.rstrip('\n').split('\t') for name in sys.argv[1:] for line in open(name, encoding='utf-8')]
    used = [r for r in rows if r[8] in ('right', 'wrong', 'fault', 'hang')]
    total = collections.Counter((r[4], r[8]) for r in rows)
    print('| edits | ' + ' | '.join(('right', 'wrong', 'fault', 'hang', 'left out')) + ' |\n|---|---|---|---|---|---|')
    for kind in ('harmless', 'distance', 'counter'):
        left = sum(n for (k, what), n in total.items() if k == kind and what not in ('right', 'wrong', 'fault', 'hang'))
        print(f'| {kind} | ' + ' | '.join(f"{total[kind, what]:,}" for what in ('right', 'wrong', 'fault', 'hang')) + f' | {left:,} |')
    alarms = [r for r in used if r[4] == 'harmless' and r[8] != 'right']
    print(f'\nHarmless edits that the hardware minded: {len(alarms)}')
    for r in alarms:
        print('    ' + ' '.join(r))
    counters = collections.defaultdict(lambda: [0, 0])
    for r in used:
        if r[4] == 'counter':
            counters[r[5]][0] += r[8] != 'right'
            counters[r[5]][1] += 1
    print('\n| counter left out | minded of tried |\n|---|---|')
    for cell, (bad, tried) in sorted(counters.items()):
        print(f'| {cell} | {bad} of {tried} |')
    cells = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    for r in used:
        if r[4] == 'distance':
            cells[r[5], int(r[6])][int(r[7])][0] += r[8] != 'right'
            cells[r[5], int(r[6])][int(r[7])][1] += 1
    print('\n| pair | checker | minded of tried, by distance |\n|---|---|---|')
    for (cell, required), by in sorted(cells.items()):
        print(f'| {cell} | {required} | ' + ', '.join(f'{d}: {by[d][0]} of {by[d][1]}' for d in sorted(by, reverse=True)) + ' |')


if __name__ == '__main__':
    main()
