import { useEffect } from 'react';
import { tinykeys } from 'tinykeys';

import { toggleParameters } from '../features/playground/use-parameters-open.ts';
import type { Playground } from '../state/playground.ts';
import { usePlayground } from '../state/react.tsx';
import type { PageStateStore } from './page-state.ts';
import { shortcuts, type ShortcutAction } from './shortcuts.ts';

/** What Escape closes first. Tooltips and the undo bar do not hold it back. */
const overlays = 'dialog[open], [popover="auto"]:popover-open, .list:popover-open';

function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=range], [type=button])')
  );
}

function actionsOf(playground: Playground, pageState: PageStateStore): Record<ShortcutAction, () => void> {
  const { actions, router, inspector } = playground;
  return {
    'toggle-parameters': () => toggleParameters(playground),
    'toggle-inspector': () => inspector.setState(({ open }) => ({ open: !open })),
    'new-session': () => void actions.createSession(),
    'open-history': () => router.go({ screen: 'history' }),
    'show-keys': () => pageState.setState({ keysShown: true }),
    stop: () => void actions.stop(),
  };
}

/** Listens for the app's own keys, as long as the app is on screen. */
export function useShortcuts(pageState: PageStateStore): void {
  const playground = usePlayground();
  useEffect(() => {
    const does = actionsOf(playground, pageState);
    const bindings: Record<string, (event: KeyboardEvent) => void> = {};
    for (const { bindings: keys = [], does: name, isSingle } of shortcuts) {
      if (!name) continue;
      const act = (event: KeyboardEvent) => {
        if (event.defaultPrevented || event.isComposing || event.repeat) return;
        if (isSingle && (isTyping(event) || !playground.prefs.getState().singleKeys)) return;
        if (document.querySelector(overlays)) return;
        if (name !== 'stop') event.preventDefault();
        does[name]();
      };
      for (const key of keys) bindings[key] = act;
    }
    return tinykeys(window, bindings);
  }, [playground, pageState]);
}
