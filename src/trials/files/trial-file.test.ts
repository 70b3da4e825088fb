import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';

import { readTableFile } from '../../embedding/items/read-table-file.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { unescapeCsvFormula } from '../../lib/text/safe-text.ts';
import { testCheck, createAnsweredRun, createTestTrial, testSavedAnswers } from '../../testing/trials.ts';
import { buildCell } from '../cell.ts';
import { createUsageSum } from '../trial-cost.ts';
import type { Case, Cell, Trial } from '../trial.ts';
import { buildTrialCsv } from './trial-csv.ts';
import { createTrialWriter, parseTrialFile, type TrialAnswer } from './trial-file.ts';

const tape: TapeEntry[] = [
  {
    at: 0,
    request: { temperature: 1, model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
    requestId: 'q',
  },
  { requestBytes: 12, at: 1, status: 200, headers: { b: '1', a: '2' } },
  { end: 'closed', at: 2 },
];

const cases: Case[] = [
  { values: { ticket: '=1+1', team: 'legal' }, id: '1', line: 2 },
  {
    id: '2',
    values: { ticket: 'one, "two"\nthree', team: 'billing' },
    history: [{ content: 'Hi', role: 'user' }],
  },
];

function createAnswer(caseId: string, columnId: string, changes: Partial<Cell> = {}): TrialAnswer {
  const id = `run of ${caseId} ${columnId}`;
  const run = createAnsweredRun('-5 “x”', {
    id,
    usage: { promptTokens: 9, completionTokens: 3 },
    requestId: 'sent',
    cell: { trialId: 'trial', caseId, columnId, repeat: 1 },
  });
  const cell = buildCell(run, { caseId, columnId, repeat: 1 }, 1);
  if (!cell) throw new Error('The run has not ended');
  const scores = {
    [testCheck.id]: { why: 'is “account”, expected “legal”', of: '1', result: 'failed' as const },
  };
  return { cell: { ...cell, scores, ...changes }, run };
}

const trial: Trial = createTestTrial(2, {
  title: '@routing',
  state: { name: 'running', since: 5 },
  plan: {
    at: 1,
    cases: 2,
    repeats: 1,
    columns: ['a', 'b', 'c'],
    decides: testCheck.id,
    baseline: 'a',
    margin: 5,
  },
  retired: { columns: [{ id: 'old', setup: { model: 'demo/quiz', system: '', params: {} } }], caseIds: [] },
  follows: { trialId: 'elsewhere', why: 'new version' },
});
const answers = [
  createAnswer('1', 'a'),
  createAnswer('2', 'b', { countedAt: 1 }),
  createAnswer('1', 'old', { outcome: 'no answer', why: 'timed out' }),
].map((item, index) => (index === 0 ? { ...item, tape } : item));
const marks = [
  { trialId: 'trial', key: { caseId: '1', columnId: 'b', repeat: 1 }, mark: 'right' as const, at: 7 },
];
const parseCsv = (text: string): string[][] => Papa.parse<string[]>(text, { skipEmptyLines: true }).data;
const verdict = { first: 'B is better than A' };

function writeTrialFile({
  trial: trialToWrite,
  cases: casesToWrite,
  answers: answersToWrite,
  marks: marksToWrite,
}: Pick<
  Extract<ReturnType<typeof parseTrialFile>, { ok: true }>,
  'trial' | 'cases' | 'answers' | 'marks'
>): string {
  const writer = createTrialWriter(trialToWrite);
  return [
    writer.writeHeader(verdict),
    ...casesToWrite.map(writer.writeCase),
    ...answersToWrite.map(writer.writeAnswer),
    ...marksToWrite.map(writer.writeMark),
  ].join('');
}
const file = writeTrialFile({ trial, cases, answers, marks });
const createIdGenerator = () => {
  let count = 0;
  return () => `new${(count += 1)}`;
};
const parseFile = (text: string) => parseTrialFile(text.split('\n'), createIdGenerator());

describe('trial as JSON Lines', () => {
  it('exports identical bytes after exporting and importing a trial', () => {
    const imported = parseFile(file);
    expect(imported.ok && writeTrialFile(imported)).toBe(file);
  });

  it('imports a trial under new IDs and keeps all references intact', () => {
    const importResult = parseFile(file);
    if (!importResult.ok) throw new Error(importResult.reason);
    expect(importResult.trial).toMatchObject({
      id: 'new1',
      title: '@routing',
      state: { name: 'paused', why: 'closed' },
    });
    expect(importResult.trial).not.toHaveProperty('follows');
    const [a, b] = importResult.trial.columns.map(({ id }) => id);
    expect([importResult.trial.baseline, importResult.trial.plan?.baseline]).toEqual([a, a]);
    expect(importResult.trial.checks[0]?.id).toBe(importResult.trial.decides);
    expect(importResult.answers.map(({ cell }) => cell.columnId)).toEqual([
      a,
      b,
      importResult.trial.retired.columns[0]?.id,
    ]);
    expect(Object.keys(importResult.answers[0]?.cell.scores ?? {})).toEqual([importResult.trial.decides]);
    expect(
      importResult.answers.every(({ cell, run }) => cell.runId === run.id && run.sessionId === 'new1'),
    ).toBe(true);
    expect(importResult.answers.map(({ run }) => run.cell?.columnId)).toEqual(
      importResult.answers.map(({ cell }) => cell.columnId),
    );
    expect(importResult.answers.map((each) => each.tape?.length)).toEqual([3, undefined, undefined]);
    expect(importResult.marks[0]).toMatchObject({ trialId: 'new1', key: { columnId: b } });
    expect(importResult.cases.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('marks imported provider fields and drops fields that no provider can have written', () => {
    const opaque = { model: 'demo/quiz', gatewayId: '1f', fields: { x_sealed: '{"a": 1.0}' } };
    const fileWithFields = writeTrialFile({
      trial,
      cases: cases.map((testCase) => ({
        ...testCase,
        history: [{ role: 'assistant' as const, content: 'Hello', opaque }],
      })),
      answers: answers.map((item) => ({
        ...item,
        run: {
          ...item.run,
          choices: item.run.choices.map((choice) => ({ ...choice, opaque: opaque.fields })),
        },
      })),
      marks,
    });
    const importResult = parseFile(
      fileWithFields.replaceAll('"x_sealed":', '"role":"\\"system\\"","x_sealed":'),
    );
    if (!importResult.ok) throw new Error(importResult.reason);
    expect(importResult.cases[0]?.history?.[0]).toEqual({
      role: 'assistant',
      content: 'Hello',
      opaque: { ...opaque, isImported: true },
    });
    expect(importResult.answers.every(({ run }) => run.isImported)).toBe(true);
    expect(importResult.answers[0]?.run.choices[0]?.opaque).toEqual(opaque.fields);
    expect(importResult.droppedFields).toBe(cases.length + answers.length);
    expect(writeTrialFile(importResult)).toBe(fileWithFields);
  });

  it('keeps gateways, origins of answers, the budget and discarded tokens, and opens files of versions 1 to 5', () => {
    const [first, ...others] = trial.columns;
    if (!first) throw new Error('The trial has no columns');
    const usage = { ...createUsageSum(), answers: 1, textTokens: 7 };
    const richTrial: Trial = {
      ...trial,
      columns: [
        { ...first, savedAnswers: testSavedAnswers, setup: { ...first.setup, gateway: 'south' } },
        ...others,
      ],
      budget: { amount: 1.5, currency: 'EUR' },
      discardedUsage: { a: usage },
    };
    const text = writeTrialFile({ trial: richTrial, cases, answers, marks });
    const imported = parseFile(text);
    if (!imported.ok) throw new Error(imported.reason);
    const [column] = imported.trial.columns;
    expect(column).toMatchObject({ savedAnswers: testSavedAnswers, setup: { gateway: 'south' } });
    expect(imported.trial).toMatchObject({
      budget: { amount: 1.5, currency: 'EUR' },
      discardedUsage: { [column?.id ?? '']: usage },
    });
    expect(writeTrialFile(imported)).toBe(text);
    for (const version of [1, 2, 3, 4, 5])
      expect(parseFile(file.replace('"version":6', `"version":${version}`)).ok, String(version)).toBe(true);
  });

  it('writes format, versions, verdict and a note about demo models in the first line', () => {
    const [head = ''] = file.split('\n');
    expect(JSON.parse(head)).toMatchObject({
      format: 'bench-trial',
      version: 6,
      statistics: 1,
      verdict,
      note: 'Models whose ID starts with demo/ are small programs built into Bench. They are not language models.',
    });
    expect(file).not.toContain('elsewhere');
  });

  it('rejects an invalid file as a whole and reports the line', () => {
    const lines = file.split('\n');
    const parseWithLine = (index: number, line: string) =>
      parseFile(lines.map((text, lineIndex) => (lineIndex === index ? line : text)).join('\n'));
    const results = [
      parseFile(''),
      parseFile('{"format":"bench-sessions","version":1}'),
      parseWithLine(0, '{"format":"bench-trial","version":7,"trial":{}}'),
      parseWithLine(0, '{"format":"bench-trial","version":1,"trial":{}}'),
      parseWithLine(1, '{"case":{"id":"9","values":{}}}'),
      parseWithLine(2, '{"case":'),
      parseWithLine(3, '{"cell":{}}'),
      parseWithLine(4, (lines[3] ?? '').replace('"end":"closed"', '"end":"gone"')),
      parseWithLine(6, '{"mark":{}}'),
      parseWithLine(6, '{"votes":[]}'),
    ];
    expect(
      results.map((result) => (result.ok ? 'read' : `${result.line}: ${result.reason.slice(0, 46)}`)),
    ).toEqual([
      '1: The file is empty.',
      '1: This is not a Bench trial file.',
      '1: The file was written by a newer version of Ben',
      '1: The trial cannot be read: id: Invalid key: Exp',
      '2: The case does not belong to this trial.',
      expect.stringMatching(/^3: Not valid JSON: /),
      '4: The answer does not belong to this trial.',
      '5: The recording cannot be read.',
      '7: The mark does not belong to this trial.',
      '7: Not a line of a trial file.',
    ]);
  });
});

describe('trial as CSV', () => {
  const buildCsv = (escapeFormulas?: boolean) => {
    const cells = answers.map(({ cell, run }) => {
      const testCase = cases.find(({ id }) => id === cell.caseId);
      if (!testCase) throw new Error('The case is missing');
      return {
        cell,
        case: testCase,
        answer: '-5 “x”',
        ...(run.requestId === undefined ? {} : { requestId: run.requestId }),
      };
    });
    return [...buildTrialCsv(trial, cells, escapeFormulas)].join('');
  };

  it('writes a header and one line per cell', () => {
    const text = buildCsv();
    expect(
      text.startsWith('\uFEFFtrial,case,line,ticket,team,column,model,changed,repeat,tries,outcome,why,'),
    ).toBe(true);
    expect(text.endsWith('\r\n')).toBe(true);
    const [header = [], ...rows] = parseCsv(text.slice(1));
    expect(header.slice(9)).toEqual(
      'tries,outcome,why,finish_reason,first_token_ms,total_ms,tokens_in,tokens_out,answer,right team,right team.why,mark,retired,copied_from,counted,run_id,request_id,gateway,cost,currency'.split(
        ',',
      ),
    );
    expect(rows.every((row) => row.length === header.length)).toBe(true);
    const getRecord = (row: number) =>
      Object.fromEntries(header.map((name, index) => [name, rows[row]?.[index]]));
    expect(getRecord(1)).toMatchObject({
      case: '2',
      line: '',
      ticket: 'one, "two"\nthree',
      column: 'B',
      model: 'other/sextant-70b-think',
      outcome: 'answered',
      tokens_out: '3',
      'right team': 'failed',
      'right team.why': 'is “account”, expected “legal”',
      retired: '',
      request_id: 'sent',
    });
    expect(getRecord(2)).toMatchObject({
      column: '',
      model: 'demo/quiz',
      why: 'timed out',
      retired: 'retired',
    });
  });

  it('gives each column a name of its own, and says which cases are left out and where answers come from', () => {
    const [answer] = answers;
    const [firstColumn] = trial.columns;
    if (!firstColumn) throw new Error('The trial has no columns');
    const excludedCase = { id: '1', values: { answer: 'x', 'value.answer': 'y', team: '' } };
    const namesTrial = {
      ...trial,
      fields: ['answer', 'value.answer', 'team'],
      columns: [{ ...firstColumn, savedAnswers: testSavedAnswers }],
      checks: [testCheck, { ...testCheck, id: 'second', name: 'mark' }],
    };
    const lines = [
      ...buildTrialCsv(namesTrial, answer ? [{ cell: answer.cell, case: excludedCase, answer: 'text' }] : []),
    ];
    const [header = [], row = []] = parseCsv(lines.join('').slice(1));
    expect(new Set(header).size).toBe(header.length);
    const record = Object.fromEntries(header.map((name, index) => [name, row[index]]));
    expect(record).toMatchObject({
      'value.answer': 'x',
      'value.value.answer': 'y',
      answer: 'text',
      'right team': 'left out',
      'check.mark': 'left out',
      copied_from: 'June, column B',
    });
  });

  it('escapes spreadsheet formulas and restores the original texts on import', () => {
    const { rows } = readTableFile('trial.csv', buildCsv());
    expect(rows[0]?.slice(0, 5)).toEqual(['@routing', '1', '2', '=1+1', 'legal']);
    const [, first = []] = parseCsv(buildCsv().slice(1));
    expect([first[0], first[3], first[17]]).toEqual(["'@routing", "'=1+1", "'-5 “x”"]);
    expect([first[0], first[3], first[17]].map((text = '') => unescapeCsvFormula(text))).toEqual([
      '@routing',
      '=1+1',
      '-5 “x”',
    ]);
    expect(parseCsv(buildCsv(false).slice(1))[1]?.[3]).toBe('=1+1');
  });
});
