/** What the composer can do beyond words: fetched when the page is idle, or as soon as it is asked for. */
export function loadMore() {
  return import('./composer-more.tsx');
}
