/** Looks through the stored trials: full-text search, and statistics of earlier answers for estimates. */
import {
  buildSnippet,
  findMatchingTerms,
  parseQueryTerms,
  type SearchText,
  type Snippet,
} from '../../../conversation/files/text-search.ts';
import { computeMetrics } from '../../../conversation/reply/metrics.ts';
import { getContentText } from '../../../conversation/request/request.ts';
import { readRun } from '../../../conversation/session/read-session.ts';
import type { ModelChoice } from '../../../conversation/session/types.ts';
import { getOwnProperty } from '../../../lib/json.ts';
import type { RecordStore } from '../../../storage/record-store.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { hashCheckRule } from '../../../trials/checks/score-answer.ts';
import type { PairSum } from '../../../trials/statistics/planning.ts';
import type { PastAnswerStats } from '../../../trials/trial-plan.ts';
import { getColumnModels, type Cell, type Trial, type TrialId } from '../../../trials/trial.ts';
import type { Library } from '../../sessions/library.ts';
import { readFirstCells, readTrials } from './trial-records.ts';

/**
 * Returns the trials that contain every search term in title, prompts, models or cases, each with the text that matches
 * the most terms.
 */
export async function searchTrials(
  records: RecordStore,
  trials: readonly Trial[],
  query: string,
  signal?: AbortSignal,
): Promise<Map<TrialId, Snippet | undefined>> {
  const terms = parseQueryTerms(query);
  const snippets = new Map<TrialId, Snippet | undefined>();
  for (const trial of trials) {
    signal?.throwIfAborted();
    const texts: SearchText[] = [
      ...listTrialTexts(trial),
      ...listCaseTexts(await records.listByTrial('cases', trial.id)),
    ];
    const titleAndModels = [trial.title, ...getColumnModels(trial)].join('\n');
    const matchedTerms = new Set(findMatchingTerms(titleAndModels, terms));
    let bestMatch: { text: SearchText; matchCount: number } | undefined;
    for (const text of texts) {
      const textTerms = findMatchingTerms(text.text, terms);
      for (const word of textTerms) matchedTerms.add(word);
      if (textTerms.length > (bestMatch?.matchCount ?? 0)) bestMatch = { text, matchCount: textTerms.length };
    }
    if (matchedTerms.size === terms.length)
      snippets.set(trial.id, bestMatch && buildSnippet(bestMatch.text, terms));
  }
  return snippets;
}

function listTrialTexts({ messages, columns }: Trial): SearchText[] {
  return [
    ...[...messages, ...columns.flatMap((column) => column.messages ?? [])].map(({ content }) =>
      getContentText(content),
    ),
    ...columns.map(({ setup }) => setup.system),
  ].map((text) => ({ source: 'prompt', text }));
}

function listCaseTexts(blocks: readonly unknown[]): SearchText[] {
  return blocks.flatMap((block) => {
    const cases = getOwnProperty(block, 'cases');
    if (!Array.isArray(cases)) return [];
    return cases.map((testCase): SearchText => ({
      source: 'prompt',
      text: Object.values(getOwnProperty(testCase, 'values') ?? {})
        .filter((value) => typeof value === 'string')
        .join('\n'),
    }));
  });
}

/** Number of recent trials and of recent sessions to scan; only the first answers of each trial are read. */
const maxScannedRecords = 10;

/** Statistics of recent trials and sessions. */
export interface PastStats {
  /** Means of answers, by the key of `getModelKey`. */
  byModel: ReadonlyMap<string, PastAnswerStats>;
  /** Pairs of trials with the same deciding check, by `hashCheckRule`. */
  pairsByCheck: ReadonlyMap<string, PairSum>;
}

/** Returns the statistics of recent trials and sessions. */
export async function readPastStats(
  records: RecordStore,
  library: Library,
  getModelKey: (choice: ModelChoice) => string,
): Promise<PastStats> {
  const pairsByCheck = new Map<string, PairSum>();
  const sums = new Map<string, PastAnswerStats>();
  const addAnswer = (
    choice: ModelChoice,
    ms: number | undefined,
    tokens: { in: number; out: number },
  ): void => {
    if (ms === undefined) return;
    const key = getModelKey(choice);
    const sum = sums.get(key) ?? { meanMs: 0, tokensIn: 0, tokensOut: 0, answers: 0 };
    sum.meanMs += ms;
    sum.tokensIn += tokens.in;
    sum.tokensOut += tokens.out;
    sum.answers += 1;
    sums.set(key, sum);
  };
  const trials = (await readTrials(records)).toSorted((a, b) => b.updatedAt - a.updatedAt);
  for (const trial of trials.slice(0, maxScannedRecords)) {
    const { id, columns, retired } = trial;
    const cells = await readFirstCells(records, id);
    addPairs(pairsByCheck, trial, cells);
    const setups = new Map([...columns, ...retired.columns].map((column) => [column.id, column.setup]));
    for (const { columnId, outcome, totalMs, tokensIn, tokensOut } of cells) {
      const setup = setups.get(columnId);
      if (outcome === 'answered' && setup)
        addAnswer(setup, totalMs, { in: getMetricValue(tokensIn), out: getMetricValue(tokensOut) });
    }
  }
  for (const { id } of (await library.list()).slice(0, maxScannedRecords))
    for (const raw of await records.listBySession('runs', id)) {
      const run = readRun(raw);
      if (run?.phase.name !== 'complete') continue;
      const { tokensIn, tokensOut } = computeMetrics(run);
      addAnswer(run.setup, run.endedMs, {
        in: getMetricValue(tokensIn),
        out: getMetricValue(tokensOut),
      });
    }
  const byModel = new Map(
    [...sums].map(([key, { meanMs, tokensIn, tokensOut, answers }]) => [
      key,
      {
        meanMs: meanMs / answers,
        tokensIn: tokensIn / answers,
        tokensOut: tokensOut / answers,
        answers,
      },
    ]),
  );
  return { byModel, pairsByCheck };
}

/** Adds the pairs of a trial to those of its deciding check. Repeats are not counted again. */
function addPairs(
  pairsByCheck: Map<string, PairSum>,
  { checks, decides, columns, baseline }: Trial,
  cells: readonly Cell[],
): void {
  const check = checks.find(({ id }) => id === decides);
  if (!check) return;
  const passesByCell = new Map<string, boolean>();
  for (const cell of cells) {
    const result = cell.scores[check.id]?.result;
    if (result === 'passed' || result === 'failed') passesByCell.set(getCellId(cell), result === 'passed');
  }
  const hash = hashCheckRule(check);
  const sum = pairsByCheck.get(hash) ?? { pairs: 0, reversed: 0 };
  for (const { id } of columns) {
    if (id === baseline) continue;
    const wins = { column: 0, baseline: 0 };
    for (const cell of cells) {
      if (cell.columnId !== id || cell.repeat > 1) continue;
      const passes = passesByCell.get(getCellId(cell));
      const baselinePasses = passesByCell.get(getCellId({ ...cell, columnId: baseline }));
      if (passes === undefined || baselinePasses === undefined) continue;
      sum.pairs += 1;
      if (passes !== baselinePasses) wins[passes ? 'column' : 'baseline'] += 1;
    }
    sum.reversed += Math.min(wins.column, wins.baseline);
  }
  pairsByCheck.set(hash, sum);
}

function getMetricValue(metric: Cell['tokensIn']): number {
  return metric && 'value' in metric ? metric.value : 0;
}
