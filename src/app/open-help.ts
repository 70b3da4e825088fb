import { parseHelpLink, type HelpTarget } from '../lib/help-link.ts';
import type { ViewStore } from '../state/sessions/view-store.ts';

/** Opens the help at a section, else at the section that an element around the focus names in `data-help`. */
export function openHelp(view: ViewStore, target?: HelpTarget): void {
  const topic = document.activeElement?.closest<HTMLElement>('[data-help]')?.dataset['help'] ?? '';
  view.setState({
    help: {
      target: target ?? parseHelpLink(topic),
      isOverDialog: document.querySelector('dialog[open]') !== null,
    },
    isParametersOverlayOpen: false,
  });
}
