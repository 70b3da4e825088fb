import type { Locator, Page } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';
import { aPicture } from './png-file.ts';
import { enter } from './user-input.ts';

async function pickByKeys(page: Page, menu: Locator, item: string): Promise<void> {
  await enter(menu);
  await enter(page.getByRole('menuitem', { name: item }));
}

/** Keys are listened to, and the focus is kept, from the moment when the commands are here. */
async function openWithKeys(bench: BenchPage, url: string): Promise<void> {
  await bench.open(url);
  await expect(bench.button('Search or run a command')).toBeVisible();
}

type Opening = readonly [title: string, open: () => Promise<void>];

function lane(page: Page, letter: string): Locator {
  return page.getByRole('region', { name: `Lane ${letter}` });
}

test(
  'what asks, edits and steps leaves the focus at the answer, at the arrow that led to it, or in the message where it stood beside it',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    gateway.setChatScript((answer) => answer.sendAnswer(`Answer ${gateway.posts.length}`));
    await openWithKeys(bench, server.url);

    await test.step('asking again', async () => {
      await bench.ask('Question');
      await enter(bench.lastReply.getByRole('button', { name: 'Regenerate' }));
      await expect(bench.lastReply).toBeFocused();
      await expect(bench.lastReply).toContainText('Answer 2');
      await bench.ended();
      await enter(bench.button('Run again'));
      await expect(bench.message).toBeFocused();
      // What is asked while an answer is on its way waits in the message.
      await expect(bench.lastReply).toContainText('Answer 3');
      await bench.ended();

      gateway.setChatScript((answer) => answer.sendJson(500, { error: { message: 'Broken.' } }));
      await bench.ask('Another');
      gateway.setChatScript((answer) => answer.sendAnswer(`Answer ${gateway.posts.length}`));
      await enter(bench.lastReply.getByRole('button', { name: 'Retry' }));
      await expect(bench.lastReply).toContainText('Answer 5');
      await expect(bench.lastReply).toBeFocused();
      await bench.ended();
    });

    await test.step('the editor of an answer gives it back to its menu', async () => {
      const edit = bench.lastReply.getByRole('button', { name: 'More actions' });
      await pickByKeys(page, edit, 'Edit');
      await page.getByRole('textbox', { name: 'Edit message' }).press('Escape');
      await expect(edit).toBeFocused();
    });

    await test.step('a version that is drawn again', async () => {
      await bench.prompts.last().getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Edit message' }).fill('Better question');
      await page.keyboard.press('Enter');
      await expect(bench.lastReply).toContainText('Answer 6');
      await bench.ended();
      const back = bench.prompts.last().getByRole('button', { name: 'Previous version' });
      await enter(back);
      await expect(bench.lastReply).toContainText('Answer 5');
      await expect(back).toBeFocused();
      await page.keyboard.press('ArrowRight');
      await expect(bench.lastReply).toContainText('Answer 6');
      await expect(back).toBeFocused();
    });

    await test.step('the last candidate, and Left leads back', async () => {
      gateway.setChatScript((answer) => {
        for (const [index, text] of ['First', 'Second'].entries()) {
          answer.sendDelta({ content: text }, index);
          answer.sendFinishReason('stop', index);
        }
        answer.sendDone();
      });
      await bench.ask('Go');
      const next = bench.button('Next candidate');
      await enter(next);
      await expect(bench.lastReply).toContainText('Second');
      await expect(next).toBeDisabled();
      await expect(next).toBeFocused();
      await page.keyboard.press('ArrowLeft');
      await expect(bench.lastReply).toContainText('First');
    });

    await test.step('advice that was taken', async () => {
      gateway.setChatScript((answer) => {
        answer.sendText('Cut');
        answer.sendFinishReason('length');
        answer.sendDone();
      });
      await bench.newSession();
      await bench.parameters.getByRole('spinbutton', { name: 'max_tokens', exact: true }).fill('600');
      await bench.sendParameter('stream_options', false);
      await bench.ask('Question');
      const asked = gateway.posts.length;
      await enter(bench.button('Request token counts'));
      await expect(bench.lastReply).toBeFocused();
      await enter(bench.button('Raise to 1,200 and ask again'));
      await expect.poll(() => gateway.posts.length).toBe(asked + 1);
      await expect(bench.lastReply).toBeFocused();
    });
  },
);

test('what was deleted leaves the focus at what stands before it, and Undo in the message', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.setChatScript((answer) => answer.sendAnswer('Answer'));
  await openWithKeys(bench, server.url);
  await bench.ask('First');
  await bench.ask('Second');
  await enter(bench.prompts.last().getByRole('button', { name: 'Delete' }));
  await expect(bench.prompts).toHaveCount(1);
  await expect(bench.lastReply).toBeFocused();
  await enter(bench.undo);
  await expect(bench.prompts).toHaveCount(2);
  await expect(bench.message).toBeFocused();
  await enter(bench.prompts.first().getByRole('button', { name: 'Delete' }));
  await expect(bench.message, 'nothing is left').toBeFocused();
  await enter(bench.undo);

  await page.getByRole('link', { name: 'History' }).click();
  await enter(
    page
      .getByRole('row')
      .getByRole('button', { name: /^Delete/ })
      .first(),
  );
  await enter(bench.undo);
  await expect(bench.undo).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
});

test(
  'lanes: stopping, removing and adding up to six never lose the focus',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    gateway.setChatScript(async (answer) => {
      answer.sendText('Slow');
      await held;
      answer.sendFinishReason();
      answer.sendDone();
    });
    await openWithKeys(bench, server.url);
    const add = bench.button('Add lane');
    for (let count = 2; count <= 6; count += 1) {
      await enter(add);
      await expect(page.getByRole('region', { name: /^Lane [A-F]$/ })).toHaveCount(count);
    }
    await expect(add).toBeDisabled();
    await expect(add).toBeFocused();
    for (const letter of ['F', 'E', 'D']) {
      await pickByKeys(page, bench.button(`Lane ${letter} menu`), 'Remove lane');
      await expect(lane(page, letter)).toHaveCount(0);
    }
    await expect(bench.button('Lane C menu')).toBeFocused();
    await pickByKeys(page, bench.button('Lane A menu'), 'Remove lane');
    await expect(lane(page, 'C')).toHaveCount(0);
    await expect(bench.button('Lane A menu')).toBeFocused();

    await bench.send('Go');
    await expect(bench.replies.last()).toContainText('Slow');
    await enter(bench.button('Stop lane B'));
    await expect(bench.button('Stop lane B')).toHaveCount(0);
    await expect(bench.button('Lane B menu')).toBeFocused();
    await bench.button('Stop lane A').focus();
    letGo();
    await expect(bench.replies.first()).toHaveAttribute('data-status', 'complete');
    await expect(bench.button('Lane A menu'), 'also where it ends by itself').toBeFocused();
  },
);

test(
  'results that are sent, images that are removed and a session that is renamed leave the focus where one goes on',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    gateway.setChatScript((answer, { body }) => {
      if (JSON.stringify(body['messages']).includes('"tool"')) return answer.sendAnswer('Read.');
      answer.sendToolCall(0, 'a1', 'get_weather', '{"city":"Oslo"}');
      answer.sendFinishReason('tool_calls');
      answer.sendDone();
    });
    await openWithKeys(bench, server.url);

    await test.step('results, in the message', async () => {
      await bench.ask('Go');
      const field = page.getByRole('textbox', { name: 'Result for get_weather' });
      await field.fill('Sunny');
      await field.press('ControlOrMeta+Enter');
      await expect(bench.lastReply).toContainText('Read.');
      await expect(bench.message).toBeFocused();
    });

    await test.step('images, at the next one, then in the message', async () => {
      const remove = bench.button('Remove image');
      const chooser = page.waitForEvent('filechooser');
      await bench.button('Image').click();
      await (await chooser).setFiles([aPicture('one.png'), aPicture('two.png', { width: 50 })]);
      await expect(remove).toHaveCount(2);
      await enter(remove.first());
      await expect(remove).toHaveCount(1);
      await expect(remove).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(bench.message).toBeFocused();
    });

    await test.step('a renamed session, at its menu', async () => {
      await pickByKeys(page, bench.button('Session menu'), 'Rename');
      const title = page.getByRole('textbox', { name: 'Session title' });
      await expect(title).toBeFocused();
      await title.fill('Rivers');
      await title.press('Enter');
      await expect(bench.button('Session menu')).toBeFocused();
    });
  },
);

test('the parameters take the focus and give it back; over the conversation Escape closes them', async ({
  bench,
  server,
  page,
}) => {
  await openWithKeys(bench, server.url);
  const show = bench.button('Show parameters');
  await enter(bench.button('Hide sidebar'));
  await expect(show).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(bench.button('Hide sidebar')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(bench.parameters, 'beside the conversation they stay').toBeVisible();

  await page.setViewportSize({ width: 1024, height: 800 });
  await enter(show);
  await expect(bench.button('Hide sidebar')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(bench.parameters).toBeHidden();
  await expect(show).toBeFocused();
  await page.keyboard.press('Enter');
  await bench.parameters.getByRole('spinbutton', { name: 'n', exact: true }).press('Escape');
  await expect(bench.parameters).toBeHidden();
  await expect(show).toBeFocused();
});

test('what is typed letter by letter arrives in the field that one is in, also in dialogs', async ({
  bench,
  server,
  page,
}) => {
  const written = async (field: Locator, text: string) => {
    await field.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
    await expect(field).toHaveValue(text);
    await expect(field).toBeFocused();
  };
  await openWithKeys(bench, server.url);
  await bench.parameters.getByRole('button', { name: 'Add a field' }).click();
  await written(bench.parameters.getByRole('textbox', { name: 'Field name' }), 'safe_mode');
  await written(bench.parameters.getByRole('textbox', { name: 'Field value' }), 'true');
  await page.keyboard.press('Escape');

  await bench.button(/^Edit tools/).click();
  await page.getByRole('button', { name: 'Add a tool' }).click();
  await page.getByRole('menuitem', { name: /^get_weather/ }).click();
  await written(page.getByRole('textbox', { name: 'Name', exact: true }), 'weather_now');
  await written(page.getByRole('textbox', { name: 'Description', exact: true }), 'The sky');
});

test('returns to the same place of a field after a modal dialog has closed', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.setChatScript((answer) => answer.sendAnswer('Answer'));
  await openWithKeys(bench, server.url);
  await bench.ask('Question');
  const json = bench.parameters.getByRole('textbox', { name: 'Extra provider fields' });
  await json.fill('1');
  // Its editor comes with its first text.
  await expect(json).toHaveAttribute('contenteditable', 'true');
  const commands = () => page.keyboard.press('ControlOrMeta+k');
  const dialogs: readonly [Opening, ...Opening[]] = [
    ['Commands', commands],
    ['Presentation', () => page.keyboard.press('Alt+Shift+P')],
    [
      'Keyboard shortcuts',
      async () => {
        await commands();
        await page.keyboard.type('keyboard shortcuts');
        await page.keyboard.press('Enter');
      },
    ],
  ];
  const fields: [string, Locator][] = [
    ['several lines', bench.message],
    ['system prompt', bench.system],
    ['one line', page.getByRole('textbox', { name: 'Author name' })],
    ['number', bench.parameters.getByRole('spinbutton', { name: 'temperature' })],
    ['JSON', json],
  ];
  for (const [index, [kind, field]] of fields.entries()) {
    const [title, open] = dialogs[index % dialogs.length] ?? dialogs[0];
    await test.step(`${kind}, ${title}`, async () => {
      await field.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('14');
      await page.keyboard.press('ArrowLeft');
      await open();
      await expect(page.getByRole('dialog', { name: title })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(field).toBeFocused();
      await page.keyboard.type('3');
      if (kind === 'JSON') await expect(field).toHaveText('134');
      else await expect(field).toHaveValue('134');
    });
  }
});

test('a starter leaves the focus in the message, where what is typed next goes', async ({
  bench,
  demo,
  page,
}) => {
  await openWithKeys(bench, demo.url);
  const starter = bench.button(/^Let a model call a tool/);
  const focused = await starter.evaluate((button: HTMLElement) => {
    button.focus();
    button.click();
    return document.activeElement?.getAttribute('aria-label');
  });
  expect(focused, 'at once: no key that is pressed while the answer comes is lost').toBe('Message');
  await bench.ended();
  await page.keyboard.type('And then?');
  await expect(bench.message).toHaveValue('And then?');
});

test('focus that one lets go of, or moves, is left alone', async ({ bench, server, gateway, page }) => {
  gateway.setChatScript((answer) => answer.sendAnswer('Answer'));
  await page.clock.install();
  await openWithKeys(bench, server.url);
  await bench.ask('Question');
  const regenerate = bench.lastReply.getByRole('button', { name: 'Regenerate' });
  await enter(regenerate);
  await bench.system.focus();
  await bench.ended();
  await expect(bench.system).toBeFocused();
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.keyboard.press('Shift');
  // Longer than it is looked after.
  await page.clock.runFor(5_000);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
});
