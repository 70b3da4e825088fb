/** Measures the share of the viewport left for answers, also with more lanes than fit. */
import type { Locator, Page } from 'playwright/test';

import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

const longAnswer = Array.from({ length: 60 }, (_, index) => `Line ${index + 1}`).join('\n\n');

function getConversation(page: Page): Locator {
  return page.getByRole('region', { name: 'Conversation' });
}

function getLaneRail(page: Page): Locator {
  return page.getByRole('toolbar', { name: 'Lanes' });
}

/** Opens two different lanes, each with a long answer to a one-line prompt. */
async function openTwoLanes(
  bench: BenchPage,
  page: Page,
  gateway: ScriptedGateway,
  url: string,
): Promise<void> {
  gateway.setChatScript((answer) => answer.sendAnswer(longAnswer));
  await bench.open(url);
  await bench.getButton('Add lane').click();
  const modelField = page.getByRole('region', { name: 'Lane B' }).getByRole('combobox', { name: 'Model' });
  await modelField.fill('north/two');
  await modelField.press('Enter');
  await bench.message.fill('Hello');
  await bench.message.press('Enter');
  await expect(bench.replies).toHaveCount(2);
  for (const reply of await bench.replies.all())
    await expect(reply).toHaveAttribute('data-status', 'complete');
  await expect(page.getByRole('region', { name: 'Differences' })).toContainText('model');
}

/** Returns the share of the viewport that shows the conversation, between lane headers and metrics. */
async function measureAnswerShare(page: Page): Promise<number> {
  const getBox = async (part: Locator) => {
    const box = await part.boundingBox();
    if (!box) throw new Error('The element is not visible');
    return box;
  };
  const conversationBox = await getBox(getConversation(page));
  const headerBox = await getBox(page.getByRole('region', { name: 'Lane A' }));
  const metricsBox = await getBox(page.getByRole('button', { name: 'All metrics of lane A' }));
  const top = Math.max(conversationBox.y, headerBox.y + headerBox.height);
  const bottom = Math.min(conversationBox.y + conversationBox.height, metricsBox.y);
  return (bottom - top) / (page.viewportSize()?.height ?? 1);
}

test('reserves most of a short viewport for the answers of two lanes', async ({
  bench,
  gateway,
  page,
  server,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await openTwoLanes(bench, page, gateway, server.url);
  expect(await measureAnswerShare(page)).toBeGreaterThanOrEqual(0.6);

  await test.step('shows metrics in one line, and all of them on a click', async () => {
    const allMetricsButton = bench.getButton('All metrics of lane A');
    await expect(bench.getMetrics(1)).toContainText('Request ID');
    await allMetricsButton.press('Enter');
    await expect(allMetricsButton).toHaveAttribute('aria-expanded', 'true');
    await expect(bench.getMetrics(1)).toHaveCount(1);
    await expect(bench.getMetrics(1).getByText('Finish', { exact: true })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
    await expect(allMetricsButton).toHaveAttribute('aria-expanded', 'false');
  });

  await test.step('expands the composer over the conversation without moving it', async () => {
    const initialBox = await getConversation(page).boundingBox();
    const messageBox = await bench.message.boundingBox();
    await bench.message.fill('One\nTwo\nThree');
    await expect
      .poll(async () => (await bench.message.boundingBox())?.height)
      .toBeGreaterThan(messageBox?.height ?? 0);
    expect(await getConversation(page).boundingBox()).toEqual(initialBox);
    await bench.message.fill('');
  });

  await test.step('shows the values of variables only while the composer is expanded', async () => {
    const valueField = page.getByRole('textbox', { name: 'Value of city' });
    await bench.message.fill('What about {{city}}?');
    await valueField.fill('Oslo');
    await bench.message.press('Enter');
    await expect(page.locator('article[data-status="complete"]')).toHaveCount(4);
    await expect(valueField).toHaveCount(0);
    await bench.message.click();
    await page.getByRole('button', { name: 'Show 1 value' }).click();
    await expect(valueField).toHaveValue('Oslo');
    await page.getByRole('button', { name: 'Show fewer' }).click();
  });

  await test.step('adds a system prompt from a lane header', async () => {
    await page
      .getByRole('region', { name: 'Lane B' })
      .getByRole('button', { name: 'Add a system prompt' })
      .click();
    await expect(bench.system).toBeFocused();
    await expect(bench.system).toBeInViewport({ ratio: 1 });
    await bench.system.fill('Be brief.');
    await expect(bench.getButton('Add a system prompt')).toHaveCount(0);
  });
});

test('scrolls the bars out of a very short viewport to leave their space to the answers', async ({
  bench,
  gateway,
  page,
  server,
}) => {
  await page.setViewportSize({ width: 640, height: 360 });
  await openTwoLanes(bench, page, gateway, server.url);
  await page.mouse.move(320, 180);
  await page.mouse.wheel(0, 10_000);
  await expect(bench.getButton('Session menu')).not.toBeInViewport();
  expect(await measureAnswerShare(page)).toBeGreaterThanOrEqual(0.45);
  await expect(bench.message).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('region', { name: 'Lane B' })).toBeInViewport({ ratio: 1 });
  for (const reply of await bench.replies.all())
    await expect(reply.getByText('Line 60', { exact: true })).toBeInViewport({ ratio: 1 });

  await page.mouse.wheel(0, -10_000);
  await expect(bench.getButton('Session menu')).toBeInViewport({ ratio: 1 });
  await expect(bench.getButton('Newest')).toBeInViewport({ ratio: 1 });
  await bench.getButton('Newest').click();
  await expect(bench.lastReply.getByText('Line 60', { exact: true })).toBeInViewport({ ratio: 1 });
});

test(
  'navigates and fits six lanes with the lane rail and resizes one with a divider',
  { tag: '@soak' },
  async ({ bench, gateway, page, server }) => {
    gateway.setChatScript((answer) => answer.sendAnswer('Fine'));
    await bench.open(server.url);
    await expect(getLaneRail(page)).toHaveCount(0);
    const getLaneHeader = (letter: string) => page.getByRole('region', { name: `Lane ${letter}` });
    for (const letter of 'BCDEF') {
      await bench.getButton('Add lane').click();
      await expect(getLaneHeader(letter), 'a new lane is scrolled into view').toBeInViewport({ ratio: 0.99 });
    }
    await bench.message.fill('Hello');
    await bench.message.press('Enter');
    await expect(getLaneRail(page).getByRole('button', { name: /^Lane [A-F], done/ })).toHaveCount(6);

    await getLaneRail(page).getByRole('button', { name: 'Lane A, done, out of view' }).click();
    await expect(getLaneHeader('A')).toBeInViewport({ ratio: 0.99 });
    await expect(getLaneRail(page).getByRole('button', { name: 'Lane A, done', exact: true })).toBeVisible();
    await expect(getLaneRail(page).getByRole('button', { name: 'Lane F, done, out of view' })).toBeVisible();
    await page.keyboard.press('Alt+Shift+Digit6');
    await expect(getLaneHeader('F')).toBeInViewport({ ratio: 0.99 });

    await test.step('marks the lanes in view after the layout of phones', async () => {
      const size = page.viewportSize();
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(getLaneHeader('F')).toBeHidden();
      if (size) await page.setViewportSize(size);
      await expect(getLaneHeader('A')).toBeInViewport({ ratio: 0.99 });
      await expect(
        getLaneRail(page).getByRole('button', { name: 'Lane A, done', exact: true }),
      ).toBeVisible();
      await page.keyboard.press('Alt+Shift+Digit6');
      await expect(getLaneHeader('F')).toBeInViewport({ ratio: 0.99 });
    });

    await test.step('spans shared elements across the viewport', async () => {
      const editButton = bench.prompts.first().getByRole('button', { name: 'Edit', exact: true });
      await expect(editButton).toBeInViewport({ ratio: 1 });
      await getLaneRail(page)
        .getByRole('button', { name: /^Lane A/ })
        .click();
      await expect(editButton).toBeInViewport({ ratio: 1 });
    });

    await test.step('gives all lanes the same width on Fit and hides the sidebar', async () => {
      const fitButton = getLaneRail(page).getByRole('button', { name: 'Fit' });
      await fitButton.click();
      await expect(fitButton).toHaveAttribute('aria-pressed', 'true');
      await expect(bench.parameters).toHaveCount(0);
      for (const letter of 'ABCDEF') await expect(getLaneHeader(letter)).toBeInViewport({ ratio: 0.99 });
      await fitButton.click();
      await expect(bench.parameters).toBeVisible();
    });

    await test.step('moves a divider by key and pointer, and toggles a single lane on double click', async () => {
      const measureLaneWidth = async (letter: string) =>
        (await getLaneHeader(letter).boundingBox())?.width ?? 0;
      const divider = page.getByRole('separator', { name: 'Width of lane A' });
      const initialWidth = await measureLaneWidth('A');
      await divider.press('ArrowRight');
      await expect.poll(() => measureLaneWidth('A')).toBeCloseTo(initialWidth + 16, 0);
      await divider.press('ArrowLeft');
      await expect.poll(() => measureLaneWidth('A')).toBeCloseTo(initialWidth, 0);
      const box = await divider.boundingBox();
      if (!box) throw new Error('The divider is not visible');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 40, y);
      await page.mouse.move(x + 80, y);
      await page.mouse.up();
      await expect.poll(() => measureLaneWidth('A')).toBeCloseTo(initialWidth + 80, 0);

      await divider.dblclick();
      await expect(getLaneHeader('B')).not.toBeInViewport({ ratio: 0.1 });
      await expect(getLaneHeader('A')).toBeInViewport({ ratio: 0.99 });
      await divider.dblclick();
      await expect(getLaneHeader('B')).toBeInViewport({ ratio: 0.99 });
    });

    await test.step('selects each lane with the switch beside the inspector, which replaces the lane rail', async () => {
      await page.getByRole('button', { name: 'Inspect', exact: true }).first().click();
      for (const letter of 'FA') {
        const laneRadio = page.getByRole('radio', { name: `Inspect lane ${letter}` });
        await expect(laneRadio).toBeInViewport({ ratio: 1 });
        await laneRadio.click();
        await expect(laneRadio).toBeChecked();
        await expect(getLaneHeader(letter)).toBeInViewport({ ratio: 0.99 });
      }
      await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
    });
  },
);

for (const [width, height] of [
  [1440, 900],
  [1280, 720],
] as const) {
  test(`starts everything of one lane at one of two left edges at ${width} × ${height}`, async ({
    bench,
    demo,
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await bench.open(demo.url);
    const getTextLeft = (part: Locator) =>
      part.evaluate((element) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
          node.textContent?.trim() && node.parentElement?.checkVisibility()
            ? NodeFilter.FILTER_ACCEPT
            : NodeFilter.FILTER_SKIP,
        );
        const range = document.createRange();
        range.selectNodeContents(walker.nextNode() ?? element);
        return range.getBoundingClientRect().left;
      });
    const getLeft = async (part: Locator) => (await part.boundingBox())?.x;
    const starter = page.getByRole('button', { name: /^Let a model call a tool/ });
    const laneHeader = page.getByRole('region', { name: 'Lane A' });
    await expect(bench.model).toHaveValue('demo/guide');
    await expect(starter).toBeVisible();
    const contentLeft = await getTextLeft(bench.noConversation);
    expect(await getTextLeft(laneHeader.locator('.model-picker'))).toBe(contentLeft);
    expect(await getLeft(starter.locator('svg'))).toBe(contentLeft);

    await starter.click();
    await bench.waitUntilEnded();
    const prompt = bench.prompts.last();
    expect(await getTextLeft(prompt.getByText('What is the weather in Paris?'))).toBe(contentLeft);
    expect(await getLeft(bench.lastReply.getByRole('group', { name: /^Tool call/ }))).toBe(contentLeft);
    expect(await getLeft(page.getByRole('slider', { name: /^Trace, lane A/ }))).toBe(contentLeft);
    const labelLeft = await getTextLeft(prompt.getByText('You', { exact: true }));
    expect(labelLeft).toBeLessThan(contentLeft);
    expect(await getTextLeft(bench.lastReply.getByText('Reply', { exact: true }))).toBe(labelLeft);
    expect(await getLeft(page.locator('form[data-region=composer]'))).toBe(labelLeft);
  });
}

test('updates metrics and turn number while scrolling', async ({ bench, gateway, page, server }) => {
  gateway.setChatScript((answer) => answer.sendAnswer(longAnswer));
  await bench.open(server.url);
  for (const prompt of ['First', 'Second', 'Third']) await bench.sendAndWait(prompt);
  await expect(page.getByText('Turn 3 of 3', { exact: true })).toBeVisible();
  await expect(page.getByRole('slider', { name: 'Trace, lane A, turn 3' })).toBeVisible();
  await bench.prompts.first().scrollIntoViewIfNeeded();
  await expect(page.getByText('Turn 1 of 3', { exact: true })).toBeVisible();
  await expect(page.getByRole('slider', { name: 'Trace, lane A, turn 1' })).toBeVisible();
  for (const turn of [1, 2, 3]) await expect(bench.getMetrics(turn), `turn ${turn}`).toHaveCount(1);
  await bench.getButton('Newest').click();
  await expect(page.getByText('Turn 3 of 3', { exact: true })).toBeVisible();
});
