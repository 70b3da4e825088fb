import type { UnsavedCounter } from '../../state/drafts/unsaved-counter.ts';

/**
 * Keeps `data-saved` on the root element, so that tests can wait until all changes are stored before they reload or
 * kill the page.
 */
export function syncSavedAttribute({ state }: UnsavedCounter): void {
  const update = () => {
    document.documentElement.dataset['saved'] = state.getState().count === 0 ? 'yes' : 'no';
  };
  state.subscribe(update);
  update();
}
