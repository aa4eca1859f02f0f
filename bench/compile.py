#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What including the library costs to compile, in milliseconds of user time.

    bench/compile.py [--check] [--runs N] [CXX]     --check: exit 1 when a budget is missed; N runs of each unit, default 5

User time of the compiler process, not wall time, and the best of N runs, taken in turns: other work on the machine
lengthens a run and never shortens it. Printed are the compiler, its flags, every unit with its ratio to <vector> (both over
the empty unit), and for each budget the two units that were compared.

Budgets are milliseconds, and on slower machines the same in multiples of what <vector> costs over the empty unit in the same run:
100 ms are one <vector>, which is what g++ 12 took for it (101 ms) on the machine that they were set for. Whatever keeps to either
is within its budget.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLAGS = ['-std=c++20', '-O2', '-c']
UNITS = {
    'empty unit': '',
    '<vector>': '#include <vector>\n',
    '<span>, <string_view>': '#include <span>\n#include <string_view>\n',
    'warpwright.hpp': '#include <warpwright/warpwright.hpp>\n',
    'one scheduler': '#include <warpwright/warpwright.hpp>\nusing sched = ww::scheduler<ww::sm90>;\n'
                     'unsigned f(ww::program& p) { return static_cast<unsigned>(sched{}.run(p).blocks); }\n',
    'its order alone': '#include <warpwright/warpwright.hpp>\nusing sched = ww::scheduler<ww::sm90>;\n'
                       'void f(ww::program& p, ww::schedule_workspace<sched::config>& w) '
                       '{ ww::schedule_blocks<sched::config>(p, w); }\n',
    'order and words': '#include <warpwright/warpwright.hpp>\nusing sched = ww::scheduler<ww::sm90>;\n'
                       'void f(ww::program& p, ww::schedule_workspace<sched::config>& w, ww::scoreboard::workspace& s) '
                       '{ ww::schedule_blocks<sched::config>(p, w); ww::scoreboard::assign_control<ww::sm90>(p, s); }\n',
    'the same, elsewhere': '#include <warpwright/warpwright.hpp>\nWW_EXTERN_SCHEDULER(ww::sm90)\n'
                           'using sched = ww::scheduler<ww::sm90>;\n'
                           'unsigned f(ww::program& p) { return static_cast<unsigned>(sched{}.run(p).blocks); }\n',
    'own, its SM elsewhere': '#include <warpwright/warpwright.hpp>\nWW_EXTERN_SM(ww::sm90)\n'
                             'using own = ww::scheduler<ww::sm90, ww::priority::source_order<4>>;\n'
                             'unsigned f(ww::program& p) { return static_cast<unsigned>(own{}.run(p).blocks); }\n',
    'one and another': '#include <warpwright/warpwright.hpp>\nusing sched = ww::scheduler<ww::sm90>;\n'
                       'using own = ww::scheduler<ww::sm90, ww::priority::source_order<4>>;\n'
                       'unsigned f(ww::program& p) { return static_cast<unsigned>(sched{}.run(p).blocks); }\n'
                       'unsigned g(ww::program& p) { return static_cast<unsigned>(own{}.run(p).blocks); }\n',
    'tools.hpp': '#include <warpwright/tools.hpp>\n',
}
# Over which unit, and how many milliseconds.
BUDGET = {'warpwright.hpp': ('empty unit', 300), 'one scheduler': ('warpwright.hpp', 1500),
          'the same, elsewhere': ('warpwright.hpp', 100), 'own, its SM elsewhere': ('warpwright.hpp', 1500),
          'one and another': ('one scheduler', 1500)}
VECTOR = 100  # ms, of <vector> where the budgets were set


def once(command):
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f'failed: {" ".join(command)}')
    return usage.ru_utime * 1000.0


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--check', action='store_true')
    options.add_argument('--runs', type=int, default=5)
    options.add_argument('cxx', nargs='?', default='g++')
    given = options.parse_args()
    version = subprocess.run([given.cxx, '--version'], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    print(f'{version}, {" ".join(FLAGS)}, user time, best of {given.runs}')
    best, code = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        commands = {}
        for number, (name, text) in enumerate(UNITS.items()):
            source = pathlib.Path(folder) / f'unit{number}.cpp'
            source.write_text(text)
            commands[name] = [given.cxx, *FLAGS, '-I', str(ROOT / 'include'), str(source), '-o', str(source.with_suffix('.o'))]
        for _ in range(max(1, given.runs)):
            for name, command in commands.items():
                best[name] = min(best.get(name, float('inf')), once(command))
        for name, command in commands.items():
            code[name] = pathlib.Path(command[-1]).stat().st_size / 1024
    empty = best['empty unit']
    vector = best['<vector>'] - empty
    print(f'{"unit":22} {"ms":>7} {"over empty":>11} {"x <vector>":>11} {"object KiB":>11}')
    for name, value in best.items():
        print(f'{name:22} {value:7.0f} {value - empty:11.0f} {(value - empty) / vector:11.2f} {code[name]:11.0f}')
    missed = 0
    for name, (base, limit) in BUDGET.items():
        over = best[name] - best[base]
        beyond = over > limit and over / vector > limit / VECTOR
        missed += beyond
        print(f'{name} ({best[name]:.0f}) over {base} ({best[base]:.0f}): {over:.0f} ms of {limit}, {over / vector:.2f} times <vector> of '
              f'{limit / VECTOR:.1f}: {"OVER BUDGET" if beyond else "ok"}')
    return 1 if missed and given.check else 0


if __name__ == '__main__':
    sys.exit(main())
