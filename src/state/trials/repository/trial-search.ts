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
import { getOwnProperty } from '../../../lib/json.ts';
import type { RecordStore } from '../../../storage/record-store.ts';
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

/** Returns means by model from answers of recent trials and sessions. */
export async function readPastAnswerStats(
  records: RecordStore,
  library: Library,
): Promise<ReadonlyMap<string, PastAnswerStats>> {
  const sums = new Map<string, PastAnswerStats>();
  const addAnswer = (model: string, ms: number | undefined, tokens: { in: number; out: number }): void => {
    if (ms === undefined) return;
    const sum = sums.get(model) ?? { meanMs: 0, tokensIn: 0, tokensOut: 0, answers: 0 };
    sum.meanMs += ms;
    sum.tokensIn += tokens.in;
    sum.tokensOut += tokens.out;
    sum.answers += 1;
    sums.set(model, sum);
  };
  const trials = (await readTrials(records)).toSorted((a, b) => b.updatedAt - a.updatedAt);
  for (const { id, columns, retired } of trials.slice(0, maxScannedRecords)) {
    const modelByColumn = new Map(
      [...columns, ...retired.columns].map((column) => [column.id, column.setup.model]),
    );
    for (const { columnId, outcome, totalMs, tokensIn, tokensOut } of await readFirstCells(records, id))
      if (outcome === 'answered')
        addAnswer(modelByColumn.get(columnId) ?? '', totalMs, {
          in: getMetricValue(tokensIn),
          out: getMetricValue(tokensOut),
        });
  }
  for (const { id } of (await library.list()).slice(0, maxScannedRecords))
    for (const raw of await records.listBySession('runs', id)) {
      const run = readRun(raw);
      if (run?.phase.name !== 'complete') continue;
      const { tokensIn, tokensOut } = computeMetrics(run);
      addAnswer(run.setup.model, run.endedMs, {
        in: getMetricValue(tokensIn),
        out: getMetricValue(tokensOut),
      });
    }
  return new Map(
    [...sums].map(([model, { meanMs, tokensIn, tokensOut, answers }]) => [
      model,
      {
        meanMs: meanMs / answers,
        tokensIn: tokensIn / answers,
        tokensOut: tokensOut / answers,
        answers,
      },
    ]),
  );
}

function getMetricValue(metric: Cell['tokensIn']): number {
  return metric && 'value' in metric ? metric.value : 0;
}
