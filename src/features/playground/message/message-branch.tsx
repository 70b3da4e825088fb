import { maxLanes } from '../../../conversation/session/lanes.ts';
import type { TurnId } from '../../../conversation/session/types.ts';
import { useSession, useSessionServices, useAppServices } from '../../../state/contexts.tsx';
import { reportFailure } from '../../../state/notices.ts';
import { iconButtonVariants } from '../../../ui/controls/icon-button.tsx';
import { GitBranch } from '../../../ui/icons.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';

/** Menu that branches the conversation, up to and including this message, into a lane or a new session. */
export function MessageBranch({ turnId, branchPoint }: { turnId: TurnId; branchPoint: 'prompt' | 'reply' }) {
  const { actions } = useSessionServices();
  const { notices } = useAppServices();
  const isLaneLimitReached = useSession((data) => data.session.laneIds.length >= maxLanes) ?? false;
  return (
    <Menu
      label="Branch"
      className={iconButtonVariants({ size: 'small' })}
      items={[
        {
          label: 'Into a new lane',
          onPick: () => actions.branchToLane(turnId, branchPoint),
          ...(isLaneLimitReached ? { disabledReason: `Limit: ${maxLanes} lanes` } : {}),
        },
        {
          label: 'Into a new session',
          onPick: () => reportFailure(notices, actions.branchToSession(turnId, branchPoint)),
        },
      ]}
    >
      <GitBranch className="icon-14" aria-hidden />
    </Menu>
  );
}
