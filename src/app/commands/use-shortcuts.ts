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

/**
 * Returns true if the browser handles undo in the focused field. Number fields of the sidebar leave undo to the app.
 */
function hasOwnUndo(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return isTyping(event) && !(target instanceof HTMLElement && target.dataset['undoneByApp'] !== undefined);
}

interface BindingOptions {
  isSingleKey?: boolean;
  yieldsToFields?: boolean;
  yieldsToBrowser?: boolean;
  worksOverOverlays?: boolean;
  allowsDefault?: boolean;
  isDisabled?: () => boolean;
}

/** Handles the app's shortcuts while the app is mounted. */
export function useShortcuts(context: CommandContext): void {
  useEffect(() => {
    const { actions, notices } = context;
    const bindings: Record<string, (event: KeyboardEvent) => void> = {};
    const bind = (
      key: string,
      action: () => void,
      {
        isSingleKey = false,
        yieldsToFields = false,
        yieldsToBrowser = false,
        worksOverOverlays = false,
        allowsDefault = false,
        isDisabled,
      }: BindingOptions = {},
    ) => {
      bindings[key] = (event) => {
        if (event.defaultPrevented || event.repeat) return;
        if (isSingleKey && (isTyping(event) || !context.prefs.getState().singleKeys)) return;
        if (yieldsToFields && hasOwnUndo(event)) return;
        if (!worksOverOverlays && isOverlayOpen()) return;
        // The browser uses these keys itself, so a disabled command must not block them.
        if ((isSingleKey || yieldsToBrowser) && isDisabled?.() === true) return;
        if (!allowsDefault) event.preventDefault();
        action();
      };
    };
    // Several screens may share a key, so the command that is currently enabled runs.
    for (const key of new Set(commands.flatMap((command) => command.bindings ?? []))) {
      const matchingCommands = commands.filter((command) => command.bindings?.includes(key));
      const findEnabledCommand = () =>
        matchingCommands.find((command) => command.getDisabledReason?.(context) === undefined);
      const action = () => {
        const command = findEnabledCommand();
        if (command) void runAndReport(notices, () => command.run(context));
      };
      const isSingleKey = matchingCommands.some((command) => command.isSingleKey === true);
      const yieldsToFields = matchingCommands.some((command) => command.yieldsToFields === true);
      const yieldsToBrowser = matchingCommands.some((command) => command.yieldsToBrowser === true);
      const worksOverOverlays = matchingCommands.some((command) => command.worksOverOverlays === true);
      const isDisabled = () => findEnabledCommand() === undefined;
      bind(key, action, { isSingleKey, yieldsToFields, yieldsToBrowser, worksOverOverlays, isDisabled });
    }
    bind('Escape', () => void runAndReport(notices, () => actions.stop()), { allowsDefault: true });
    const unbind = tinykeys(window, bindings);
    // Typing or dragging after this starts a new undo step.
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
