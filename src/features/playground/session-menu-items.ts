import type { Playground } from '../../state/playground.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { saveSession } from './save-session.ts';

interface Parts {
  playground: Playground;
  sessionId: string;
  onRename: () => void;
  onShare: () => void;
  onImport: () => void;
}

/** What the session menu offers. Export gives the record that can be imported; the other forms are for reading. */
export function sessionMenuItems({ playground, sessionId, onRename, onShare, onImport }: Parts): MenuItem[] {
  const { actions, library, router } = playground;
  const duplicate = async () => {
    await playground.recorder.flush();
    const copy = await library.duplicate(sessionId);
    if (copy !== undefined) router.go({ screen: 'playground', sessionId: copy });
  };
  return [
    { label: 'Rename', onPick: onRename },
    { label: 'Duplicate', onPick: () => void duplicate() },
    { label: 'Share', startsGroup: true, onPick: onShare },
    { label: 'Export', onPick: () => void saveSession(playground, sessionId, 'json') },
    { label: 'Save as Markdown', onPick: () => void saveSession(playground, sessionId, 'md') },
    { label: 'Save as HTML page', onPick: () => void saveSession(playground, sessionId, 'html') },
    { label: 'Import', onPick: onImport },
    { label: 'Delete', danger: true, startsGroup: true, onPick: () => void actions.deleteSession() },
  ];
}
