#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What including the library costs: g++ -O2 time over an empty unit, as milliseconds and as a ratio to <vector>.

    bench/compile.py [--check] [CXX]     --check: exit 1 when the core header adds more than 300 ms or one scheduler
                                         more than 1,500 ms (medians, the better of two runs of five)
"""
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNITS = {
    'empty unit': '',
    '<vector>': '#include <vector>\n',
    'warpwright.hpp': '#include <warpwright/warpwright.hpp>\n',
    'one scheduler': '#include <warpwright/warpwright.hpp>\nusing sched = ww::scheduler<ww::sm90>;\n'
                     'unsigned f(ww::program& p) { return static_cast<unsigned>(sched{}.run(p).blocks); }\n',
    'tools.hpp': '#include <warpwright/tools.hpp>\n',
}
BUDGET = {'warpwright.hpp': ('empty unit', 300.0), 'one scheduler': ('warpwright.hpp', 1500.0)}


def once(cxx, source):
    start = time.perf_counter()
    subprocess.run([cxx, '-std=c++20', '-O2', '-I', str(ROOT / 'include'), '-c', str(source), '-o', '/dev/null'], check=True)
    return (time.perf_counter() - start) * 1000.0


def main(arguments):
    cxx = next((a for a in arguments if not a.startswith('--')), 'g++')
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        sources = {}
        for number, (name, text) in enumerate(UNITS.items()):
            sources[name] = pathlib.Path(folder) / f'unit{number}.cpp'
            sources[name].write_text(text)
        for _ in range(2):
            samples = {name: [] for name in UNITS}
            for _ in range(5):
                for name in UNITS:
                    samples[name].append(once(cxx, sources[name]))
            for name in UNITS:
                best[name] = min(best.get(name, 1e9), statistics.median(samples[name]))
    vector = best['<vector>'] - best['empty unit']
    print(f'{"unit":16} {"ms":>8} {"over empty":>11} {"x <vector>":>11}')
    for name, value in best.items():
        over = value - best['empty unit']
        print(f'{name:16} {value:8.0f} {over:11.0f} {over / vector if vector > 0 else 0:11.2f}')
    status = 0
    for name, (base, limit) in BUDGET.items():
        over = best[name] - best[base]
        good = over <= limit
        print(f'{name} over {base}: {over:.0f} ms of {limit:.0f} ms: {"ok" if good else "OVER BUDGET"}')
        if not good and '--check' in arguments:
            status = 1
    return status


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
