import { createGate } from '../src/testing/builders.ts';
import { expect, test } from './fixtures.ts';
import { InspectorDriver } from './inspector-driver.ts';

test(
  'navigates, filters and shows events by keyboard, and mounts only the visible rows of a long answer',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const tokenCount = 3_000;
    gateway.setChatScript((answer) => {
      answer.sendDelta({ role: 'assistant', content: '' });
      for (let piece = 0; piece < 10; piece += 1) answer.sendDelta({ reasoning_content: `why${piece} ` });
      for (let piece = 0; piece < tokenCount; piece += 1) answer.sendText(`w${piece} `);
      answer.sendFinishReason();
      answer.sendUsage(12, 34);
      answer.sendDone();
    });
    const inspector = new InspectorDriver(page);
    await bench.open(server.url);
    await bench.sendAndWait('Roll back or wait?');

    await test.step('moves through events by keyboard, expands nodes and restores the focus', async () => {
      await bench.message.focus();
      await page.keyboard.press('Control+i');
      await expect(inspector.getTab('Events')).toBeFocused();
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

    await test.step('shows one event completely and filters by kind', async () => {
      await bench.lastReply.getByRole('button', { name: 'Inspect' }).click();
      await expect(inspector.drawer.getByRole('heading', { name: '3,014 events' })).toBeVisible();
      await expect(inspector.drawer.getByRole('img', { name: /^Gaps between events/ })).toBeVisible();
      await inspector.drawer.getByRole('button', { name: 'usage' }).click();
      await expect(inspector.grid.getByRole('row')).toHaveCount(2);
      await inspector.grid.getByRole('row').filter({ hasText: '12 in, 34 out' }).click();
      await expect(inspector.drawer.getByRole('region', { name: 'Event 3013' })).toContainText('"usage"');
      await inspector.drawer.getByRole('button', { name: 'usage' }).click();
    });
  },
);

test(
  "moves one cursor through the traces of all lanes and shows each lane's text at that time",
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const wordsByModel = { 'north/one': ['one ', 'two ', 'three'], 'north/two': ['uno ', 'dos ', 'tres'] };
    const secondGate = createGate();
    gateway.setChatScript(async (answer, { body }) => {
      await expect.poll(() => gateway.posts.length).toBe(2);
      const isSecond = body['model'] === 'north/two';
      for (const word of isSecond ? wordsByModel['north/two'] : wordsByModel['north/one']) {
        answer.sendText(word);
        // Waiting for each word to appear gives every word a separate time.
        await expect(bench.replies.filter({ hasText: word.trim() })).toHaveCount(1);
      }
      // The first answer ends only after the second has arrived completely.
      if (isSecond) secondGate.open();
      else await secondGate.opened;
      answer.sendFinishReason();
      answer.sendDone();
    });
    await bench.open(server.url);
    await bench.getButton('Add lane').click();
    const secondModelField = page
      .getByRole('region', { name: 'Lane B' })
      .getByRole('combobox', { name: 'Model' });
    await secondModelField.fill('north/two');
    await secondModelField.press('Enter');
    await bench.send('Count');
    await expect(page.locator('article[data-status="complete"]')).toHaveCount(2);
    const trace = page.getByRole('slider', { name: /^Trace, lane A/ });
    await expect(trace).toHaveAttribute('aria-valuetext', /^Waiting .*answer .*Ended after/);
    const getTextAtCursor = (lane: string) =>
      page.getByRole('group', { name: new RegExp(`^Lane ${lane} at`) });

    const box = await trace.boundingBox();
    if (!box) throw new Error('The trace is not visible');
    await page.mouse.move(box.x, box.y + 10);
    await expect(getTextAtCursor('A')).toContainText('Waiting');
    await page.mouse.move(box.x + box.width - 2, box.y + 10);
    await expect(getTextAtCursor('A')).toHaveText(/one two three\s*$/);
    const cursorLabel = await getTextAtCursor('A').getAttribute('aria-label');
    await expect(getTextAtCursor('B')).toHaveAttribute(
      'aria-label',
      String(cursorLabel).replace('Lane A', 'Lane B'),
    );
    await expect(getTextAtCursor('B')).toContainText('uno dos tres');
    await page.mouse.move(5, 5);
    await expect(getTextAtCursor('A')).toHaveCount(0);

    await trace.focus();
    await page.keyboard.press('Home');
    await expect(getTextAtCursor('A')).toContainText('Waiting');
    await page.keyboard.press('ArrowRight');
    await expect(getTextAtCursor('A').getByText('one')).toHaveText('one ', { useInnerText: false });
    await page.keyboard.press('ArrowRight');
    await expect(getTextAtCursor('A')).toContainText('one two');
    await expect(getTextAtCursor('A')).not.toContainText('three');
    await page.keyboard.press('End');
    await expect(getTextAtCursor('B')).toContainText('uno dos tres');
    await page.keyboard.press('Escape');
    await expect(getTextAtCursor('A')).toHaveCount(0);

    await trace.click();
    const inspector = new InspectorDriver(page);
    await expect(inspector.drawer).toBeVisible();
    await page.getByRole('radio', { name: 'Inspect lane B' }).click();
    await expect(inspector.grid).toContainText('dos');
  },
);
