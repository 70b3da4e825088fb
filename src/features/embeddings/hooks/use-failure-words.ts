import { useQuery } from '@tanstack/react-query';

import type { ItemFailure } from '../../../state/embedding/embedding-job-types.ts';
import { labActs } from '../lab/load-acts.ts';

/**
 * Why a text has no vector, in one sentence; the gateway's own words where it refused it. `isWanted`: there is such a
 * text. The words are fetched then: until they are here, one sentence stands for all.
 */
export function useFailureWords(isWanted: boolean): (failure: ItemFailure) => string {
  const { data: faults } = useQuery({
    queryKey: ['lab', 'faults'],
    queryFn: async () => (await labActs()).faultWords,
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return (failure) =>
    'refusal' in failure
      ? `Rejected: ${failure.refusal.message}`
      : (faults?.[failure.fault] ?? 'Its vector cannot be used.');
}
