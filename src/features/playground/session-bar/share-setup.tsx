import { useState } from 'react';

import { usePlayground, useSession, useSessionShallow } from '../../../state/use-playground.tsx';
import { ShareDialog } from './share-dialog.tsx';

/** Share dialog of the current session, opened by a command. */
export function ShareSetup({ onClose }: { onClose: () => void }) {
  const { drafts } = usePlayground();
  const sessionId = useSession((data) => data.session.id) ?? '';
  const [draft] = useState(() => drafts.state.getState()[sessionId]?.text ?? '');
  const lanes =
    useSessionShallow((data) => data.session.laneIds.flatMap((laneId) => data.lanes[laneId] ?? [])) ?? [];
  return <ShareDialog lanes={lanes} draft={draft} onClose={onClose} />;
}
