import { expect, it } from 'vitest';

import { createQuerySetup, readExtraFields } from './lab-fields.ts';
import { readLabFile, readFileAgain } from './lab-file.ts';
import {
  emptyInput,
  isSameSetup,
  noModel,
  parseInput,
  readStoredInput,
  getJobSetup,
  type LabInput,
} from './lab-input.ts';

const keepName = (name: string | undefined) => name;
const imported = readLabFile('questions.csv', 'question,topic\nWhere?,delivery\nWhen?,refund\n');
const { reading: _, ...table } = imported.table;
/** Imported file as it is stored, without the parsing result. */
const file = { ...imported, table };

it('restores the stored input and resets unreadable fields', () => {
  const input: LabInput = {
    mode: 'tokens',
    typed: '1, 2',
    models: { A: { model: 'south/small' }, B: { model: 'south/large', gateway: 'second' } },
    format: 'float',
    dimensions: 64,
    fields: '{ "task": "passage" }',
    leftOut: [{ model: 'south/large', gateway: 'second', of: 'query', field: 'task' }],
    file,
  };
  const stored: unknown = JSON.parse(JSON.stringify(input));
  expect(readStoredInput(stored)).toEqual(input);
  expect(
    readStoredInput({ mode: 5, typed: 5, models: { A: 5 }, format: 'x', dimensions: 'many', file: {} }),
  ).toEqual(emptyInput);
  for (const nothing of [undefined, 'text', []]) expect(readStoredInput(nothing)).toEqual(emptyInput);
});

it('reads the models of records from before gateways had names', () => {
  expect(readStoredInput({ models: { A: 'south/small', B: '' } }).models).toEqual({
    A: { model: 'south/small' },
    B: noModel,
  });
});

it('names the gateway in the job setup unless it is the first one', () => {
  const models = { A: { model: 'm', gateway: 'first' }, B: { model: 'm', gateway: 'second' } };
  const leftOut = [{ model: 'm', gateway: 'second', of: 'texts', field: 'encoding_format' } as const];
  const resolveName = (name: string | undefined) => (name === 'first' ? undefined : name);
  const input: LabInput = { ...emptyInput, models, leftOut };
  const setups = (['A', 'B'] as const).map((slot) => getJobSetup(input, slot, resolveName));
  expect(setups).toEqual([
    { model: 'm', format: 'base64' },
    { model: 'm', gateway: 'second' },
  ]);
  expect(isSameSetup({ model: 'm' }, { model: 'm', gateway: 'second' })).toBe(false);
});

it('restores a stored file completely or not at all', () => {
  const readChangedFile = (change: object, columns: object = file.columns) =>
    readStoredInput({ file: { table: { ...file.table, ...change }, columns } }).file;
  expect(readChangedFile({})).toEqual(file);
  const broken = [{ columns: 'none' }, { rows: 5 }, { name: 5 }, { kind: 'XLS' }];
  for (const change of broken) expect(readChangedFile(change), JSON.stringify(change)).toBeUndefined();
  expect(readChangedFile({}, { text: 'first' })).toBeUndefined();
  expect(readChangedFile({}, { text: 0 })?.columns).toEqual({ text: 0 });
  expect(readChangedFile({ rows: [['one', 5], 'two'] })?.table.rows).toEqual([['one', ''], []]);
});

it('parses inputs from the file, otherwise from the text field, as texts or tokens', () => {
  const readTexts = (input: Partial<LabInput>) =>
    parseInput({ ...emptyInput, ...input }).items.map(({ text }) => text);
  expect(readTexts({ typed: 'one\ntwo', file })).toEqual(['Where?', 'When?']);
  expect(readTexts({ typed: 'one\ntwo' })).toEqual(['one', 'two']);
  expect(parseInput({ ...emptyInput, typed: '1, 2', mode: 'tokens' }).items).toMatchObject([
    { tokens: [1, 2] },
  ]);
  expect(parseInput(emptyInput)).toEqual({ items: [], blanks: 0, problems: [] });
});

it('builds a job setup from the input, and returns none without a model', () => {
  const input: LabInput = {
    ...emptyInput,
    models: { A: { model: 'south/small' }, B: noModel },
    format: 'float',
  };
  expect(getJobSetup(input, 'A', keepName)).toEqual({ model: 'south/small', format: 'float' });
  expect(getJobSetup({ ...input, dimensions: 64 }, 'A', keepName)).toEqual({
    model: 'south/small',
    format: 'float',
    dimensions: 64,
  });
  expect(getJobSetup(input, 'B', keepName)).toBeUndefined();
  const fields = '{ "task": "passage", "user": "u" }';
  expect(getJobSetup({ ...input, format: 'none', fields }, 'A', keepName)).toEqual({
    model: 'south/small',
    fields: { task: 'passage', user: 'u' },
  });
  expect(getJobSetup({ ...input, fields: '{' }, 'A', keepName)).toBeUndefined();
});

it('omits fields rejected by the model, separately for texts and queries', () => {
  const leftOut: LabInput['leftOut'] = [
    ...['encoding_format', 'dimensions', 'task'].map((field) => ({
      model: 'south/small',
      of: 'texts' as const,
      field,
    })),
    { model: 'south/small', of: 'query', field: 'user' },
    { model: 'south/large', of: 'texts', field: 'user' },
  ];
  const fields = '{ "task": "passage", "user": "u" }';
  const models = { A: { model: 'south/small' }, B: { model: 'south/large' } };
  const input: LabInput = { ...emptyInput, models, dimensions: 64, fields, leftOut };
  expect(getJobSetup(input, 'A', keepName)).toEqual({ model: 'south/small', fields: { user: 'u' } });
  const large = { model: 'south/large', format: 'base64' as const, dimensions: 64 };
  expect(getJobSetup(input, 'B', keepName)).toEqual({ ...large, fields: { task: 'passage' } });
  const small = { ...large, model: 'south/small' };
  expect(createQuerySetup(small, readExtraFields('{ "task": "query", "user": "u" }'), leftOut)).toEqual({
    ...small,
    fields: { task: 'query' },
  });
  expect(createQuerySetup({ ...small, fields: { task: 'passage' } }, readExtraFields(''), leftOut)).toEqual(
    small,
  );
});

it('parses a file again with a changed option and keeps the options changed earlier', () => {
  const rereadFile = readFileAgain(imported, { hasHeader: false });
  expect(rereadFile?.table.rows[0]).toEqual(['question', 'topic']);
  const lines = rereadFile && readFileAgain(rereadFile, { format: 'lines' });
  expect(lines?.table).toMatchObject({
    kind: 'text',
    rows: [['question,topic'], ['Where?,delivery'], ['When?,refund']],
  });
  expect(lines?.table.reading?.chosen).toEqual({ hasHeader: false, format: 'lines' });
  expect(readFileAgain(file, { hasHeader: false })).toBeUndefined();
});
