import type { UnsavedCounter } from '../../state/drafts/unsaved-counter.ts';

/** `data-saved` of the page's root says whether all that was done is stored: what reloads or kills a page waits for it. */
export function syncSavedAttribute({ state }: UnsavedCounter): void {
  const update = () => {
    document.documentElement.dataset['saved'] = state.getState().count === 0 ? 'yes' : 'no';
  };
  state.subscribe(update);
  update();
}
