import { useEffect } from 'react';

import type { Row } from '../../../conversation/session/rows.ts';
import { useFind } from '../../../state/react.tsx';

/** Brings the group with the turn that is gone to into the page at once. */
export function useGoalGroup(groups: readonly (readonly Row[])[], mountNow: (index: number) => void): void {
  const goal = useFind((find) => find.goal);
  useEffect(() => {
    const index = groups.findIndex((rows) => rows.some(({ promptId }) => promptId === goal?.promptId));
    if (index >= 0) mountNow(index);
  }, [goal, groups, mountNow]);
}
