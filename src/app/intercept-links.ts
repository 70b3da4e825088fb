import { parseHelpLink } from '../lib/help-link.ts';
import { parseRoute, type Router } from '../state/route.ts';
import type { ViewStore } from '../state/sessions/view-store.ts';
import { openHelp } from './open-help.ts';
import { findScreen } from './screens.tsx';

/** Handles plain clicks on links to the app's screens and to its help without reloading the page. */
export function interceptLinks(router: Router, view: ViewStore): void {
  document.addEventListener('click', (event) => {
    const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || event.button !== 0 || hasModifier) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target !== '' || link.download !== '' || link.origin !== window.origin) return;
    const helpTarget = parseHelpLink(link.hash);
    if (helpTarget) {
      event.preventDefault();
      return openHelp(view, helpTarget);
    }
    const route = parseRoute(link.pathname);
    if (!findScreen(route) || link.hash !== '') return;
    event.preventDefault();
    router.navigate(route);
  });
}
