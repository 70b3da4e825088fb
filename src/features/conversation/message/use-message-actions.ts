import { useMemo } from 'react';

import { useSessionServices, useAppServices } from '../../../state/contexts.tsx';
import { createMessageActions, type MessageActions } from '../../../state/sessions/message-actions.ts';

/** Returns the actions that add messages by hand. */
export function useMessageActions(): MessageActions {
  const { session } = useSessionServices();
  const { environment } = useAppServices();
  return useMemo(() => createMessageActions(session, environment), [session, environment]);
}
