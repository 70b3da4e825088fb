import { clsx } from 'clsx';

import { useSession, useView } from '../../state/contexts.tsx';
import { useSessionCost } from '../models/use-model-price.ts';

/**
 * Cost of all answers of the session. Hidden while the names of several lanes are hidden, because it would identify the
 * models.
 */
export function SessionCost({ className, hasLabel = false }: { className: string; hasLabel?: boolean }) {
  const cost = useSessionCost();
  const namesHidden = useView((view) => view.namesHidden);
  const hasSeveralLanes = useSession((data) => data.session.laneIds.length > 1) ?? false;
  if (!cost || (namesHidden && hasSeveralLanes)) return null;
  return (
    <span
      className={clsx('flex-none text-12 whitespace-nowrap text-ink-2', className)}
      title={`All answers of this session, including other versions. ${cost.description}`}
    >
      <span className={clsx(!hasLabel && 'sr-only')}>Cost of this session: </span>
      {cost.text}
      {cost.omissionText !== undefined && (
        <span className="text-ink-3 phone:@max-[1400px]/session-bar:sr-only">, {cost.omissionText}</span>
      )}
    </span>
  );
}
