import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// Where a text can come in. Each place is given a page of its own and says how the text gets there: `prepare` before,
// `act` is what is measured.

const asJson = (value) => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta, finish_reason = null) =>
  asJson({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
const streamOf = (delta, finish = 'stop') => `${chunk(delta)}${chunk({}, finish)}data: [DONE]\n\n`;

/** As one event; in several where one would be longer than an event may be. */
function answerOf(text) {
  if (JSON.stringify(text).length < 10_000_000) return streamOf({ content: text });
  const half = text.length / 2;
  return `${chunk({ content: text.slice(0, half) })}${answerOf(text.slice(half))}`;
}

const message = (page) => page.getByRole('textbox', { name: 'Message', exact: true });

const isComplete = (page) =>
  page.waitForFunction(
    () => document.querySelector('[data-status="complete"], [aria-label^="Tool call"] .result'),
    undefined,
    {
      timeout: 0,
      polling: 200,
    },
  );

async function paste(page, field, text) {
  await page.evaluate((words) => navigator.clipboard.writeText(words), text);
  await field.focus();
  return () => page.keyboard.press('Control+V');
}

async function answered({ page, gateway }, body) {
  gateway.answer = body;
  await message(page).fill('Go');
  return async () => {
    await page.keyboard.press('Enter');
    await isComplete(page);
  };
}

const params = (page) => page.getByRole('complementary', { name: 'Parameters' });

const linkOf = (url, lane) => {
  const content = JSON.stringify({ version: 1, lanes: [{ model: 'm', ...lane }] });
  return `${url}#setup=${Buffer.from(content).toString('base64url')}`;
};

export const PLACES = {
  answer: (place) => answered(place, answerOf(place.text)),
  thinking: (place) => answered(place, streamOf({ reasoning_content: place.text })),
  'tool arguments': (place) =>
    answered(
      place,
      streamOf(
        {
          tool_calls: [
            { index: 0, id: 'call', type: 'function', function: { name: 'f', arguments: place.text } },
          ],
        },
        'tool_calls',
      ),
    ),
  'model that answers': (place) =>
    answered(
      place,
      streamOf({ content: 'Hello' }).replaceAll('"model":"m"', `"model":${JSON.stringify(place.text)}`),
    ),
  paste: ({ page, text }) => paste(page, message(page), text),
  async 'paste put back to be edited'({ page, text }) {
    await (
      await paste(page, message(page), text)
    )();
    const edit = page.getByRole('button', { name: 'Edit', exact: true });
    await edit.waitFor();
    return () => edit.click();
  },
  async prompt({ page, text, gateway }) {
    gateway.answer = streamOf({ content: 'Hello' });
    await (
      await paste(page, message(page), text)
    )();
    return async () => {
      await message(page).press('Enter');
      await isComplete(page);
    };
  },
  'system prompt': ({ page, text }) =>
    paste(page, page.getByRole('textbox', { name: 'System prompt' }), text),
  'embeddings text': async ({ page, url, text }) => {
    await page.goto(`${url}embeddings`);
    const field = page.getByRole('region', { name: 'Texts to embed' }).locator('textarea');
    await field.waitFor();
    return paste(page, field, text);
  },
  async 'model field'({ page, text }) {
    return paste(page, page.getByRole('combobox', { name: 'Model' }).first(), text);
  },
  async 'JSON schema'({ page, text }) {
    const side = params(page);
    await side.getByRole('combobox', { name: 'response_format' }).click();
    await page.getByRole('option', { name: /json_schema/ }).click();
    await side.getByRole('button', { name: 'Edit schema' }).click();
    const field = page.getByRole('dialog', { name: 'Schema' }).getByRole('textbox', { name: 'JSON Schema' });
    await field.click();
    await page.keyboard.press('Control+A');
    return paste(page, field, text);
  },
  'share link with stop': ({ page, url, text }) => {
    // A link of its own address, so that the page is loaded and not only moved within.
    return async () => {
      await page.goto('about:blank');
      await page.goto(linkOf(url, { params: { stop: text } }));
      await message(page).waitFor();
    };
  },
  'share link with a system prompt':
    ({ page, url, text }) =>
    async () => {
      await page.goto('about:blank');
      await page.goto(linkOf(url, { system: text }));
      await message(page).waitFor();
    },
  import(place) {
    const words = JSON.stringify(place.text).slice(1, -1);
    return imported(place, (session) => session.replaceAll('the answer', () => words));
  },
  'import with stop and title': (place) =>
    imported(place, (session) =>
      JSON.stringify(
        JSON.parse(session, (key, value) => {
          if (key === 'title') return place.text;
          return key === 'setup' ? { ...value, params: { ...value.params, stop: place.text } } : value;
        }),
      ),
    ),
};

/** A session with one answer, exported, changed, and then read. */
async function imported({ page, gateway }, changed) {
  gateway.answer = streamOf({ content: 'the answer' });
  await message(page).fill('the prompt');
  await page.keyboard.press('Enter');
  await isComplete(page);
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-bombs-'));
  // By its path: what is handed over as bytes goes through the page, which takes as long as reading it.
  const file = path.join(folder, 'bomb.json');
  writeFileSync(file, changed(await exported(page)));
  const address = page.url();
  return async () => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Session menu' }).click();
    await page.getByRole('menuitem', { name: 'Import', exact: true }).click();
    await (await choosing).setFiles(file);
    await page.waitForURL((url) => url.href !== address, { timeout: 0 });
    rmSync(folder, { recursive: true });
  };
}

async function exported(page) {
  await page.getByRole('button', { name: 'Session menu' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export', exact: true }).click(),
  ]);
  const pieces = [];
  for await (const piece of await download.createReadStream()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
