/** Provides answers that count up, so that every gap, repetition or loss is detectable. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { ChatScript } from '../../src/testing/scripted-gateway.ts';
import type { BenchPage } from '../bench-page.ts';
import { expect } from '../fixtures.ts';

/** Streams a number every 10 ms until the client disconnects or 3000 is reached. */
export const streamCount: ChatScript = async (answer) => {
  for (let number = 1; number <= 3000 && !answer.response.destroyed; number += 1) {
    answer.sendText(`${number} `);
    await sleep(10);
  }
};

const formatNumbers = (last: number): string =>
  Array.from({ length: last }, (_, index) => `${index + 1} `).join('');

/** Returns the highest number in a text that counts from 1; fails if the sequence has gaps. */
export function parseCount(text: string): number {
  const last = Number(/(\d+)\s*$/.exec(text)?.[1] ?? 0);
  expect(text.trim()).toBe(formatNumbers(last).trim());
  return last;
}

/** Returns the text of the last reply as rendered. */
export async function getLastReplyText(bench: BenchPage): Promise<string> {
  return (await bench.lastReply.locator('.markdown').first().innerText()).trim();
}
