/**
 * Bench has no service worker. One that a program left behind which served this address before could read and answer
 * what is asked here: all are unregistered before anything is. True where one had this page, which then loads anew.
 */
export async function leavesForeignWorker(): Promise<boolean> {
  if (!('serviceWorker' in navigator)) return false;
  try {
    const found = await navigator.serviceWorker.getRegistrations();
    await Promise.all(found.map((registration) => registration.unregister()));
  } catch {
    // A browser that has them switched off has none.
  }
  if (navigator.serviceWorker.controller === null) return false;
  location.reload();
  return true;
}
