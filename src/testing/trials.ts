/** Trials for tests and benchmarks: small ones by hand, and large ones that are generated, the same every time. */
import type { Run } from '../conversation/session/types.ts';
import { createStringSeededRandom } from '../lib/random.ts';
import { createResultTable, setResult, type ResultTable } from '../trials/result-table.ts';
import type { Case, Cell, Check, Column, Result, Trial } from '../trials/trial.ts';
import { answered, aSetup, ticked } from './builders.ts';

export const aCheck: Check = {
  id: 'check',
  name: 'right team',
  kind: 'equals',
  field: 'team',
  expected: { value: 'team' },
  settings: {},
};

/** Columns of these models, `a`, `b` and so on. */
export function someColumns(...models: string[]): Column[] {
  return models.map((model, index) => ({
    id: String.fromCharCode(97 + index),
    setup: aSetup({ model, params: ticked({}) }),
  }));
}

/** A draft of so many cases `1`, `2` and so on, with a check that decides. */
export function aTrial(cases: number, changes: Partial<Trial> = {}): Trial {
  const columns =
    changes.columns ?? someColumns('maker/heron-32b', 'other/sextant-70b-think', 'third/plover-8b');
  return {
    id: 'trial',
    title: 'Ticket routing',
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    messages: [{ role: 'user', content: '{{ticket}}' }],
    columns,
    retired: { columns: [], caseIds: [] },
    fields: ['ticket', 'team'],
    repeats: 1,
    checks: [aCheck],
    decides: aCheck.id,
    baseline: 'a',
    margin: 5,
    seed: 2026,
    giveUpAfterMs: 600_000,
    stopWhenDecided: false,
    batches: [{ caseIds: Array.from({ length: cases }, (_, index) => String(index + 1)), addedAt: 0 }],
    state: { name: 'draft' },
    ...changes,
  };
}

/** A run that was answered with this text. */
export function anAnsweredRun(text: string, changes: Partial<Run> = {}): Run {
  return {
    id: 'run',
    sessionId: 'trial',
    setup: aSetup(),
    phase: { name: 'complete' },
    notes: [],
    sentAt: 1_700_000_000_000,
    firstTokenMs: 300,
    endedMs: 900,
    ...answered(text),
    ...changes,
  };
}

/** Letters of results: + passed, - failed, ? no answer, . to come, 0 left out. A string is a column, in the drawn order. */
export function aTable(...columns: string[]): ResultTable {
  const table = createResultTable(columns[0]?.length ?? 0, columns.length, 1);
  columns.forEach((letters, column) =>
    Array.from(letters, (letter, row) => setResult(table, { row, column, repeat: 1 }, resultOf(letter))),
  );
  return table;
}

function resultOf(letter: string): Result | 'to come' | 'left out' {
  if (letter === '+') return 'passed';
  if (letter === '-') return 'failed';
  if (letter === '?') return 'no answer';
  return letter === '.' ? 'to come' : 'left out';
}

/** The results of so many cases and columns, drawn from a seed; one in a hundred without an answer. */
export function aLargeTable(rows: number, columns: number): ResultTable {
  const random = createStringSeededRandom(`table/${rows}/${columns}`);
  const table = createResultTable(rows, columns, 1);
  for (let row = 0; row < rows; row += 1) {
    const ease = random();
    for (let column = 0; column < columns; column += 1) {
      const isRight = 0.5 * ease + 0.5 * random() < 0.7 + 0.02 * column;
      const result = random() < 0.01 ? 'no answer' : isRight ? 'passed' : 'failed';
      setResult(table, { row, column, repeat: 1 }, result);
    }
  }
  return table;
}

/** A finished trial of so many cases and columns, with the cells of all, drawn from a seed. */
export function aLargeTrial(cases: number, columns: number): { trial: Trial; cases: Case[]; cells: Cell[] } {
  const random = createStringSeededRandom(`large/${cases}/${columns}`);
  const teams = ['billing', 'delivery', 'account', 'product', 'legal'];
  const teamAt = (place: number): string => teams[Math.floor(place * teams.length)] ?? '';
  const ids = Array.from({ length: cases }, (_, index) => (index + 1).toString(16).padStart(16, '0'));
  const trial = aTrial(0, {
    columns: someColumns(...Array.from({ length: columns }, (_, index) => `maker/model-${index + 1}`)),
    batches: [{ caseIds: ids, addedAt: 0 }],
    state: { name: 'finished', at: 1_700_000_000_000 },
  });
  const all = ids.map((id, index): Case => {
    const words = Array.from({ length: 5 + Math.floor(random() * 40) }, () => teamAt(random()));
    return {
      id,
      values: { ticket: `${index + 1} ${words.join(' ')}`, team: teamAt(random()) },
      line: index + 2,
    };
  });
  const cells = all.flatMap(({ id: caseId, values: { team = '' } }) => {
    const ease = random();
    return trial.columns.map(({ id: columnId }, index): Cell => {
      const key = { caseId, columnId, repeat: 1, runId: `${caseId}${columnId}`, tries: 1 };
      const times = { firstTokenMs: 200 + 400 * random(), totalMs: 900 + 3000 * random() };
      if (random() < 0.01)
        return { ...key, outcome: 'no answer', why: 'timed out', head: '', answerHash: '', scores: {} };
      const isRight = 0.5 * ease + 0.5 * random() < 0.7 + 0.02 * index;
      const head = isRight ? team : teamAt(random());
      const result: Result = head === team ? 'passed' : 'failed';
      return {
        ...key,
        ...times,
        outcome: 'answered',
        head,
        answerHash: head,
        finishReason: 'stop',
        tokensOut: { kind: 'exact', value: 20 },
        scores: { [aCheck.id]: { of: 'generated', result } },
      };
    });
  });
  return { trial, cases: all, cells };
}
