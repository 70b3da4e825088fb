/** The states of the design's mockups, reached in the running app with a scripted gateway and a stopped clock. */
import { expect, type Page } from 'playwright/test';

import type { ScriptedAnswer, ScriptedGateway } from '../../src/testing/scripted-gateway.ts';
import type { BenchPage } from '../bench-page.ts';
import { aPicture } from './a-picture.ts';

export interface SceneParts {
  bench: BenchPage;
  gateway: ScriptedGateway;
  url: string;
}

/** One thing that a model of a scene does, this long after it was asked. */
interface Step {
  atMs: number;
  does: (answer: ScriptedAnswer) => void;
}

/** Three frames: each tick is a way into the page and back, and nothing that is compared is finer. */
const tickMs = 50;

const startsAt = new Date('2025-06-17T14:21:00');

/** Time stands still from here on, and moves only with `play`. */
async function stopClock({ page }: BenchPage): Promise<void> {
  await page.clock.pauseAt(new Date('2025-06-17T14:21:26'));
}

/** Runs in the page from its start: counts the bytes that were read of answers. */
function countReadBytes(): void {
  /** Bodies of answers, and their readers. */
  const answers = new WeakSet<object>();
  let bytes = 0;
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.body && response.url.endsWith('/chat/completions')) answers.add(response.body);
    return response;
  };
  /** Replaces a method by one that tells what it answered, and of what. */
  const hear = (owner: object, name: string, heard: (of: object, answer: unknown) => void) => {
    const method: unknown = Reflect.get(owner, name);
    if (typeof method !== 'function') throw new Error(`There is no ${name}`);
    Reflect.set(owner, name, function (this: object, ...parts: unknown[]) {
      const answer: unknown = Reflect.apply(method, this, parts);
      if (!(answer instanceof Promise)) heard(this, answer);
      else void answer.then((value) => heard(this, value)).catch(() => undefined);
      return answer;
    });
  };
  hear(ReadableStream.prototype, 'getReader', (body, reader) => {
    if (answers.has(body) && reader instanceof Object) answers.add(reader);
  });
  hear(ReadableStreamDefaultReader.prototype, 'read', (reader, result) => {
    const value: unknown = result instanceof Object ? Reflect.get(result, 'value') : undefined;
    if (answers.has(reader) && value instanceof Uint8Array) bytes += value.length;
    Object.assign(window, { readBytes: bytes });
  });
}

const readBytes = (page: Page): Promise<number> =>
  page.evaluate(() => Number(Reflect.get(window, 'readBytes') ?? 0));

/** Where each model of a scene answers, and how much they have said. */
interface HeldAnswers {
  byModel: Map<string, ScriptedAnswer>;
  sentBytes: number;
}

/** Plays what each model does, piece by piece, between two moments on the page's clock. */
async function play(
  page: Page,
  answers: HeldAnswers,
  scripts: Record<string, Step[]>,
  { fromMs = 0, untilMs }: { fromMs?: number; untilMs: number },
): Promise<void> {
  for (let atMs = fromMs; atMs < untilMs;) {
    const sinceMs = atMs;
    const stepMs = Math.min(tickMs, untilMs - atMs);
    atMs += stepMs;
    await page.clock.runFor(stepMs);
    const sentBefore = answers.sentBytes;
    for (const [model, steps] of Object.entries(scripts)) {
      const answer = answers.byModel.get(model);
      if (!answer) continue;
      for (const step of steps) if (step.atMs >= sinceMs && step.atMs < atMs) step.does(answer);
    }
    if (answers.sentBytes === sentBefore) continue;
    // It is in the page before its clock goes on.
    await expect.poll(() => readBytes(page), { intervals: [0] }).toBe(answers.sentBytes);
  }
}

/** Words with their spaces, a few letters at a time, as models send them. */
function piecesOf(text: string): string[] {
  return text.match(/\s*\S{1,6}/g) ?? [];
}

/** A text spread evenly over a stretch of time. */
function spread(
  text: string,
  fromMs: number,
  toMs: number,
  does: (answer: ScriptedAnswer, piece: string) => void,
): Step[] {
  const pieces = piecesOf(text);
  return pieces.map((piece, index) => ({
    atMs: fromMs + ((toMs - fromMs) * index) / Math.max(1, pieces.length - 1),
    does: (answer) => does(answer, piece),
  }));
}

const think = (answer: ScriptedAnswer, piece: string) => answer.delta({ reasoning_content: piece });
const say = (answer: ScriptedAnswer, piece: string) => answer.text(piece);

function end(atMs: number, reason: string, tokensIn: number, tokensOut: number): Step {
  return {
    atMs,
    does: (answer) => {
      answer.finish(reason);
      answer.usage(tokensIn, tokensOut);
      answer.done();
    },
  };
}

const thoughtA =
  'The deploy at 14:02 came four minutes before. A rollback is cheap and can be undone. Waiting burns the budget. I will say roll back first and then name the command and what to watch after it.';
const answerA = `**Roll back now.**

- p99 rose 15 times within minutes of one change. The deploy is the cheapest cause to test.
- Waiting buys no new evidence and spends budget you will want later this month.
- Rollbacks can be undone. Lost sales cannot.

First command:

\`\`\`
shipctl rollback checkout --to 411
\`\`\`

Then watch p99 for ten minutes.`;

const thoughtB =
  'The deploy at 14:02 is the obvious suspect. Before a rollback I should ask whether release 412 migrated anything, because 411 may then read columns that are gone. If it did not, five minutes of churn cost less than the budget. So: one check, then roll back, and name the command that shows the schema.';
const answerB = `**Roll back, after one check.**

Before anything else, confirm that release 412 did not migrate the orders table. If it did, release 411 may read columns that no longer exist, and a latency problem becomes an outage.

If there was no migration, the trade-off is simple: five minutes of churn against a budget that burns`;
const restOfB = ` 4% an hour. Take the churn.

First command:

\`\`\`
shipctl diff checkout 411..412 --schema
\`\`\`

Empty diff: roll back. Anything else: turn the new cache off first.`;

const models = ['northfield/heron-32b', 'orrery/sextant-70b-think', 'saltmarsh/plover-8b'];

/** Holds every answer open for the scene to write. */
function holdAnswers(gateway: ScriptedGateway): HeldAnswers {
  const answers: HeldAnswers = { byModel: new Map(), sentBytes: 0 };
  gateway.onChat((answer, { body }) => {
    countSentBytes(answer, (bytes) => (answers.sentBytes += bytes));
    answers.byModel.set(String(body['model']), answer);
  });
  return answers;
}

function countSentBytes({ response }: ScriptedAnswer, count: (bytes: number) => void): void {
  for (const name of ['write', 'end'] as const) {
    const send = response[name];
    Reflect.set(response, name, (chunk: unknown) => {
      if (typeof chunk === 'string') count(Buffer.byteLength(chunk));
      return Reflect.apply(send, response, [chunk]);
    });
  }
}

async function openAt(
  { bench, gateway, url }: SceneParts,
  ids: readonly string[],
  says: Record<string, unknown> = {},
): Promise<void> {
  gateway.models = { object: 'list', data: ids.map((id) => ({ id, object: 'model', ...says })) };
  // The direct way: what the page has read is counted at its fetch.
  await bench.page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebSocket'));
  await bench.page.addInitScript(countReadBytes);
  await bench.page.clock.install({ time: startsAt });
  await bench.open(url);
}

async function rename({ page }: BenchPage, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Session menu' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Session title' }).fill(title);
  await page.keyboard.press('Enter');
}

async function useModelIn(page: Page, letter: string, id: string): Promise<void> {
  const picker = page
    .getByRole('region', { name: `Lane ${letter}` })
    .getByRole('combobox', { name: 'Model' });
  await picker.fill(id);
  await picker.press('Enter');
  await expect(picker).toHaveValue(id);
}

function number(bench: BenchPage, name: string) {
  return bench.parameters.getByRole('spinbutton', { name, exact: true });
}

/** Three lanes: one done, one streaming, one refused. What it returns lets the second one end, too. */
export async function compareScene(parts: SceneParts): Promise<() => Promise<void>> {
  const { bench, gateway } = parts;
  const { page } = bench;
  const answers = holdAnswers(gateway);
  await openAt(parts, models);
  await bench.button('Add lane').click();
  await bench.button('Add lane').click();
  for (const [index, id] of models.entries()) await useModelIn(page, 'ABC'[index] ?? '', id);
  await number(bench, 'temperature').fill('0.7');
  await number(bench, 'max_tokens').fill('600');
  await number(bench, 'seed').fill('7');
  await page.getByRole('radio', { name: 'Lane A' }).click();
  await number(bench, 'temperature').fill('0.2');
  await page.getByRole('radio', { name: 'Lane B' }).click();
  await number(bench, 'thinking_budget').fill('8192');
  await page.getByRole('radio', { name: 'All lanes' }).click();
  await bench.system.fill(
    'You advise an on-call engineer. Be brief, name the trade-off, and give the first command to run.',
  );
  await rename(bench, 'Roll back or wait');
  await stopClock(bench);
  await bench.message.fill(
    'Checkout p99 went from 310 ms to 4.8 s four minutes after the 14:02 deploy. Error budget for the month is 62% spent. Roll back or wait? Under 120 words, and name the first command.',
  );
  await bench.message.press('Enter');
  await expect.poll(() => answers.byModel.size).toBe(3);
  const refuse = (answer: ScriptedAnswer) =>
    answer.json(503, {
      error: {
        message: 'No capacity for saltmarsh/plover-8b',
        type: 'upstream_unavailable',
        code: 'upstream_unavailable',
      },
    });
  const ofB = [
    ...spread(thoughtB, 958, 4040, think),
    ...spread(answerB, 4058, 6060, say),
    ...spread(restOfB, 6160, 7330, say),
    end(7340, 'stop', 212, 365),
  ];
  const scripts = {
    'northfield/heron-32b': [
      ...spread(thoughtA, 412, 2010, think),
      ...spread(answerA, 2030, 3600, say),
      end(3600, 'stop', 212, 276),
    ],
    'orrery/sextant-70b-think': ofB,
    'saltmarsh/plover-8b': [{ atMs: 1200, does: refuse }],
  };
  await play(page, answers, scripts, { untilMs: 6_060 });
  await expect(page.locator('article[data-status="complete"]')).not.toHaveCount(0);
  await bench.message.blur();
  return () => play(page, answers, scripts, { fromMs: 6_060, untilMs: 7_500 });
}

/** One lane that calls two tools about a photo; one result is written, one is being typed. */
export async function chatScene(parts: SceneParts): Promise<void> {
  const { bench, gateway } = parts;
  const { page } = bench;
  const answers = holdAnswers(gateway);
  await openAt(parts, ['tallow/kiln-vl-12b'], { capabilities: ['vision', 'tools'] });
  await expect(bench.model).toHaveValue('tallow/kiln-vl-12b');
  await number(bench, 'temperature').fill('0.2');
  await number(bench, 'max_tokens').fill('800');
  await number(bench, 'thinking_budget').fill('2048');
  await bench.system.fill(
    'You are the support desk of an outdoor shop. Use the tools. Never guess the state of an order.',
  );
  const chooser = page.waitForEvent('filechooser');
  await bench.button('Image').click();
  await (await chooser).setFiles(aPicture('porch.png', { width: 96, height: 66, pixel: porch }));
  await expect(page.getByText('porch.png')).toBeVisible();
  await bench.message.fill(
    'Order 48213 shows as delivered, but the customer found nothing on the porch. This is their photo. What should I tell them?',
  );
  await rename(bench, 'Missing parcel 48213');
  await stopClock(bench);
  await bench.message.press('Enter');
  await page.clock.runFor(500);
  await expect.poll(() => answers.byModel.size).toBe(1);
  await play(
    page,
    answers,
    {
      'tallow/kiln-vl-12b': [
        ...spread(
          'The photo shows an empty step and a closed door, so it cannot prove where the parcel was left. I need two facts before I promise anything: what the order record says, and where the last carrier scan was taken.',
          20,
          2120,
          think,
        ),
        ...spread(
          'I will check the order and the last scan before we promise a refund or a replacement.',
          2140,
          2900,
          say,
        ),
        {
          atMs: 2940,
          does: (answer) => answer.toolCall(0, 'call_1', 'lookup_order', '{"order_id":"48213"}'),
        },
        {
          atMs: 3100,
          does: (answer) =>
            answer.toolCall(
              1,
              'call_2',
              'last_carrier_scan',
              '{"order_id":"48213",',
              '"include_position":true}',
            ),
        },
        end(3300, 'tool_calls', 1148, 253),
      ],
    },
    { untilMs: 3_500 },
  );
  await page.clock.runFor(200);
  await bench.lastReply.getByRole('button', { name: /Reasoning/ }).click();
  await page
    .getByRole('textbox', { name: 'Result for lookup_order' })
    .fill('{ "status": "delivered", "items": 2,\n  "left_with": "porch" }');
  await page
    .getByRole('textbox', { name: 'Result for last_carrier_scan' })
    .fill('{ "scanned_at": "14 Jun 16:42",\n  "metres_from_address": 212 }');
  await page.clock.runFor(700);
}

/** A door, as small as a picture can be that still is one. */
function porch(x: number, y: number): readonly [number, number, number] {
  if (x > 34 && x < 62 && y > 8 && y < 46) return [219, 217, 213];
  return y > 44 ? [192, 189, 185] : [233, 231, 227];
}

const differing = ['Roll back now, then watch', 'Roll back after one check, then watch'];

/** So many lanes side by side, each with a model and a temperature of its own, after two turns. The clock stands still. */
export async function lanesScene(parts: SceneParts, count: number): Promise<void> {
  const { bench, gateway } = parts;
  const { page } = bench;
  gateway.onChat((answer, { body }) => {
    const lane = models.indexOf(String(body['model']).replace(/-\d$/, ''));
    answer.delta({ reasoning_content: 'The deploy is the obvious suspect.' });
    answer.text(`**${differing[lane % 2]} the error rate.**\n\n`);
    answer.text(
      '- The deploy is the cheapest cause to test.\n- Rollbacks can be undone. Lost sales cannot.\n\n',
    );
    answer.text('```\nshipctl rollback checkout --to 411\n```');
    answer.finish('stop');
    answer.usage(212, 276);
    answer.done();
  });
  const ids = Array.from({ length: count }, (_, at) => `${models[at % 3]}${at < 3 ? '' : `-${at}`}`);
  await openAt(parts, ids);
  for (let added = 1; added < count; added += 1) await bench.button('Add lane').click();
  for (const [at, id] of ids.entries()) {
    const letter = 'ABCDEF'[at] ?? '';
    await useModelIn(page, letter, id);
    if (count > 1) await page.getByRole('radio', { name: `Lane ${letter}`, exact: true }).click();
    await number(bench, 'temperature').fill(String(at / 5));
  }
  if (count > 1) await page.getByRole('radio', { name: 'All lanes' }).click();
  await rename(bench, 'Roll back or wait');
  for (const [at, text] of ['The error rate doubled at 14:02. What now?', 'And then?'].entries()) {
    await bench.send(text);
    await expect(page.locator('article[data-status="complete"]')).toHaveCount(count * (at + 1));
  }
  await bench.message.blur();
  await stopClock(bench);
}
