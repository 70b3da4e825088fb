import { useSessionShallow, useSessionServices, useAppServices } from '../../../state/contexts.tsx';
import { runAndReport } from '../../../state/notices.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import { iconButtonVariants } from '../../../ui/controls/icon-button.tsx';
import { ChevronDown } from '../../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import { importFromDialog, useSessionFileServices } from '../files/session-file-actions.ts';
import { sessionMenu } from '../playground-focus-targets.ts';
import { sessionMenuItems } from './session-menu-items.ts';

/** Menu of the session beside its title. */
export function SessionMenu({ onRename }: { onRename: () => void }) {
  const { session, actions, view } = useSessionServices();
  const { notices } = useAppServices();
  const fileServices = useSessionFileServices();
  const reasons = useSessionShallow((data) =>
    sessionMenuItems.map(({ getDisabledReason }) => getDisabledReason?.(data)),
  );
  const items = sessionMenuItems.map(({ label, hint, startsGroup, isDestructive, run }, index): MenuItem => {
    const reason = reasons?.[index];
    return {
      label,
      onPick: () => {
        const data = getCurrentSession(session.getState());
        if (data) void runAndReport(notices, () => run({ ...fileServices, actions, view }, data));
      },
      ...(hint === undefined ? {} : { hint }),
      ...(startsGroup ? { startsGroup } : {}),
      ...(isDestructive ? { isDestructive: true } : {}),
      ...(reason === undefined ? {} : { disabledReason: reason }),
    };
  });
  // Import opens a file dialog and does not need an open session.
  items.splice(-1, 0, { label: 'Import', onPick: () => importFromDialog(fileServices) });
  items.unshift({ label: 'Rename', onPick: onRename });

  return (
    <Menu
      label="Session menu"
      focusTarget={sessionMenu}
      placement="start"
      className={iconButtonVariants()}
      items={items}
    >
      <ChevronDown className="icon-14" aria-hidden />
    </Menu>
  );
}
