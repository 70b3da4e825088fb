import type { Locator, Page } from 'playwright/test';

import type { FaultGateway } from '../../src/testing/faults/fault-gateway.ts';
import type { FaultOutcome, FaultRow } from '../../src/testing/faults/fault-row.ts';
import { unlike } from '../../src/testing/faults/unlike.ts';
import type { BenchPage } from '../bench-page.ts';
import { canaryKey } from '../fixtures.ts';
import { expect } from './fault-fixtures.ts';
import { storedRuns } from './stored-runs.ts';

/**
 * Sends one message for each row and looks at its reply; then reloads, and looks whether all is as it was; then
 * at what is stored. One row after the other in one session: what one leaves behind must not harm the next.
 */
export async function walkRows(
  bench: BenchPage,
  faults: FaultGateway,
  rows: readonly FaultRow[],
): Promise<void> {
  for (const { name, answer, outcome } of rows) {
    faults.answerWith(answer);
    const posts = faults.posts.length;
    const reply = await bench.ask(name);
    expect.soft(faults.posts.length - posts, `${name}: one send is one POST (I4)`).toBe(1);
    await shown(reply, name, outcome);
  }
  const before = await snapshots(bench.page);
  await bench.reload();
  await expect(bench.replies).toHaveCount(rows.length);
  const changes = async () => differences(rows, before, await snapshots(bench.page));
  await expect
    // As long as the test may take: a busy machine draws row by row slowly.
    .poll(changes, { message: 'what is not as it was before the reload (I10)', timeout: 0 })
    .toEqual([]);
  const runs = await storedRuns(bench.page);
  expect(runs).toHaveLength(rows.length);
  for (const [index, { name, outcome }] of rows.entries()) {
    const run = runs[index];
    if (run) expect.soft(unlike(run, outcome), `${name}: stored`).toEqual([]);
  }
  expect(JSON.stringify(runs), 'the key is nowhere (I8)').not.toContain(canaryKey);
}

async function shown(reply: Locator, name: string, outcome: FaultOutcome): Promise<void> {
  const { status, group, says = [], never = [] } = outcome;
  await expect.soft(reply, name).toHaveAttribute('data-status', status);
  // The views of a message load when they are first needed.
  await expect.soft(reply, name).not.toBeEmpty();
  const groups = reply.getByRole('group', { name: /^(?:Error|Note)$/ });
  if (group === 'none') await expect.soft(groups, name).toHaveCount(0);
  else if (group !== undefined) await expect.soft(groups, name).toHaveAttribute('aria-label', group);
  for (const words of says) await expect.soft(reply, name).toContainText(words);
  const words = await reply.innerText();
  for (const bad of [...never, 'undefined', '[object Object]', 'NaN'])
    expect.soft(words, name).not.toContain(bad);
}
/** Where a reply reads differently from before, by the name of its row, with the words from there on. */
function differences(
  rows: readonly FaultRow[],
  before: readonly string[],
  after: readonly string[],
): string[] {
  return rows.flatMap(({ name }, index) => {
    const [one = '', other = ''] = [before[index], after[index]];
    if (one === other) return [];
    const at = [...one].findIndex((letter, place) => letter !== other[place]);
    return [`${name}: ${one.slice(at, at + 80)} | ${other.slice(at, at + 80)}`];
  });
}

/** The words of every reply, without a countdown that goes on. Rows that never came near the screen have no figures. */
function snapshots(page: Page): Promise<string[]> {
  return page.getByRole('article', { name: /^Assistant message/ }).evaluateAll(async (replies) => {
    for (const reply of replies) {
      reply.scrollIntoView({ block: 'center' });
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
    return replies.map(
      (reply) =>
        `${reply.getAttribute('data-status') ?? ''}\n${(reply.textContent ?? '').replace(/(?:asks you to wait|Ready in) \d+ s(?: more)?\./, '')}`,
    );
  });
}
