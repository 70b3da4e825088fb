import type { BenchPage } from './bench-page.ts';

/** Collects all announcements of the live region in order. */
export async function collectAnnouncements(bench: BenchPage): Promise<string[]> {
  const announcements: string[] = [];
  await bench.page.exposeFunction('recordAnnouncement', (text: string) => announcements.push(text));
  await bench.page.evaluate(() => {
    const region = document.querySelector('[role=status][aria-atomic]');
    if (!region) throw new Error('The live region is missing');
    const report: unknown = Reflect.get(globalThis, 'recordAnnouncement');
    if (typeof report !== 'function') throw new Error('The announcement listener is missing');
    new MutationObserver(() => Reflect.apply(report, undefined, [region.textContent ?? ''])).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  return announcements;
}
