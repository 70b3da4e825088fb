import { useEffect } from 'react';

import type { PromptRow } from '../../../conversation/session/prompt-rows.ts';
import { useFind } from '../../../state/use-playground.tsx';

/** The group with the turn that is gone to, which comes into the page at once; -1 where nothing is. */
export function useScrollTargetGroup(
  groups: readonly (readonly PromptRow[])[],
  mountNow: (index: number) => void,
): number {
  const scrollTarget = useFind((find) => find.scrollTarget);
  const index = scrollTarget
    ? groups.findIndex((rows) => rows.some(({ promptId }) => promptId === scrollTarget.promptId))
    : -1;
  useEffect(() => {
    if (index >= 0) mountNow(index);
  }, [index, mountNow]);
  return index;
}
