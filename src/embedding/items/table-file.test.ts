import { describe, expect, it } from 'vitest';

import { guessColumns, itemsOf, readTableFile } from './table-file.ts';

const support =
  'id,text,group\n1,"Late, by two days",Delivery\n2,"He said ""no""",Refunds\n3,,Refunds\n4,"Late, by two days",Delivery\n';

describe('a file of texts', () => {
  it('reads CSV with quotes, and guesses which columns matter', () => {
    const file = readTableFile('support.csv', support);
    expect(file).toMatchObject({ kind: 'CSV', columns: ['id', 'text', 'group'], problems: [] });
    expect(guessColumns(file)).toEqual({ text: 1, label: 2 });
    expect(itemsOf(file, { text: 1, label: 2 }, 'texts')).toEqual({
      items: [
        { text: 'Late, by two days', label: 'Delivery' },
        { text: 'He said "no"', label: 'Refunds' },
        { text: 'Late, by two days', label: 'Delivery' },
      ],
      blanks: 1,
      problems: [],
    });
  });

  it('reads semicolons, tabs and a byte order mark', () => {
    expect(readTableFile('a.csv', '\uFEFFtext;n\nx, y;1').rows).toEqual([['x, y', '1']]);
    expect(readTableFile('a.csv', '\uFEFFtext;n\nx, y;1').columns).toEqual(['text', 'n']);
    expect(readTableFile('a.tsv', 'text\tn\nx, "y"\t1').rows).toEqual([['x, "y"', '1']]);
  });

  it('names rows that do not fit', () => {
    expect(readTableFile('a.csv', 'a,b\n1,2\n3\n').problems).toEqual([
      { line: 3, message: 'This row has 1 fields, the first has 2.' },
    ]);
  });

  it('reads JSON Lines with fields that come and go, and names lines that are none', () => {
    const file = readTableFile('a.jsonl', '{"text":"one"}\n\nnot json\n{"n":2,"text":"two"}\n"bare"');
    expect(file).toMatchObject({
      kind: 'JSON Lines',
      columns: ['text', 'n', 'value'],
      rows: [
        ['one', '', ''],
        ['two', '2', ''],
        ['', '', 'bare'],
      ],
      problems: [{ line: 3, message: 'This line is not JSON.' }],
    });
    expect(itemsOf(file, { text: 0 }, 'texts').items.map((item) => item.text)).toEqual(['one', 'two']);
  });

  it('reads a list in JSON, and one that is in an object', () => {
    expect(readTableFile('a.json', '["one","two"]').rows).toEqual([['one'], ['two']]);
    expect(readTableFile('a.json', '{"data":[{"text":"one"}]}')).toMatchObject({
      columns: ['text'],
      rows: [['one']],
    });
  });

  it('takes anything else as one text per line', () => {
    expect(readTableFile('notes.txt', 'a, b\nc')).toMatchObject({ kind: 'text', rows: [['a, b'], ['c']] });
  });

  it('guesses by what is in the columns where names say nothing', () => {
    const rows = Array.from(
      { length: 12 },
      (_, at) => `${at},${at % 2 ? 'x' : 'y'},a longer text number ${at}`,
    );
    expect(guessColumns(readTableFile('a.csv', `p,q,r\n${rows.join('\n')}`))).toEqual({ text: 2, label: 1 });
  });

  it('reads lists of tokens in token mode only', () => {
    const file = readTableFile('a.jsonl', '{"t":[1,2]}\n{"t":"x"}');
    const reading = itemsOf(file, { text: 0 }, 'tokens');
    expect(reading.items).toEqual([{ text: '1, 2', tokens: [1, 2] }]);
    expect(reading.problems).toHaveLength(1);
    expect(itemsOf(file, { text: 0 }, 'texts').items[0]).toEqual({ text: '[1,2]' });
  });
});
