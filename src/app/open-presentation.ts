import { getTrialShortcuts } from '../features/trials/trial-view.ts';
import type { CommandContext } from './commands/command.ts';

/** Presents the current trial; without one, the open session. */
export function openPresentation({
  lazyTrials,
  pageState,
}: Pick<CommandContext, 'lazyTrials' | 'pageState'>): void {
  const shortcuts = getTrialShortcuts(lazyTrials);
  if (shortcuts) shortcuts.view.setState({ dialog: { name: 'presentation' } });
  else pageState.setState({ openOverlay: 'presentation' });
}
