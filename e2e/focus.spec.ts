import type { Locator, Page } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';
import { createPng } from './png-file.ts';
import { pressEnter } from './user-input.ts';

async function chooseByKeyboard(page: Page, menu: Locator, item: string): Promise<void> {
  await pressEnter(menu);
  await pressEnter(page.getByRole('menuitem', { name: item }));
}

/** Opens the app and waits until its commands have loaded; shortcuts and focus handling work from then on. */
async function openWithShortcuts(bench: BenchPage, url: string): Promise<void> {
  await bench.open(url);
  await expect(bench.getButton('Search or run a command')).toBeVisible();
}

type DialogOpener = readonly [title: string, open: () => Promise<void>];

function getLane(page: Page, letter: string): Locator {
  return page.getByRole('region', { name: `Lane ${letter}` });
}

test(
  'keeps the focus on the answer, the stepper or the message after retries, edits and version changes',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    gateway.setChatScript((answer) => answer.sendAnswer(`Answer ${gateway.posts.length}`));
    await openWithShortcuts(bench, server.url);

    await test.step('focuses the reply or the message after a retry', async () => {
      await bench.sendAndWait('Question');
      await pressEnter(bench.lastReply.getByRole('button', { name: 'Regenerate' }));
      await expect(bench.lastReply).toBeFocused();
      await expect(bench.lastReply).toContainText('Answer 2');
      await bench.waitUntilEnded();
      await pressEnter(bench.getButton('Run again'));
      await expect(bench.message).toBeFocused();
      // Both answers must have ended: a message submitted during an answer stays in the composer.
      await expect(bench.lastReply).toContainText('Answer 3');
      await bench.waitUntilEnded();

      gateway.setChatScript((answer) => answer.sendJson(500, { error: { message: 'Broken.' } }));
      await bench.sendAndWait('Another');
      gateway.setChatScript((answer) => answer.sendAnswer(`Answer ${gateway.posts.length}`));
      await pressEnter(bench.lastReply.getByRole('button', { name: 'Retry' }));
      await expect(bench.lastReply).toContainText('Answer 5');
      await expect(bench.lastReply).toBeFocused();
      await bench.waitUntilEnded();
    });

    await test.step("returns the focus from an answer's editor to the answer's menu", async () => {
      const moreButton = bench.lastReply.getByRole('button', { name: 'More actions' });
      await chooseByKeyboard(page, moreButton, 'Edit');
      await page.getByRole('textbox', { name: 'Edit message' }).press('Escape');
      await expect(moreButton).toBeFocused();
    });

    await test.step('keeps the focus while versions are rendered again', async () => {
      await bench.prompts.last().getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Edit message' }).fill('Better question');
      await page.keyboard.press('Enter');
      await expect(bench.lastReply).toContainText('Answer 6');
      await bench.waitUntilEnded();
      const previousButton = bench.prompts.last().getByRole('button', { name: 'Previous version' });
      await pressEnter(previousButton);
      await expect(bench.lastReply).toContainText('Answer 5');
      await expect(previousButton).toBeFocused();
      await page.keyboard.press('ArrowRight');
      await expect(bench.lastReply).toContainText('Answer 6');
      await expect(previousButton).toBeFocused();
    });

    await test.step('keeps the focus on the disabled button at the last candidate, and steps back on the left arrow', async () => {
      gateway.setChatScript((answer) => {
        for (const [index, text] of ['First', 'Second'].entries()) {
          answer.sendDelta({ content: text }, index);
          answer.sendFinishReason('stop', index);
        }
        answer.sendDone();
      });
      await bench.sendAndWait('Go');
      const nextButton = bench.getButton('Next candidate');
      await pressEnter(nextButton);
      await expect(bench.lastReply).toContainText('Second');
      await expect(nextButton).toBeDisabled();
      await expect(nextButton).toBeFocused();
      await page.keyboard.press('ArrowLeft');
      await expect(bench.lastReply).toContainText('First');
    });

    await test.step('keeps the focus after a suggestion is applied', async () => {
      gateway.setChatScript((answer) => {
        answer.sendText('Cut');
        answer.sendFinishReason('length');
        answer.sendDone();
      });
      await bench.startNewSession();
      await bench.parameters.getByRole('spinbutton', { name: 'max_tokens', exact: true }).fill('600');
      await bench.setParameterSent('stream_options', false);
      await bench.sendAndWait('Question');
      const requestCount = gateway.posts.length;
      await pressEnter(bench.getButton('Request token counts'));
      await expect(bench.lastReply).toBeFocused();
      await pressEnter(bench.getButton('Raise to 1,200 and retry'));
      await expect.poll(() => gateway.posts.length).toBe(requestCount + 1);
      await expect(bench.lastReply).toBeFocused();
    });
  },
);

test('focuses the previous element after a deletion, and the message after Undo', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.setChatScript((answer) => answer.sendAnswer('Answer'));
  await openWithShortcuts(bench, server.url);
  await bench.sendAndWait('First');
  await bench.sendAndWait('Second');
  await pressEnter(bench.prompts.last().getByRole('button', { name: 'Delete' }));
  await expect(bench.prompts).toHaveCount(1);
  await expect(bench.lastReply).toBeFocused();
  await pressEnter(bench.undo);
  await expect(bench.prompts).toHaveCount(2);
  await expect(bench.message).toBeFocused();
  await pressEnter(bench.prompts.first().getByRole('button', { name: 'Delete' }));
  await expect(bench.message, 'no messages remain').toBeFocused();
  await pressEnter(bench.undo);

  await page.getByRole('link', { name: 'History' }).click();
  await pressEnter(
    page
      .getByRole('row')
      .getByRole('button', { name: /^Delete/ })
      .first(),
  );
  await pressEnter(bench.undo);
  await expect(bench.undo).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
});

interface Removal {
  item: string;
  /** Opens the page with the items and returns the control that removes one. */
  open: (deps: { bench: BenchPage; url: string; demoUrl: string }) => Promise<Locator>;
  /** Item to choose if the control is a menu. */
  menuItem?: string;
  /** Returns the element that is focused next. */
  getNext: (bench: BenchPage) => Locator;
}

async function openTrialDraft({ bench, demoUrl }: { bench: BenchPage; demoUrl: string }): Promise<void> {
  await bench.page.goto(new URL('/trials', demoUrl).href);
  await bench.getButton(/^Same setup twice/).click();
  await expect(bench.page.getByRole('gridcell').first()).toBeVisible();
}

const getTitleButton = ({ page }: BenchPage): Locator =>
  page.getByRole('heading', { level: 1 }).getByRole('button');

const removals: readonly Removal[] = [
  {
    item: 'message',
    open: async ({ bench, url }) => {
      await openWithShortcuts(bench, url);
      for (const text of ['One', 'Two', 'Three']) await bench.sendAndWait(text);
      return bench.prompts.nth(2).getByRole('button', { name: 'Delete' });
    },
    getNext: (bench) => bench.getReply(2),
  },
  {
    item: 'lane',
    open: async ({ bench, url }) => {
      await openWithShortcuts(bench, url);
      await bench.getButton('Add lane').click();
      await bench.getButton('Add lane').click();
      return bench.getButton('Lane B menu');
    },
    menuItem: 'Remove lane',
    getNext: (bench) => bench.getButton('Lane B menu'),
  },
  {
    item: 'case',
    open: async (deps) => {
      await openTrialDraft(deps);
      const grid = deps.bench.page.getByRole('grid', { name: 'Cases' });
      await grid.focus();
      await grid.press('Enter');
      return deps.bench.getButton('Remove case');
    },
    getNext: ({ page }) => page.getByRole('grid', { name: 'Cases' }),
  },
  {
    item: 'column',
    open: async (deps) => {
      await openTrialDraft(deps);
      return deps.bench.getButton('Column B menu');
    },
    menuItem: 'Remove',
    getNext: (bench) => bench.getButton('Column A menu'),
  },
  {
    item: 'preset',
    open: async ({ bench, url }) => {
      await openWithShortcuts(bench, url);
      await chooseByKeyboard(bench.page, bench.getButton('Presets'), 'Save setup as preset');
      for (const name of ['first', 'second']) {
        await bench.page.getByRole('textbox', { name: 'Preset name' }).fill(name);
        await bench.page.keyboard.press('Enter');
        await expect(bench.getButton(`Delete ${name}`)).toBeVisible();
      }
      return bench.getButton('Delete first');
    },
    getNext: (bench) => bench.getButton('Delete second'),
  },
  {
    item: 'notice',
    open: async ({ bench, url }) => {
      await bench.open(url);
      await bench.page.getByRole('link', { name: 'History' }).click();
      const chooserPromise = bench.page.waitForEvent('filechooser');
      await bench.getButton('Import').click();
      await (
        await chooserPromise
      ).setFiles({ name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('broken') });
      return bench.getButton('Dismiss');
    },
    getNext: ({ page }) => page.getByRole('main'),
  },
  {
    item: 'session in the history',
    open: async ({ bench, url }) => {
      await openWithShortcuts(bench, url);
      for (const text of ['One', 'Two']) {
        await bench.startNewSession();
        await bench.sendAndWait(text);
      }
      await bench.page.getByRole('link', { name: 'History' }).click();
      return bench.getButton('Delete Two');
    },
    getNext: (bench) => bench.getButton('Delete One'),
  },
  {
    item: 'tool',
    open: async ({ bench, url }) => {
      await openWithShortcuts(bench, url);
      await bench.getButton(/^Edit tools/).click();
      for (const name of [/^get_weather/, /^search/]) {
        await bench.getButton('Add a tool').click();
        await bench.page.getByRole('menuitem', { name }).click();
      }
      return bench.getButton('Remove get_weather');
    },
    getNext: (bench) => bench.getButton(/^Remove search/),
  },
  {
    item: 'check',
    open: async (deps) => {
      await openTrialDraft(deps);
      await deps.bench.getButton('Checks').click();
      await chooseByKeyboard(deps.bench.page, deps.bench.getButton('Add check'), 'Is JSON');
      await deps.bench.getButton('right number').click();
      return deps.bench.getButton('Remove check');
    },
    getNext: (bench) => bench.getButton('Is JSON'),
  },
  {
    item: 'last check',
    open: async (deps) => {
      await openTrialDraft(deps);
      await deps.bench.getButton('Checks').click();
      await deps.bench.getButton('right number').click();
      return deps.bench.getButton('Remove check');
    },
    getNext: ({ page }) => page.getByRole('heading', { name: 'Checks' }),
  },
  {
    item: 'setup that opens a check',
    open: async (deps) => {
      await openTrialDraft(deps);
      return deps.bench.getButton(/^right number/);
    },
    getNext: ({ page }) => page.getByRole('complementary', { name: 'Check' }),
  },
  {
    item: 'field for the title of a trial',
    open: async (deps) => {
      await openTrialDraft(deps);
      await getTitleButton(deps.bench).click();
      return deps.bench.page.getByRole('textbox', { name: 'Title' });
    },
    getNext: getTitleButton,
  },
  {
    item: 'file to import',
    open: async (deps) => {
      await openTrialDraft(deps);
      const { page } = deps.bench;
      await deps.bench.getButton('Import cases').click();
      const chooserPromise = page.waitForEvent('filechooser');
      await deps.bench.getButton('Choose a file').click();
      await (
        await chooserPromise
      ).setFiles({ name: 'cases.csv', mimeType: 'text/csv', buffer: Buffer.from('question,answer\n1+1,2') });
      return deps.bench.getButton('Remove file');
    },
    getNext: ({ page }) => page.getByRole('textbox', { name: 'Rows to import' }),
  },
  {
    item: 'field for a note',
    open: async ({ bench, url }) => {
      await openWithShortcuts(bench, url);
      await bench.sendAndWait('One');
      await chooseByKeyboard(
        bench.page,
        bench.lastReply.getByRole('button', { name: 'More actions' }),
        'Add note',
      );
      const field = bench.page.getByRole('textbox', { name: 'Note' });
      await field.fill('Too long');
      return field;
    },
    getNext: (bench) => bench.getButton('Too long'),
  },
  {
    item: 'replay on the stage',
    open: async ({ bench, url }) => {
      await openWithShortcuts(bench, url);
      await bench.sendAndWait('One');
      await bench.page.keyboard.press('Alt+Shift+P');
      await bench.getButton(/replay/).click();
      return bench.getButton(/back to live/);
    },
    getNext: (bench) => bench.getButton(/replay/),
  },
];

/** Counts the frames during which nothing is focused. */
async function countFramesWithoutFocus(page: Page): Promise<() => Promise<number>> {
  const counter = await page.evaluateHandle(() => {
    const frames = { withoutFocus: 0 };
    const count = () => {
      if (document.activeElement === document.body) frames.withoutFocus += 1;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    return frames;
  });
  return () => counter.evaluate(({ withoutFocus }) => withoutFocus);
}

for (const { item, open, menuItem, getNext } of removals)
  test(`never leaves the page without focus when a ${item} is removed by keyboard`, async ({
    bench,
    server,
    demo,
    gateway,
    page,
  }) => {
    gateway.setChatScript((answer) => answer.sendAnswer('Answer'));
    const control = await open({ bench, url: server.url, demoUrl: demo.url });
    await control.focus();
    const readFrames = await countFramesWithoutFocus(page);
    await page.keyboard.press('Enter');
    if (menuItem !== undefined) await pressEnter(page.getByRole('menuitem', { name: menuItem }));
    await expect(getNext(bench)).toBeFocused();
    // Waits two frames, in case something else moves the focus.
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
    );
    await expect(getNext(bench)).toBeFocused();
    expect(await readFrames()).toBe(0);
  });

test('keeps the focus on a button that is disabled by its last press', async ({ bench, demo, page }) => {
  await openTrialDraft({ bench, demoUrl: demo.url });
  const addButton = bench.getButton('Add column');
  const columns = page
    .getByRole('complementary', { name: 'Setup' })
    .getByRole('button', { name: /Column [A-L],/ });
  for (let count = 3; count <= 12; count += 1) {
    await pressEnter(addButton);
    await expect(columns).toHaveCount(count);
  }
  await expect(addButton).toBeDisabled();
  await expect(addButton).toBeFocused();
});

test(
  'keeps the focus when lanes are stopped, removed and added, up to six',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    let releaseAnswer: () => void = () => undefined;
    const releasePromise = new Promise<void>((resolve) => (releaseAnswer = resolve));
    gateway.setChatScript(async (answer) => {
      answer.sendText('Slow');
      await releasePromise;
      answer.sendFinishReason();
      answer.sendDone();
    });
    await openWithShortcuts(bench, server.url);
    const addButton = bench.getButton('Add lane');
    for (let count = 2; count <= 6; count += 1) {
      await pressEnter(addButton);
      await expect(page.getByRole('region', { name: /^Lane [A-F]$/ })).toHaveCount(count);
    }
    await expect(addButton).toBeDisabled();
    await expect(getLane(page, 'F').getByRole('combobox'), 'its model is chosen next').toBeFocused();
    for (const letter of ['F', 'E', 'D']) {
      await chooseByKeyboard(page, bench.getButton(`Lane ${letter} menu`), 'Remove lane');
      await expect(getLane(page, letter)).toHaveCount(0);
    }
    await expect(bench.getButton('Lane C menu')).toBeFocused();
    await chooseByKeyboard(page, bench.getButton('Lane A menu'), 'Remove lane');
    await expect(getLane(page, 'C')).toHaveCount(0);
    await expect(bench.getButton('Lane A menu')).toBeFocused();

    await bench.send('Go');
    await expect(bench.replies.last()).toContainText('Slow');
    await pressEnter(bench.getButton('Stop lane B'));
    await expect(bench.getButton('Stop lane B')).toHaveCount(0);
    await expect(bench.getButton('Lane B menu')).toBeFocused();
    await bench.getButton('Stop lane A').focus();
    releaseAnswer();
    await expect(bench.replies.first()).toHaveAttribute('data-status', 'complete');
    await expect(bench.getButton('Lane A menu'), 'after a normal end, too').toBeFocused();
  },
);

test(
  'moves the focus to the next useful element after results, image removal and a session rename',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    gateway.setChatScript((answer, { body }) => {
      if (JSON.stringify(body['messages']).includes('"tool"')) return answer.sendAnswer('Read.');
      answer.sendToolCall(0, 'a1', 'get_weather', '{"city":"Oslo"}');
      answer.sendFinishReason('tool_calls');
      answer.sendDone();
    });
    await openWithShortcuts(bench, server.url);

    await test.step('focuses the message after results are sent', async () => {
      await bench.sendAndWait('Go');
      const field = page.getByRole('textbox', { name: 'Result for get_weather' });
      await field.fill('Sunny');
      await field.press('ControlOrMeta+Enter');
      await expect(bench.lastReply).toContainText('Read.');
      await expect(bench.message).toBeFocused();
    });

    await test.step('focuses the next image after a removal, then the message', async () => {
      const removeButtons = bench.getButton('Remove image');
      const chooserPromise = page.waitForEvent('filechooser');
      await bench.getButton('Attach').click();
      await (await chooserPromise).setFiles([createPng('one.png'), createPng('two.png', { width: 50 })]);
      await expect(removeButtons).toHaveCount(2);
      await pressEnter(removeButtons.first());
      await expect(removeButtons).toHaveCount(1);
      await expect(removeButtons).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(bench.message).toBeFocused();
    });

    await test.step('focuses the session menu after a rename', async () => {
      await chooseByKeyboard(page, bench.getButton('Session menu'), 'Rename');
      const title = page.getByRole('textbox', { name: 'Session title' });
      await expect(title).toBeFocused();
      await title.fill('Rivers');
      await title.press('Enter');
      await expect(bench.getButton('Session menu')).toBeFocused();
    });
  },
);

test('moves the focus to the parameters and back, and closes them on Escape when they are an overlay', async ({
  bench,
  server,
  page,
}) => {
  await openWithShortcuts(bench, server.url);
  const showButton = bench.getButton('Show parameters');
  await pressEnter(bench.getButton('Hide sidebar'));
  await expect(showButton).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(bench.getButton('Hide sidebar')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(bench.parameters, 'beside the conversation the parameters stay open').toBeVisible();

  await page.setViewportSize({ width: 1024, height: 800 });
  await pressEnter(showButton);
  await expect(bench.getButton('Hide sidebar')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(bench.parameters).toBeHidden();
  await expect(showButton).toBeFocused();
  await page.keyboard.press('Enter');
  await bench.parameters.getByRole('spinbutton', { name: 'n', exact: true }).press('Escape');
  await expect(bench.parameters).toBeHidden();
  await expect(showButton).toBeFocused();
});

test('keeps typed characters in the focused field, also in dialogs', async ({ bench, server, page }) => {
  const typeInto = async (field: Locator, text: string) => {
    await field.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
    await expect(field).toHaveValue(text);
    await expect(field).toBeFocused();
  };
  await openWithShortcuts(bench, server.url);
  await bench.parameters.getByRole('button', { name: 'Add a field' }).click();
  await typeInto(bench.parameters.getByRole('textbox', { name: 'Field name' }), 'safe_mode');
  await typeInto(bench.parameters.getByRole('textbox', { name: 'Field value' }), 'true');
  await page.keyboard.press('Escape');

  await bench.getButton(/^Edit tools/).click();
  await page.getByRole('button', { name: 'Add a tool' }).click();
  await page.getByRole('menuitem', { name: /^get_weather/ }).click();
  await typeInto(page.getByRole('textbox', { name: 'Name', exact: true }), 'weather_now');
  await typeInto(page.getByRole('textbox', { name: 'Description', exact: true }), 'The sky');
});

test('restores the caret of a field after a modal dialog closes', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.setChatScript((answer) => answer.sendAnswer('Answer'));
  await openWithShortcuts(bench, server.url);
  await bench.sendAndWait('Question');
  const jsonField = bench.parameters.getByRole('textbox', { name: 'Extra provider fields' });
  await jsonField.fill('1');
  // The JSON editor loads when the field first contains text.
  await expect(jsonField).toHaveAttribute('contenteditable', 'true');
  const openCommands = () => page.keyboard.press('ControlOrMeta+k');
  const dialogs: readonly [DialogOpener, ...DialogOpener[]] = [
    ['Commands', openCommands],
    ['Presentation', () => page.keyboard.press('Alt+Shift+P')],
    [
      'Keyboard shortcuts',
      async () => {
        await openCommands();
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
    ['JSON', jsonField],
  ];
  for (const [index, [kind, field]] of fields.entries()) {
    const [title, open] = dialogs[index % dialogs.length] ?? dialogs[0];
    await test.step(`restores the caret (${kind}) after a dialog closes (${title})`, async () => {
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

test('focuses the message after a starter is chosen', async ({ bench, demo, page }) => {
  await openWithShortcuts(bench, demo.url);
  const starter = bench.getButton(/^Let a model call a tool/);
  const focusedLabel = await starter.evaluate((button: HTMLElement) => {
    button.focus();
    button.click();
    return document.activeElement?.getAttribute('aria-label');
  });
  expect(focusedLabel, 'immediately, so that no key press is lost during the answer').toBe('Message');
  await bench.waitUntilEnded();
  await page.keyboard.type('And then?');
  await expect(bench.message).toHaveValue('And then?');
});

test('does not restore the focus after the user has moved or removed it', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.setChatScript((answer) => answer.sendAnswer('Answer'));
  await page.clock.install();
  await openWithShortcuts(bench, server.url);
  await bench.sendAndWait('Question');
  const regenerate = bench.lastReply.getByRole('button', { name: 'Regenerate' });
  await pressEnter(regenerate);
  await bench.system.focus();
  await bench.waitUntilEnded();
  await expect(bench.system).toBeFocused();
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.keyboard.press('Shift');
  // Waits longer than the app keeps track of the focus.
  await page.clock.runFor(5_000);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
});
