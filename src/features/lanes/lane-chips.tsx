import { clsx } from 'clsx';

import { findDifferingParams } from '../../conversation/session/differing-params.ts';
import type { ParamName, Params } from '../../conversation/setup/params.ts';
import { formatCount } from '../../lib/format.ts';
import { useSessionShallow } from '../../state/contexts.tsx';
import { Chip } from '../../ui/display/tag.tsx';

/** Values of this lane that differ from most lanes. `isTruncated`: chips shrink to fit. */
export function LaneChips({ laneId, isTruncated = false }: { laneId: string; isTruncated?: boolean }) {
  const chips = useSessionShallow((data) => {
    const params = data.session.laneIds.map((id) => data.lanes[id]?.setup.params ?? {});
    const laneParams = data.lanes[laneId]?.setup.params ?? {};
    return findDifferingParams(params)
      .filter((name) => isUnusual(name, laneParams, params))
      .map((name) => `${name} ${formatLaneValue(laneParams, name)}`);
  });
  const [, ...hiddenChips] = chips ?? [];
  return (
    <>
      {chips?.map((chip, index) => (
        <Chip
          key={chip}
          isDifferent
          isTruncated={isTruncated}
          className={clsx(isTruncated && index > 0 && 'low:hidden')}
          title={chip}
        >
          {chip.length > 34 ? `${chip.slice(0, 33)}…` : chip}
        </Chip>
      ))}
      {hiddenChips.length > 0 && (
        <Chip
          isDifferent
          hidden
          className="flex-none phone:hidden low:inline-flex"
          title={hiddenChips.join(', ')}
        >
          +{hiddenChips.length}
        </Chip>
      )}
    </>
  );
}

function formatLaneValue(params: Params, name: ParamName): string {
  const setting = params[name];
  if (!setting?.sent) return 'not sent';
  return /^\d{4,}$/.test(setting.text) ? formatCount(Number(setting.text)) : setting.text;
}

/** Returns true if fewer lanes share this value than share another one, or if no value is the most common. */
function isUnusual(name: ParamName, laneParams: Params, allParams: readonly Params[]): boolean {
  const countSharing = (params: Params) =>
    allParams.filter((lane) => formatLaneValue(lane, name) === formatLaneValue(params, name)).length;
  const maxShared = Math.max(...allParams.map(countSharing));
  const commonValues = new Set(
    allParams.filter((lane) => countSharing(lane) === maxShared).map((lane) => formatLaneValue(lane, name)),
  );
  return countSharing(laneParams) < maxShared || commonValues.size > 1;
}
