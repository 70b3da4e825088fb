import { useMemo } from 'react';

import { createMessageActions, type MessageActions } from '../../../state/message-actions.ts';
import { usePlayground } from '../../../state/react.tsx';

/** What can be written into a conversation by hand. */
export function useMessageActions(): MessageActions {
  const { session, environment } = usePlayground();
  return useMemo(() => createMessageActions(session, environment), [session, environment]);
}
