import { useQuery } from '@tanstack/react-query';

import { pluralize } from '../../../lib/format.ts';
import { countCases } from '../../../trials/trial.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFullTrialState, useTrial } from '../use-trial.ts';

/** Says how many cases of a draft are nearly the same as another, and offers to count each group of them as one. */
export function SimilarCases() {
  const trial = useTrial();
  const { trial: data } = useFullTrialState();
  const isGroupable = data.plan === undefined && data.groupField === undefined;
  const { data: groups = [] } = useQuery({
    queryKey: ['similar cases', trial.id, data.batches, data.messages],
    queryFn: trial.findSimilarCases,
    enabled: isGroupable && countCases(data) > 1,
    gcTime: 0,
  });
  if (!isGroupable || groups.length === 0) return null;
  const count = groups.flat().length;
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-pretty text-warn-ink">
      {count} of {pluralize(countCases(data), 'case')} are nearly the same as another. Counted one by one,
      they can make a difference look certain that is not.
      <Button size="small" onClick={() => trial.groupCases(groups)}>
        Group similar cases
      </Button>
    </p>
  );
}
