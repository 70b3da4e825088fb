import { ChevronDown } from 'lucide-react';
import { useRef } from 'react';

import { orTellProblem } from '../../../state/notices.ts';
import { usePlayground } from '../../../state/react.tsx';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import type { SessionForm } from '../files/save-session.ts';
import { importSessions, saveSession, saveTapesOf } from '../files/session-files.ts';

interface SessionMenuProps {
  sessionId: string;
  title: string;
  onRename: () => void;
  onShare: () => void;
}

/** The session's title and what can be done with it. Export gives the record that can be imported again. */
export function SessionMenu({ sessionId, title, onRename, onShare }: SessionMenuProps) {
  const playground = usePlayground();
  const { actions } = playground;
  const input = useRef<HTMLInputElement>(null);

  const tell = (act: Promise<unknown>) => orTellProblem(playground.notices, act);
  const save = (form: SessionForm) => saveSession(playground, sessionId, form);
  const items: MenuItem[] = [
    { label: 'Rename', onPick: onRename },
    { label: 'Duplicate', onPick: () => tell(actions.duplicateSession(sessionId)) },
    { label: 'Share', startsGroup: true, onPick: onShare },
    { label: 'Export', onPick: () => tell(save('json')) },
    { label: 'Save as Markdown', onPick: () => tell(save('md')) },
    { label: 'Save as HTML page', onPick: () => tell(save('html')) },
    { label: 'Save recordings', hint: 'JSON Lines', onPick: () => tell(saveTapesOf(playground, sessionId)) },
    { label: 'Import', onPick: () => input.current?.click() },
    { label: 'Delete', danger: true, startsGroup: true, onPick: () => tell(actions.deleteSession()) },
  ];

  return (
    <>
      <Menu label="Session menu" placement="start" className="session-title" items={items}>
        <span className="words" dir="auto">
          {title}
        </span>
        <ChevronDown className="i s" aria-hidden />
      </Menu>
      <input
        ref={input}
        type="file"
        accept=".json,.jsonl,application/json,application/jsonl"
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file) tell(importSessions(playground, file));
        }}
      />
    </>
  );
}
