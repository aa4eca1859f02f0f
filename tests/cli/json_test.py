#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What --json prints is what docs/rows.schema.json says, for every command, and the schema can say no.

    json_test.py TOOL ROOT      exit 1 and one line per failed expectation
"""
import copy
import json

from cli_test import CONTROL, DATA, DEMO, LISTING, exchanged
from expectations import ROOT, expect, finish, run

SCHEMA = json.loads((ROOT / 'docs' / 'rows.schema.json').read_text())
TYPES = {'array': list, 'object': dict, 'string': str, 'boolean': bool, 'integer': int, 'number': (int, float)}
SAXPY = DEMO / 'saxpy.sm80.sass'


def fault(value, schema, where='$'):
    """The first place at which a value is not what the schema says; the words of JSON Schema that the schema uses, and no others."""
    unknown = set(schema) - {'$schema', 'title', 'description', 'type', 'items', 'required', 'properties', 'additionalProperties', 'enum',
                             'minimum', 'maximum'}
    if unknown:
        return f'{where}: the test does not know {unknown}'
    wanted = schema['type']
    if not isinstance(value, TYPES[wanted]) or (isinstance(value, bool) and wanted != 'boolean'):
        return f'{where}: no {wanted}: {value!r}'
    if 'enum' in schema and value not in schema['enum']:
        return f'{where}: {value!r} is none of {schema["enum"]}'
    if wanted in ('integer', 'number') and not schema.get('minimum', value) <= value <= schema.get('maximum', value):
        return f'{where}: {value} is out of bounds'
    if wanted == 'array':
        return next((f for k, v in enumerate(value) if (f := fault(v, schema['items'], f'{where}[{k}]'))), None)
    if wanted == 'object':
        missing = [k for k in schema['required'] if k not in value]
        more = [k for k in value if k not in schema['properties']]
        if missing or more:
            return f'{where}: {missing} missing, {more} not in the schema'
        return next((f for k, v in value.items() if (f := fault(v, schema['properties'][k], f'{where}.{k}'))), None)
    return None


def commands(folder):
    """Every command, and every field at least once."""
    profile, spilled = folder / 'counts', DATA / 'listings' / 'sgemm_tiled.sm80.sass'
    profile.write_text(''.join(f'saxpy_vec4 {b} {1 if b == 2 else 100}\n' for b in range(8)))
    lines = LISTING.read_text().splitlines(keepends=True)
    first = [n for n, line in enumerate(lines[:-1]) if '/*0' in line and CONTROL.search(lines[n + 1])]
    at = next(n for n in first if 'FFMA' in lines[n] and 'FFMA' in lines[n + 2])
    early = ''.join(lines).replace(CONTROL.search(lines[at + 1]).group(0), '/* 0x000fc00000000000 */', 1)
    late = next(n for n in first if 'LDS' in lines[n])
    seen = set()

    def walk(value):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
            if isinstance(key, str):
                seen.add(key)
            walk(item)

    for words, more in ((['check', LISTING], {}), (['check', SAXPY, LISTING], {}), (['check', '-'], {'input': early.encode()}),
                        (['check', '-', '--original', LISTING], {'input': exchanged(lines, at, at + 2).encode()}),
                        (['check', '-'], {'input': waitless(lines, late).encode()}),
                        (['schedule', SAXPY, '--warps', 1], {}), (['schedule', SAXPY, '--o0'], {}), (['compare', SAXPY, LISTING], {}),
                        (['layout', SAXPY, '--profile', profile], {}), (['rebuild', SAXPY, '-O1'], {}),
                        (['rebuild', spilled, '--max-regs', 24, '-o', folder / 'spilled.sass'], {}),
                        (['report', SAXPY, '--html', folder / 'page.html'], {})):
        code, out, err = run(*words, '--json', **more)
        try:
            rows = json.loads(out)
        except ValueError as e:
            expect(False, f'{words}: exit {code}: {e}: {out[:200]}{err[:200]}')
            continue
        expect(code in (0, 1) and rows and fault(rows, SCHEMA) is None, f'{words}: exit {code}: {fault(rows, SCHEMA)}')
        walk(rows)

    def named(schema):
        for key, item in schema.get('properties', {}).items():
            yield key
            yield from named(item)
        if 'items' in schema:
            yield from named(schema['items'])

    expect(set(named(SCHEMA)) == seen, f'fields that no command printed: {set(named(SCHEMA)) - seen}')


def waitless(lines, at):
    """The listing without any wait behind the load at `at`: its counter is not waited for."""
    out = lines[:]
    for n in range(at + 2, len(out) - 1, 2):
        word = CONTROL.search(out[n + 1])
        if word is None:
            break
        out[n + 1] = out[n + 1].replace(word.group(1), f'{int(word.group(1), 16) & ~(0x3f << 52):016x}')
    return ''.join(out)


def refuses(_):
    """The control: rows that are not of the schema are not taken for it."""
    rows = json.loads(run('check', LISTING, '--json')[1])
    expect(fault(rows, SCHEMA) is None, 'a good row')
    for key, value in (('name', 5), ('warps', 65), ('warps', -1), ('warps', True), ('seconds', 'x'), ('more', 1), ('hazards', [{}]),
                       ('cycles_before', None)):
        changed = copy.deepcopy(rows)
        changed[0][key] = value
        expect(fault(changed, SCHEMA) is not None, f'{key} of {value!r} is taken')
    del rows[0]['bound']
    expect(fault(rows, SCHEMA) is not None, 'a missing field is taken')


if __name__ == '__main__':
    finish(commands, refuses)
