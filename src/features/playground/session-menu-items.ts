import type { Actions } from '../../state/actions.ts';
import type { Library } from '../../state/library.ts';
import type { Router } from '../../state/route.ts';
import type { MenuItem } from '../../ui/menu.tsx';

interface Parts {
  actions: Actions;
  library: Library;
  router: Router;
  sessionId: string;
  onRename: () => void;
}

/** What the session menu offers. */
export function sessionMenuItems({ actions, library, router, sessionId, onRename }: Parts): MenuItem[] {
  const duplicate = async () => {
    const copy = await library.duplicate(sessionId);
    if (copy !== undefined) router.go({ screen: 'playground', sessionId: copy });
  };
  return [
    { label: 'Rename', onPick: onRename },
    { label: 'Duplicate', onPick: () => void duplicate() },
    { label: 'Delete', danger: true, startsGroup: true, onPick: () => void actions.deleteSession() },
  ];
}
