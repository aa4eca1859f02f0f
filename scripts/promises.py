#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Run what shows each promise of the kit and write docs/promises.md: the promise, where it is shown, what was seen.

    scripts/promises.py BUILD OUT      BUILD: a build folder with tests, examples and benches (-DWARPWRIGHT_BUILD_BENCH=ON);
                                       OUT: the document. WARPWRIGHT_CORPUS=DIR adds the corpus to the bundled listings.

Nothing is judged here but by the tests: a test that fails, a program that is missing or a figure that is not printed stands in
the table as such, and the exit status is 1. Takes some fifteen minutes on two cores, most of them for a clean build; nothing else
should run meanwhile.
"""
import datetime
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

    def compare(self, *options):
        begin = time.monotonic()
        status, text = run(self.build / 'examples/warpwright/warpwright', 'compare', '--json', '--quiet', *options, *self.listings)
        took = time.monotonic() - begin
        if status != 0 or ']' not in text:
            return bad('failed: compare')
        rows = [r for r in json.loads(text[:text.rindex(']') + 1]) if r['cycles_before'] > 0]
        ratio = [r['cycles_after'] / r['cycles_before'] for r in rows]
        bound = [r['bound'] / r['cycles_before'] for r in rows if r['bound'] > 0]
        return (f'{len(self.listings)} listings, {len(rows)} kernels: {geomean(ratio):.3f}, bound {geomean(bound):.3f}; '
                f'above 1.00: {sum(r > 1 for r in ratio)}; {took:.1f} s of wall clock, every proof included')

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
        rows = re.findall(r'^(.+?) \(\d+\) over .*?: (-?\d+) ms, (-?[\d.]+) times <vector> of ([\d.]+): (.*)$', text, re.M)
        if status != 0 or not rows or not vector:
            return bad('failed: bench/compile.py')
        return f'`<vector>` {vector[1]} ms; ' + '; '.join(
            f'{name}: {ms} ms, {times} times of {limit}{"" if judged == "ok" else " (**missed**)"}' for name, ms, times, limit, judged in rows)

    @staticmethod
    def clean_build():
        with tempfile.TemporaryDirectory() as folder:
            begin = time.monotonic()
            status, _ = run('cmake', '-S', ROOT, '-B', folder, '-DCMAKE_BUILD_TYPE=Release')
            if status == 0:
                status, _ = run('cmake', '--build', folder, '-j', '2')
            took = time.monotonic() - begin
        return f'{took / 60:.1f} min with two jobs' if status == 0 else bad('failed: build')


def rows(s):
    """The promise, where it is shown, how to see it."""
    yield ('A clean build of everything with its tests: at most 8 minutes on two cores', '`cmake --build`', s.clean_build)
    yield ('A wrong composition is one sentence of ours at the `using` line, on both compilers', '`tests/reject`, `scripts/reject.sh`',
           s.rejections)
    yield ('Policies in any order are one type, defaults come from the SM, Hana walks policy lists', '`tests/meta`',
           lambda: s.test('meta', ['composer']))
    yield ('No policy is polymorphic, none has state without need, no loop calls through a pointer', '`tests/static`, `tests/dispatch`',
           lambda: s.ctest('^dispatch_'))
    yield ('Four examples with golden output', '`examples/`', lambda: s.ctest('^example_'))
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
    yield ('Distances of one half of the corpus hold in the other', '`tests/arch/corpus.cpp`',
           lambda: s.test('arch', ['arch corpus'], (r'(\d+) dependences, (\d+) below check; halves: (\d+) trusted cells, (\d+) undercut',
                                                    '{} dependences, {} below check; halves: {} trusted cells, {} undercut')))
    yield ('Every result passes the checker, a quadratic oracle confirms its order, blocks keep their instructions',
           '`tests/pipeline/schedule_corpus.cpp`',
           lambda: s.test('pipeline', ['pipeline: every listing', 'pipeline: eight warps', 'pipeline: random'],
                          (r'(\d+) blocks agree with the quadratic oracle', '{} blocks agree with the oracle')))
    yield ('Addresses, order and control bits are all that changes', '`tests/sass/rewrite.cpp`', lambda: s.test('sass', ['writer']))
    yield ('Cycles after over before for one warp: geometric mean at most 0.95, no kernel above 1.00', '`warpwright compare --warps 1`',
           lambda: s.compare('--warps', '1'))
    yield ('The same for eight warps: at most 1.00', '`warpwright compare --warps 8`', lambda: s.compare('--warps', '8'))
    yield ('The same for as many warps as registers allow (the default); the whole corpus in under 10 s on two cores', '`warpwright compare`',
           s.compare)
    yield ('The model reproduces the compiler\'s stalls; its bound is below every legal order', '`tests/model/corpus.cpp`',
           lambda: s.test('model', ['model corpus']))
    yield ('Patched cubins: sections, symbols, attributes consistent, offsets lead to the same instructions', '`tests/cubin/cubin_patch.cpp`',
           lambda: s.test('cubin', ['cubin patch', 'cubin frames', 'line table', 'cubin: recorded']))
    yield ('All vector widths give the same results', '`tests/simd/identical.cpp`', lambda: s.test('simd', ['PLS-9']))
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
    yield ('Core header at most 3.0 times `<vector>` (300 ms where that takes 101 ms), one scheduler 15 times (1.5 s)', '`bench/compile.py`',
           s.compile_cost)
    yield ('Silicon: original and re-scheduled cubins give the same bits', '`tests/gpu`',
           lambda: s.ctest('^gpu_host') + '; with a device: [gpu.md](gpu.md)')


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
    table = ['| promise | shown by | seen |', '|---|---|---|']
    with tempfile.TemporaryDirectory() as folder:
        for promise, where, look in rows(Shown(build, listings(pathlib.Path(folder)))):
            seen = look()
            print(f'{promise}\n    {seen}', flush=True)
            table.append(f'| {promise} | {where} | {seen} |')
    read = 'the bundled listings and the corpus' if CORPUS else 'the bundled listings'
    head = ['# What is promised, and what was seen', '',
            f'Made by `scripts/promises.py` on {datetime.date.today().isoformat()} over {read}: {compiler}; {processor()}. Times are those of '
            'this one machine; budgets, what they are held against and their history stand in [bench](../bench/README.md).', '']
    out.write_text('\n'.join(head + table) + '\n')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
