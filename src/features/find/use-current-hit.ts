import { useState } from 'react';

import type { Hit, TextKind } from '../../conversation/find/hits.ts';
import { useFind } from '../../state/contexts.tsx';

/** Returns the current hit if it is in this message. */
export function useCurrentHit(messageKey: string): Hit | undefined {
  return useFind(({ sessionId, currentHit }) =>
    sessionId !== undefined && currentHit?.messageKey === messageKey ? currentHit : undefined,
  );
}

/**
 * Returns whether a part of a message is expanded: as last set by the user, and automatically if the part contains a
 * hit.
 */
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
