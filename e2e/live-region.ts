import type { BenchPage } from './bench-page.ts';

/** Everything that the live region says, in order. */
export async function listen(bench: BenchPage): Promise<string[]> {
  const said: string[] = [];
  await bench.page.exposeFunction('hear', (text: string) => said.push(text));
  await bench.page.evaluate(() => {
    const region = document.querySelector('[role=status][aria-atomic]');
    if (!region) throw new Error('There is no live region');
    const tell: unknown = Reflect.get(globalThis, 'hear');
    if (typeof tell !== 'function') throw new Error('Nobody listens');
    new MutationObserver(() => Reflect.apply(tell, undefined, [region.textContent ?? ''])).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  return said;
}
