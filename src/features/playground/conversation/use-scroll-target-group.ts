import { useEffect } from 'react';

import type { PromptRow } from '../../../conversation/session/prompt-rows.ts';
import { useFind } from '../../../state/contexts.tsx';

/** Mounts the group that contains the scroll target immediately and returns its index; -1 without a target. */
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
