import { setTimeout as sleep } from 'node:timers/promises';

import type { Locator, Page } from 'playwright/test';

import { faultsOf } from './axe.ts';
import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';
import type { ChatScript } from '../src/testing/scripted-gateway.ts';

const said = 'Roll back now, then watch the error rate for ten minutes.';

/** Reasoning, a stall, and an answer word by word. */
const thinkThenSay: ChatScript = async (answer, request) => {
  answer.open({ 'x-request-id': String(request.headers['x-request-id']) });
  answer.delta({ role: 'assistant', content: '' });
  for (let piece = 0; piece < 10; piece += 1) {
    answer.delta({ reasoning_content: `why${piece} ` });
    await sleep(piece === 5 ? 600 : 8);
  }
  for (const word of said.match(/\S+\s*/g) ?? []) {
    answer.text(word);
    await sleep(12);
  }
  answer.finish();
  answer.usage(12, 34);
  answer.done();
};

class InspectorPage {
  readonly page: Page;
  constructor(bench: BenchPage) {
    this.page = bench.page;
  }
  get drawer(): Locator {
    return this.page.getByRole('complementary', { name: 'Inspector' });
  }
  get grid(): Locator {
    return this.drawer.getByRole('treegrid', { name: 'Events' });
  }
  get selected(): Locator {
    return this.grid.getByRole('row', { selected: true });
  }
  tab(name: string): Locator {
    return this.drawer.getByRole('tab', { name });
  }
}

test('an answer is read event by event: times, gaps, kinds, and one event as it came', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.onChat(thinkThenSay);
  const inspector = new InspectorPage(bench);
  await bench.open(server.url);
  await bench.ask('Roll back or wait?');
  await bench.lastReply.getByRole('button', { name: 'Inspect' }).click();
  await expect(inspector.tab('Events')).toBeFocused();
  const count = 1 + 10 + said.split(' ').length + 3;
  await expect(inspector.drawer.getByRole('heading', { name: `${count} events` })).toBeVisible();

  const rows = inspector.grid.getByRole('row');
  await expect(rows.nth(1)).toContainText('role');
  await expect(rows.nth(2)).toContainText(/2.*reasoning\s*why0/);
  await expect(inspector.grid.getByRole('row', { expanded: false }).first()).toContainText('events');
  // The stall stands on its own.
  const gap = bench.page.getByRole('gridcell', { name: /^[4-9]\d\d ms$/ });
  const slow = inspector.grid.getByRole('row').filter({ hasText: 'why6' }).filter({ has: gap });
  await expect(slow).toHaveCount(1);
  await slow.click();
  await expect(slow).toHaveAttribute('aria-selected', 'true');
  const event = inspector.drawer.getByRole('region', { name: /^Event \d+$/ });
  await expect(event).toContainText('after the one before');
  await expect(event).toContainText('"reasoning_content": "why6 "');
  await expect(event).toContainText('choices[].delta.reasoning_content is not part of the gateway format');
  await expect(event.locator('mark')).toHaveText('"reasoning_content"');
  await expect(inspector.drawer.getByRole('img', { name: /^Gaps between events/ })).toBeVisible();

  await inspector.drawer.getByRole('button', { name: 'usage' }).click();
  await expect(inspector.grid.getByRole('row')).toHaveCount(2);
  await expect(inspector.grid).toContainText('12 in, 34 out');
});

test('the keyboard moves through the events, opens folds, and leaves with the focus where it was', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(thinkThenSay);
  const inspector = new InspectorPage(bench);
  await bench.open(server.url);
  await bench.ask('Roll back or wait?');
  await bench.message.focus();
  await page.keyboard.press('Control+i');
  await expect(inspector.tab('Events')).toBeFocused();
  await expect(inspector.selected).toContainText('role');
  await page.keyboard.press('ArrowDown');
  await expect(inspector.selected).toContainText('why0');
  await page.keyboard.press('ArrowDown');
  await expect(inspector.selected).toHaveAttribute('aria-expanded', 'false');
  await inspector.grid.focus();
  await page.keyboard.press('ArrowRight');
  await expect(inspector.selected).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(inspector.selected).toContainText('why1');
  await page.keyboard.press('ArrowLeft');
  await expect(inspector.selected).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('End');
  await expect(inspector.selected).toContainText('[DONE]');
  await page.keyboard.press('Escape');
  await expect(inspector.drawer).toHaveCount(0);
  await expect(bench.message).toBeFocused();
  await page.keyboard.press('Control+i');
  await expect(inspector.drawer).toBeVisible();
  await page.keyboard.press('Control+i');
  await expect(inspector.drawer).toHaveCount(0);
});

test('the request is shown as it was sent, and the response with its headers and request ID', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.onChat(thinkThenSay);
  const inspector = new InspectorPage(bench);
  await bench.open(server.url);
  await bench.sendParameter('temperature');
  await bench.sendParameter('seed');
  await bench.ask('Roll back or wait?');
  // What is set now changes nothing about what was sent.
  await bench.sendParameter('temperature', false);
  await bench.button('Get code').click();
  await expect(inspector.tab('Request and code')).toHaveAttribute('aria-selected', 'true');
  const body = inspector.drawer.getByRole('region', { name: 'Request body' });
  const line = (field: string) => body.getByRole('listitem').filter({ hasText: `"${field}"` });
  await expect(line('temperature').getByRole('img', { name: 'portable' })).toBeVisible();
  await expect(line('seed').getByRole('img', { name: 'passed through' })).toBeVisible();
  await expect(line('role')).toContainText('tokens');
  await body.getByRole('button', { name: 'Show all of it' }).click();
  await expect(line('content')).toContainText('"Roll back or wait?"');

  await inspector.tab('Response').click();
  const answer = inspector.drawer.getByRole('region', { name: 'Answer' });
  await expect(answer).toContainText('200 OK');
  await expect(answer).toContainText('text/event-stream');
  await expect(answer.getByText('same as sent').first()).toBeVisible();
  await expect(answer).toContainText('First token');
  expect(await answer.innerText()).toContain(String(gateway.posts[0]?.headers['x-request-id']));
});

test('old answers are read from storage, also after a reload, and a failed one shows its error', async ({
  bench,
  server,
  gateway,
}) => {
  const inspector = new InspectorPage(bench);
  await bench.open(server.url);
  await bench.ask('Hello');
  gateway.onChat((answer) =>
    answer.json(503, { error: { message: 'No capacity', type: 'upstream_unavailable', code: '503' } }),
  );
  await bench.ask('Again');
  await bench.reload();
  await bench.reply(1).getByRole('button', { name: 'Inspect' }).click();
  await expect(inspector.grid).toContainText('Hello');
  await expect(inspector.drawer.getByRole('heading', { name: '7 events' })).toBeVisible();
  await inspector.page.keyboard.press('Escape');
  await bench.reply(2).getByRole('button', { name: 'Inspect' }).click();
  await expect(inspector.grid).toContainText('No capacity');
  await inspector.tab('Response').click();
  await expect(inspector.drawer).toContainText('503 Service Unavailable');
});

test('before anything was sent it shows what would be sent, and a running answer as it grows', async ({
  bench,
  server,
  gateway,
}) => {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  gateway.onChat(async (answer) => {
    answer.text('One');
    await finished;
    answer.whole(' two');
  });
  const inspector = new InspectorPage(bench);
  await bench.open(server.url);
  await bench.sendParameter('max_tokens');
  await bench.button('Inspect').click();
  await expect(inspector.drawer).toContainText('Nothing has been sent in this lane yet');
  await inspector.tab('Request and code').click();
  await expect(inspector.drawer).toContainText('"max_tokens": 1024');
  await inspector.tab('Events').click();
  await bench.send('Go');
  await expect(inspector.drawer.getByRole('heading', { name: '1 event' })).toBeVisible();
  finish();
  await bench.ended();
  await expect(inspector.drawer.getByRole('heading', { name: '4 events' })).toBeVisible();
});

test('one cursor moves through the traces of all lanes and shows each text as it was then', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(async (answer, request) => {
    const isTwo = request.body['model'] === 'north/two';
    // Of two requests the later one waits less for its first word, however busy the machine is.
    await expect.poll(() => gateway.posts.length).toBe(2);
    for (const word of isTwo ? ['uno ', 'dos ', 'tres'] : ['one ', 'two ', 'three']) {
      answer.text(word);
      await sleep(300);
    }
    answer.finish();
    answer.done();
  });
  await bench.open(server.url);
  await bench.button('Add lane').click();
  const second = page.getByRole('region', { name: 'Lane B' }).getByRole('combobox', { name: 'Model' });
  await second.fill('north/two');
  await second.press('Enter');
  await bench.send('Count');
  for (const reply of await bench.replies.all())
    await expect(reply).toHaveAttribute('data-status', 'complete');
  const trace = page.getByRole('slider', { name: /^Trace, lane A/ });
  await expect(trace).toHaveAttribute('aria-valuetext', /^Waiting .*answer .*Ended after/);
  const then = (lane: string) => page.getByRole('group', { name: new RegExp(`^Lane ${lane} at`) });

  const box = await trace.boundingBox();
  if (!box) throw new Error('The trace is not on screen');
  await page.mouse.move(box.x + 2, box.y + 10);
  await expect(then('A')).toContainText('Still waiting');
  // On a busy machine words come late: the pointer goes on until it is between the second and the third.
  let at = 2;
  await expect(async () => {
    at = (at + 12) % box.width;
    await page.mouse.move(box.x + at, box.y + 10);
    await expect(then('A')).toHaveText(/one two\s*$/, { timeout: 300 });
  }).toPass({ intervals: [0] });
  const instant = await then('A').getAttribute('aria-label');
  await expect(then('B')).toHaveAttribute('aria-label', String(instant).replace('Lane A', 'Lane B'));
  await expect(then('B')).toContainText('uno');
  await page.mouse.move(5, 5);
  await expect(then('A')).toHaveCount(0);

  await trace.focus();
  await page.keyboard.press('Home');
  await expect(then('A')).toContainText('Still waiting');
  await page.keyboard.press('ArrowRight');
  await expect(then('A').getByText('one')).toHaveText('one ', { useInnerText: false });
  await page.keyboard.press('ArrowRight');
  await expect(then('A')).toContainText('one two');
  await page.keyboard.press('End');
  await expect(then('B')).toContainText('uno dos tres');
  await page.keyboard.press('Escape');
  await expect(then('A')).toHaveCount(0);

  await trace.click();
  await expect(new InspectorPage(bench).drawer).toBeVisible();
  await page.getByRole('radio', { name: 'Inspect lane B' }).click();
  await expect(new InspectorPage(bench).grid).toContainText('dos');
});

test('a hundred thousand events mount no more rows than are in sight, wherever one scrolls', async ({
  bench,
  server,
  gateway,
}) => {
  test.setTimeout(120_000);
  const pieces = 100_000;
  gateway.onChat(async (answer) => {
    const chunk = (text: string) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'north/one', choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`;
    answer.open();
    for (let at = 0; at < pieces; at += 500) {
      answer.raw(
        Array.from({ length: 500 }, (_, index) =>
          chunk(`w${at + index}${index % 20 === 19 ? '\n\n' : ' '}`),
        ).join(''),
      );
      await sleep(1);
    }
    answer.finish();
    answer.done();
  });
  const inspector = new InspectorPage(bench);
  await bench.open(server.url);
  await bench.send('Go on');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete', { timeout: 90_000 });
  await bench.lastReply.getByRole('button', { name: 'Inspect' }).click();
  await expect(inspector.drawer.getByRole('heading', { name: '100,002 events' })).toBeVisible();
  await inspector.drawer.getByRole('button', { name: 'content 100,000' }).click();
  await expect(inspector.grid).toHaveAttribute('aria-rowcount', '100001');
  const mounted = () => inspector.grid.getByRole('row').count();
  expect(await mounted()).toBeLessThan(80);
  await inspector.grid.focus();
  await inspector.page.keyboard.press('End');
  await expect(inspector.selected).toContainText('w99999');
  expect(await mounted()).toBeLessThan(80);
  await inspector.page.keyboard.press('Home');
  await expect(inspector.selected).toContainText('w0');
});

test('the inspector and the recording have no fault that axe knows, in either theme', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  test.setTimeout(90_000);
  gateway.onChat(thinkThenSay);
  const inspector = new InspectorPage(bench);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await bench.open(server.url);
  await bench.ask('Roll back or wait?');
  await bench.button('Inspect').first().click();
  for (const tab of ['Events', 'Request and code', 'Response']) {
    await inspector.tab(tab).click();
    await sleep(200);
    expect(await faultsOf(page), tab).toEqual([]);
  }
  await inspector.drawer.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByRole('dialog', { name: 'Recorded' })).toContainText('Gaps within');
  expect(await faultsOf(page), 'recording').toEqual([]);
});

test('on every width the page never scrolls sideways with the inspector open', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(thinkThenSay);
  await bench.open(server.url);
  await bench.ask('Roll back or wait?');
  await bench.button('Inspect').first().click();
  await expect(new InspectorPage(bench).grid).toBeVisible();
  for (const width of [1440, 1280, 1024, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expect
      .poll(
        () =>
          page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        `${width} px wide`,
      )
      .toBe(0);
  }
});
