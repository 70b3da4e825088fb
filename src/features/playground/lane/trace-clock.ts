const tickEveryMs = 50;

const listeners = new Set<() => void>();
let isTicking = false;

/**
 * Calls back at most twenty times a second while the page is visible; answers with how to stop that. All who listen are
 * called in one frame: traces that are drawn each at its own time would make the browser draw the page for each.
 */
export function onTraceTick(listener: () => void): () => void {
  listeners.add(listener);
  if (!isTicking) tickLater();
  return () => {
    listeners.delete(listener);
  };
}

function tickLater(): void {
  isTicking = listeners.size > 0;
  if (!isTicking) return;
  setTimeout(() => {
    requestAnimationFrame(() => {
      // First, so that the clock goes on whatever a listener meets.
      tickLater();
      for (const listener of listeners) listener();
    });
  }, tickEveryMs);
}
