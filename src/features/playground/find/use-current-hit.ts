import { useState } from 'react';

import type { Hit, TextKind } from '../../../conversation/find/hits.ts';
import { useFind } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';

/** The look of a message with the hit that one is at. */
export const foundLook = classes('data-hit:shadow-[inset_3px_0_0_var(--needle)]');

/** The hit that one is at, where it is in this message. */
export function useFound(message: string): Hit | undefined {
  return useFind(({ sessionId, currentHit }) =>
    sessionId !== undefined && currentHit?.message === message ? currentHit : undefined,
  );
}

/** Whether a part of a message is folded out: as the person chose last, and at once where a hit is in it. */
export function useUnfolded(
  message: string,
  kind: TextKind,
): [chosen: boolean | undefined, choose: (isOpen: boolean) => void] {
  const [chosen, setChosen] = useState<boolean>();
  const hit = useFound(message);
  const isFound = hit?.kind === kind;
  const [wasFound, setWasFound] = useState(false);
  if (isFound !== wasFound) {
    setWasFound(isFound);
    if (isFound) setChosen(true);
  }
  return [chosen, setChosen];
}
