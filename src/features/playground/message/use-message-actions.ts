import { useMemo } from 'react';

import { usePlayground } from '../../../state/react.tsx';
import { createMessageActions, type MessageActions } from '../../../state/sessions/message-actions.ts';

/** What can be written into a conversation by hand. */
export function useMessageActions(): MessageActions {
  const { session, environment } = usePlayground();
  return useMemo(() => createMessageActions(session, environment), [session, environment]);
}
