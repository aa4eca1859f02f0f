#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Put the tables that bench_agreement prints between the markers of docs/results/scoreboards.md.

    scripts/scoreboards.py BENCH_AGREEMENT DOCUMENT [LISTING...]     same input, same bytes
"""
import pathlib
import subprocess
import sys

BEGIN, END = '<!-- tables -->\n', '<!-- end of tables -->\n'

if len(sys.argv) < 3:
    sys.exit(__doc__)
document = pathlib.Path(sys.argv[2])
text = document.read_text()
if BEGIN not in text or END not in text:
    sys.exit(f'{document}: the markers are missing')
done = subprocess.run([sys.argv[1], *sys.argv[3:]], capture_output=True, text=True, check=False)
if done.returncode != 0:
    sys.exit(done.stderr.strip() or 'the benchmark failed')
head, tail = text.split(BEGIN)[0], text.split(END)[1]
document.write_text(head + BEGIN + done.stdout + END + tail)
