import type { Locator, Page } from 'playwright/test';

import type { ScriptedResponse, ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

/** Answers that grow and end on demand, so that no test depends on time. */
class GrowingAnswer {
  readonly #answers: ScriptedResponse[] = [];
  readonly #endedIndexes = new Set<number>();
  #lineCount = 0;
  #onRequest: () => void = () => undefined;

  constructor(gateway: ScriptedGateway) {
    gateway.setChatScript((answer) => {
      answer.openStream();
      this.#answers.push(answer);
      this.#onRequest();
    });
  }

  /** Resolves on the next request. */
  waitForRequest(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRequest = resolve;
    });
  }

  /** Adds lines to every answer that has not ended, or to the one with this index. */
  grow(lineCount: number, answerIndex?: number): void {
    const text = Array.from(
      { length: lineCount },
      (_, index) => `Line ${this.#lineCount + index + 1}\n\n`,
    ).join('');
    this.#lineCount += lineCount;
    for (const [number, answer] of this.#answers.entries())
      if (answerIndex === undefined ? !this.#endedIndexes.has(number) : answerIndex === number)
        answer.sendText(text);
  }

  addText(text: string, answerIndex: number): void {
    this.#answers[answerIndex]?.sendText(text);
  }

  get lastLine(): string {
    return this.getLineBeforeLast(0);
  }

  getLineBeforeLast(count: number): string {
    return `Line ${this.#lineCount - count}`;
  }

  end(answerIndex?: number): void {
    for (const [number, answer] of this.#answers.entries()) {
      if (this.#endedIndexes.has(number) || (answerIndex !== undefined && answerIndex !== number)) continue;
      this.#endedIndexes.add(number);
      answer.sendFinishReason();
      answer.sendDone();
    }
  }

  get count(): number {
    return this.#answers.length;
  }
}

function getConversation(page: Page): Locator {
  return page.getByRole('region', { name: 'Conversation' });
}

/** Returns the distance from the bottom of the viewport to the end of the conversation, in px. */
function measureDistanceToEnd(page: Page): Promise<number> {
  return getConversation(page).evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop);
}

function getNewestButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Newest' });
}

/** Returns the top of a line on screen, in px. */
async function measureLineTop(page: Page, line: string): Promise<number> {
  const box = await page.getByText(line, { exact: true }).first().boundingBox();
  if (box === null) throw new Error(`${line} is not visible`);
  return box.y;
}

/** Waits for two frames, after which pending changes are drawn. */
function waitForFrames(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** Starts an answer that has 80 lines and is still streaming, with the view at its end. */
async function startStreaming(
  bench: BenchPage,
  gateway: ScriptedGateway,
  url: string,
): Promise<GrowingAnswer> {
  const answer = new GrowingAnswer(gateway);
  await bench.open(url);
  await startAnswer(bench, answer);
  await expect.poll(() => measureDistanceToEnd(bench.page)).toBeLessThan(2);
  return answer;
}

/** Sends a prompt and streams 80 lines of its answer. */
async function startAnswer(bench: BenchPage, answer: GrowingAnswer): Promise<void> {
  const requestPromise = answer.waitForRequest();
  await bench.message.fill('Go on and on');
  await bench.getButton(/^Send/).click();
  await requestPromise;
  answer.grow(80);
  await expect(bench.lastReply).toContainText(answer.lastLine);
}

/** Runs in the page: shrinks the footer below the conversation and then adds content before the next frame. */
function shrinkFooterAndGrow(box: Element): void {
  const laneFooters = document.querySelector('.lane-footer')?.parentElement;
  const content = box.firstElementChild;
  if (!(laneFooters instanceof HTMLElement) || !content)
    throw new Error('No element exists below the conversation');
  const initialScrollTop = box.scrollTop;
  laneFooters.style.marginBottom = '0px';
  if (box.scrollTop === initialScrollTop) throw new Error('The browser did not adjust the scroll position');
  const paragraph = document.createElement('p');
  paragraph.style.height = '150px';
  content.append(paragraph);
}

test('follows the end while the view is at the end, also while the footer resizes and the user types', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const answer = await startStreaming(bench, gateway, server.url);
  for (let round = 0; round < 5; round += 1) {
    answer.grow(10);
    await expect(page.getByText(answer.lastLine, { exact: true })).toBeInViewport();
    await expect.poll(() => measureDistanceToEnd(page)).toBeLessThan(2);
  }
  await expect(getNewestButton(page), 'no button to the newest text').toHaveCount(0);

  await test.step('follows the end while the footer height changes', async () => {
    await page.locator(':has(> .lane-footer)').evaluate((feet) => (feet.style.marginBottom = '60px'));
    await expect.poll(() => measureDistanceToEnd(page)).toBeLessThan(2);
    await waitForFrames(page);
    await getConversation(page).evaluate(shrinkFooterAndGrow);
    await waitForFrames(page);
    await expect.poll(() => measureDistanceToEnd(page)).toBeLessThan(2);
    await expect(getNewestButton(page)).toHaveCount(0);
  });

  await test.step('follows the end while the user types and selects in the message', async () => {
    await bench.message.fill('The next question');
    await bench.message.press('ControlOrMeta+a');
    answer.grow(20);
    await expect(page.getByText(answer.lastLine, { exact: true })).toBeInViewport();
    await expect(getNewestButton(page)).toHaveCount(0);
  });

  answer.end();
  await bench.waitUntilEnded();
  await expect.poll(() => measureDistanceToEnd(page)).toBeLessThan(2);

  await test.step('follows the end again after a new message, from any position', async () => {
    await getConversation(page).evaluate((box) => box.scrollTo(0, 0));
    await expect(getNewestButton(page)).toBeVisible();
    await bench.send('And now?');
    await expect(getNewestButton(page)).toHaveCount(0);
    await expect.poll(() => measureDistanceToEnd(page)).toBeLessThan(2);
  });
});

async function pointAtConversation(page: Page): Promise<void> {
  const box = await getConversation(page).boundingBox();
  if (box === null) throw new Error('The conversation is missing');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}

/** Actions that stop following the end, and whether the answer ends afterwards. */
const unfollowActions: readonly (readonly [
  what: string,
  act: (page: Page) => Promise<void>,
  endsAfter?: boolean,
])[] = [
  [
    'mouse wheel',
    async (page) => {
      await pointAtConversation(page);
      await page.mouse.wheel(0, -30);
    },
    true,
  ],
  [
    'Page Up',
    async (page) => {
      await getConversation(page).focus();
      await page.keyboard.press('PageUp');
    },
  ],
  [
    'arrow key',
    async (page) => {
      await getConversation(page).focus();
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
      await getConversation(page).evaluate((box) => box.scrollBy(0, -300));
    },
  ],
];

/** Returns the top of a line once scrolling has stopped, since wheel and keys scroll smoothly. */
async function waitForRestingTop(page: Page, line: string): Promise<number> {
  let lineTop = Number.NaN;
  await expect
    .poll(async () => {
      const previousTop = lineTop;
      await waitForFrames(page);
      lineTop = await measureLineTop(page, line);
      return lineTop === previousTop;
    })
    .toBe(true);
  return lineTop;
}

test('stops following on wheel, keys, selection or other scrolling, and resumes with "Newest"', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const answer = await startStreaming(bench, gateway, server.url);
  for (const [description, action, endsAfter] of unfollowActions) {
    await test.step(description, async () => {
      // This line is on screen after every action.
      const line = answer.getLineBeforeLast(4);
      await action(page);
      await expect(getNewestButton(page)).toBeVisible();
      const lineTop = await waitForRestingTop(page, line);
      answer.grow(40);
      await expect(bench.lastReply).toContainText(answer.lastLine);
      await waitForFrames(page);
      expect(await measureLineTop(page, line)).toBe(lineTop);
      if (endsAfter) {
        answer.end();
        await bench.waitUntilEnded();
        await waitForFrames(page);
        expect(await measureLineTop(page, line), 'after the end of the answer').toBe(lineTop);
      }
      await getNewestButton(page).click();
      await expect.poll(() => measureDistanceToEnd(page)).toBeLessThan(2);
      await expect(getNewestButton(page)).toHaveCount(0);
      await expect(getConversation(page)).toBeFocused();
      if (endsAfter) await startAnswer(bench, answer);
    });
  }

  await test.step('follows the end again after the user scrolls back to it', async () => {
    await pointAtConversation(page);
    await page.mouse.wheel(0, -400);
    await expect(getNewestButton(page)).toBeVisible();
    await page.mouse.wheel(0, 4_000);
    await expect(getNewestButton(page)).toHaveCount(0);
    answer.grow(30);
    await expect(page.getByText(answer.lastLine, { exact: true })).toBeInViewport();
  });

  await test.step('keeps a selection and its position while text streams and when the answer ends', async () => {
    const line = answer.getLineBeforeLast(2);
    await page.getByText(line, { exact: true }).click({ clickCount: 3 });
    const readSelection = () => page.evaluate(() => document.getSelection()?.toString().trim());
    expect(await readSelection()).toBe(line);
    const lineTop = await waitForRestingTop(page, line);
    answer.grow(40);
    await expect(bench.lastReply).toContainText(answer.lastLine);
    expect(await readSelection()).toBe(line);
    answer.end();
    await bench.waitUntilEnded();
    await waitForFrames(page);
    expect(await readSelection()).toBe(line);
    expect(await measureLineTop(page, line)).toBe(lineTop);
  });
});

/**
 * Runs in the page: returns the left edges of the lanes, inside their borders, in headers, rules, replies and footers.
 */
function measureLaneStarts(): string[] {
  return [
    '.lane-header',
    '[data-region=conversation] i > i',
    ':not(:has(~ div > .reply)) > .reply',
    '.lane-footer',
  ].map((selector) =>
    [...document.querySelectorAll(selector)]
      .map((element) => Math.round(element.getBoundingClientRect().left + element.clientLeft))
      .join(' '),
  );
}

test('moves nothing above the end in several lanes, whichever lane grows or ends', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const answer = new GrowingAnswer(gateway);
  await bench.open(server.url);
  await growInThreeLanes(bench, answer);
  answer.grow(40, 1);
  await expect(page.getByText(answer.lastLine, { exact: true })).toBeInViewport();

  await getConversation(page).evaluate((box) => box.scrollBy(0, -900));
  await expect(getNewestButton(page)).toBeVisible();
  await waitForFrames(page);
  const lineTop = await measureLineTop(page, 'Line 50');
  answer.grow(30, 0);
  await expect(bench.replies.filter({ hasText: answer.lastLine })).toHaveCount(1);
  answer.end(0);
  await expect(bench.replies.and(page.locator('[data-status=complete]'))).toHaveCount(1);
  answer.grow(80, 2);
  answer.end(2);
  answer.end(1);
  await expect(bench.replies.and(page.locator('[data-status=complete]'))).toHaveCount(3);
  await waitForFrames(page);
  expect(await measureLineTop(page, 'Line 50')).toBe(lineTop);
  await getNewestButton(page).click();
  await expect.poll(() => measureDistanceToEnd(page)).toBeLessThan(2);
});

test.describe('touch', () => {
  test.use({ hasTouch: true });

  test('stops following when the user drags the text down', async ({ bench, server, gateway, page }) => {
    const answer = await startStreaming(bench, gateway, server.url);
    const cdpSession = await page.context().newCDPSession(page);
    const box = await getConversation(page).boundingBox();
    const [x, y] = [(box?.x ?? 0) + 200, (box?.y ?? 0) + 200];
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchY?: number) =>
      cdpSession.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: touchY === undefined ? [] : [{ x, y: touchY }],
      });
    await touch('touchStart', y);
    for (let offset = 10; offset <= 120; offset += 10) await touch('touchMove', y + offset);
    await touch('touchEnd');
    await expect(getNewestButton(page)).toBeVisible();
    answer.grow(40);
    await expect(bench.lastReply).toContainText(answer.lastLine);
    await expect(page.getByText(answer.lastLine, { exact: true })).not.toBeInViewport();
    answer.end();
  });
});

test(
  'stops following when the user grabs the scroll bar, and keeps lanes aligned beside the scroll bar',
  { tag: '@soak' },
  async ({ server, gateway, playwright, launchOptions }) => {
    // Launches a separate browser, because tests normally hide scroll bars.
    const browser = await playwright.chromium.launch({
      ...launchOptions,
      ignoreDefaultArgs: ['--hide-scrollbars'],
    });
    try {
      const bench = new BenchPage(await browser.newPage({ viewport: { width: 1440, height: 900 } }));
      const answer = await startStreaming(bench, gateway, server.url);
      const scrollBar = await getConversation(bench.page).evaluate((box) => {
        const { right, bottom } = box.getBoundingClientRect();
        return { width: box.getBoundingClientRect().width - box.clientWidth, right, bottom };
      });
      expect(scrollBar.width, 'a scroll bar that can be grabbed').toBeGreaterThan(0);
      await bench.page.mouse.move(scrollBar.right - scrollBar.width / 2, scrollBar.bottom - 30);
      await bench.page.mouse.down();
      await expect(getNewestButton(bench.page)).toBeVisible();
      await bench.page.mouse.move(scrollBar.right - scrollBar.width / 2, scrollBar.bottom - 200);
      await bench.page.mouse.up();
      answer.grow(40);
      await expect(bench.lastReply).toContainText(answer.lastLine);
      await expect(bench.page.getByText(answer.lastLine, { exact: true })).not.toBeInViewport();
      answer.end();

      await growInThreeLanes(bench, answer);
      const starts = await bench.page.evaluate(measureLaneStarts);
      expect(starts[0]).toMatch(/^0 \d+ \d+$/);
      expect(new Set(starts), 'lanes are aligned beside a scroll bar').toEqual(new Set([starts[0]]));
    } finally {
      await browser.close();
    }
  },
);

/**
 * Runs in the page at these scroll positions, by default the current one: returns replies that show no complete line of
 * text although their turn is fully visible or fills half of the viewport.
 */
function findBlankReplies(box: Element, positions: readonly number[] = [box.scrollTop]): string[] {
  const blankReplies: string[] = [];
  for (const position of positions) {
    box.scrollTop = position;
    const view = box.getBoundingClientRect();
    for (const reply of box.querySelectorAll('.reply')) {
      const turn = reply.parentElement?.getBoundingClientRect();
      const text = reply.querySelector('.markdown');
      if (!turn || !text?.textContent) continue;
      const visibleHeight = Math.min(turn.bottom, view.bottom) - Math.max(turn.top, view.top);
      if (visibleHeight < Math.min(turn.height, view.height / 2)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      // Text under the fades at the top and bottom edges does not count.
      const isFullyVisible = ({ top, bottom }: DOMRect) => top >= view.top + 40 && bottom <= view.bottom - 52;
      if (![...range.getClientRects()].some(isFullyVisible))
        blankReplies.push(`${reply.ariaLabel} at ${box.scrollTop}`);
    }
  }
  return blankReplies;
}

async function openLanes(bench: BenchPage, url: string, count: number): Promise<void> {
  await bench.open(url);
  for (let added = 1; added < count; added += 1) await bench.getButton('Add lane').click();
}

test('shows a complete line in every non-empty lane, at ten moments of a run and every scroll position', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const count = 6;
  const answer = new GrowingAnswer(gateway);
  await openLanes(bench, server.url, count);
  await bench.send('All of you');
  await expect.poll(() => answer.count).toBe(count);
  const findBlank = () => getConversation(page).evaluate(findBlankReplies);
  let endedCount = 0;
  for (let instant = 0; instant < 10; instant += 1) {
    // The first answer is short, later ones are taller than the viewport, and the last one keeps growing.
    const answerIndex = instant % answer.count;
    if (answerIndex < endedCount) answer.grow(25, answer.count - 1);
    else answer.grow(answerIndex === 0 ? 3 : 20 + 10 * answerIndex, answerIndex);
    await expect(bench.replies.filter({ hasText: answer.lastLine })).toHaveCount(1);
    await waitForFrames(page);
    expect(await findBlank(), `instant ${instant}`).toEqual([]);
    if (instant % 2 === 1 && endedCount < count - 1) {
      answer.end(endedCount);
      endedCount += 1;
      await expect(bench.replies.and(page.locator('[data-status=complete]'))).toHaveCount(endedCount);
      await waitForFrames(page);
      expect(await findBlank(), `after ${endedCount} ended answers`).toEqual([]);
    }
  }
  for (let answerIndex = endedCount; answerIndex < count; answerIndex += 1) {
    answer.grow(2, answerIndex);
    answer.end(answerIndex);
  }
  await expect(bench.replies.and(page.locator('[data-status=complete]'))).toHaveCount(count);
  await expect.poll(() => measureDistanceToEnd(page)).toBeLessThan(2);
  const maxScrollTop = await getConversation(page).evaluate((box) => box.scrollHeight - box.clientHeight);
  expect(maxScrollTop).toBeGreaterThan(1_000);
  const positions = Array.from({ length: Math.floor(maxScrollTop / 61) + 1 }, (_, step) => step * 61);
  expect(await getConversation(page).evaluate(findBlankReplies, positions)).toEqual([]);
});

test('keeps a long ended answer at its end with a button to its start, and scrolls focused elements into view', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const answer = new GrowingAnswer(gateway);
  await openLanes(bench, server.url, 2);
  await bench.send('Both of you');
  await expect.poll(() => answer.count).toBe(2);
  answer.addText('```sh\nls\n```\n\n', 0);
  answer.grow(40, 0);
  answer.end(0);
  answer.grow(200, 1);
  await expect(bench.replies.filter({ hasText: answer.lastLine })).toHaveCount(1);
  await expect.poll(() => measureDistanceToEnd(page)).toBeLessThan(2);
  const endedReply = bench.replies.and(page.locator('[data-status=complete]'));
  const startButton = endedReply.getByRole('button', { name: /^Start of lane [AB]'s answer$/ });
  await expect(endedReply.getByText('Line 40')).toBeInViewport();
  await expect(endedReply.getByText('Line 1', { exact: true })).not.toBeInViewport();

  await test.step('scrolls to the start of the answer, focuses the reply and removes the button', async () => {
    await startButton.click();
    await expect(endedReply.getByText('Line 1', { exact: true })).toBeInViewport();
    await expect(endedReply).toBeFocused();
    await expect(startButton).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Start of/ })).toHaveCount(0);
  });

  await test.step('scrolls a focused element into view', async () => {
    await getNewestButton(page).click();
    await expect(startButton).toBeVisible();
    const hiddenButton = endedReply.getByRole('button', { name: 'Copy code' });
    await expect(hiddenButton).not.toBeInViewport();
    await hiddenButton.focus();
    await expect(hiddenButton).toBeInViewport();
  });
});

/** Adds two lanes and streams so much into all three that the view follows their end. */
async function growInThreeLanes(bench: BenchPage, answer: GrowingAnswer): Promise<void> {
  const { count } = answer;
  await bench.getButton('Add lane').click();
  await bench.getButton('Add lane').click();
  await bench.send('All of you');
  await expect.poll(() => answer.count).toBe(count + 3);
  answer.grow(60);
  await expect(bench.lastReply).toContainText(answer.lastLine);
  await expect.poll(() => measureDistanceToEnd(bench.page)).toBeLessThan(2);
}
