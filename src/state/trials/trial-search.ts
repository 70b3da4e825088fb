/** Words that are looked for in trials. */
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
import { modelsOf, type Trial, type TrialId } from '../../trials/trial.ts';

/** Those of these trials that hold every word in title, prompts, models and cases, with the text that holds most of them. */
export async function searchTrials(
  records: RecordStore,
  trials: readonly Trial[],
  query: string,
  signal?: AbortSignal,
): Promise<Map<TrialId, Snippet | undefined>> {
  const words = parseQueryTerms(query);
  const found = new Map<TrialId, Snippet | undefined>();
  for (const trial of trials) {
    signal?.throwIfAborted();
    const texts: SearchText[] = [
      ...textsOfTrial(trial),
      ...textsOfCases(await records.ofTrial('cases', trial.id)),
    ];
    const names = [trial.title, ...modelsOf(trial)].join('\n');
    const seen = new Set(findMatchingTerms(names, words));
    let best: { text: SearchText; words: number } | undefined;
    for (const text of texts) {
      const inside = findMatchingTerms(text.text, words);
      for (const word of inside) seen.add(word);
      if (inside.length > (best?.words ?? 0)) best = { text, words: inside.length };
    }
    if (seen.size === words.length) found.set(trial.id, best && buildSnippet(best.text, words));
  }
  return found;
}

function textsOfTrial({ messages, columns }: Trial): SearchText[] {
  return [
    ...[...messages, ...columns.flatMap((column) => column.messages ?? [])].map(({ content }) =>
      getContentText(content),
    ),
    ...columns.map(({ setup }) => setup.system),
  ].map((text) => ({ source: 'prompt', text }));
}

function textsOfCases(blocks: readonly unknown[]): SearchText[] {
  return blocks.flatMap((block) => {
    const cases = getOwnProperty(block, 'cases');
    if (!Array.isArray(cases)) return [];
    return cases.map((each): SearchText => ({
      source: 'prompt',
      text: Object.values(getOwnProperty(each, 'values') ?? {})
        .filter((value) => typeof value === 'string')
        .join('\n'),
    }));
  });
}
