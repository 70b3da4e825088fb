import { Activity } from 'lucide-react';

import type { Turn } from '../../../conversation/types.ts';
import { inspectTurn } from '../../../state/inspector-moves.ts';
import { usePlayground } from '../../../state/react.tsx';
import { currentSession } from '../../../state/session-store.ts';
import { IconButton } from '../../../ui/icon-button.tsx';

/** Opens the inspector on this answer. */
export function InspectButton({ turn }: { turn: Turn }) {
  const { inspector, session } = usePlayground();
  const open = () => {
    const data = currentSession(session.getState());
    if (data) inspectTurn(inspector, data, turn);
  };
  return (
    <IconButton label="Inspect" size="small" onClick={open}>
      <Activity className="i s" aria-hidden />
    </IconButton>
  );
}
