import type { Locator, Page } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { canaryKey, expect, test } from './fixtures.ts';
import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';

function stage(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Presentation' });
}

function lane(page: Page, letter: string): Locator {
  return stage(page).getByRole('region', { name: `Lane ${letter}` });
}

function answersTold(gateway: ScriptedGateway): void {
  gateway.onChat((answer, { body }) => {
    const messages = Array.isArray(body['messages']) ? body['messages'] : [];
    answer.delta({ reasoning_content: 'Let me weigh it.' });
    answer.whole(`Answer ${messages.length} of ${String(body['model'])}.`);
  });
}

async function twoLanes(bench: BenchPage): Promise<void> {
  await bench.button('Add lane').click();
  const picker = bench.page.getByRole('region', { name: 'Lane B' }).getByRole('combobox', { name: 'Model' });
  await picker.fill('north/two');
  await picker.press('Enter');
}

async function askBoth(bench: BenchPage, text: string): Promise<void> {
  const before = await bench.replies.count();
  await bench.send(text);
  await expect(bench.replies).toHaveCount(before + 2);
  for (const reply of await bench.replies.all())
    await expect(reply).toHaveAttribute('data-status', 'complete');
}

async function present(bench: BenchPage): Promise<void> {
  await bench.page.keyboard.press('Alt+Shift+P');
  await expect(stage(bench.page)).toBeVisible();
}

test('turns are scenes: arrows walk them, a number focuses a lane, Escape leaves to where one was', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  answersTold(gateway);
  await bench.open(server.url);
  await twoLanes(bench);
  await askBoth(bench, 'The first question');
  await askBoth(bench, 'The second question');
  await present(bench);
  await expect(stage(page)).toContainText('The second question');
  await expect(stage(page)).toContainText('Turn 2 of 2');
  await expect(lane(page, 'A')).toContainText('Answer 3 of north/one.');
  await expect(lane(page, 'B')).toContainText('Answer 3 of north/two.');
  await expect(lane(page, 'A')).toContainText(/[\d.]+s\s*to the first token|to the first token/);
  await page.keyboard.press('ArrowLeft');
  await expect(stage(page)).toContainText('The first question');
  await expect(lane(page, 'B')).toContainText('Answer 1 of north/two.');
  await page.keyboard.press('ArrowLeft');
  await expect(stage(page), 'there is none before').toContainText('Turn 1 of 2');
  await page.keyboard.press('2');
  await expect(lane(page, 'A')).toBeHidden();
  await expect(lane(page, 'B')).toBeVisible();
  await page.keyboard.press('2');
  await expect(lane(page, 'A')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(stage(page)).toBeHidden();
  await expect(bench.message).toBeFocused();
  expect(gateway.posts, 'showing sends nothing').toHaveLength(4);
});

test('names, numbers and reasoning are hidden and shown by a key, which can be switched off', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  answersTold(gateway);
  await bench.open(server.url);
  await twoLanes(bench);
  await askBoth(bench, 'Who is it');
  await present(bench);
  await expect(lane(page, 'B').getByRole('heading')).toHaveText('north/two');
  await page.keyboard.press('n');
  await expect(lane(page, 'B').getByRole('heading')).toHaveText('Name hidden');
  await expect(lane(page, 'A').getByRole('heading')).toHaveText('Name hidden');
  await page.keyboard.press('m');
  await expect(stage(page)).not.toContainText('tokens a second');
  await page.keyboard.press('m');
  await expect(stage(page)).toContainText('tokens a second');
  await expect(
    stage(page)
      .getByRole('button', { name: /^Reasoning/ })
      .first(),
  ).toBeHidden();
  await page.keyboard.press('t');
  await expect(
    stage(page)
      .getByRole('button', { name: /^Reasoning/ })
      .first(),
  ).toBeVisible();
  await page.keyboard.press('Escape');

  await bench.button('Settings').click();
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await bench.message.focus();
  await present(bench);
  await page.keyboard.press('n');
  await expect(lane(page, 'B').getByRole('heading'), 'the key is off').toHaveText('Name hidden');
  await stage(page).getByRole('button', { name: 'show names' }).click();
  await expect(lane(page, 'B').getByRole('heading')).toHaveText('north/two');
});

test('an answer that arrives is followed on the stage, and its end is seen there', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  let finish: () => void = () => undefined;
  gateway.onChat(async (answer) => {
    for (let line = 1; line <= 60; line += 1) answer.text(`Line ${line} of a long answer.\n\n`);
    await new Promise<void>((resolve) => (finish = resolve));
    answer.text('The last line.');
    answer.finish('stop');
    answer.done();
  });
  await bench.open(server.url);
  await bench.send('Tell me a lot');
  await expect(bench.lastReply).toContainText('Line 60');
  await present(bench);
  await expect(lane(page, 'A')).toContainText('Writing');
  await expect(stage(page).getByText('Line 60 of a long answer.')).toBeInViewport();
  finish();
  await expect(lane(page, 'A')).toContainText('Done');
  await expect(stage(page).getByText('The last line.')).toBeInViewport();
});

test('a recording is played on the stage without a request, and marked', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  answersTold(gateway);
  await bench.open(server.url);
  await twoLanes(bench);
  await askBoth(bench, 'Play it again');
  await present(bench);
  await page.keyboard.press('r');
  await expect(lane(page, 'A')).toContainText('Recorded');
  await expect(lane(page, 'A')).toContainText('Answer 1 of north/one.');
  await expect(lane(page, 'B')).toContainText('Answer 1 of north/two.');
  await expect(stage(page).getByRole('progressbar', { name: 'Recording' })).toHaveAttribute(
    'aria-valuetext',
    / of /,
  );
  await page.keyboard.press('l');
  await expect(lane(page, 'A')).not.toContainText('Recorded');
  expect(gateway.posts).toHaveLength(2);
});

test('nothing is on the stage that should not be: no key, no address, no ID, no raw error', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat((answer) =>
    answer.json(500, {
      error: { message: 'upstream http://10.1.2.3:9000 refused', type: 'server_error', code: '500' },
    }),
  );
  await bench.open(server.url);
  await bench.ask('Fail in front of everyone');
  await expect(bench.lastReply).toContainText('10.1.2.3');
  await present(bench);
  await expect(lane(page, 'A')).toContainText('Failed');
  const text = (await stage(page).textContent()) ?? '';
  expect(text).not.toContain('10.1.2.3');
  expect(text).not.toContain(canaryKey);
  expect(text).not.toContain(new URL(gateway.url).host);
  expect(text).not.toMatch(/Request ID|127\.0\.0\.1|GATEWAY_/);
});

test('hints and cursor leave after three seconds and come back with the pointer', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  answersTold(gateway);
  await bench.open(server.url);
  await bench.ask('Be quiet');
  await page.clock.install();
  await present(bench);
  const hint = stage(page).getByRole('button', { name: 'hide names' });
  await expect(hint).toHaveCSS('opacity', '1');
  await page.clock.runFor(3100);
  await expect(hint).toHaveCSS('opacity', '0');
  await expect(stage(page)).toHaveCSS('cursor', 'none');
  await page.mouse.move(300, 300);
  await page.mouse.move(320, 320);
  await expect(hint).toHaveCSS('opacity', '1');
});
