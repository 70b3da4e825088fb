import type { LaneResults } from '../../../conversation/request/pending-tool-results.ts';
import { getLaneLetter } from '../../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { pluralize } from '../../../lib/format.ts';

/**
 * "Lane B still needs a result for lookup_order." With one lane, whose cards are all in sight, how many are to
 * be written. Undefined where every call has one.
 */
export function missingWords(
  waiting: readonly LaneResults[],
  laneIds: readonly LaneId[],
): string | undefined {
  const lettersByNeed = new Map<string, string[]>();
  let count = 0;
  for (const { lane, results, missingCount } of waiting) {
    if (missingCount === 0) continue;
    count += missingCount;
    const names = results.filter((answer) => !answer.isReady).map((answer) => answer.identity.name);
    const need = listed(
      [...new Set(names)].map((name) => timesWords(name, names.filter((each) => each === name).length)),
    );
    lettersByNeed.set(need, [
      ...(lettersByNeed.get(need) ?? []),
      getLaneLetter(laneIds.indexOf(lane.laneId)),
    ]);
  }
  if (count === 0) return undefined;
  if (laneIds.length === 1) return `Add ${pluralize(count, 'result')} first.`;
  const sentences = [...lettersByNeed].map(([need, letters]) => {
    const names = laneNames(letters);
    return `L${names.slice(1)} still ${letters.length === 1 ? 'needs' : 'need'} a result for ${need}.`;
  });
  return sentences.join(' ');
}

/** "lane A", "lanes A and B" */
export function laneNames(letters: readonly string[]): string {
  return `${letters.length === 1 ? 'lane' : 'lanes'} ${listed(letters)}`;
}

function timesWords(name: string, count: number): string {
  return count === 1 ? name : `${name} (${count})`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
