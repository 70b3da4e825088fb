import { expect, it, vi } from 'vitest';

import { until } from '../testing/until.ts';
import { decorations } from './decorations.ts';

/** A line of code, as far as the highlighter asks. */
function aLine(): HTMLElement {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { textContent: 'const a = 1;' } as HTMLElement;
}

it('fetches what colours code anew where that failed before', async () => {
  const seen: unknown[] = [];
  const tried: string[] = [];
  class Observer {
    constructor() {
      tried.push('once');
      if (tried.length === 1) throw new Error('The network is gone.');
    }
    observe(code: unknown): void {
      seen.push(code);
    }
  }
  vi.stubGlobal('window', {});
  vi.stubGlobal('IntersectionObserver', Observer);

  decorations.lineClosed?.(aLine(), aLine(), 'js');
  await until(() => tried.length === 1);
  const code = aLine();
  await until(() => {
    decorations.lineClosed?.(aLine(), code, 'js');
    return seen.includes(code);
  });
  expect(tried.length).toBe(2);
});
