import type { Locator, Page } from 'playwright/test';

import type { ScriptedAnswer, ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

/** An answer that goes on when the test says so: nothing here waits for a clock. */
class LongAnswer {
  readonly #answers: ScriptedAnswer[] = [];
  readonly #ended = new Set<number>();
  #lines = 0;
  #onAsked: () => void = () => undefined;

  constructor(gateway: ScriptedGateway) {
    gateway.setChatScript((answer) => {
      answer.openStream();
      this.#answers.push(answer);
      this.#onAsked();
    });
  }

  /** Resolves when it is asked once more. */
  asked(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAsked = resolve;
    });
  }

  /** Adds so many lines to every answer that goes on, or to the one with this number. */
  grow(lines: number, only?: number): void {
    const text = Array.from({ length: lines }, (_, index) => `Line ${this.#lines + index + 1}\n\n`).join('');
    this.#lines += lines;
    for (const [number, answer] of this.#answers.entries())
      if (only === undefined ? !this.#ended.has(number) : only === number) answer.sendText(text);
  }

  say(text: string, only: number): void {
    this.#answers[only]?.sendText(text);
  }

  get lastLine(): string {
    return this.lineBeforeLast(0);
  }

  lineBeforeLast(count: number): string {
    return `Line ${this.#lines - count}`;
  }

  end(only?: number): void {
    for (const [number, answer] of this.#answers.entries()) {
      if (this.#ended.has(number) || (only !== undefined && only !== number)) continue;
      this.#ended.add(number);
      answer.sendFinishReason();
      answer.sendDone();
    }
  }

  get count(): number {
    return this.#answers.length;
  }
}

function conversation(page: Page): Locator {
  return page.getByRole('region', { name: 'Conversation' });
}

/** How far the end is below what is seen, in px. */
function distance(page: Page): Promise<number> {
  return conversation(page).evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop);
}

function newest(page: Page): Locator {
  return page.getByRole('button', { name: 'Newest' });
}

/** Where a line is on the screen, in px. */
async function placeOf(page: Page, line: string): Promise<number> {
  const box = await page.getByText(line, { exact: true }).first().boundingBox();
  if (box === null) throw new Error(`${line} is not drawn`);
  return box.y;
}

/** Two frames: what was there to be drawn is drawn. */
function drawn(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** An answer of 80 lines that goes on, followed at its end. */
async function streaming(bench: BenchPage, gateway: ScriptedGateway, url: string): Promise<LongAnswer> {
  const answer = new LongAnswer(gateway);
  await bench.open(url);
  await begin(bench, answer);
  await expect.poll(() => distance(bench.page)).toBeLessThan(2);
  return answer;
}

/** Asks, and is answered in 80 lines so far. */
async function begin(bench: BenchPage, answer: LongAnswer): Promise<void> {
  const asked = answer.asked();
  await bench.message.fill('Go on and on');
  await bench.button(/^Send/).click();
  await asked;
  answer.grow(80);
  await expect(bench.lastReply).toContainText(answer.lastLine);
}

/** Runs in the page: what stands below gives some of its room away, and more text comes before the next frame. */
function giveRoomAndGrow(box: Element): void {
  const feet = document.querySelector('.lane-feet');
  const content = box.firstElementChild;
  if (!(feet instanceof HTMLElement) || !content) throw new Error('Nothing stands below the conversation');
  const before = box.scrollTop;
  feet.style.marginBottom = '0px';
  if (box.scrollTop === before) throw new Error('The browser did not move the view');
  const text = document.createElement('p');
  text.style.height = '150px';
  content.append(text);
}

test('the end is followed while one is at it, whatever stands below does, and while one writes', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const answer = await streaming(bench, gateway, server.url);
  for (let more = 0; more < 5; more += 1) {
    answer.grow(10);
    await expect(page.getByText(answer.lastLine, { exact: true })).toBeInViewport();
    await expect.poll(() => distance(page)).toBeLessThan(2);
  }
  await expect(newest(page), 'no button asks to go there').toHaveCount(0);

  await test.step('what stands below changes its height while text comes', async () => {
    await page.locator('.lane-feet').evaluate((feet) => (feet.style.marginBottom = '60px'));
    await expect.poll(() => distance(page)).toBeLessThan(2);
    await drawn(page);
    await conversation(page).evaluate(giveRoomAndGrow);
    await drawn(page);
    await expect.poll(() => distance(page)).toBeLessThan(2);
    await expect(newest(page)).toHaveCount(0);
  });

  await test.step('writing a message and selecting in it lets nothing go', async () => {
    await bench.message.fill('The next question');
    await bench.message.press('ControlOrMeta+a');
    answer.grow(20);
    await expect(page.getByText(answer.lastLine, { exact: true })).toBeInViewport();
    await expect(newest(page)).toHaveCount(0);
  });

  answer.end();
  await bench.ended();
  await expect.poll(() => distance(page)).toBeLessThan(2);

  await test.step('a new message takes hold of the end, wherever one was', async () => {
    await conversation(page).evaluate((box) => box.scrollTo(0, 0));
    await expect(newest(page)).toBeVisible();
    await bench.send('And now?');
    await expect(newest(page)).toHaveCount(0);
    await expect.poll(() => distance(page)).toBeLessThan(2);
  });
});

async function pointAtConversation(page: Page): Promise<void> {
  const box = await conversation(page).boundingBox();
  if (box === null) throw new Error('There is no conversation');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}

/** What lets go of the end, how, and whether the answer then ends. */
const releases: readonly (readonly [
  what: string,
  act: (page: Page) => Promise<void>,
  endsAfter?: boolean,
])[] = [
  [
    'the wheel',
    async (page) => {
      await pointAtConversation(page);
      await page.mouse.wheel(0, -30);
    },
    true,
  ],
  [
    'Page Up',
    async (page) => {
      await conversation(page).focus();
      await page.keyboard.press('PageUp');
    },
  ],
  [
    'the arrow key',
    async (page) => {
      await conversation(page).focus();
      await page.keyboard.press('ArrowUp');
    },
  ],
  [
    'selecting text',
    async (page) => {
      await page
        .getByText(/^Line \d+$/)
        .last()
        .dblclick();
    },
  ],
  [
    'anything else that scrolls, as find in page does',
    async (page) => {
      await conversation(page).evaluate((box) => box.scrollBy(0, -300));
    },
  ],
];

/** Where a line is once nothing scrolls any more: a wheel and a key scroll smoothly. */
async function restingPlaceOf(page: Page, line: string): Promise<number> {
  let place = Number.NaN;
  await expect
    .poll(async () => {
      const before = place;
      await drawn(page);
      place = await placeOf(page, line);
      return place === before;
    })
    .toBe(true);
  return place;
}

test('wheel, keys, a selection and all else that scrolls let go of the end: what is read stays where it is, and "Newest" leads back', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const answer = await streaming(bench, gateway, server.url);
  for (const [what, act, endsAfter] of releases) {
    await test.step(what, async () => {
      // It is on screen after any of them.
      const line = answer.lineBeforeLast(4);
      await act(page);
      await expect(newest(page)).toBeVisible();
      const place = await restingPlaceOf(page, line);
      answer.grow(40);
      await expect(bench.lastReply).toContainText(answer.lastLine);
      await drawn(page);
      expect(await placeOf(page, line)).toBe(place);
      if (endsAfter) {
        answer.end();
        await bench.ended();
        await drawn(page);
        expect(await placeOf(page, line), 'once it has ended').toBe(place);
      }
      await newest(page).click();
      await expect.poll(() => distance(page)).toBeLessThan(2);
      await expect(newest(page)).toHaveCount(0);
      await expect(conversation(page)).toBeFocused();
      if (endsAfter) await begin(bench, answer);
    });
  }

  await test.step('scrolling back to the end by hand takes hold of it again', async () => {
    await pointAtConversation(page);
    await page.mouse.wheel(0, -400);
    await expect(newest(page)).toBeVisible();
    await page.mouse.wheel(0, 4_000);
    await expect(newest(page)).toHaveCount(0);
    answer.grow(30);
    await expect(page.getByText(answer.lastLine, { exact: true })).toBeInViewport();
  });

  await test.step('what is selected stays selected, and in its place, while text comes and when the answer ends', async () => {
    const line = answer.lineBeforeLast(2);
    await page.getByText(line, { exact: true }).click({ clickCount: 3 });
    const selected = () => page.evaluate(() => document.getSelection()?.toString().trim());
    expect(await selected()).toBe(line);
    const place = await restingPlaceOf(page, line);
    answer.grow(40);
    await expect(bench.lastReply).toContainText(answer.lastLine);
    expect(await selected()).toBe(line);
    answer.end();
    await bench.ended();
    await drawn(page);
    expect(await selected()).toBe(line);
    expect(await placeOf(page, line)).toBe(place);
  });
});

/** Runs in the page: where each lane begins, after its line: in the heads, in the lines, in the replies, in the figures. */
function laneStarts(): string[] {
  return ['.lane-head', '.rules > i', '.turn-row:not(:has(~ .turn-row)) > .reply', '.lane-foot'].map((part) =>
    [...document.querySelectorAll(part)]
      .map((each) => Math.round(each.getBoundingClientRect().left + each.clientLeft))
      .join(' '),
  );
}

test('with several lanes nothing moves for who reads above, whichever lane grows or ends', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const answer = new LongAnswer(gateway);
  await bench.open(server.url);
  await growInThreeLanes(bench, answer);
  answer.grow(40, 1);
  await expect(page.getByText(answer.lastLine, { exact: true })).toBeInViewport();

  await conversation(page).evaluate((box) => box.scrollBy(0, -900));
  await expect(newest(page)).toBeVisible();
  await drawn(page);
  const place = await placeOf(page, 'Line 50');
  answer.grow(30, 0);
  await expect(bench.replies.filter({ hasText: answer.lastLine })).toHaveCount(1);
  answer.end(0);
  await expect(bench.replies.and(page.locator('[data-status=complete]'))).toHaveCount(1);
  answer.grow(80, 2);
  answer.end(2);
  answer.end(1);
  await expect(bench.replies.and(page.locator('[data-status=complete]'))).toHaveCount(3);
  await drawn(page);
  expect(await placeOf(page, 'Line 50')).toBe(place);
  await newest(page).click();
  await expect.poll(() => distance(page)).toBeLessThan(2);
});

test.describe('with a finger', () => {
  test.use({ hasTouch: true });

  test('drawing the text down lets go of the end', async ({ bench, server, gateway, page }) => {
    const answer = await streaming(bench, gateway, server.url);
    const session = await page.context().newCDPSession(page);
    const box = await conversation(page).boundingBox();
    const [x, y] = [(box?.x ?? 0) + 200, (box?.y ?? 0) + 200];
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x, y: at }] });
    await touch('touchStart', y);
    for (let moved = 10; moved <= 120; moved += 10) await touch('touchMove', y + moved);
    await touch('touchEnd');
    await expect(newest(page)).toBeVisible();
    answer.grow(40);
    await expect(bench.lastReply).toContainText(answer.lastLine);
    await expect(page.getByText(answer.lastLine, { exact: true })).not.toBeInViewport();
    answer.end();
  });
});

test(
  'taking hold of the scroll bar lets go of the end, and the room it takes bends no lane',
  { tag: '@soak' },
  async ({ server, gateway, playwright, launchOptions }) => {
    // A browser of its own: tests have their scroll bars hidden otherwise.
    const browser = await playwright.chromium.launch({
      ...launchOptions,
      ignoreDefaultArgs: ['--hide-scrollbars'],
    });
    try {
      const bench = new BenchPage(await browser.newPage({ viewport: { width: 1440, height: 900 } }));
      const answer = await streaming(bench, gateway, server.url);
      const bar = await conversation(bench.page).evaluate((box) => {
        const { right, bottom } = box.getBoundingClientRect();
        return { width: box.getBoundingClientRect().width - box.clientWidth, right, bottom };
      });
      expect(bar.width, 'there is a scroll bar to take hold of').toBeGreaterThan(0);
      await bench.page.mouse.move(bar.right - bar.width / 2, bar.bottom - 30);
      await bench.page.mouse.down();
      await expect(newest(bench.page)).toBeVisible();
      await bench.page.mouse.move(bar.right - bar.width / 2, bar.bottom - 200);
      await bench.page.mouse.up();
      answer.grow(40);
      await expect(bench.lastReply).toContainText(answer.lastLine);
      await expect(bench.page.getByText(answer.lastLine, { exact: true })).not.toBeInViewport();
      answer.end();

      await growInThreeLanes(bench, answer);
      const starts = await bench.page.evaluate(laneStarts);
      expect(starts[0]).toMatch(/^0 \d+ \d+$/);
      expect(new Set(starts), 'lanes are straight beside a scroll bar').toEqual(new Set([starts[0]]));
    } finally {
      await browser.close();
    }
  },
);

/**
 * Runs in the page, there or at these scroll positions: the replies with text that show no whole line of it, of turns
 * that fill half of the view.
 */
function blankReplies(box: Element, positions: readonly number[] = [box.scrollTop]): string[] {
  const blank: string[] = [];
  for (const position of positions) {
    box.scrollTop = position;
    const view = box.getBoundingClientRect();
    for (const reply of box.querySelectorAll('.turn-row > article')) {
      const turn = reply.parentElement?.getBoundingClientRect();
      const text = reply.querySelector('.markdown');
      if (!turn || !text?.textContent) continue;
      const shown = Math.min(turn.bottom, view.bottom) - Math.max(turn.top, view.top);
      if (shown < Math.min(turn.height, view.height / 2)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      // What stands under the fades at the edges does not count.
      const isWhole = ({ top, bottom }: DOMRect) => top >= view.top + 40 && bottom <= view.bottom - 52;
      if (![...range.getClientRects()].some(isWhole)) blank.push(`${reply.ariaLabel} at ${box.scrollTop}`);
    }
  }
  return blank;
}

async function lanes(bench: BenchPage, url: string, count: number): Promise<void> {
  await bench.open(url);
  for (let added = 1; added < count; added += 1) await bench.button('Add lane').click();
}

test('with six lanes each lane that has text shows a whole line of it, at ten instants of a run and at every scroll position after it', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const count = 6;
  const answer = new LongAnswer(gateway);
  await lanes(bench, server.url, count);
  await bench.send('All of you');
  await expect.poll(() => answer.count).toBe(count);
  const blank = () => conversation(page).evaluate(blankReplies);
  let ended = 0;
  for (let instant = 0; instant < 10; instant += 1) {
    // The first is short, the next ones are longer than the view, the last one goes on and on.
    const only = instant % answer.count;
    if (only < ended) answer.grow(25, answer.count - 1);
    else answer.grow(only === 0 ? 3 : 20 + 10 * only, only);
    await expect(bench.replies.filter({ hasText: answer.lastLine })).toHaveCount(1);
    await drawn(page);
    expect(await blank(), `instant ${instant}`).toEqual([]);
    if (instant % 2 === 1 && ended < count - 1) {
      answer.end(ended);
      ended += 1;
      await expect(bench.replies.and(page.locator('[data-status=complete]'))).toHaveCount(ended);
      await drawn(page);
      expect(await blank(), `after the end of ${ended}`).toEqual([]);
    }
  }
  for (let last = ended; last < count; last += 1) {
    answer.grow(2, last);
    answer.end(last);
  }
  await expect(bench.replies.and(page.locator('[data-status=complete]'))).toHaveCount(count);
  await expect.poll(() => distance(page)).toBeLessThan(2);
  const room = await conversation(page).evaluate((box) => box.scrollHeight - box.clientHeight);
  expect(room).toBeGreaterThan(1_000);
  const everywhere = Array.from({ length: Math.floor(room / 61) + 1 }, (_, step) => step * 61);
  expect(await conversation(page).evaluate(blankReplies, everywhere)).toEqual([]);
});

test('a long answer that ended stays at its end: a button leads to its start, and what is hidden of it comes into view with the focus', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const answer = new LongAnswer(gateway);
  await lanes(bench, server.url, 2);
  await bench.send('Both of you');
  await expect.poll(() => answer.count).toBe(2);
  answer.say('```sh\nls\n```\n\n', 0);
  answer.grow(40, 0);
  answer.end(0);
  answer.grow(200, 1);
  await expect(bench.replies.filter({ hasText: answer.lastLine })).toHaveCount(1);
  await expect.poll(() => distance(page)).toBeLessThan(2);
  const ended = bench.replies.and(page.locator('[data-status=complete]'));
  const start = ended.getByRole('button', { name: /^Start of lane [AB]'s answer$/ });
  await expect(ended.getByText('Line 40')).toBeInViewport();
  await expect(ended.getByText('Line 1', { exact: true })).not.toBeInViewport();

  await test.step('the button leads there, goes, and leaves the focus in the reply', async () => {
    await start.click();
    await expect(ended.getByText('Line 1', { exact: true })).toBeInViewport();
    await expect(ended).toBeFocused();
    await expect(start).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Start of/ })).toHaveCount(0);
  });

  await test.step('what takes the focus comes into view', async () => {
    await newest(page).click();
    await expect(start).toBeVisible();
    const hidden = ended.getByRole('button', { name: 'Copy code' });
    await expect(hidden).not.toBeInViewport();
    await hidden.focus();
    await expect(hidden).toBeInViewport();
  });
});

/** Adds two lanes, and has all three answer so much that the view follows their end. */
async function growInThreeLanes(bench: BenchPage, answer: LongAnswer): Promise<void> {
  const { count } = answer;
  await bench.button('Add lane').click();
  await bench.button('Add lane').click();
  await bench.send('All of you');
  await expect.poll(() => answer.count).toBe(count + 3);
  answer.grow(60);
  await expect(bench.lastReply).toContainText(answer.lastLine);
  await expect.poll(() => distance(bench.page)).toBeLessThan(2);
}
