#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Run `warpwright report` on good and bad input, and read what it writes.

    report_test.py TOOL ROOT      exit 1 and one line per failed expectation
"""
import html.parser
import json
import re
import shutil
import subprocess

from expectations import ROOT, TOOL, expect, finish, run

DATA = ROOT / 'tests' / 'data'
LISTING = DATA / 'demo' / 'sgemm_tiled.sm80.sass'
SAXPY = DATA / 'listings' / 'saxpy.sm80.sass'
DUMP = DATA / 'cli' / 'called_once.sm75.cuobjdump.txt'
OLD = DATA / 'listings_short'
VOID = {'meta', 'br', 'hr', 'link', 'input', 'img'}
OPTIONAL = {'p', 'li', 'dt', 'dd', 'tr', 'td', 'th', 'thead', 'tbody'}  # end tags that HTML lets one leave out
DRAWN = {'path', 'svg', 'title'}


class Page(html.parser.HTMLParser):
    """Elements that are open, ids, links, and tables as lists of rows of texts."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.bad = [], [], [], []
        self.tables, self.sums, self.headings, self.outside = [], [], [], []
        self.scopeless = 0
        self.cell = None
        self.sum = None
        self.heading = None
        self.feed(text)
        self.close()
        self.bad += [f'{t} is never closed' for t in self.open if t not in OPTIONAL]

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        if 'id' in a:
            self.ids.append(a['id'])
        if 'href' in a:
            self.links.append(a['href'])
        self.outside += [v for k, v in attrs if k in ('src', 'srcset', 'action') or (k == 'href' and not v.startswith('#'))]
        if tag == 'table':
            self.tables.append([])
        elif tag == 'tr' and self.tables:
            self.tables[-1].append([])
        elif tag in ('td', 'th') and self.tables:
            self.tables[-1][-1].append('')
            self.cell = True
            self.scopeless += tag == 'th' and a.get('scope') not in ('row', 'col')
        elif tag == 'p' and a.get('class') == 'sum':
            self.sums.append('')
            self.sum = True
        elif tag in ('h1', 'h2', 'h3', 'h4'):
            self.headings.append([tag, ''])
            self.heading = True
        elif tag == 'div' and self.cell:
            self.tables[-1][-1][-1] += ';'
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        if tag not in DRAWN:
            self.bad.append(f'<{tag}/>')

    def handle_endtag(self, tag):
        if tag in ('table',):
            self.cell = None
        if tag == 'p':
            self.sum = None
        if tag in ('h1', 'h2', 'h3', 'h4'):
            self.heading = None
        while self.open and self.open[-1] != tag and self.open[-1] in OPTIONAL:
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            self.bad.append(f'</{tag}> closes nothing')

    def handle_data(self, data):
        if self.cell:
            self.tables[-1][-1][-1] += data
        if self.sum:
            self.sums[-1] += data
        if self.heading:
            self.headings[-1][1] += data


def check_page(text, what):
    page = Page(text)
    expect(not page.bad, f'{what}: markup: {page.bad[:3]}')
    expect(len(page.ids) == len(set(page.ids)), f'{what}: an id twice')
    lost = [l for l in page.links if l[1:] not in page.ids]
    expect(not page.outside and not lost, f'{what}: links: {page.outside[:3]} {lost[:3]}')
    expect(not page.scopeless, f'{what}: {page.scopeless} heads of tables without a scope')
    expect(not re.search(r'https?:|url\(|@import', text), f'{what}: asks for something elsewhere')
    for line in page.sums:  # "190 cycles = 59 with an issue + 33 dependence + .. . Critical path: .."
        head, _, rest = line.replace(',', '').partition(' = ')
        parts = [int(n) for n in re.findall(r'(\d+) ', rest.split('. Critical')[0] + ' ')]
        expect(int(head.split()[0]) == sum(parts), f'{what}: does not add up: {line}')
    return page


def number(text):
    return float(text.replace(',', '').replace('\xa0%', ''))


NODE = re.compile(r'\s*(k\d+i\d+) \[label="((?:[^"\\]|\\.)*)"(?:, [a-z]+=(?:[\d.]+|"#[0-9a-f]{6}"|[a-z]+))*\];$')
EDGE = re.compile(r'\s*(k\d+i\d+) -> (k\d+i\d+) \[label="(raw|war|waw|memory|order) (\d+)"(?:, [a-z]+=(?:[\d.]+|"#[0-9a-f]{6}"|[a-z]+))*\];$')
OTHER = re.compile(r'\s*(?:digraph \w+ \{|subgraph cluster_\w+ \{|\}|label="((?:[^"\\]|\\.)*)";|(?:graph|node|edge) \[[^"\]]*(?:"[^"]*"[^"\]]*)*\];)$')


def check_dot(text, what):
    nodes, edges, depth = {}, [], 0
    for line in text.splitlines():
        node, edge, other = NODE.match(line), EDGE.match(line), OTHER.match(line)
        if node:
            expect(node.group(1) not in nodes, f'{what}: a node twice: {line}')
            nodes[node.group(1)] = line
        elif edge:
            edges.append((edge.group(1), edge.group(2), edge.group(3), int(edge.group(4)), 'penwidth' in line))
        else:
            expect(other is not None, f'{what}: no DOT: {line}')
        depth += line.endswith('{') - (line.strip() == '}')
    expect(depth == 0, f'{what}: braces')
    expect(all(a in nodes and b in nodes for a, b, *_ in edges), f'{what}: an edge without its nodes')
    drawer = shutil.which('dot')
    if drawer:  # only the form is asked: layouts of large graphs take long
        done = subprocess.run([drawer, '-Tcanon'], input=text.encode(), capture_output=True, timeout=120, check=False)
        expect(done.returncode == 0 and not done.stderr, f'{what}: dot: {done.stderr[:200]}')
    return nodes, edges


def check_trace(text, what):
    events = json.loads(text)
    expect(isinstance(events, list), f'{what}: no array')
    named, open_spans = set(), {}
    slices = {}
    for e in events:
        expect(e['ph'] in 'MXCbesf' and isinstance(e['ts'], int) and e['ts'] >= 0, f'{what}: {e}')
        if e['ph'] == 'M' and e['name'] == 'thread_name':
            named.add((e['pid'], e['tid']))
        elif e['ph'] == 'X':
            expect((e['pid'], e['tid']) in named, f'{what}: a thread without a name: {e}')
            slices.setdefault((e['pid'], e['tid']), []).append(e)
        elif e['ph'] == 'b':
            open_spans[e['pid'], e['cat'], e['id']] = e['ts']
        elif e['ph'] == 'e':
            expect(open_spans.pop((e['pid'], e['cat'], e['id'])) < e['ts'], f'{what}: ends before it begins: {e}')
    expect(not open_spans, f'{what}: spans stay open')
    for thread, some in slices.items():
        blocks = [e for e in some if e['name'].startswith('block ')]
        for b in blocks:
            inside = [e for e in some if e is not b and b['ts'] <= e['ts'] < b['ts'] + b['dur']]
            waits = sum(e['dur'] for e in inside if e['name'].startswith('wait: '))
            issues = len({e['ts'] for e in inside if not e['name'].startswith('wait: ')})
            expect(waits + issues == b['dur'], f'{what}: {thread} {b["name"]}: {waits} + {issues} cycles of {b["dur"]}')
    return events


def good(folder):
    page, trace, dot = folder / 'r.html', folder / 'r.json', folder / 'r.dot'
    listings = [LISTING, SAXPY, DATA / 'demo' / 'spmv_csr.sm86.sass', DATA / 'listings' / 'mma_zoo.sm100.sass', *sorted(OLD.glob('*.sass'))[:2]]
    for listing in listings:
        what = listing.name
        code, out, err = run('report', listing, '--html', page, '--trace', trace, '--dot', dot)
        expect(code == 0 and not err, f'{what}: exit {code}: {err}')
        if code != 0:
            continue
        text = page.read_text()
        compared, told, _ = run('compare', listing)
        expect(out in told, f'{what}: report says what compare says')
        rows = json.loads(run('compare', listing, '--json')[1])
        read = check_page(text, what)
        expect([h for h in read.headings if h[0] == 'h2'][:-1] == [['h2', r['name']] for r in rows], f'{what}: functions')
        for said, r in zip(read.tables[0][1:], rows):
            figures = [r['instructions'], r['blocks'], r['warps']]
            expect([int(number(x)) for x in said[2:5]] == figures, f'{what}: {said} {figures}')
            for k, key in ((5, 'cycles_before'), (6, 'cycles_after'), (8, 'bound'), (9, 'max_live_before'), (10, 'max_live_after')):
                expect(abs(number(said[k]) - r[key]) <= (0.06 if r[key] < 1e4 else 0.6), f'{what}: {key}: {said[k]} {r[key]}')
        check_trace(trace.read_text(), what)
        nodes, edges = check_dot(dot.read_text(), what)
        expect(len(nodes) == sum(r['instructions'] for r in rows) and any(e[4] for e in edges), f'{what}: nodes of the graph')
        first = page.read_bytes(), trace.read_bytes(), dot.read_bytes()
        run('report', listing, '--html', page, '--trace', trace, '--dot', dot, '--jobs', 1)
        expect(first == (page.read_bytes(), trace.read_bytes(), dot.read_bytes()), f'{what}: other bytes the second time')
    # one at a time; several files on one page; standard output
    code, out, err = run('report', SAXPY, LISTING, '--html', '-')
    expect(code == 0 and out.startswith('<!doctype html>') and 'sgemm_tiled' in err, f'to standard output: exit {code}: {err}')
    check_page(out, 'two files')
    code, out, err = run('report', '-', '--trace', '-', stdin=LISTING.open('rb'))
    expect(code == 0 and 'standard input' not in out, f'from standard input: exit {code}: {err}')
    check_trace(out, 'standard input')
    code, out, err = run('report', SAXPY, '--dot', dot, '--keep-order', '--warps', 1, '--json')
    expect(code == 0 and json.loads(out)[0]['warps'] == 1, f'scheduling options: exit {code}: {err}')
    profile = folder / 'profile'
    profile.write_text('sgemm_tiled 2 1000\n')
    code, out, err = run('report', LISTING, '--html', page, '--profile', profile)
    executions = [row[2] for table in check_page(page.read_text(), 'profile').tables if table[0][0] == 'Block' for row in table[1:]]
    expect(code == 0 and '1,000' in executions, f'a profile weighs blocks: exit {code}: {executions}{err}')


def names(folder):
    """Names of files that mean something to a page, to JSON and to a graph. (Functions: tests/report/pages.cpp; the reader takes symbols.)"""
    for name in ('zq<b>&amp;x', 'zq"b', "zq'", 'zq\\N', 'zq<script>', 'zq\u00e9', 'zq${}`', b'zq\xff\n'):
        raw = name if isinstance(name, bytes) else name.encode()
        listing = folder.__fspath__().encode() + b'/' + raw + b'.sass'
        with open(listing, 'wb') as out:
            out.write(DUMP.read_bytes())
        page, trace, dot = folder / 'n.html', folder / 'n.json', folder / 'n.dot'
        done = subprocess.run([TOOL, 'report', listing, '--html', page, '--trace', trace, '--dot', dot], capture_output=True, timeout=300, check=False)
        expect(done.returncode == 0, f'{name}: exit {done.returncode}: {done.stderr}')
        if done.returncode != 0:
            continue
        text = page.read_text(encoding='utf-8')
        check_page(text, name)
        expect(not re.search('zq[<"\']', text), f'{name}: stands in the page as it is')
        shown = raw.decode() if isinstance(name, str) else 'zq\u00ff\u240a'
        expect(any(shown in t for t in text_of(text)), f'{name}: is not told')
        check_trace(trace.read_text(encoding='utf-8'), name)
        check_dot(dot.read_text(encoding='utf-8'), name)


def text_of(markup):
    found = []
    reader = html.parser.HTMLParser(convert_charrefs=True)
    reader.handle_data = found.append
    reader.feed(markup)
    reader.close()
    return found


def bad(folder):
    target = folder / 'keep.html'
    target.write_text('keep me')
    own = folder / 'own.sass'
    own.write_text(SAXPY.read_text())
    broken = folder / 'broken.sass'
    broken.write_text(LISTING.read_text()[:5000])
    for words, said in (
            ([], 'input file is missing'), ([LISTING], 'needs one of --html, --trace, --dot'),
            ([LISTING, '--html'], '--html needs a value'), ([LISTING, '--html', target, '-o', 'x'], 'has no option'),
            ([LISTING, '--html', '-', '--dot', '-'], 'standard output'), ([LISTING, '--html', target, '--trace', target], 'two outputs'),
            ([LISTING, '--html', target, '--dot', folder / 'no' / 'x.dot'], 'cannot create'), ([LISTING, '--html', target, '--dot', folder], 'cannot write'),
            ([broken, '--html', target], 'expected'), ([DATA / 'cubin' / 'saxpy.sm80.cubin', '--html', target], 'a cubin holds no text'),
            ([LISTING, folder / 'none', '--html', target], 'cannot open'), ([LISTING, '--html', target, '--strategy', 'bogus'], "no strategy 'bogus'"),
            ([LISTING, '--html', target, '--original', LISTING], 'has no option'), ([own, '--html', own], 'would replace it')):
        code, out, err = run('report', *words)
        expect(code == 2 and said in err and err.count('\n') == 1 and not out, f'{words}: exit {code}: {out}{err}')
        expect(target.read_text() == 'keep me', f'{words}: the output was touched')
    expect(own.read_text() == SAXPY.read_text(), 'the listing was replaced')
    expect(not list(folder.glob('.warpwright*')), 'temporaries stay behind')
    for what in ('check', 'schedule', 'layout', 'compare'):
        code, out, err = run(what, LISTING, '--html', target)
        expect(code == 2 and 'has no option --html' in err, f'{what} --html: exit {code}: {err}')


if __name__ == '__main__':
    finish(good, names, bad)
