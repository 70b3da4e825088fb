import type { Locator, Page } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

test.use({
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  contextOptions: { reducedMotion: 'no-preference' },
});

/** Adds a lane through the session tools, as on a phone. */
async function addLane(bench: BenchPage): Promise<void> {
  await bench.getButton('Session tools').click();
  await bench.getButton('Add lane').click();
}

function getTab(page: Page, name: string): Locator {
  return page.getByRole('tablist', { name: 'Lanes' }).getByRole('tab', { name });
}

function getReplies(page: Page, letter: string): Locator {
  return page.getByRole('article', { name: new RegExp(`^Assistant message, lane ${letter},`) });
}

test('shows the start of all answers in All and whole answers in lane tabs, and retries from both', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  let isFailing = false;
  gateway.setChatScript((answer, { body }) => {
    if (isFailing && body['model'] === 'north/two') {
      const error = { message: 'No capacity', type: 'upstream_unavailable', code: '503' };
      return answer.sendJson(503, { error });
    }
    answer.sendAnswer(
      `First words of ${String(body['model'])}. `,
      'And more words. '.repeat(30),
      'The last word.',
    );
  });
  await bench.open(server.url);
  await expect(page.getByRole('tablist', { name: 'Lanes' })).toHaveCount(0);
  await addLane(bench);
  await expect(getTab(page, 'All')).toHaveAttribute('aria-selected', 'true');
  await page
    .getByRole('region', { name: 'Lane B' })
    .getByRole('combobox', { name: 'Model' })
    .fill('north/two');
  await page.keyboard.press('Enter');
  await bench.message.fill('Hello to both');
  await bench.getButton('Send').click();

  await test.step('switches between All and lane tabs by tap and arrow keys', async () => {
    await expect(bench.prompts).toHaveText(/Hello to both/);
    await expect(getTab(page, 'Lane A Done')).toBeVisible();
    await expect(getReplies(page, 'A')).toContainText('First words of north/one');
    await expect(getReplies(page, 'B')).toContainText('First words of north/two');
    // The cards share the height of the screen; each shows as much as fits into its part.
    for (const letter of ['A', 'B']) await expect(getReplies(page, letter)).toBeInViewport({ ratio: 1 });

    await getTab(page, 'Lane B').click();
    await expect(getReplies(page, 'A')).toHaveCount(0);
    await expect(getReplies(page, 'B')).toHaveCount(1);
    await expect(getReplies(page, 'B').getByText('The last word.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Lane B' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Lane A' })).toBeHidden();

    await getTab(page, 'Lane B').press('ArrowLeft');
    await expect(getTab(page, 'Lane A')).toBeFocused();
    await expect(getReplies(page, 'A')).toBeVisible();
    await expect(getReplies(page, 'B')).toHaveCount(0);

    await getTab(page, 'All').click();
    await page.getByRole('button', { name: /^Show lane B/ }).click();
    await expect(getTab(page, 'Lane B')).toHaveAttribute('aria-selected', 'true');
  });

  await test.step("shows a prompt for one lane only in that lane's tab", async () => {
    await bench.getButton('More message options').click();
    await page.getByRole('checkbox', { name: 'To lane A' }).uncheck({ force: true });
    isFailing = true;
    await bench.message.fill('Only for B');
    await bench.getButton('Send').click();
    await expect(bench.prompts.last()).toContainText('Only for B');
    await getTab(page, 'Lane A').click();
    await expect(bench.prompts).toHaveText([/Hello to both/]);
  });

  await test.step('changes the model of a failed lane, or retries the lane, from All', async () => {
    await expect(getTab(page, 'Lane B Failed')).toBeVisible();
    await getTab(page, 'All').click();
    await getReplies(page, 'B').last().getByRole('button', { name: 'Choose another model' }).click();
    await expect(getTab(page, 'Lane B')).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('listbox', { name: 'Model' })).toBeVisible();
    await page.keyboard.press('Escape');
    isFailing = false;
    await getTab(page, 'All').click();
    await getReplies(page, 'B').last().getByRole('button', { name: 'Retry lane B' }).click();
    await expect(getTab(page, 'Lane B Done')).toBeVisible();
  });
});

test('closes the parameters sheet with Done, Escape, backdrop or drag, and opens the inspector full screen', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  const openButton = page.getByRole('button', { name: /^Parameters, \d+ sent/ });
  const initialLabel = await openButton.getAttribute('aria-label');
  await openButton.click();
  await expect(bench.parameters).toBeVisible();
  await expect(bench.getButton('Done')).toBeFocused();
  await bench.parameters.getByRole('spinbutton', { name: 'max_tokens' }).fill('77');
  // Nothing behind the sheet can be reached.
  expect(await page.locator('main').evaluate((main) => main.hasAttribute('inert'))).toBe(true);
  await bench.getButton('Done').click();
  await expect(bench.parameters).toHaveCount(0);
  await expect(openButton).toBeFocused();
  expect(await openButton.getAttribute('aria-label')).not.toBe(initialLabel);

  await openButton.click();
  await page.keyboard.press('Escape');
  await expect(bench.parameters).toHaveCount(0);
  await openButton.click();
  await page.mouse.click(195, 20);
  await expect(bench.parameters).toHaveCount(0);
  await openButton.click();
  const headingBox = await bench.parameters.getByRole('heading', { name: 'Parameters' }).boundingBox();
  if (!headingBox) throw new Error('The sheet has no heading');
  await page.mouse.move(headingBox.x + 20, headingBox.y + 5);
  await page.mouse.down();
  await page.mouse.move(headingBox.x + 20, headingBox.y + 200, { steps: 4 });
  await page.mouse.up();
  await expect(bench.parameters, 'closed by dragging').toHaveCount(0);

  await bench.message.fill('Go');
  await bench.getButton('Send').click();
  await bench.waitUntilEnded();
  expect(gateway.posts.at(-1)?.body['max_tokens']).toBe(77);

  await expect(bench.getButton('Get code')).toBeHidden();
  await bench.getButton('Session tools').click();
  await page.locator('[data-region=session-bar]').getByRole('button', { name: 'Inspect' }).click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector.getByRole('tab', { name: 'Events' })).toBeVisible();
  await expect.poll(() => inspector.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  await expect(bench.getButton('Summary'), 'in the menu of tools').toBeHidden();
  await inspector.getByRole('button', { name: 'Close inspector' }).click();
  await expect(bench.message).toBeVisible();
});

/**
 * Runs in the page: returns visible buttons, links, tabs and checkboxes with a touch target below 44 by 44 px, except
 * links inside a sentence.
 */
function findSmallTargets(): string[] {
  const undersized: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>(
    'button, a[href], [role=tab], [role=menuitem], input[type=checkbox], [role=switch], [role=radio]',
  )) {
    const box = element.getBoundingClientRect();
    const center = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    const isVisible =
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && box.width > 1;
    // Partly scrolled elements are checked when they are fully in view.
    const scroller = element
      .closest('[data-sheet] > :has(> section), [data-region=conversation], [data-all-lanes]')
      ?.getBoundingClientRect();
    const [top, bottom] = [scroller?.top ?? 0, scroller?.bottom ?? innerHeight];
    const isOnScreen = center.y > top + 22 && center.y < bottom - 22 && center.x > 0 && center.x < innerWidth;
    if (!isVisible || !isOnScreen) continue;
    const isHit = (x: number, y: number) => {
      const hitElement = document.elementFromPoint(x, y);
      return (
        hitElement !== null &&
        (element.contains(hitElement) || hitElement.closest('label')?.control === element)
      );
    };
    // Covered elements cannot be pressed now.
    if (!isHit(center.x, center.y)) continue;
    const isTallEnough = [-21, 21].every((offset) => isHit(center.x, center.y + offset));
    const isWideEnough = box.width >= 40 || [-18, 18].every((offset) => isHit(center.x + offset, center.y));
    if (!isTallEnough || !isWideEnough) {
      undersized.push(
        `${element.getAttribute('aria-label') ?? element.textContent} ${Math.round(box.width)} x ${Math.round(box.height)}`,
      );
    }
  }
  return undersized;
}

test('has large touch targets, no horizontal overflow and the health as text at 390 and 320 px', async ({
  bench,
  demo,
  page,
}) => {
  // Without animation the sheet opens at its final position.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await bench.open(demo.url);
  await expect(page.getByRole('button', { name: /^Parameters,/ })).toBeVisible();
  const checkScreen = async (state: string) => {
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const findFaults = () => page.evaluate(findSmallTargets);
      await expect.poll(findFaults, `${state} at ${width} px: small touch targets`).toEqual([]);
      const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflowPx, `${state} at ${width} px: horizontal overflow`).toBeLessThanOrEqual(0);
      await expect(bench.health).toMatchAriaSnapshot('- status "Gateway health": /Demo gateway/');
    }
  };
  await checkScreen('empty');
  await addLane(bench);
  await checkScreen('two lanes');
  await bench.message.fill('Hello');
  await bench.getButton('More message options').click();
  await checkScreen('the composer unfolded');
  // After touch input no pointer remains whose tooltip would cover the next target.
  await page.mouse.move(5, 400);
  await page.keyboard.press('Escape');
  await expect(bench.getButton('More message options')).toHaveAttribute('aria-expanded', 'false');
  await bench.getButton('Send').click();
  await expect(getTab(page, 'Lane B Done')).toBeVisible();
  await checkScreen('all lanes');
  await getTab(page, 'Lane A').click();
  await checkScreen('one lane');
  await bench.getButton('Session tools').click();
  await checkScreen('the session tools');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Parameters,/ }).click();
  await expect(bench.getButton('Done')).toBeInViewport({ ratio: 1 });
  await expect(bench.parameters).toBeVisible();
  await checkScreen('parameters');
});

test('keeps all message actions on screen on phones and small tablets', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.setChatScript((answer) => answer.sendAnswer('Answer'));
  await bench.open(server.url);
  await bench.message.fill('A question of some words, which does not fit into a line');
  await bench.getButton('Send').click();
  await bench.waitUntilEnded();
  for (const width of [320, 360, 390, 430, 620, 768]) {
    await page.setViewportSize({ width, height: 844 });
    for (const name of ['Edit', 'Copy', 'Branch', 'Delete'])
      await expect(
        bench.prompts.getByRole('button', { name, exact: true }),
        `${name} at ${width} px`,
      ).toBeInViewport({ ratio: 1 });
    const isOverlapping = await bench.prompts.evaluate((prompt) => {
      const textBox = prompt.querySelector('p')?.getBoundingClientRect();
      const editBox = prompt.querySelector('button[aria-label=Edit]')?.getBoundingClientRect();
      return (
        textBox &&
        editBox &&
        editBox.left < textBox.right &&
        editBox.top < textBox.bottom &&
        editBox.bottom > textBox.top
      );
    });
    expect(isOverlapping, `over the text at ${width} px`).toBe(false);
  }
});

test('uses text fields large enough to prevent zooming on touch, at any width', async ({
  bench,
  demo,
  page,
}) => {
  const findSmallFields = () =>
    page.evaluate(() => {
      const roots = [
        document,
        ...[...document.querySelectorAll('*')].flatMap((element) => element.shadowRoot ?? []),
      ];
      return roots
        .flatMap((root) => [...root.querySelectorAll('textarea, input, [contenteditable=true]')])
        .filter(
          (field) =>
            field.checkVisibility() &&
            !/^(?:checkbox|radio|range|file)$/.test(field.getAttribute('type') ?? ''),
        )
        .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
        .map((field) => field.getAttribute('aria-label') ?? field.outerHTML);
    });
  const checkScreen = async (state: string) => {
    for (const width of [390, 1366]) {
      await page.setViewportSize({ width, height: 1024 });
      expect(await findSmallFields(), `${state} at ${width} px`).toEqual([]);
    }
  };
  await page.setViewportSize({ width: 1366, height: 1024 });
  await bench.open(demo.url);
  await expect(bench.parameters).toBeVisible();
  await bench.message.fill('Hello {{name}}');
  const jsonField = bench.parameters.getByRole('textbox', { name: 'Extra provider fields' });
  await jsonField.fill('1');
  await expect(jsonField).toHaveAttribute('contenteditable', 'true');
  await bench.getButton('Add a field').click();
  await bench.getButton('Link an image').click();
  await checkScreen('the playground');
  await page.setViewportSize({ width: 1366, height: 1024 });
  await bench.getButton('Search or run a command').click();
  await checkScreen('the command field');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await bench.getButton('Send').click();
  await bench.waitUntilEnded();
  await bench.prompts.getByRole('button', { name: 'Edit' }).click();
  await checkScreen('the editor of a message');
  for (const path of ['/trials', '/embeddings', '/history']) {
    await page.goto(new URL(path, demo.url).href);
    await page.getByRole('main').waitFor();
    if (path === '/trials') {
      await bench.getButton('New trial').click();
      await bench.getButton('Add case').click();
      await page.getByRole('textbox', { name: 'Name of a new value' }).waitFor();
    }
    await checkScreen(path);
  }
});
