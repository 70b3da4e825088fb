import type { Turn } from '../../conversation/session/types.ts';
import { useRunServices, useSessionServices } from '../../state/contexts.tsx';
import { inspectTurn } from '../../state/runs/inspector-actions.ts';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Activity } from '../../ui/icons.tsx';

/** Button that opens the inspector for this answer. */
export function InspectButton({ turn }: { turn: Turn }) {
  const { inspector } = useRunServices();
  const { session } = useSessionServices();
  const open = () => {
    const data = getCurrentSession(session.getState());
    if (data) inspectTurn(inspector, data, turn);
  };
  return (
    <IconButton label="Inspect" size="small" onClick={open}>
      <Activity className="icon-14" aria-hidden />
    </IconButton>
  );
}
