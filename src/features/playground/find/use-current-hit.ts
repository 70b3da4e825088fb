import { useState } from 'react';

import type { Hit, TextKind } from '../../../conversation/find/hits.ts';
import { useFind } from '../../../state/use-playground.tsx';
import { cn } from '../../../ui/cn.ts';

/** The look of a message with the hit that one is at. */
export const foundLook = cn('data-hit:shadow-[inset_3px_0_0_var(--needle)]');

/** The hit that one is at, where it is in this message. */
export function useCurrentHit(messageKey: string): Hit | undefined {
  return useFind(({ sessionId, currentHit }) =>
    sessionId !== undefined && currentHit?.messageKey === messageKey ? currentHit : undefined,
  );
}

/** Whether a part of a message is folded out: as the person chose last, and at once where a hit is in it. */
export function useExpanded(
  messageKey: string,
  kind: TextKind,
): [chosen: boolean | undefined, choose: (isOpen: boolean) => void] {
  const [isExpanded, setIsExpanded] = useState<boolean>();
  const hit = useCurrentHit(messageKey);
  const hasHit = hit?.kind === kind;
  const [hadHit, setHadHit] = useState(false);
  if (hasHit !== hadHit) {
    setHadHit(hasHit);
    if (hasHit) setIsExpanded(true);
  }
  return [isExpanded, setIsExpanded];
}
