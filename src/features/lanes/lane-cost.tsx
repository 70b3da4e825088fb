import { clsx } from 'clsx';

import type { LaneId } from '../../conversation/session/types.ts';
import { useView } from '../../state/contexts.tsx';
import { useLaneCost, useSessionCost } from '../models/use-model-price.ts';

/**
 * Cost of the shown answers of a lane, if the session has any. Hidden while names are hidden, because it would identify
 * the model.
 */
export function LaneCost({ laneId, className }: { laneId: LaneId; className?: string }) {
  const cost = useLaneCost(laneId);
  const hasAnyCost = useSessionCost() !== undefined;
  const namesHidden = useView((view) => view.namesHidden);
  if (namesHidden || !cost || !hasAnyCost) return null;
  return (
    <span
      className={clsx('min-w-0 truncate text-12 text-ink-2', className)}
      title={`Answers shown in this lane. ${cost.description}`}
    >
      <span className="sr-only">Cost of this lane: </span>
      {cost.text}
      {cost.isKnown && cost.omissionText !== undefined && (
        <span className="sr-only">, {cost.omissionText}</span>
      )}
    </span>
  );
}
