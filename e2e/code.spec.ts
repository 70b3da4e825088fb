import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import type { Locator } from 'playwright/test';

import { aPicture } from './a-picture.ts';
import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';
import type { ChatScript } from '../src/testing/scripted-gateway.ts';

const run = promisify(execFile);

const hostile = 'Say "it\'s $HOME", then `ls` and a \\ back\\nslash.\n\tSecond line: é 漢 👩‍🚀 %s ${x}';

function inspectorOf(bench: BenchPage): Locator {
  return bench.page.getByRole('complementary', { name: 'Inspector' });
}

async function openTab(bench: BenchPage, tab: string): Promise<Locator> {
  await bench.lastReply.getByRole('button', { name: 'Inspect' }).click();
  const inspector = inspectorOf(bench);
  await inspector.getByRole('tab', { name: tab }).click();
  return inspector;
}

/** An answer that keeps to the specification throughout. */
const wellBehaved: ChatScript = (answer, request) => {
  answer.open({ 'x-request-id': String(request.headers['x-request-id']) });
  answer.delta({ role: 'assistant', content: '' });
  answer.whole('All', ' is', ' well.');
};

test('the code of an answer sends what Bench sent, in each language that runs here', async ({
  bench,
  gateway,
  server,
}) => {
  gateway.onChat(wellBehaved);
  await bench.open(server.url);
  await bench.sendParameter('temperature');
  await bench.sendParameter('top_k');
  await bench.sendParameter('stop');
  await bench.ask(hostile);
  const sent = gateway.posts[0]?.body;
  const inspector = await openTab(bench, 'Request and code');
  const code = inspector.getByRole('region', { name: 'Code to copy' });
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-code-'));
  const env = { PATH: process.env['PATH'] ?? '', GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: 'fk-mine' };
  try {
    for (const [choice, file, program] of [
      ['curl', 'call.sh', 'sh'],
      ['fetch, without a package', 'call.mjs', process.execPath],
    ] as const) {
      await inspector.getByRole('radio', { name: choice }).click();
      await writeFile(path.join(folder, file), (await code.textContent()) ?? '');
      const { stdout } = await run(program, [file], { cwd: folder, env });
      expect(stdout).toContain('well.');
      const again = gateway.posts.at(-1);
      expect(again?.body).toEqual(sent);
      expect(again?.headers.authorization).toBe('Bearer fk-mine');
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  expect(gateway.posts).toHaveLength(3);
  await inspector.getByRole('radio', { name: 'Python' }).click();
  await expect(code).toContainText('extra_body={"top_k": 40}');
  await inspector.getByRole('radio', { name: 'TypeScript' }).click();
  await expect(code).toContainText('...{ top_k: 40 }');
});

test('the code is copied whole, and portable fields alone where that is wanted', async ({
  bench,
  server,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await bench.open(server.url);
  await bench.sendParameter('top_k');
  await bench.ask('Hello');
  const inspector = await openTab(bench, 'Request and code');
  await inspector.getByRole('button', { name: 'Copy code' }).click();
  await expect(inspector.getByRole('button', { name: 'Copied' })).toBeVisible();
  const code = inspector.getByRole('region', { name: 'Code to copy' });
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await code.textContent());
  await expect(code).toContainText('top_k');
  await expect(inspector.getByText('Would leave out top_k.')).toBeVisible();
  await inspector.getByRole('switch', { name: 'Portable fields only' }).click();
  await expect(code).not.toContainText('top_k');
  await expect(inspector.getByText('1 field left out.')).toBeVisible();
  await expect(
    inspector.getByRole('button', { name: 'Copy code' }),
    'other code is not copied yet',
  ).toBeVisible();
});

test('an image leaves the code for a file, and the request stays the same', async ({
  bench,
  gateway,
  server,
  page,
}) => {
  gateway.onChat(wellBehaved);
  await bench.open(server.url);
  const chooser = page.waitForEvent('filechooser');
  await bench.button('Image').click();
  await (await chooser).setFiles([aPicture('red.png')]);
  await expect(bench.button('Remove image')).toBeVisible();
  await bench.ask('What is it?');
  const sent = gateway.posts[0]?.body;
  const inspector = await openTab(bench, 'Request and code');
  const code = inspector.getByRole('region', { name: 'Code to copy' });
  const download = page.waitForEvent('download');
  await inspector.getByRole('link', { name: 'Save image-1.png' }).click();
  await expect(code).not.toContainText('Change image/png');
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-code-'));
  try {
    await (await download).saveAs(path.join(folder, 'image-1.png'));
    await writeFile(path.join(folder, 'call.sh'), (await code.textContent()) ?? '');
    const env = {
      PATH: process.env['PATH'] ?? '',
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_API_KEY: 'fk-mine',
    };
    await run('sh', ['call.sh'], { cwd: folder, env });
  } finally {
    await rm(folder, { recursive: true });
  }
  expect(gateway.posts).toHaveLength(2);
  expect(JSON.stringify(sent)).toContain('data:image/png;base64');
  expect(gateway.posts[1]?.body).toEqual(sent);
});

test('the conformance report names exactly what an answer breaks', async ({ bench, gateway, server }) => {
  gateway.onChat(wellBehaved);
  await bench.open(server.url);
  await bench.ask('Hello');
  const inspector = await openTab(bench, 'Response');
  const rules = inspector.getByRole('region', { name: 'Conformance' }).getByRole('listitem');
  const faults = rules.filter({ hasText: /^fault/ });
  await expect(rules.filter({ hasText: 'Finish reason' })).toHaveText(/^pass.*stop, once and last.*§2\.5$/);
  await expect(rules.filter({ hasText: 'End of the stream' })).toHaveText(/^seen.*\[DONE\] came last/);
  await expect(faults).toHaveCount(0);

  gateway.onChat((answer) => {
    answer.open();
    answer.delta({ role: 'assistant', content: 'Two' });
    answer.event({
      id: 'another',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'north/one',
      choices: [],
    });
    answer.whole(' ids.');
  });
  await bench.ask('Again');
  await expect(inspector.getByText('1 fault', { exact: true })).toBeVisible();
  await expect(faults).toHaveCount(1);
  await expect(faults).toHaveText(/One id and one model.*changes from/);
});

test('what a run shows of its model is in the picker, leads back to the run, and can be overruled', async ({
  bench,
  gateway,
  server,
  page,
}) => {
  gateway.onChat((answer) => {
    answer.open();
    answer.delta({ role: 'assistant', content: null });
    answer.delta({ reasoning_content: 'I should look.' });
    answer.toolCall(0, 'call_1', 'get_weather', '{}');
    answer.finish('tool_calls');
    answer.usage(3, 4);
    answer.done();
  });
  await bench.open(server.url);
  await bench.sendParameter('tools');
  await bench.ask('The weather?');
  const own = (await bench.openModels()).filter({ hasText: 'north/one' }).first();
  await expect(own).toContainText(/tools seen.*thinking seen.*usage in streams seen/);
  await expect((await bench.openModels()).filter({ hasText: 'north/two' })).toContainText('?');
  await page.keyboard.press('Escape');

  await bench.newSession();
  const marks = bench.button('What the model can do');
  await marks.click();
  await expect(page.getByRole('menuitem', { name: /^Takes images/ })).toContainText('untried');
  await page.getByRole('menuitem', { name: /^Calls no tools/ }).click();
  await expect((await bench.openModels()).filter({ hasText: 'north/one' }).first()).not.toContainText(
    'tools seen',
  );
  await page.keyboard.press('Escape');

  await bench.reload();
  await marks.click();
  await expect(page.getByRole('menuitem', { name: /^Calls no tools/ })).toContainText('marked');
  await page.getByRole('menuitem', { name: 'Show the run: thinking seen' }).click();
  await expect(inspectorOf(bench)).toBeVisible();
  await expect(bench.prompts).toContainText('The weather?');
});

test('a refusal is remembered as one, and blocks nothing', async ({ bench, gateway, server, page }) => {
  gateway.onChat((answer) => {
    answer.json(400, {
      error: { message: 'This model does not support tools.', type: 'invalid_request', code: '400' },
    });
  });
  await bench.open(server.url);
  await bench.sendParameter('tools');
  await bench.ask('The weather?');
  const options = await bench.openModels();
  await expect(options.filter({ hasText: 'north/one' }).first()).toContainText('tools refused');
  await page.getByRole('button', { name: 'tools', exact: true }).click();
  await expect(options.filter({ hasText: 'north/one' }).first()).toBeVisible();
});
