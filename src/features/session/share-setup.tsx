import { useState } from 'react';

import { useSession, useSessionShallow, useSessionServices } from '../../state/contexts.tsx';
import { ShareDialog } from './share-dialog.tsx';

/** Share dialog of the current session, opened by a command. */
export function ShareSetup({ onClose }: { onClose: () => void }) {
  const { drafts } = useSessionServices();
  const sessionId = useSession((data) => data.session.id) ?? '';
  const [draft] = useState(() => drafts.state.getState()[sessionId]?.text ?? '');
  const lanes =
    useSessionShallow((data) => data.session.laneIds.flatMap((laneId) => data.lanes[laneId] ?? [])) ?? [];
  const variables = useSession((data) => data.session.variables);
  return <ShareDialog lanes={lanes} draft={draft} variables={variables} onClose={onClose} />;
}
