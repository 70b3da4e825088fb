import { useEffect } from 'react';
import { tinykeys } from 'tinykeys';

import { runAndReport } from '../../state/notices.ts';
import { isOverlayOpen } from '../../ui/overlays/is-overlay-open.ts';
import type { CommandContext } from './command.ts';
import { commands } from './commands.ts';

function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=range], [type=button])')
  );
}

/** The numbers of the sidebar are the setup itself; any other field undoes what was typed in it. */
function undoesItself(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return isTyping(event) && !(target instanceof HTMLElement && target.dataset['undoneByApp'] !== undefined);
}

interface BindingOptions {
  isSingle?: boolean;
  isLeftToFields?: boolean;
  isSharedWithBrowser?: boolean;
  keepsDefault?: boolean;
  isBlocked?: () => boolean;
}

/** Listens for the app's own keys, as long as the app is on screen. */
export function useShortcuts(context: CommandContext): void {
  useEffect(() => {
    const { actions, notices } = context.playground;
    const bindings: Record<string, (event: KeyboardEvent) => void> = {};
    const bind = (
      key: string,
      act: () => void,
      {
        isSingle = false,
        isLeftToFields = false,
        isSharedWithBrowser = false,
        keepsDefault = false,
        isBlocked,
      }: BindingOptions = {},
    ) => {
      bindings[key] = (event) => {
        if (event.defaultPrevented || event.repeat) return;
        if (isSingle && (isTyping(event) || !context.playground.prefs.getState().singleKeys)) return;
        if (isLeftToFields && undoesItself(event)) return;
        if (isOverlayOpen()) return;
        // The browser has uses of its own for single keys, and for some others.
        if ((isSingle || isSharedWithBrowser) && isBlocked?.() === true) return;
        if (!keepsDefault) event.preventDefault();
        act();
      };
    };
    // Screens may use the same keys: then the command that can run now is meant.
    for (const key of new Set(commands.flatMap((command) => command.bindings ?? []))) {
      const sharing = commands.filter((command) => command.bindings?.includes(key));
      const meant = () => sharing.find((command) => command.blockedBy?.(context) === undefined);
      const act = () => {
        const command = meant();
        if (command) void runAndReport(notices, () => command.run(context));
      };
      const isSingle = sharing.some((command) => command.isSingle === true);
      const isLeftToFields = sharing.some((command) => command.isLeftToFields === true);
      const isSharedWithBrowser = sharing.some((command) => command.isSharedWithBrowser === true);
      const isBlocked = () => meant() === undefined;
      bind(key, act, { isSingle, isLeftToFields, isSharedWithBrowser, isBlocked });
    }
    bind('Escape', () => void runAndReport(notices, () => actions.stop()), { keepsDefault: true });
    const unbind = tinykeys(window, bindings);
    // What is typed or dragged next is an edit of its own.
    const { endSetupStep } = actions;
    window.addEventListener('focusout', endSetupStep);
    window.addEventListener('pointerup', endSetupStep);
    return () => {
      unbind();
      window.removeEventListener('focusout', endSetupStep);
      window.removeEventListener('pointerup', endSetupStep);
    };
  }, [context]);
}
