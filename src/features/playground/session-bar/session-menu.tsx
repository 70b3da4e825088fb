import { runAndReport } from '../../../state/notices.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import { usePlayground, useSessionShallow } from '../../../state/use-playground.tsx';
import { iconButtonVariants } from '../../../ui/controls/icon-button.tsx';
import { ChevronDown } from '../../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import { importFromDialog } from '../files/session-file-actions.ts';
import { sessionMenu } from '../playground-focus-targets.ts';
import { sessionMenuItems } from './session-menu-items.ts';

/** Menu of the session beside its title. */
export function SessionMenu({ onRename }: { onRename: () => void }) {
  const playground = usePlayground();
  const reasons = useSessionShallow((data) =>
    sessionMenuItems.map(({ getDisabledReason }) => getDisabledReason?.(data)),
  );
  const items = sessionMenuItems.map(({ label, hint, startsGroup, isDestructive, run }, index): MenuItem => {
    const reason = reasons?.[index];
    return {
      label,
      onPick: () => {
        const data = getCurrentSession(playground.session.getState());
        if (data) void runAndReport(playground.notices, () => run(playground, data));
      },
      ...(hint === undefined ? {} : { hint }),
      ...(startsGroup ? { startsGroup } : {}),
      ...(isDestructive ? { isDestructive: true } : {}),
      ...(reason === undefined ? {} : { disabledReason: reason }),
    };
  });
  // Import opens a file dialog and does not need an open session.
  items.splice(-1, 0, { label: 'Import', onPick: () => importFromDialog(playground) });
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
