import { describe, expect, it } from 'vitest';

import { readTableFile } from './read-table-file.ts';
import { guessColumns, getTableItems } from './table-file.ts';

const supportCsv =
  'id,text,group\n1,"Late, by two days",Delivery\n2,"He said ""no""",Refunds\n3,,Refunds\n4,"Late, by two days",Delivery\n';

describe('file of texts', () => {
  it('reads CSV with quotes and guesses the relevant columns', () => {
    const file = readTableFile('support.csv', supportCsv);
    expect(file).toMatchObject({ kind: 'CSV', columns: ['id', 'text', 'group'], problems: [] });
    expect(guessColumns(file)).toEqual({ text: 1, label: 2 });
    expect(getTableItems(file, { text: 1, label: 2 }, 'texts')).toEqual({
      items: [
        { text: 'Late, by two days', label: 'Delivery' },
        { text: 'He said "no"', label: 'Refunds' },
        { text: 'Late, by two days', label: 'Delivery' },
      ],
      blanks: 1,
      problems: [],
    });
  });

  it('keeps the reading choices and the first lines that were left out', () => {
    expect(readTableFile('a.csv', 'a,b\n1,2\n3\n')).toMatchObject({
      kind: 'CSV',
      rows: [['1', '2']],
      problems: [{ line: 3, message: 'Line 3 has 1 field instead of 2.' }],
      reading: { choices: { format: 'delimited', delimiter: ',', hasHeader: true }, leftOut: 1 },
    });
    expect(readTableFile('a.csv', 'a,b\n1,2\n3\n', { shouldFillShortRows: true }).rows).toEqual([
      ['1', '2'],
      ['3', ''],
    ]);
  });

  it('removes apostrophes added by a Bench export only from CSV files', () => {
    expect(readTableFile('a.csv', "text,n\n'=1,2\n").rows).toEqual([['=1', '2']]);
    expect(readTableFile('a.json', '[{"text":"\'=1"}]').rows).toEqual([["'=1"]]);
  });

  it('guesses the columns by content if their names are meaningless', () => {
    const rows = Array.from(
      { length: 12 },
      (_, index) => `${index},${index % 2 ? 'x' : 'y'},a longer text number ${index}`,
    );
    expect(guessColumns(readTableFile('a.csv', `p,q,r\n${rows.join('\n')}`))).toEqual({ text: 2, label: 1 });
  });

  it('reads token lists only in token mode', () => {
    const file = readTableFile('a.jsonl', '{"t":[1,2]}\n{"t":"x"}');
    const reading = getTableItems(file, { text: 0 }, 'tokens');
    expect(reading.items).toEqual([{ text: '1, 2', tokens: [1, 2] }]);
    expect(reading.problems).toHaveLength(1);
    expect(getTableItems(file, { text: 0 }, 'texts').items[0]).toEqual({ text: '[1,2]' });
  });
});
