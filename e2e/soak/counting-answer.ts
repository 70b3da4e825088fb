/** An answer that counts: any gap, repetition or loss in it shows. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { ChatScript } from '../../src/testing/scripted-gateway.ts';
import type { BenchPage } from '../bench-page.ts';
import { expect } from '../fixtures.ts';

/** Counts, a number every few milliseconds, until nobody listens. */
export const streamCount: ChatScript = async (answer) => {
  for (let number = 1; number <= 3000 && !answer.response.destroyed; number += 1) {
    answer.sendText(`${number} `);
    await sleep(10);
  }
};

const formatNumbers = (last: number): string =>
  Array.from({ length: last }, (_, index) => `${index + 1} `).join('');

/** The highest number in a text that counts from one; fails where it does not count without a gap. */
export function parseCount(text: string): number {
  const last = Number(/(\d+)\s*$/.exec(text)?.[1] ?? 0);
  expect(text.trim()).toBe(formatNumbers(last).trim());
  return last;
}

/** The text of the last reply as it is drawn. */
export async function getLastReplyText(bench: BenchPage): Promise<string> {
  return (await bench.lastReply.locator('.markdown').first().innerText()).trim();
}
