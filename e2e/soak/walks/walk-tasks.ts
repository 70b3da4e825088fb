/** Tasks of a user's day, from the first minute to the history. Each runs with every kind of input. */
import type { Locator, Page } from 'playwright/test';

import { callTwoTools, type ScriptedGateway } from '../../../src/testing/scripted-gateway.ts';
import type { BenchPage } from '../../bench-page.ts';
import { captureDownload } from '../../files.ts';
import { expect } from '../../fixtures.ts';
import { createPng } from '../../png-file.ts';
import { waitUntilFinished } from '../../trial-page.ts';
import type { WalkUser } from './walk-user.ts';

export interface WalkTools {
  user: WalkUser;
  bench: BenchPage;
  page: Page;
  gateway: ScriptedGateway;
  /** Addresses of Bench with the demo gateway and with the scripted gateway. */
  demoUrl: string;
  serverUrl: string;
  readClipboard: () => Promise<string>;
}

type WalkTask = (tools: WalkTools) => Promise<void>;

const waitForAnswers = (page: Page, count: number) =>
  expect(page.locator('article[data-status="complete"]').filter({ visible: true })).toHaveCount(count);

const getVote = (page: Page, name: string): Locator =>
  page.getByRole('radiogroup', { name: 'Better, turn 1' }).getByRole('radio', { name });

const getDialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });

export const walkTasks: Readonly<Record<string, WalkTask>> = {
  'the first minute on the demo': async ({ user, bench, page, demoUrl }) => {
    await bench.open(demoUrl);
    await user.send('Which parameters does a request have?');
    await waitForAnswers(page, 1);
    await expect(bench.lastReply).toBeInViewport();
    await user.pressSessionTool('New session');
    await user.press(page.getByRole('button', { name: /^Compare two temperatures/ }));
    await waitForAnswers(page, 2);
    await user.press(getVote(page, 'Lane A is better'));
    await expect(getVote(page, 'Lane A is better')).toBeChecked();
    await user.pressSessionTool('Summary');
    await expect(getDialog(page, 'Summary').getByRole('table', { name: 'Summary' })).toBeInViewport();
    await user.closeFront();
    await expect(getDialog(page, 'Summary')).toBeHidden();
  },

  'parameters that a real gateway refuses': async ({ user, bench, page, gateway, serverUrl }) => {
    gateway.setChatScript((answer, { body }) => {
      const refuse = (param: string, message: string) =>
        answer.sendJson(400, {
          error: { message, type: 'invalid_request_error', param, code: 'unsupported_parameter' },
        });
      if ('max_tokens' in body)
        return refuse('max_tokens', "'max_tokens' is not supported. Use 'max_completion_tokens' instead.");
      if ('temperature' in body)
        return refuse('temperature', "'temperature' is not supported with this model.");
      return answer.sendAnswer('Hello.');
    });
    await bench.open(serverUrl);
    await user.openParameters();
    for (const [name, value] of [
      ['temperature', '0.3'],
      ['max_tokens', '200'],
    ] as const) {
      await user.press(bench.parameters.getByRole('checkbox', { name: `Send ${name}`, exact: true }));
      await user.fill(bench.parameters.getByRole('spinbutton', { name, exact: true }), value);
    }
    await user.closeParameters();
    await user.send('Hello');
    await user.press(bench.getError().getByRole('button', { name: 'Send as max_completion_tokens' }));
    await user.press(bench.getError().getByRole('button', { name: 'Leave temperature out' }));
    await waitForAnswers(page, 1);
    await expect(bench.lastReply).toContainText('Hello.');
    expect(gateway.posts.at(-1)?.body).toMatchObject({ max_completion_tokens: 200 });
  },

  tools: async ({ user, bench, page, gateway, serverUrl }) => {
    gateway.setChatScript(callTwoTools);
    const createTool = (name: string) => ({
      type: 'function',
      function: { name, parameters: { type: 'object', properties: { city: { type: 'string' } } } },
    });
    await bench.open(serverUrl);
    await user.openParameters();
    await user.press(bench.parameters.getByRole('button', { name: /^Edit tools/ }));
    const editor = getDialog(page, 'Tools');
    await user.fill(
      editor.getByRole('textbox', { name: 'tools' }),
      JSON.stringify([createTool('getWeather'), createTool('getTime')]),
    );
    await user.press(editor.getByRole('button', { name: 'Done' }));
    await expect(bench.parameters).toContainText('2 functions');
    await user.closeParameters();
    await user.send('Weather and time in Oslo?');
    for (const name of ['getWeather', 'getTime'])
      await user.fill(page.getByRole('textbox', { name: `Result for ${name}` }), '{"ok": true}');
    await user.press(page.getByRole('button', { name: /^Send 2 results/ }));
    await expect(bench.lastReply).toContainText('Both are known.');
  },

  'structured output': async ({ user, bench, page, gateway, serverUrl }) => {
    gateway.setChatScript((answer, { text }) =>
      answer.sendAnswer(text.includes('is missing') ? '{"price": 3}' : '{"note": "four"}'),
    );
    const schema = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] };
    await bench.open(serverUrl);
    await user.openParameters();
    await user.choose(bench.parameters.getByRole('combobox', { name: 'response_format' }), /^json_schema/);
    await user.press(bench.parameters.getByRole('button', { name: 'Edit schema' }));
    const editor = getDialog(page, 'Schema');
    await user.fill(editor.getByRole('textbox', { name: 'JSON Schema' }), JSON.stringify(schema));
    await user.press(editor.getByRole('button', { name: 'Use this schema' }));
    await expect(bench.parameters).toContainText('1 field, 1 required');
    await user.closeParameters();
    await user.send('What does it cost?');
    const faults = page.getByRole('list', { name: 'Faults, lane A' });
    await user.press(faults.getByRole('link', { name: /price is missing/ }));
    await user.press(page.getByRole('button', { name: 'Ask again with these faults' }));
    await expect(bench.message).toHaveValue(/price is missing/);
    await user.send('The field price is missing.');
    await expect(page.getByRole('region', { name: 'Lane A' })).toContainText('Fits');
  },

  'images and files': async ({ user, bench, page, gateway, serverUrl }) => {
    gateway.setChatScript((answer) => answer.sendAnswer('Three lines and a picture.'));
    await bench.open(serverUrl);
    const chooserPromise = page.waitForEvent('filechooser');
    await user.pressComposerTool('Attach');
    const chooser = await chooserPromise;
    await chooser.setFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('one\ntwo\nthree\n') },
      { name: 'spare.txt', mimeType: 'text/plain', buffer: Buffer.from('not needed\n') },
      { name: 'photo.png', mimeType: 'image/png', buffer: createPng('photo.png').buffer },
    ]);
    await user.press(page.getByRole('group', { name: 'notes.txt' }).getByRole('button', { name: 'View' }));
    await expect(getDialog(page, 'notes.txt')).toContainText('three');
    await user.closeFront();
    await user.press(page.getByRole('button', { name: 'Remove spare.txt' }));
    await expect(page.getByRole('group', { name: 'spare.txt' })).toHaveCount(0);
    await user.send('What is in them?');
    await waitForAnswers(page, 1);
    expect(JSON.stringify(gateway.posts.at(-1)?.body['messages'])).toMatch(/three.*image_url/);
  },

  'iteration of a prompt': async ({ user, bench, page, gateway, serverUrl }) => {
    gateway.setChatScript((answer) => answer.sendAnswer(`Answer ${gateway.posts.length}`));
    await bench.open(serverUrl);
    await user.fill(bench.system, 'Be brief.');
    await user.send('Write a slogan');
    await waitForAnswers(page, 1);
    await user.fill(bench.system, 'Be thorough.');
    await user.pressComposerTool('Run again');
    await expect(bench.lastReply).toContainText('Answer 2');
    await user.press(bench.lastReply.getByRole('button', { name: 'Previous version' }));
    await expect(bench.lastReply).toContainText('Answer 1');
    await user.press(page.getByRole('button', { name: 'System prompt history' }));
    await user.press(
      getDialog(page, 'System prompt history').getByRole('button', { name: 'Use this prompt again' }).last(),
    );
    await expect(bench.system).toHaveValue('Be brief.');
    await user.press(bench.prompts.getByRole('button', { name: 'Edit', exact: true }));
    await user.fill(page.getByRole('textbox', { name: 'Edit message' }), 'Write a better slogan');
    await user.press(page.getByRole('button', { name: 'Save and run' }));
    await expect(bench.prompts).toContainText('Write a better slogan');
    await expect(bench.lastReply).toContainText('Answer 3');
  },

  'a trial': async ({ user, bench, page, gateway, serverUrl }) => {
    gateway.setChatScript((answer, { body, text }) =>
      answer.sendAnswer(body['model'] === 'north/one' || text.includes('Order 1') ? 'delivery' : 'billing'),
    );
    await bench.open(serverUrl);
    await user.openScreen('Trials');
    await user.press(page.getByRole('button', { name: /^Import cases/ }));
    const rows = Array.from({ length: 16 }, (_, index) => `Order ${index} has not arrived,delivery`);
    const dialog = getDialog(page, 'Import cases');
    await user.fill(
      dialog.getByRole('textbox', { name: 'Rows to import' }),
      `ticket,label\n${rows.join('\n')}`,
    );
    await expect(dialog.getByRole('checkbox', { name: /^Add a check/ })).toBeChecked();
    await user.press(dialog.getByRole('button', { name: 'Add 16 cases' }));
    await openStep(page, user, 'Columns');
    await user.fill(page.getByRole('textbox', { name: 'Prompt', exact: true }), '{{ticket}}. Which team?');
    await user.press(page.getByRole('button', { name: 'Add column' }));
    await user.press(page.getByRole('button', { name: /^Column B,/ }));
    await chooseModel(user, page.getByRole('complementary', { name: 'Column B' }), /^north\/two/);
    await user.press(page.getByRole('button', { name: 'Close column' }));
    await user.press(page.getByRole('button', { name: /^Run 32 requests/ }));
    await waitUntilFinished(page);
    await expect(page.getByRole('region', { name: 'Verdict' })).toBeInViewport();
    await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('16 cases');

    await user.openCell(/^Case 3, column B: failed/);
    const cell = page.getByRole('complementary', { name: 'Cell' });
    await expect(cell.getByLabel('Answer', { exact: true })).toContainText('billing');
    await user.press(cell.getByRole('button', { name: /^Right/ }));
    await expect(cell.getByRole('button', { name: /^Right/ })).toHaveAttribute('aria-pressed', 'true');
    await user.press(cell.getByRole('button', { name: /^Close/ }));

    await user.openSetup();
    await user.press(page.getByRole('button', { name: 'Add column' }));
    await chooseModel(user, page.getByRole('complementary', { name: 'Column C' }), /^north\/one/);
    await user.press(page.getByRole('button', { name: 'Close column' }));
    await user.press(page.getByRole('button', { name: 'Close setup' }));
    await user.press(page.getByRole('button', { name: /^Run 16 requests/ }));
    await waitUntilFinished(page);
    await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('16 of 16');
    const file = await captureDownload(page, async () => {
      await user.press(page.getByRole('button', { name: 'Export', exact: true }));
      await user.press(page.getByRole('menuitem', { name: 'CSV', exact: true }));
    });
    expect(file.text.split('\n')).toHaveLength(50);
  },

  embeddings: async ({ user, page, demoUrl }) => {
    await page.goto(demoUrl);
    await user.openScreen('Embeddings');
    const texts = ['The bus is late', 'The train is late', 'I want my money back', 'Refund the ticket'];
    await user.fill(page.getByRole('textbox', { name: 'Texts', exact: true }), texts.join('\n'));
    await user.press(page.getByRole('button', { name: /^Embed/ }));
    await expect(page.getByText('All embedded.')).toBeVisible();
    await openTab(page, user, 'Map');
    await expect(page.getByRole('img', { name: /^Map/ })).toBeInViewport();
    const query = page.getByRole('textbox', { name: 'Search by meaning' });
    if (!(await query.isVisible())) await openTab(page, user, 'Nearest');
    await user.submit(query, 'pay me');
    await expect(page.getByRole('list', { name: /^(Texts by score|Nearest)$/ }).first()).toBeVisible();
    await user.press(page.getByRole('button', { name: 'Compare with another model' }));
    await user.choose(page.getByRole('combobox', { name: 'Second model' }), /^demo\/embedding-0\.6B/);
    await user.press(page.getByRole('button', { name: /^Embed/ }));
    await expect(page.getByRole('button', { name: /^All 4 embedded/ })).toBeVisible();
    await user.press(page.getByRole('tab', { name: 'Compare', exact: true }));
    await expect(page.getByText(/They agree on/)).toBeVisible();
  },

  'showing it': async ({ user, bench, page, demoUrl }) => {
    await bench.open(demoUrl);
    await user.press(page.getByRole('button', { name: /^Compare two temperatures/ }));
    await waitForAnswers(page, 2);
    await user.pressAppTool('Present');
    const stage = getDialog(page, 'Presentation');
    await expect(stage.getByRole('region', { name: 'Lane A' })).toBeVisible();
    await user.press(stage.getByRole('button', { name: /exit$/ }));
    await expect(stage).toBeHidden();
    await user.press(page.getByRole('button', { name: 'Session menu' }));
    const file = await captureDownload(page, () =>
      user.press(page.getByRole('menuitem', { name: 'Share answers' })),
    );
    expect(file.name).toMatch(/\.html$/);
  },

  'the report of a failed request': async ({ user, bench, page, gateway, serverUrl, readClipboard }) => {
    gateway.setChatScript((answer) => answer.sendJson(500, { error: { message: 'The engine is gone.' } }));
    await bench.open(serverUrl);
    await user.send('Hello');
    await user.press(bench.getError().getByRole('button', { name: 'Copy report' }));
    await expect.poll(readClipboard).toContain('The engine is gone.');
    await user.press(bench.lastReply.getByRole('button', { name: 'Inspect' }));
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await user.press(inspector.getByRole('tab', { name: 'Response' }));
    await expect(inspector).toContainText('500 Internal Server Error');
    await user.press(inspector.getByRole('button', { name: 'Close inspector' }));
    await expect(inspector).toBeHidden();
  },

  'the history': async ({ user, bench, page, demoUrl }) => {
    await bench.open(demoUrl);
    await user.send('Which parameters does a request have?');
    await waitForAnswers(page, 1);
    await user.pressSessionTool('New session');
    await user.send('Hello again');
    await waitForAnswers(page, 1);
    await bench.waitUntilSaved();
    await user.openScreen('History');
    const search = page.getByRole('searchbox', { name: 'Search history' });
    await user.fill(search, 'parameters');
    const row = page.getByRole('row').filter({ hasText: 'Which parameters' });
    await expect(row.locator('mark').first()).toBeVisible();
    await user.press(row.getByRole('link').first());
    await expect(bench.replies.first()).toBeVisible();
    await user.openScreen('History');
    await user.fill(search, '');
    await expect(page.getByRole('link', { name: 'Hello again' })).toBeVisible();
    const deleteButton = page.getByRole('button', { name: 'Delete Hello again' });
    if (await deleteButton.isVisible()) await user.press(deleteButton);
    else {
      await user.press(page.getByRole('button', { name: 'Menu for Hello again' }));
      await user.press(page.getByRole('menuitem', { name: 'Delete' }));
    }
    await expect(page.getByRole('link', { name: 'Hello again' })).toHaveCount(0);
    await user.press(page.getByRole('button', { name: 'Undo' }));
    await expect(page.getByRole('link', { name: 'Hello again' })).toBeVisible();
    const file = await captureDownload(page, () =>
      user.press(page.getByRole('button', { name: 'Export all' })),
    );
    expect(file.text).toContain('"bench-backup"');
  },
};

/** Chooses a part of a trial that only phones show one at a time. */
async function openStep(page: Page, user: WalkUser, name: string): Promise<void> {
  const step = page.getByRole('radiogroup', { name: 'Step' }).getByRole('radio', { name });
  if (await step.isVisible()) await user.press(step);
}

/** Opens a view of the lab that only wide windows show beside the others. */
async function openTab(page: Page, user: WalkUser, name: string): Promise<void> {
  const tab = page.getByRole('tab', { name, exact: true });
  if (await tab.isVisible()) await user.press(tab);
}

const chooseModel = (user: WalkUser, part: Locator, model: RegExp) =>
  user.choose(part.getByRole('combobox', { name: 'Model' }), model);
