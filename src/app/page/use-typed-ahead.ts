import { useLayoutEffect } from 'react';

import type { PageStateStore } from '../page-state.ts';

/** Keeps what is typed for the command field while its code is on its way. */
export function useTypedAhead(pageState: PageStateStore): void {
  useLayoutEffect(() => {
    const keep = (event: KeyboardEvent) => {
      const { key } = event;
      if (event.ctrlKey || event.metaKey || event.isComposing || key === 'Tab') return;
      const typed = pageState.getState().typedAhead ?? '';
      // A letter of any script is one character, while the names of other keys are longer.
      if (Array.from(key).length === 1) pageState.setState({ typedAhead: typed + key });
      else if (key === 'Backspace')
        pageState.setState({ typedAhead: Array.from(typed).slice(0, -1).join('') });
      else if (key === 'Escape') pageState.setState({ open: undefined });
      else if (key !== 'Enter') return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', keep, { capture: true });
    return () => {
      window.removeEventListener('keydown', keep, { capture: true });
      pageState.setState({ typedAhead: '' });
    };
  }, [pageState]);
}
