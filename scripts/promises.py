#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Run what shows each promise of the kit and write docs/promises.md: first what it is made of, then what it must show. Of each
the table says where it is shown and what was seen.

    scripts/promises.py BUILD OUT      BUILD: a build folder with tests, examples and benches (-DWARPWRIGHT_BUILD_BENCH=ON);
                                       OUT: the document. WARPWRIGHT_CORPUS=DIR adds the corpus to the bundled listings.

Nothing is judged here but by the tests: a test that fails, a program that is missing or a figure that is not printed stands in
the table as such, and the exit status is 1. Takes some twenty minutes on two cores, most of them for clean builds; nothing else
should run meanwhile.
"""
import datetime
import functools
import json
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from results import geomean

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = os.environ.get('WARPWRIGHT_CORPUS', '')
failed = []


def run(*argv):
    try:
        done = subprocess.run([str(a) for a in argv], capture_output=True, text=True, check=False, cwd=ROOT)
    except OSError as error:
        return 127, str(error)
    return done.returncode, done.stdout + done.stderr


def bad(what):
    failed.append(what)
    return f'**{what}**'


def figures(text, wanted):
    """Every match of every pattern, said in its words; None if one of them matches nothing."""
    out = []
    for pattern, say in wanted:
        found = [say.format(*m.groups()) for m in re.finditer(pattern, text)]
        if not found:
            return None
        out += found
    return '; '.join(out)


class Shown:
    """The means of showing something: each returns what was seen, as text for the table."""

    def __init__(self, build, listings):
        self.build = build
        self.listings = listings

    def test(self, domain, names, *wanted):
        """Cases of one test program by the beginning of their names."""
        status, text = run(self.build / f'tests/test_{domain}', ','.join(n.replace(',', '\\,') + '*' for n in names))
        text = ' '.join(text.split())  # long lines are broken
        counts = re.search(r'All tests passed \((\d+) assertions? in (\d+) test cases?\)', text)
        seen = figures(text, wanted)
        if status != 0 or not counts or seen is None:
            return bad(f'failed: test_{domain}')
        passed = f'{int(counts[1]):,} assertions of {counts[2]} cases hold'
        return f'{seen} ({passed})' if seen else passed

    def ctest(self, pattern):
        status, text = run('ctest', '--test-dir', self.build, '-R', pattern)
        seen = re.search(r'tests passed, 0 tests failed out of (\d+)', text)
        return f'{seen[1]} of {seen[1]} tests pass' if seen and status == 0 else bad(f'failed: {pattern}')

    def bench(self, name, arguments, *wanted):
        status, text = run(self.build / f'bench/bench_{name}', *arguments)
        seen = figures(text, wanted)
        return seen if status == 0 and seen else bad(f'failed: bench_{name}')

    def planted(self):
        """Planted bugs by set of listings, and the share of all."""
        pattern = r'(\d+) files, \d+ instructions, \d+ programs mutated; hazards (\d+) of (\d+), exchanged pairs (\d+) of (\d+)'
        status, text = run(self.build / 'tests/test_verify', 'verify real code*')
        out = []
        for m in re.finditer(pattern, text):
            files, found, hazards, pairs, exchanged = map(int, m.groups())
            share = 100 * (found + pairs) / (hazards + exchanged)
            out.append(f'{files} listings: hazards {found:,} of {hazards:,}, exchanged pairs {pairs:,} of {exchanged:,}, '
                       f'together {share:.1f} %')
        return '; '.join(out) if status == 0 and out else bad('failed: planted bugs')

    @functools.cache
    def compared(self, *options):
        """What `compare` says of every kernel, none if it failed, and the seconds that it took."""
        begin = time.monotonic()
        status, text = run(self.build / 'examples/warpwright/warpwright', 'compare', '--json', '--quiet', *options, *self.listings)
        took = time.monotonic() - begin
        return (json.loads(text[:text.rindex(']') + 1]) if status == 0 and ']' in text else []), took

    def compare(self, *options):
        rows, took = self.compared(*options)
        rows = [r for r in rows if r['cycles_before'] > 0]
        if not rows:
            return bad('failed: compare')
        ratio = [r['cycles_after'] / r['cycles_before'] for r in rows]
        bound = [r['bound'] / r['cycles_before'] for r in rows if r['bound'] > 0]
        return (f'{len(self.listings)} listings, {len(rows)} kernels: {geomean(ratio):.3f}, bound {geomean(bound):.3f}; '
                f'above 1.00: {sum(r > 1 for r in ratio)}; {took:.1f} s of wall clock, every proof included')

    def check(self):
        status, text = run(self.build / 'examples/warpwright/warpwright', 'check', *self.listings)
        seen = re.search(r'(\d+) hazards in (\d+) functions, (\d+) instructions', text)
        if status != 0 or not seen:
            return bad('failed: check')
        return f'{len(self.listings)} listings: {seen[1]} hazards in {int(seen[2]):,} functions, {int(seen[3]):,} instructions'

    def kept(self):
        """How often `schedule` keeps the order of a block for as many warps as registers allow, from the figures of compare."""
        rows, _ = self.compared()
        if not rows:
            return bad('failed: compare')
        return f'{sum(r["blocks_kept"] for r in rows):,} of {sum(r["blocks"] for r in rows):,} blocks kept'

    def units(self):
        found = {p.parent.name for p in (self.build / 'examples/warpwright').glob('**/*unit_sm*.dir/unit.cpp.o')}
        return f'{len(found)} units' if found else bad('no unit of an SM was built')

    @staticmethod
    def lane(*names):
        """Lanes of .ci/run, which say how long each took."""
        done = subprocess.run(['.ci/run'], capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ | {'LANES': ' '.join(names)})
        passed = re.findall(r'lane (\S+) passed in (\d+) s', done.stdout)
        if done.returncode != 0 or [n for n, _ in passed] != list(names):
            return bad(f'failed: {" ".join(names)}')
        return ', '.join(f'lane {n} passed' for n in names)

    @staticmethod
    def demo():
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(['scripts/demo.sh'], capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ | {'BUILD': folder})
        seen = figures(done.stdout, [(r'(\d+ functions: cycles after/before [\d.]+) \(geometric mean\), (bound/before [\d.]+)', '{}, {}')])
        return seen if done.returncode == 0 and seen else bad('failed: scripts/demo.sh')

    @staticmethod
    def ledger():
        """States of the systems in docs/coverage.md."""
        states = [line.split('|')[5].strip() for line in (ROOT / 'docs/coverage.md').read_text().splitlines() if re.match(r'\| [A-Z]+-\d+ \|', line)]
        later, part = (sum(s.startswith(word) for s in states) for word in ('not yet', 'part'))
        return f'{len(states)} rows: {len(states) - later - part} whole, {part} in part, {later} not yet'

    @staticmethod
    def files(pattern):
        return [p for p in sorted(ROOT.glob(pattern)) if p.is_file()]

    def pages(self):
        """The SMs of arch/, and the files that each of them has."""
        folders = {}
        for path in self.files('include/warpwright/arch/sm*/*.hpp'):
            folders.setdefault(path.parent.name, set()).add(path.name)
        same = set.intersection(*folders.values())
        return f'{len(folders)} SMs, each with {", ".join(sorted(n.removesuffix(".hpp") for n in same))}'

    def newer(self):
        count = {}
        for path in self.files('tests/data/listings_blackwell/*.sass'):
            sm = path.name.split('.')[-2]
            count[sm] = count.get(sm, 0) + 1
        return ', '.join(f'{n} of {sm.replace("sm", "sm_")}' for sm, n in sorted(count.items()))

    def examples(self):
        longest = max(len(p.read_text().splitlines()) for p in self.files('examples/0*.cpp'))
        return self.ctest('^example_') + f', the longest of {longest} lines'

    @staticmethod
    def rejections():
        out = []
        for compiler in ('g++', 'clang++'):
            status, text = run('scripts/reject.sh', compiler)
            cases = re.search(r'(\d+) cases, 0 bad', text)
            out.append(f'{compiler}: {cases[1]} cases' if status == 0 and cases else bad(f'failed: {compiler}'))
        return ', '.join(out)

    @staticmethod
    def compile_cost():
        status, text = run(sys.executable, 'bench/compile.py', '--runs', '5')
        vector = re.search(r'^<vector> +\d+ +(\d+)', text, re.M)
        rows = re.findall(r'^(.+?) \(\d+\) over .*?: (-?\d+) ms of (\d+), (-?[\d.]+) times <vector> of ([\d.]+): (.*)$', text, re.M)
        units = dict((name.strip(), int(over)) for name, over in re.findall(r'^(\S.*?) +\d+ +(\d+) +[\d.]+ +\d+$', text, re.M))
        parts = [f'{name}: {units[name] - units["warpwright.hpp"]} ms, {(units[name] - units["warpwright.hpp"]) / units["<vector>"]:.2f} times'
                 for name in ('its order alone', 'order and words') if name in units and '<vector>' in units and 'warpwright.hpp' in units]
        if status != 0 or not rows or not vector or len(parts) != 2:
            return bad('failed: bench/compile.py')
        return f'`<vector>` {vector[1]} ms; ' + '; '.join(
            [f'{name}: {ms} ms of {most}, {times} times of {limit}{"" if judged == "ok" else " (**missed**)"}'
             for name, ms, most, times, limit, judged in rows] + parts)

    @staticmethod
    def clean_build():
        with tempfile.TemporaryDirectory() as folder:
            begin = time.monotonic()
            status, _ = run('cmake', '-S', ROOT, '-B', folder, '-DCMAKE_BUILD_TYPE=Release')
            if status == 0:
                status, _ = run('cmake', '--build', folder, '-j', '2')
            took = time.monotonic() - begin
        return f'{took / 60:.1f} min with two jobs' if status == 0 else bad('failed: build')


def built(s):
    """What the kit is made of: the part, where it is shown, how to see it."""
    yield ('CMake: an interface target, installed and found by an outside project; formatted and tidy', '`tests/install`, `.ci/run`',
           lambda: s.lane('format', 'install', 'tidy'))
    yield ('One command shows the main job on real kernels', '`scripts/demo.sh`', s.demo)
    yield ('Every system of the ledger has a row of its state', '`docs/coverage.md`, `scripts/check_structure.py`',
           lambda: s.ledger() + '; ' + s.ctest('^structure$'))
    yield ('One unit of the command line for each SM', '`examples/warpwright/unit.cpp`', s.units)
    yield ('A clean build of everything with its tests: at most 8 minutes on two cores', '`cmake --build`', s.clean_build)
    yield ('Policies in any order are one type, defaults come from the SM, Hana walks policy lists', '`tests/meta`',
           lambda: s.test('meta', ['composer']))
    yield ('A wrong composition is one sentence of ours at the `using` line, on both compilers', '`tests/reject`, `scripts/reject.sh`',
           s.rejections)
    yield ('No policy is polymorphic, none has state without need, no loop calls through a pointer', '`tests/static`, `tests/dispatch`',
           lambda: s.ctest('^dispatch_'))
    yield ('Four examples under 80 lines with golden output', '`examples/`', s.examples)
    yield ('Flat programs, strong ids, virtual registers above the limits, programs built in memory', '`tests/isa/builder.cpp`, `tests/ir/move.cpp`',
           lambda: s.test('isa', ['isa builder', 'isa append']) + '; ' + s.test('ir', ['PLS-19']))
    yield ('Operands are the 64-bit descriptor of FPA-3', '`tests/ir/operand.cpp`', lambda: s.test('ir', ['FPA-3']))
    yield ('Defs, uses, widths, guard, predicates, carries, spaces, classes of every opcode', '`tests/isa/corpus.cpp`, `tests/isa/hand_checked.cpp`',
           lambda: s.test('isa', ['isa corpus', 'isa roles', 'isa memory', 'isa flags', 'isa carry', 'isa opcodes', 'isa unknown'],
                          (r'opcodes (\d+) of (\d+), lines (\d+)', '{} of {} opcodes in {} lines')))
    yield ('Operands that the text does not print', '`tests/isa/corpus.cpp`, `tests/isa/hand_checked.cpp`',
           lambda: s.test('isa', ['isa corpus', 'isa hidden'], (r'lines (\d+),.*?hidden descriptors (\d+)', '{1} descriptor pairs in {0} lines')))
    yield ('One folder for each SM, with the same files', '`include/warpwright/arch`', s.pages)
    yield ('Latencies by writer, reader and kind, each with its source', '`tests/arch/laws.cpp`, `tests/arch/golden.cpp`',
           lambda: s.test('arch', ['arch laws', 'latency golden'],
                          (r'documented (\d+), observed (\d+), measured (\d+), assumed (\d+)',
                           'above one cycle, by pairs of classes: documented {}, observed {}, measured {}, assumed {}')))
    yield ('Distances of one half of the corpus hold in the other', '`tests/arch/corpus.cpp`',
           lambda: s.test('arch', ['arch corpus'], (r'(\d+) dependences, (\d+) below check; halves: (\d+) trusted cells, (\d+) undercut',
                                                    '{} dependences, {} below check; halves: {} trusted cells, {} undercut')))
    yield ('Limits, occupancy, parameters of PLS-11', '`tests/arch/occupancy.cpp`', lambda: s.test('arch', ['occupancy', 'register files', 'PLS-11', 'PLS-14']))
    yield ('`safety_margin` adds cycles everywhere', '`tests/arch/laws.cpp`, `tests/scoreboard/words.cpp`, `tests/pipeline/schedule_corpus.cpp`',
           lambda: '; '.join((s.test('arch', ['arch laws: a margin']), s.test('scoreboard', ['SB-7 safety margin']), s.test('pipeline', ['pipeline: a margin']))))
    yield ('Every form of listing, of labels, tables and functions', '`tests/sass`', lambda: s.test('sass', ['listing: ', 'attached labels', 'writer']))
    yield ('Control flow: the disassembler\'s own graph, calls, indirect branches, reconvergence', '`tests/sass/graph_oracle.cpp`, `tests/ir/cfg.cpp`',
           lambda: s.test('sass', ['cfg']) + '; ' + s.test('ir', ['cfg', 'loops', 'dominators']))
    yield ('Cubins: recorded offsets, relocations, line and frame tables move; what cannot is refused by name', '`tests/cubin`',
           lambda: s.test('cubin', ['cubin', 'line table'], (r'(\d+) patched files, (\d+) sections, (\d+) instructions, (\d+) moved, (\d+) offsets',
                                                             '{} patched files, {} sections, {} instructions, {} moved, {} offsets')))
    yield ('At least ten listings of each SM of the newer disassembler', '`tests/data/listings_blackwell`', s.newer)
    yield ('Dependence graphs: two builders and an oracle agree; fences, memory, edge budget', '`tests/graph`',
           lambda: s.test('graph', ['PLS-8'], (r'(\d+) blocks, (\d+) instructions, (\d+) dependent pairs', '{} blocks, {} instructions, {} dependent pairs')))
    yield ('Liveness, live sets, resource vectors', '`tests/pressure`', lambda: s.test('pressure', ['PLS-']))
    yield ('All vector widths give the same results', '`tests/simd/identical.cpp`', lambda: s.test('simd', ['PLS-9']))
    yield ('The engine on real code, with every priority, ready list and constraint', '`tests/schedule`',
           lambda: s.test('schedule', ['PLS-1 engine', 'PLS-2', 'PLS-3', 'PLS-8', 'PLS-14', 'PS-', 'priority'],
                          (r'(default|all constraints|refined|base_offset): (\d+) kernels, (\d+) instructions, (\d+) moved', '{}: {} kernels, {} instructions, {} moved')))
    yield ('New words on real code, whole programs, any legal order', '`tests/scoreboard/corpus.cpp` and the rest of it',
           lambda: s.test('scoreboard', ['SB-'], (r'(\d+) programs, (\d+) instructions, (\d+) shuffled orders', '{} programs, {} instructions, {} shuffled orders')))
    yield ('Reuse flags: those that the compiler sets', '`tests/scoreboard/reuse.cpp`',
           lambda: s.test('scoreboard', ['SB-4 reuse'], (r'(sm_\w+): \d+ instructions, flags of both (\d+), ours only (\d+), the compiler\'s only (\d+)',
                                                         '{} {}, {} more, {} less')))
    yield ('The checker follows every path: stalls, counters, queues, guards, calls, loops', '`tests/verify/flow.cpp`, `tests/verify/encoding.cpp`',
           lambda: s.test('verify', ['verify flow', 'verify encoding', 'verify reuse', 'verify stalls', 'verify control']) + '; ' + s.check())
    yield ('The model: one warp and many, reasons of lost cycles, bound, weights by loops or a profile', '`tests/model`',
           lambda: s.test('model', ['model'], (r'(\d+) programs, (\d+) pairs', '{} programs, {} pairs of fixed latency')))
    yield ('Command line; the old order is kept where it is better, results are read and checked again', '`tests/cli`',
           lambda: s.ctest('^cli') + '; ' + s.kept())
    yield ('Single headers are fresh, stand alone and link from two units, on both compilers', '`scripts/amalgamate.py`', lambda: s.lane('single'))


def shown(s):
    """What it must show: the promise, where it is shown, how to see it."""
    yield ('Unknown opcodes in the corpus: 0', '`tests/isa/corpus.cpp`',
           lambda: s.test('isa', ['isa corpus'], (r'lines (\d+), register fields compared (\d+)', '{} lines, {} register fields as encoded')))
    yield ('Listings rewritten unchanged: the same bytes', '`tests/sass/identity.cpp`',
           lambda: s.test('sass', ['listing: unchanged', 'listing: other forms']))
    yield ('Control words decoded and encoded: all identical, hand-made Maxwell samples too',
           '`tests/arch/corpus.cpp`, `tests/arch/control_format.cpp`',
           lambda: s.test('arch', ['SB-1'], (r'control words: (\d+) of (\d+) identical', '{} of {} words')))
    yield ('Defs and uses equal the disassembler\'s register tables', '`tests/isa/register_tables.cpp`',
           lambda: s.test('isa', ['register tables'],
                          (r'lines (\d+), equal (\d+), calls \(callee summary\) (\d+), known differences (\d+)',
                           '{} lines: {} equal, {} calls (the table sums up the callee), {} known differences')))
    yield ('Live counts equal the disassembler\'s, or are listed (fewer than 0.1 % of lines)', '`tests/pressure/live_counts.cpp`',
           lambda: s.test('pressure', ['PLS-10 live counts equal'], (r'live counts: (\d+) lines, (\d+) different', '{} lines, {} different')))
    yield ('No finding in any listing as compiled', '`tests/verify/corpus.cpp`, `tests/verify/versions.cpp`, `tests/verify/rare.cpp`',
           lambda: s.test('verify', ['verify corpus', 'other compilers: no finding', 'rare instructions: compiled']))
    yield ('Planted bugs: at least 98 % found, and no finding on harmless edits', '`tests/verify/mutation.cpp`', s.planted)
    yield ('With the original beside it, every exchanged pair is found', '`tests/verify/same_order.cpp`', lambda: s.test('verify', ['same order']))
    yield ('Model errors of other public checkers, one by one', '`tests/verify/known_model_errors.cpp`',
           lambda: s.test('verify', ['model error', 'earlier correction', 'wrong fix', 'hole behind', 'wrong suppression', 'unclaimed']))
    yield ('Every result passes the checker, a quadratic oracle confirms its order, blocks keep their instructions',
           '`tests/pipeline/schedule_corpus.cpp`',
           lambda: s.test('pipeline', ['pipeline: every listing', 'pipeline: eight warps', 'pipeline: random'],
                          (r'(\d+) blocks agree with the quadratic oracle', '{} blocks agree with the oracle')))
    yield ('Addresses, order and control bits are all that changes', '`tests/sass/rewrite.cpp`', lambda: s.test('sass', ['writer']))
    yield ('Cycles after over before for one warp: geometric mean at most 0.95, no kernel above 1.00', '`warpwright compare --warps 1`',
           lambda: s.compare('--warps', '1'))
    yield ('The same with 300 tries at other orders of each function', '`warpwright compare --warps 1 --search 300`',
           lambda: s.compare('--warps', '1', '--search', '300'))
    yield ('The same for eight warps: at most 1.00', '`warpwright compare --warps 8`', lambda: s.compare('--warps', '8'))
    yield ('The same for as many warps as registers allow (the default); the whole corpus in under 10 s on two cores', '`warpwright compare`',
           s.compare)
    yield ('The model reproduces the compiler\'s stalls; its bound is below every legal order', '`tests/model/corpus.cpp`, `tests/model/bound_orders.cpp`',
           lambda: s.test('model', ['model corpus', 'model bound']))
    yield ('Patched cubins: sections, symbols, attributes consistent, offsets lead to the same instructions', '`tests/cubin/cubin_patch.cpp`',
           lambda: s.test('cubin', ['cubin patch', 'cubin frames', 'line table', 'cubin: recorded']))
    sm80 = [f for f in s.listings if '.sm80.' in f]
    yield ('Graph: at most 100 ns per instruction; growth at most 1.5', '`bench_graph`',
           lambda: s.bench('graph', sm80, (r'graph: median ([\d.]+) ns per instruction over (\d+) blocks', 'median {} ns over {} blocks'),
                           (r'growth: .*ratio ([\d.]+)', 'growth {}')))
    yield ('List scheduling: at most 150 ns', '`bench_schedule_corpus`',
           lambda: s.bench('schedule_corpus', [], (r'list, heap +graph +([\d.]+) +engine +([\d.]+) ns', '{1} ns; graph, each block once in turn, {0} ns'),
                           (r'list scheduling ([\d.]+) \(', '{} sorted numbers')))
    yield ('Growth of list scheduling: at most 1.5', '`bench_schedule_growth`',
           lambda: s.bench('schedule_growth', [], (r'list, heap: ([\d.]+)', '{}')))
    yield ('Control words: at most 50 ns, decoding apart', '`bench_scoreboard`',
           lambda: s.bench('scoreboard', s.listings,
                           (r'median of (\d+) blocks .*? ([\d.]+) ns \(budget 50\), ([\d.]+) of one sorted number; decoding ([\d.]+)',
                            'median of {} blocks {} ns, {} sorted numbers, decoding {} ns'),
                           (r'median of (\d+) programs ([\d.]+) ns', 'of {} whole programs {} ns'),
                           (r'growth: .*?ratio ([\d.]+); .*ratio ([\d.]+)', 'growth {} in a block, {} over copies')))
    yield ('Nothing is allocated after warm-up (counted): graph', '`tests/graph/rules.cpp`', lambda: s.test('graph', ['PLS-8 building allocates']))
    yield ('The same: scheduling', '`tests/schedule/listings_test.cpp`, `tests/schedule/engine_test.cpp`',
           lambda: s.test('schedule', ['PLS-1 engine on real code: nothing', 'PLS-1 engine: after warm-up']))
    yield ('The same: control words', '`tests/scoreboard/allocation.cpp`', lambda: s.test('scoreboard', ['SB-7 control words allocate']))
    yield ('`check`: at least 1,000,000 instructions per second', '`bench_verify`',
           lambda: s.bench('verify', [], (r'(sm_\S+) .*?([\d.]+) M instr/s', '{} {} M/s')))
    yield ('Listing reader: at least 100 MB/s', '`bench_reader`',
           lambda: s.bench('reader', [], (r'(\d+ listings, [\d.]+ MB)', '{}'), (r'reading: (\d+) MB/s', '{} MB/s, every instruction decoded'),
                           (r'writing: (\d+) MB/s', 'writing {} MB/s')))
    yield ('Bad listings: an error with its place', '`tests/sass/errors.cpp`, `tests/sass/fuzz_smoke.cpp`',
           lambda: s.test('sass', ['listing error', 'listing fuzz']))
    yield ('Bad cubins: the same', '`tests/cubin/elf_read.cpp`', lambda: s.test('cubin', ['ELF reader']))
    yield ('Bad instruction text: the same', '`tests/isa/text_errors.cpp`', lambda: s.test('isa', ['isa text']))
    yield ('The command line on bad input: exit 2, nothing written', '`tests/cli`', lambda: s.ctest('^cli'))
    yield ('Core header at most 300 ms, one scheduler 1.5 s more (on slower machines 3.0 and 15 times `<vector>`)', '`bench/compile.py`',
           s.compile_cost)
    yield ('Silicon: original and re-scheduled cubins give the same bits', '`tests/gpu`',
           lambda: s.ctest('^gpu_host') + '; ' + on_silicon())


def on_silicon():
    """What docs/gpu.md holds of the last run."""
    text = (ROOT / 'docs/gpu.md').read_text(encoding='utf-8')
    day = re.search(r'On (\d{4}-\d\d-\d\d), on an? ([^(]*) \(', text)
    rows = re.findall(r'^\| `\w+` \| (\d+) of (\d+) \|', text, re.M)
    if not day or not rows:
        return 'never run on a device: [gpu.md](gpu.md)'
    same = sum(equal == all_patterns for equal, all_patterns in rows)
    made = re.search(r'^\| default \| (\d+) \| (\d+) \|', text, re.M)
    more = f', generated kernels {made[2]} of {made[1]}' if made else ''
    return f'on {day[1]}, {day[2]}: {same} of {len(rows)} kernels equal in all patterns{more}: [gpu.md](gpu.md)'


def listings(into):
    """Those of the corpus, of which some are kept compressed, else the bundled ones."""
    if not CORPUS:
        return sorted(str(p) for p in (ROOT / 'tests/data/listings').glob('*.sass'))
    out = []
    for path in sorted((pathlib.Path(CORPUS) / 'listings').iterdir()):
        if path.name.endswith('.sass.xz'):
            plain = into / path.name[:-3]
            plain.write_bytes(lzma.decompress(path.read_bytes()))
            out.append(str(plain))
        elif path.name.endswith('.sass'):
            out.append(str(path))
    return out


def processor():
    found = re.search(r'^model name\s*: (.*)$', pathlib.Path('/proc/cpuinfo').read_text(), re.M)
    return f'{found[1].strip() if found else "processor not known"}, {os.cpu_count()} virtual cores'


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    build, out = (pathlib.Path(a).resolve() for a in arguments)
    compiler = run('g++', '--version')[1].splitlines()[0]
    table = []
    with tempfile.TemporaryDirectory() as folder:
        means = Shown(build, listings(pathlib.Path(folder)))
        for title, rows in (('What it is made of', built), ('What it must show', shown)):
            table += ['', f'## {title}', '', '| promise | shown by | seen |', '|---|---|---|']
            for promise, where, look in rows(means):
                seen = look()
                print(f'{promise}\n    {seen}', flush=True)
                table.append(f'| {promise} | {where} | {seen} |')
    read = 'the bundled listings and the corpus' if CORPUS else 'the bundled listings'
    head = ['# What is promised, and what was seen', '',
            f'Made by `scripts/promises.py` on {datetime.date.today().isoformat()} over {read}: {compiler}; {processor()}. Times are those of '
            'this one machine; budgets, what they are held against and their history stand in [bench](../bench/README.md).']
    out.write_text('\n'.join(head + table) + '\n')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
