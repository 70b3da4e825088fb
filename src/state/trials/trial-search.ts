/** Full-text search in trials. */
import {
  buildSnippet,
  findMatchingTerms,
  parseQueryTerms,
  type SearchText,
  type Snippet,
} from '../../conversation/files/text-search.ts';
import { getContentText } from '../../conversation/request/request.ts';
import { getOwnProperty } from '../../lib/json.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { getColumnModels, type Trial, type TrialId } from '../../trials/trial.ts';

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
