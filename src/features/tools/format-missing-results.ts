import type { LaneResults } from '../../conversation/request/pending-tool-results.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { formatList, pluralize } from '../../lib/format.ts';

/**
 * Describes missing results, such as "Lane B still needs a result for lookup_order."; with one lane, whose cards are
 * all visible, only the number of results. Returns `undefined` if none are missing.
 */
export function formatMissingResults(
  laneResults: readonly LaneResults[],
  laneIds: readonly LaneId[],
): string | undefined {
  const lettersByNeed = new Map<string, string[]>();
  let count = 0;
  for (const { lane, results, missingCount } of laneResults) {
    if (missingCount === 0) continue;
    count += missingCount;
    const names = results.filter((result) => !result.isReady).map((result) => result.identity.name);
    const need = formatList(
      [...new Set(names)].map((name) =>
        formatNameWithCount(name, names.filter((item) => item === name).length),
      ),
    );
    lettersByNeed.set(need, [
      ...(lettersByNeed.get(need) ?? []),
      getLaneLetter(laneIds.indexOf(lane.laneId)),
    ]);
  }
  if (count === 0) return undefined;
  if (laneIds.length === 1) return `Add ${pluralize(count, 'result')} first.`;
  const sentences = [...lettersByNeed].map(([need, letters]) => {
    const names = formatLaneNames(letters);
    return `L${names.slice(1)} still ${letters.length === 1 ? 'needs' : 'need'} a result for ${need}.`;
  });
  return sentences.join(' ');
}

/** Formats lane letters as "lane A" or "lanes A and B". */
export function formatLaneNames(letters: readonly string[]): string {
  return `${letters.length === 1 ? 'lane' : 'lanes'} ${formatList(letters)}`;
}

function formatNameWithCount(name: string, count: number): string {
  return count === 1 ? name : `${name} (${count})`;
}
