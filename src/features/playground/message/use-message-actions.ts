import { useMemo } from 'react';

import { createMessageActions, type MessageActions } from '../../../state/sessions/message-actions.ts';
import { usePlayground } from '../../../state/use-playground.tsx';

/** Returns the actions that add messages by hand. */
export function useMessageActions(): MessageActions {
  const { session, environment } = usePlayground();
  return useMemo(() => createMessageActions(session, environment), [session, environment]);
}
