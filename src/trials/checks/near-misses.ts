/** Finds answers that fail only because of differences which their check can ignore, such as case. */
import { maxHeadChars } from '../cell.ts';
import type { Case, Cell, Check } from '../trial.ts';
import { parseCheckSettings } from './check-settings.ts';
import { getExpectedText, isExcluded, scoreText } from './score-answer.ts';

const nearMissSettings = ['ignoreCase', 'ignoreLastStop', 'ignoreQuotes'] as const;
/** Setting of a check that ignores a difference. */
export type NearMissSetting = (typeof nearMissSettings)[number];

/** Answers that would pass with these settings. */
export interface NearMisses {
  answers: number;
  settings: NearMissSetting[];
}

type NearMissFinder = (
  cell: Pick<Cell, 'head' | 'scores'>,
  values: Case['values'],
) => readonly NearMissSetting[];

/**
 * Returns a function that lists the settings with which a failed answer would pass; none if it passed, or if no setting
 * is enough. Answers that are longer than the head of their cell are not examined.
 */
export function createNearMissFinder(check: Check): NearMissFinder {
  const settings = parseCheckSettings(check);
  if (settings?.kind !== 'equals' && settings?.kind !== 'one of' && settings?.kind !== 'contains')
    return () => [];
  const available = nearMissSettings.filter(
    (name) => (settings.kind !== 'contains' || name === 'ignoreCase') && check.settings[name] !== true,
  );
  return ({ head, scores }, values) => {
    const score = scores[check.id];
    if (score?.result !== 'failed' || head.length >= maxHeadChars || isExcluded(check, values)) return [];
    const expected = getExpectedText(check, values) ?? '';
    const expectedTexts = settings.kind === 'equals' ? [expected] : expected.split('\n');
    // Most wrong answers are ruled out here, because scoring them takes longer.
    const foldedHead = foldText(head);
    if (!expectedTexts.some((text) => foldedHead.includes(foldText(text)))) return [];
    const apply = (names: readonly NearMissSetting[]) =>
      scoreText({ ...settings, ...Object.fromEntries(names.map((name) => [name, true])) }, expected, {
        text: head,
      });
    const canPass = (names: readonly NearMissSetting[]): boolean => apply(names).result === 'passed';
    // With another reason, the check has not compared the head, for example because the answer is not JSON.
    if (!canPass(available) || apply([]).why !== score.why) return [];
    return available.reduce(
      (needed, name) => {
        const others = needed.filter((other) => other !== name);
        return canPass(others) ? others : needed;
      },
      [...available],
    );
  };
}

/** Returns the letters and digits in lower case, which no setting ignores. */
function foldText(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Sums up the settings of all near misses; `undefined` without any. */
export function sumNearMisses(
  settingsByAnswer: Iterable<readonly NearMissSetting[]>,
): NearMisses | undefined {
  const lists = [...settingsByAnswer];
  if (lists.length === 0) return undefined;
  const neededSettings = new Set(lists.flat());
  return {
    answers: lists.length,
    settings: nearMissSettings.filter((name) => neededSettings.has(name)),
  };
}
