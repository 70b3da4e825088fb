import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';

import { getCaseCount } from '../../testing/seeds.ts';
import type { Encoding } from './decode-text.ts';
import { readTable, type TableChoices } from './read-table.ts';

const encodeUtf8 = (text: string) => new TextEncoder().encode(text);
const encodeLatin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const encodeUtf16le = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le'));
const encodeUtf16be = (text: string) => Uint8Array.from(Buffer.from(text, 'utf16le').swap16());
const withByteOrderMark = (bytes: Uint8Array, ...mark: number[]) => Uint8Array.from([...mark, ...bytes]);

/** Returns only the columns and rows. */
function readRows(source: string | Uint8Array, choices: TableChoices & { name?: string } = {}) {
  const { columns, rows } = readTable(source, choices);
  return [columns, ...rows.map(({ cells }) => cells)];
}

const expectedTable = [
  ['ticket', 'team'],
  ['Zu spät, „leider“', 'billing'],
  ['Größe 5', 'legal'],
];
const csv = 'ticket,team\r\n"Zu spät, „leider“",billing\r\nGröße 5,legal\r\n';
const plainTable = [
  ['ticket', 'team'],
  ['Late', 'billing'],
  ['Wet', 'legal'],
];

describe('file encodings', () => {
  it.each<[string, Uint8Array, Encoding]>([
    ['UTF-8', encodeUtf8(csv), 'utf-8'],
    ['UTF-8 with a byte order mark', encodeUtf8(`\uFEFF${csv}`), 'utf-8'],
    ['UTF-16 LE with a mark', withByteOrderMark(encodeUtf16le(csv), 0xff, 0xfe), 'utf-16le'],
    ['UTF-16 BE with a mark', withByteOrderMark(encodeUtf16be(csv), 0xfe, 0xff), 'utf-16be'],
    ['UTF-16 LE without a mark', encodeUtf16le(csv), 'utf-16le'],
    ['UTF-16 BE without a mark', encodeUtf16be(csv), 'utf-16be'],
  ])('decodes a file in %s', (_, bytes, encoding) => {
    expect(readRows(bytes)).toEqual(expectedTable);
    expect(readTable(bytes, {})).toMatchObject({ choices: { encoding }, notes: [], invalidLines: [] });
  });

  it('reads files without a Unicode encoding as Windows-1252 and adds a note, unless an encoding is chosen', () => {
    const bytes = encodeLatin1('ticket;preis\r\nGr\xf6\xdfe;5 \x80\r\n');
    expect(readRows(bytes)).toEqual([
      ['ticket', 'preis'],
      ['Größe', '5 €'],
    ]);
    expect(readTable(bytes, {}).notes).toEqual(['The file is not UTF-8 and was read as Windows-1252.']);
    const chosen = readTable(bytes, { encoding: 'windows-1251' });
    expect([chosen.notes, chosen.rows[0]?.cells[0]]).toEqual([[], 'GrцЯe']);
  });

  it('keeps UTF-8 despite a few invalid characters and counts them', () => {
    const bytes = withByteOrderMark(
      encodeLatin1('\xe2\x82'),
      ...encodeUtf8('ticket,team\nÄÖÜäöüß ÄÖÜäöüß,billing\nx,'),
    );
    expect(readTable(bytes, {})).toMatchObject({
      choices: { encoding: 'utf-8' },
      notes: ['1 character could not be read.'],
    });
  });

  it('rejects a spreadsheet file with an explanation', () => {
    expect(() => readTable(encodeLatin1('PK\x03\x04rest'), {})).toThrow(
      'This file is a spreadsheet or an archive. Save the table as CSV or JSON and open that file.',
    );
  });
});

describe('generated and exported tables', () => {
  it.each<[string, string, TableChoices?]>([
    ['sep= in the first line', 'sep=;\r\nticket;team\r\nLate;billing\r\nWet;legal\r\n'],
    ['semicolons', 'ticket;team\nLate;billing\nWet;legal'],
    ['tabs', 'ticket\tteam\nLate\tbilling\nWet\tlegal'],
    ['pipes', 'ticket|team\nLate|billing\nWet|legal'],
    ['CR as the only line end', 'ticket,team\rLate,billing\rWet,legal\r'],
    ['mixed line endings', 'ticket,team\r\nLate,billing\n"Wet",legal\r\n'],
    ['a comma at the end of each line', 'ticket,team,\nLate,billing,\nWet,legal,\n'],
    ['a comma at the end of each line except the first', 'ticket,team\nLate,billing,\nWet,legal,\n'],
    ['an empty column', 'ticket,,team\nLate,,billing\nWet,,legal\n'],
    ['an unnamed index column', ',ticket,team\n0,Late,billing\n7,Wet,legal\n'],
    ['a duplicated index column', 'Unnamed: 0,ticket,team\n0,Late,billing\n1,Wet,legal\n'],
    ['quoted row names written by R', '"","ticket","team"\n"1","Late","billing"\n"2","Wet","legal"\n'],
    ['row names written by R without a header', 'ticket,team\n1,Late,billing\n2,Wet,legal\n'],
    ['spaces around names', ' ticket , team \nLate,billing\nWet,legal\n'],
    ['a space before a closing delimiter', '"ticket" ,"team"\n"Late" ,"billing"\n"Wet","legal"\n'],
  ])('reads a table with %s', (_, text, choices = {}) => {
    expect(readRows(text, choices)).toEqual(plainTable);
    expect(readTable(text, choices).invalidLines).toEqual([]);
  });

  it('reads a single column of quoted multi-line texts, with or without a header', () => {
    const texts = '"one\r\n""two"""\r\n"three"\r\n';
    expect(readRows(`text\r\n${texts}`)).toEqual([['text'], ['one\r\n"two"'], ['three']]);
    expect(readRows(`text\n"a\nb"\n`).slice(1)).toEqual([['a\nb']]);
    expect(readRows(texts, { hasHeader: false }).slice(1)).toEqual([['one\r\n"two"'], ['three']]);
  });

  it('detects a missing header unless one is chosen', () => {
    const text = 'Late,billing\nWet,legal\nLost,billing\n';
    expect(readRows(text)[0]).toEqual(['column_1', 'column_2']);
    expect(readRows(text, { hasHeader: true })[0]).toEqual(['Late', 'billing']);
    expect(readRows('1,Late\n2,Wet\n')[0]).toEqual(['column_1', 'column_2']);
  });

  it('names columns with missing or repeated names and adds a note', () => {
    const table = readTable('a,,a\n1,2,3\n', { hasHeader: true });
    expect(table.columns).toEqual(['a', 'column_2', 'a_2']);
    expect(table.notes).toEqual(['Two columns are called a. The later one was renamed a_2.']);
  });

  it('adds notes about omitted columns and restores them on request', () => {
    const text = ',ticket,,team\n0,Late,,billing\n1,Wet,,legal\n';
    expect(readTable(text, {}).notes).toEqual(['The index column was left out.', 'Left out 1 empty column.']);
    expect(readRows(text, { shouldOmitIndex: false })[1]).toEqual(['0', 'Late', 'billing']);
    expect(readTable(text, {}).choices.shouldOmitIndex).toBe(true);
    expect(readTable('ticket,team\nLate,billing\n', {}).choices.shouldOmitIndex).toBeUndefined();
  });

  it('lists invalid rows by line and pads short rows on request', () => {
    const text = 'sep=,\na,b\n1,2\n1,2,3\n,\n4\n"x"y,7\n';
    expect(readTable(text, {}).invalidLines.map(({ reason }) => reason)).toEqual([
      'Line 4 has 3 fields instead of 2.',
      'Line 5 is empty.',
      'Line 6 has 1 field instead of 2.',
      'Line 7 has text after a closing quote.',
    ]);
    expect(readRows(text, { shouldFillShortRows: true }).slice(1)).toEqual([
      ['1', '2'],
      ['4', ''],
    ]);
  });

  it('reads quotes as ordinary characters if too many of them do not enclose fields', () => {
    const rows = Array.from({ length: 40 }, (_, index) => `"Call" number ${index}\tbilling`);
    const table = readTable(['ticket\tteam', ...rows].join('\n'), {});
    expect(table.rows[3]?.cells).toEqual(['"Call" number 3', 'billing']);
    expect(table.notes).toEqual(['Quotes were read as ordinary characters.']);
  });

  it("prefers the user's choices over guesses", () => {
    const text = 'ticket;team\nLate, again;billing\n';
    expect(readRows(text, { delimiter: ',' })).toEqual([['ticket;team']]);
    expect(readRows(text, { format: 'lines' })).toEqual([['text'], ['ticket;team'], ['Late, again;billing']]);
    expect(readTable(text, { format: 'json' }).invalidLines.map(({ reason }) => reason)).toEqual([
      'Line 1 is not a JSON object.',
      'Line 2 is not a JSON object.',
    ]);
  });

  it('reads text without columns as lines', () => {
    const table = readTable('Where is it?\rWho, then, is that?\r\r', {});
    expect(table).toMatchObject({ kind: 'text', columns: ['text'], choices: { format: 'lines' } });
    expect(table.rows.map(({ cells }) => cells)).toEqual([['Where is it?'], ['Who, then, is that?']]);
    expect(readRows('# Notes\n[link](x), and more\n{{name}} is here\n', { name: 'notes.txt' })).toHaveLength(
      4,
    );
  });

  it('keeps line order despite a stray quote beyond the slice size', () => {
    const longText = `${'x'.repeat(60)}\n`.repeat(25_000);
    const text = `a,b\n"${longText}",1\n"${longText}",1\n"open,2\n3,4\n`;
    const { rows, invalidLines } = readTable(text, { format: 'delimited', delimiter: ',' });
    expect(rows.map(({ line }) => line)).toEqual([2, 25_003, 50_005]);
    expect(rows[1]?.cells[0]).toBe(longText);
    expect(invalidLines.map(({ reason }) => reason)).toEqual([
      'Line 50004 opens a quote that is never closed.',
    ]);
  });
});

describe('JSON tables', () => {
  const rows = [
    { ticket: 'Late', team: 'billing' },
    { ticket: 'Wet', team: 'legal' },
  ];
  const formatPretty = (value: unknown) => JSON.stringify(value, undefined, 2);

  it.each<[string, string]>([
    ['an array', JSON.stringify(rows)],
    ['an array on several lines', formatPretty(rows)],
    ['a list in an object', JSON.stringify({ object: 'list', data: rows, has_more: false })],
    ['a list in a field of any name', formatPretty({ version: 1, meta: { by: 'x' }, tickets: rows })],
    ['nested results', JSON.stringify({ results: { version: 3, results: rows }, config: { a: 1 } })],
    ['JSON Lines', rows.map((row) => JSON.stringify(row)).join('\r\n')],
    ['objects one after another', rows.map(formatPretty).join('\n')],
    ['objects with commas between them', `${rows.map(formatPretty).join(',\n')},\n`],
    ['objects on one line', rows.map((row) => JSON.stringify(row)).join(' ')],
    ['an array that is cut off', `${JSON.stringify(rows).slice(0, -1)},`],
    ['arrays with the names in the first one', '["ticket","team"]\n["Late","billing"]\n["Wet","legal"]'],
    ['rows of a spreadsheet', JSON.stringify({ range: 'A1:B3', values: plainTable })],
    ['pandas column orientation', '{"ticket":{"0":"Late","1":"Wet"},"team":{"0":"billing","1":"legal"}}'],
    [
      'pandas index orientation',
      '{"0":{"ticket":"Late","team":"billing"},"5":{"ticket":"Wet","team":"legal"}}',
    ],
    [
      'pandas split orientation',
      '{"columns":["ticket","team"],"index":[0,1],"data":[["Late","billing"],["Wet","legal"]]}',
    ],
    ['lists of equal length', '{"ticket":["Late","Wet"],"team":["billing","legal"]}'],
  ])('reads rows from %s', (_, text) => {
    expect(readRows(text)).toEqual(plainTable);
    expect(readRows(encodeUtf16le(text), { name: 'cases.json' })).toEqual(plainTable);
    expect(readTable(text, {}).invalidLines).toEqual([]);
  });

  it('names the chosen list and the omitted members, and reads another list on request', () => {
    const text = formatPretty({ model: 'm', rows: [{ a: 1 }, { a: 2 }], more: [{ b: 3 }] });
    const table = readTable(text, {});
    expect(table.lists).toEqual(['rows', 'more', '']);
    expect(table.notes).toEqual(['Rows were read from the list “rows”. Left out: model, more.']);
    expect(readRows(text, { list: 'more' })).toEqual([['b'], ['3']]);
    expect(readRows(text, { list: '' })).toEqual([
      ['model', 'rows', 'more'],
      ['m', '[{"a":1},{"a":2}]', '[{"b":3}]'],
    ]);
  });

  it('reads an object with messages or one list of texts as a single row', () => {
    expect(readRows('{"messages":[{"role":"user","content":"Hi"}],"tags":["a","b"]}')).toEqual([
      ['messages', 'tags'],
      ['[{"role":"user","content":"Hi"}]', '["a","b"]'],
    ]);
    expect(readRows('{"q":"x","docs":[{"t":1}]}', { name: 'a.jsonl' })[1]).toEqual(['x', '[{"t":1}]']);
    expect(readRows('{"data":["one","two"]}')).toEqual([['text'], ['one'], ['two']]);
  });

  it('keeps numbers as written, including nested ones', () => {
    const text =
      '{"id":12345678901234567890,"n":1.0,"big":1e400,"in":{"x":[1.50,-0, 2]},"no":null,"nan":NaN}';
    const cells = ['12345678901234567890', '1.0', '1e400', '{"x":[1.50,-0,2]}', '', 'NaN'];
    const columns = ['id', 'n', 'big', 'in', 'no', 'nan'];
    expect(readRows(text)).toEqual([columns, cells]);
    expect(readRows(`[${text}]`)).toEqual([columns, cells]);
    expect(readRows(`{"data":[${text}]}`)).toEqual([columns, cells]);
    expect(readRows(`[{"id":1,${text.slice(1)}]`), 'beside a duplicate key').toEqual([columns, cells]);
  });

  it('aligns JSON members by name and lists lines that are not objects', () => {
    const table = readTable('{"a":"x"}\n[1]\nnothing\n{"b":\n\n{"b":2}\n"bare"', {});
    expect(table.rows).toEqual([
      { line: 1, cells: ['x', undefined] },
      { line: 6, cells: [undefined, '2'] },
    ]);
    expect(table.invalidLines.map(({ reason }) => reason)).toEqual([
      'Line 2 is not a JSON object.',
      'Line 3 is not a JSON object.',
      'Line 4 is not a JSON object.',
      'Line 7 is not a JSON object.',
    ]);
  });

  it('reports a broken multi-line object and reads the next one', () => {
    const text = `[\n  {\n    "a": 1,\n    "b" 2\n  },\n  {\n    "a": 3\n  }\n]`;
    const table = readTable(text, {});
    expect(table.rows).toEqual([{ line: 6, cells: ['3'] }]);
    expect(table.invalidLines.map(({ line }) => line)).toEqual([2]);
  });
});

describe('random tables', () => {
  const encoders: Readonly<Record<string, (text: string) => Uint8Array>> = {
    utf8: encodeUtf8,
    'utf8 with a mark': (text) => encodeUtf8(`\uFEFF${text}`),
    'utf16le with a mark': (text) => withByteOrderMark(encodeUtf16le(text), 0xff, 0xfe),
    'utf16be with a mark': (text) => withByteOrderMark(encodeUtf16be(text), 0xfe, 0xff),
  };
  const cell = fc.string({
    unit: fc.constantFrom('a', 'B', '7', ' ', ',', ';', '|', '\t', '"', "'", '\n', '.', 'é', '€', '語', '🙂'),
    maxLength: 12,
  });

  it('reads tables with any delimiter, encoding, line ending and quoting', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 12 }),
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom(...Object.keys(encoders)),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        (rows, delimiter, encoderName, newline, quotes) => {
          // Blank rows would be skipped, so every row gets some text.
          const cells = rows.map(([one, two, three]) => [`q ${one}`, two, `${three}.`]);
          const text = Papa.unparse([['first', 'second', 'third'], ...cells], { delimiter, newline, quotes });
          const bytes = encoders[encoderName]?.(text) ?? encodeUtf8(text);
          expect(readRows(bytes, { name: 'x.csv' })).toEqual([['first', 'second', 'third'], ...cells]);
        },
      ),
      { numRuns: getCaseCount(300) },
    );
  });
});
