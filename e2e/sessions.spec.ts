import { readFile } from 'node:fs/promises';

import type { Download, Locator, Page } from 'playwright/test';

import { isRecord } from '../src/lib/json.ts';
import type { BenchPage } from './bench-page.ts';
import { canaryKey, expect, test } from './fixtures.ts';

function rows(page: Page): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('link') });
}

async function openHistory(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
}

async function pick(bench: BenchPage, item: string): Promise<void> {
  await bench.button('Session menu').click();
  await bench.page.getByRole('menuitem', { name: item }).click();
}

/** What a click gives to save: its name and text. */
async function saved(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), text: await textOf(download) };
}

async function textOf(download: Download): Promise<string> {
  return readFile(await download.path(), 'utf8');
}

async function importFile(page: Page, act: () => Promise<void>, name: string, text: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), act()]);
  await chooser.setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
}

function alert(page: Page, text: string | RegExp): Locator {
  return page.getByRole('alert').filter({ hasText: text });
}

test('a session is exported, imported in another browser, and is the same there to the byte', async ({
  bench,
  server,
  gateway,
  browser,
}) => {
  gateway.onChat((answer) => answer.whole('The answer, with "quotes" and 日本 and <b>tags</b>'));
  await bench.open(server.url);
  await bench.system.fill('Be brief');
  await bench.ask('Which rivers cross Vienna?');
  await bench.ask('And Paris?');
  const { name, text } = await saved(bench.page, () => pick(bench, 'Export'));
  expect(name).toBe('bench-Which-rivers-cross-Vienna.json');
  await expect(
    bench.page.getByRole('status').filter({ hasText: `Saved ${name}: 2 messages and 2 answers` }),
  ).toBeVisible();
  expect(JSON.parse(text)).toMatchObject({
    sessions: [
      {
        title: 'Which rivers cross Vienna?',
        runs: [
          { status: 'complete', text: 'The answer, with "quotes" and 日本 and <b>tags</b>' },
          { status: 'complete' },
        ],
      },
    ],
  });
  expect(text).not.toContain(canaryKey);
  expect(text).not.toContain(gateway.url);

  const context = await browser.newContext();
  const elsewhere = await context.newPage();
  await elsewhere.goto(new URL('/history', server.url).href);
  await importFile(elsewhere, () => elsewhere.getByRole('button', { name: 'Import' }).click(), name, text);
  await expect(rows(elsewhere)).toHaveCount(1);
  const again = await saved(elsewhere, () => elsewhere.getByRole('button', { name: 'Export all' }).click());
  expect(again.text).toBe(text);
  await rows(elsewhere).getByRole('link').click();
  await expect(elsewhere.getByRole('article', { name: /^Assistant message/ })).toHaveCount(2);
  await expect(elsewhere.getByRole('textbox', { name: 'System prompt' })).toHaveValue('Be brief');
  await context.close();
});

test('an import of what is there already leaves it alone, and can be taken back', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('Twice');
  const address = page.url();
  const { name, text } = await saved(page, () => pick(bench, 'Export'));
  await importFile(page, () => pick(bench, 'Import'), name, text);
  await expect(page).not.toHaveURL(address);
  await expect(bench.prompts).toHaveText([/Twice/]);
  await bench.ask('Only in the copy');
  await openHistory(page);
  await expect(rows(page)).toHaveCount(2);
  await page.goto(address);
  await expect(bench.prompts).toHaveText([/Twice/]);
  await openHistory(page);
  await importFile(page, () => bench.button('Import').click(), name, text);
  await expect(rows(page)).toHaveCount(3);
  await bench.undo.click();
  await expect(rows(page)).toHaveCount(2);
});

const refusals: [string, string, RegExp][] = [
  [
    'cut off',
    '{"format":"bench-sessions",\n"version":1,\n"sessions":[',
    /not valid JSON.*Line 3\. Nothing was changed/,
  ],
  ['of another program', '{"conversations":[]}', /JSON, but not a file that Bench exported/],
  [
    'of a newer Bench',
    '{"format":"bench-sessions","version":9,"sessions":[]}',
    /A newer Bench wrote it: format 9/,
  ],
  [
    'nested without end',
    `{"format":"bench-sessions","version":1,"sessions":${'['.repeat(10_000)}`,
    /100 levels/,
  ],
  [
    'that reaches for prototypes',
    '{"format":"bench-sessions","version":1,\n"sessions":[],\n"__proto__":{"polluted":true}}',
    /a field named __proto__.*Line 3/,
  ],
  [
    'with a damaged record',
    '{"format":"bench-sessions","version":1,"sessions":[{"id":"x","title":"Good","createdAt":1,"updatedAt":1,"laneIds":[],\n"lanes":[{"id":7}]}]}',
    /Line 2, at sessions\[0\]\.lanes\[0\]\.id/,
  ],
];

test('a file that is no export is refused with its reason and place, and nothing changes', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('To be left alone');
  await openHistory(page);
  for (const [what, text, words] of refusals) {
    await importFile(page, () => bench.button('Import').click(), 'file.json', text);
    await expect(alert(page, 'file.json was not imported.'), what).toHaveText(words);
  }
  await bench.button('Dismiss').click();
  await expect(alert(page, 'not imported')).toHaveCount(0);
  await expect(rows(page)).toHaveCount(1);
  expect(await page.evaluate(() => 'polluted' in {})).toBe(false);
  await rows(page).getByRole('link').click();
  await expect(bench.prompts).toHaveText([/To be left alone/]);
});

test('a large file is read apart from the page: all of it comes in, or nothing', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('Seed');
  const { text } = await saved(page, () => pick(bench, 'Export'));
  const file: unknown = JSON.parse(text);
  if (!isRecord(file) || !Array.isArray(file['sessions'])) throw new Error('The export has no sessions');
  const [seed] = file['sessions'].map((each: unknown) => each);
  const many = Array.from({ length: 1000 }, (_, index): unknown =>
    JSON.parse(
      JSON.stringify(seed)
        .replaceAll(/"(0[a-z0-9]{25})"/g, `"$1-${index}"`)
        .replaceAll('"Seed"', `"Seed ${index}"`),
    ),
  );
  const large = JSON.stringify({ ...file, sessions: many });
  expect(large.length).toBeGreaterThan(1_000_000);
  await openHistory(page);
  const workers: string[] = [];
  page.on('worker', (worker) => workers.push(worker.url()));
  const broken = large.replace('"title":"Seed 999"', '"title":999');
  await importFile(page, () => bench.button('Import').click(), 'broken.json', broken);
  await expect(alert(page, 'broken.json was not imported.')).toHaveText(/at sessions\[999\]\.title/);
  await expect(rows(page)).toHaveCount(1);
  await importFile(page, () => bench.button('Import').click(), 'large.json', large);
  await expect(page.getByRole('status').filter({ hasText: '1,001 sessions' })).toBeVisible();
  expect(workers.filter((url) => url.includes('import-worker'))).toHaveLength(2);

  const search = page.getByRole('searchbox', { name: 'Search sessions' });
  await search.pressSequentially('hello seed 998');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Seed 998');
});

test('a file is imported by dropping it on the history', async ({ bench, server, page }) => {
  await bench.open(server.url);
  await bench.ask('Dropped');
  const { text } = await saved(page, () => pick(bench, 'Export'));
  await openHistory(page);
  const files = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'dropped.json', { type: 'application/json' }));
    return transfer;
  }, text);
  const main = page.getByRole('main');
  await main.dispatchEvent('dragenter', { dataTransfer: files });
  await expect(page.getByText('Drop a file that Bench exported')).toBeVisible();
  await main.dispatchEvent('drop', { dataTransfer: files });
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByText('Drop a file that Bench exported')).toBeHidden();
});

test('an export in the middle of an answer is whole in itself, marked partial, and disturbs nothing', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  gateway.onChat(async (answer) => {
    answer.text('Half');
    await held;
    answer.whole(' and whole');
  });
  await bench.open(server.url);
  await bench.send('Export me');
  await expect(bench.lastReply).toContainText('Half');
  const { text } = await saved(page, () => pick(bench, 'Export'));
  expect(JSON.parse(text)).toMatchObject({
    sessions: [{ partial: true, runs: [{ partial: true, status: 'streaming', text: 'Half' }] }],
  });
  await expect(page.getByText('An answer was still arriving')).toBeVisible();
  letGo();
  await bench.ended();
  await expect(bench.lastReply).toContainText('Half and whole');

  await importFile(page, () => pick(bench, 'Import'), 'half.json', text);
  await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted');
  await expect(bench.lastReply).toContainText('Half');
});

test('the page for reading opens without a network: nothing runs, nothing is fetched', async ({
  bench,
  server,
  gateway,
  page,
  browser,
}) => {
  const hostile =
    '<script>window.hacked=1</script> ![x](https://tracker.test/x.png) <img src=x onerror="window.hacked=1"> [go](javascript:window.hacked=1)';
  gateway.onChat((answer) => answer.whole(`**Bold** ${hostile}`));
  await bench.open(server.url);
  await bench.sendParameter('temperature');
  await bench.ask(hostile);
  const { name, text } = await saved(page, () => pick(bench, 'Save as HTML page'));
  expect(name).toMatch(/\.html$/);
  expect(text).not.toContain(canaryKey);

  const context = await browser.newContext({ offline: true });
  const reader = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  reader.on('request', (request) => asked.push(request.url()));
  reader.on('console', (message) => complaints.push(message.text()));
  await reader.setContent(text);
  await expect(reader.getByText('Bold')).toHaveCSS('font-weight', '700');
  await expect(reader.getByText('north/one')).toBeVisible();
  await expect(reader.getByText(/temperature 1/)).toBeVisible();
  expect(await reader.evaluate(() => 'hacked' in window)).toBe(false);
  expect([asked, complaints]).toEqual([[], []]);
  await context.close();

  const markdown = await saved(page, () => pick(bench, 'Save as Markdown'));
  expect(markdown.name).toMatch(/\.md$/);
  expect(markdown.text).toContain('### north/one');
  expect(markdown.text).not.toContain('<script>');
});

test('a link carries the setup of all lanes and the message, and neither key, gateway nor conversation', async ({
  bench,
  server,
  gateway,
  page,
  browser,
}) => {
  await bench.open(server.url);
  await bench.useModel('north/two');
  await bench.system.fill('Answer in verse');
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('0.4');
  await bench.ask('A secret of the conversation');
  await bench.button('Add lane').click();
  await bench.message.fill('What waits in the composer');
  await pick(bench, 'Share');
  const dialog = page.getByRole('dialog', { name: 'Share this setup' });
  await dialog.getByRole('checkbox', { name: /message that stands in the composer/ }).check();
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  await expect(dialog).toContainText('Lane B north/two, system prompt of 1 line');
  await expect(dialog).toContainText('temperature 0.4');
  const packed = new URL(link).hash.slice('#setup='.length);
  const inside = Buffer.from(packed, 'base64url').toString();
  for (const secret of [canaryKey, gateway.url, 'A secret of the conversation'])
    expect(inside).not.toContain(secret);
  await dialog.getByRole('button', { name: 'Close' }).click();

  const context = await browser.newContext();
  const other = await context.newPage();
  const sent: string[] = [];
  other.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await other.goto(link);
  await expect(
    other
      .getByRole('status')
      .filter({ hasText: 'came from a link' })
      .or(other.getByText(/come from a link/))
      .first(),
  ).toBeVisible();
  await expect(
    other.getByRole('region', { name: 'Lane B' }).getByRole('combobox', { name: 'Model' }),
  ).toHaveValue('north/two');
  await expect(other.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue(
    'What waits in the composer',
  );
  await expect(other.getByRole('spinbutton', { name: 'temperature' })).toHaveValue('0.4');
  await expect(other.getByRole('article', { name: 'User message' })).toHaveCount(0);
  expect(new URL(other.url()).hash).toBe('');
  expect(new URL(other.url()).pathname).toMatch(/^\/s\//);
  expect(sent).toEqual([]);
  await other.reload();
  await expect(other.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue(
    'What waits in the composer',
  );
  await context.close();
});

test('a link that was cut off says so and opens what was there', async ({ bench, server, page }) => {
  await bench.open(server.url);
  await bench.ask('Still here');
  await page.goto(new URL('/#setup=eyJ2ZXJzaW9u', server.url).href);
  await expect(alert(page, 'The link holds no setup that can be read.')).toBeVisible();
  await expect(bench.prompts).toHaveText([/Still here/]);
  expect(new URL(page.url()).hash).toBe('');
});

test('the first visit to the playground is one step: Back leads to where one came from', async ({
  bench,
  server,
  page,
}) => {
  await page.goto(new URL('/embeddings', server.url).href);
  await page.getByRole('link', { name: 'Playground' }).click();
  await expect(bench.message).toBeVisible();
  await expect(page).toHaveURL(/\/s\//);
  await page.goBack();
  await expect(page).toHaveURL(/\/embeddings$/);
});

test('a link opened in a tab where Bench runs already opens there', async ({ bench, server, page }) => {
  await bench.open(server.url);
  await bench.useModel('north/two');
  await pick(bench, 'Share');
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  await page.getByRole('button', { name: 'Close' }).click();
  await bench.useModel('north/one');
  await bench.ask('Before');
  await page.goto(link);
  await expect(bench.prompts).toHaveCount(0);
  await expect(bench.model).toHaveValue('north/two');
  await page.goBack();
  await expect(bench.prompts).toHaveText([/Before/]);
});

test('a preset keeps a setup under a name, for any session and after a reload', async ({
  bench,
  server,
  page,
  gateway,
}) => {
  await bench.open(server.url);
  await bench.useModel('north/two');
  await bench.system.fill('Be calm');
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('0.2');
  await bench.button('Presets').click();
  await page.getByRole('menuitem', { name: 'Save setup as preset' }).click();
  const dialog = page.getByRole('dialog', { name: 'Presets' });
  await dialog.getByRole('textbox', { name: 'Preset name' }).fill('Calm');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('status').filter({ hasText: 'Saved Calm.' })).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Preset name' }).fill('Only cool');
  await dialog.getByRole('checkbox', { name: /^Model/ }).uncheck();
  await dialog.getByRole('checkbox', { name: /^System/ }).uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.reload();
  await bench.button('New session').click();
  await bench.useModel('north/one');
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('1.5');
  await bench.button('Presets').click();
  await page.getByRole('menuitem', { name: /^Only cool/ }).click();
  await expect(bench.parameters.getByRole('spinbutton', { name: 'temperature' })).toHaveValue('0.2');
  await expect(bench.model).toHaveValue('north/one');
  await bench.undo.click();
  await expect(bench.parameters.getByRole('spinbutton', { name: 'temperature' })).toHaveValue('1.5');
  await bench.button('Presets').click();
  await page.getByRole('menuitem', { name: /^Calm/ }).click();
  await bench.ask('With the preset');
  expect(gateway.posts.at(-1)?.body).toMatchObject({
    model: 'north/two',
    temperature: 0.2,
    messages: [
      { role: 'system', content: 'Be calm' },
      { role: 'user', content: 'With the preset' },
    ],
  });

  await bench.button('Presets').click();
  await page.getByRole('menuitem', { name: 'Rename or delete presets' }).click();
  await dialog.getByRole('button', { name: 'Rename Calm' }).click();
  await dialog.getByRole('textbox', { name: 'New name of Calm' }).fill('Quiet');
  await dialog.getByRole('textbox', { name: 'New name of Calm' }).press('Enter');
  await dialog.getByRole('button', { name: 'Delete Quiet' }).click();
  await expect(dialog.getByRole('list', { name: 'Saved presets' })).not.toContainText('Quiet');
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await expect(dialog.getByRole('list', { name: 'Saved presets' })).toContainText('Quiet');
});

test('the history is searched by what was said, and shows where', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat((answer, request) =>
    answer.whole(
      JSON.stringify(request.body).includes('rivers') ? 'The Danube crosses Vienna' : 'Nothing of the kind',
    ),
  );
  await bench.open(server.url);
  await bench.ask('Which rivers?');
  await bench.button('New session').click();
  await bench.ask('Something else');
  await openHistory(page);
  const search = page.getByRole('searchbox', { name: 'Search sessions' });
  await search.fill('dánube');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Answer The Danube crosses Vienna');
  await expect(rows(page).locator('mark')).toHaveText('Danube');
  await search.fill('rivers vienna');
  await expect(rows(page)).toHaveCount(1);
  await search.fill('kind');
  await expect(rows(page)).toContainText('Something else');
});

test('two tabs on one session show the same, and neither loses what it wrote', async ({ bench, server }) => {
  await bench.open(server.url);
  await bench.ask('From the first tab');
  const other = await bench.inNewTab(bench.page.url());
  await expect(other.prompts).toHaveCount(1);
  await other.ask('From the second tab');
  await expect(bench.prompts).toHaveText([/From the first tab/, /From the second tab/]);
  await bench.ask('And back');
  await expect(other.prompts).toHaveCount(3);
  await Promise.all([bench.send('At once, said'), other.system.fill('At once, set up')]);
  await Promise.all([bench.ended(), other.ended()]);
  await expect(bench.system).toHaveValue('At once, set up');
  await expect(other.prompts).toHaveCount(4);
  await bench.reload();
  const { text } = await saved(bench.page, () => pick(bench, 'Export'));
  for (const said of ['At once, said', 'At once, set up']) expect(text).toContain(said);
  await openHistory(other.page);
  await bench.button('Session menu').click();
  await bench.page.getByRole('menuitem', { name: 'Rename' }).click();
  await bench.page.getByRole('textbox', { name: 'Session title' }).fill('Seen at once');
  await bench.page.getByRole('textbox', { name: 'Session title' }).press('Enter');
  await expect(rows(other.page)).toContainText('Seen at once');
});

test('an answer that another tab streams is shown live, can be stopped from here, and is interrupted when that tab dies', async ({
  bench,
  server,
  gateway,
}) => {
  let letGo: () => void = () => undefined;
  const hold = () => new Promise<void>((resolve) => (letGo = resolve));
  gateway.onChat(async (answer) => {
    answer.text('Begun');
    await hold();
    answer.text(' and more');
    await hold();
  });
  await bench.open(server.url);
  const other = await bench.inNewTab(server.url);
  await other.send('Live');
  await expect(other.lastReply).toContainText('Begun');
  await bench.page.goto(other.page.url());
  await expect(bench.lastReply).toHaveAttribute('data-status', 'streaming');
  await expect(bench.lastReply).toContainText('Begun');
  letGo();
  await expect(bench.lastReply).toContainText('Begun and more');
  await bench.button(/^Stop/).first().click();
  await expect(other.lastReply).toHaveAttribute('data-status', 'stopped');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
  await gateway.posts[0]?.left;

  await other.send('Dies');
  await expect(bench.lastReply).toContainText('Begun');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'streaming');
  await other.page.close({ runBeforeUnload: false });
  await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted', { timeout: 5000 });
  await expect(bench.lastReply).toContainText('Begun');
});
