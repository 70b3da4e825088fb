import { ChevronDown } from 'lucide-react';

import { orTellProblem } from '../../../state/notices.ts';
import { usePlayground } from '../../../state/react.tsx';
import { iconButtonLook } from '../../../ui/controls/icon-button.tsx';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import { importChosenFile, saveSession, saveTapesOf } from '../files/session-files.ts';
import { sessionMenu } from '../places.ts';

interface SessionMenuProps {
  sessionId: string;
  onRename: () => void;
  onShare: () => void;
}

/** What can be done with the session, beside its title. Export gives the record that can be imported again. */
export function SessionMenu({ sessionId, onRename, onShare }: SessionMenuProps) {
  const playground = usePlayground();
  const { actions } = playground;

  const tell = (act: Promise<unknown>) => orTellProblem(playground.notices, act);
  const items: MenuItem[] = [
    { label: 'Rename', onPick: onRename },
    { label: 'Duplicate', onPick: () => tell(actions.duplicateSession(sessionId)) },
    {
      label: 'Share answers',
      hint: 'one HTML file',
      startsGroup: true,
      onPick: () => tell(saveSession(playground, sessionId, 'html')),
    },
    { label: 'Share setup', hint: 'a link', onPick: onShare },
    {
      label: 'Export',
      hint: 'JSON',
      startsGroup: true,
      onPick: () => tell(saveSession(playground, sessionId, 'json')),
    },
    { label: 'Save as Markdown', onPick: () => tell(saveSession(playground, sessionId, 'md')) },
    { label: 'Save recordings', hint: 'JSON Lines', onPick: () => tell(saveTapesOf(playground, sessionId)) },
    { label: 'Import', onPick: () => importChosenFile(playground) },
    { label: 'Delete', danger: true, startsGroup: true, onPick: () => tell(actions.deleteSession()) },
  ];

  return (
    <Menu
      label="Session menu"
      place={sessionMenu}
      placement="start"
      className={iconButtonLook()}
      items={items}
    >
      <ChevronDown className="icon-14" aria-hidden />
    </Menu>
  );
}
