/** Runs trials by command against a scripted gateway, through the proxy in the same process. */
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { summarizeVerdict } from '../../features/trials/verdict/format-verdict.ts';
import { createBench } from '../../testing/bench.ts';
import { createGate } from '../../testing/builders.ts';
import { createCases, getTicket, waitForTrialState } from '../../testing/open-trials.ts';
import { realEnvironment } from '../../testing/open-trials.ts';
import { startScriptedGateway, type ChatScript } from '../../testing/scripted-gateway.ts';
import {
  createCommandFolder,
  createTrialText,
  normalizeRunText,
  normalizeTrialText,
  type CommandFolder,
} from '../../testing/trial-command.ts';
import { createColumns } from '../../testing/trials.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { mergeTrials } from './merge-trials.ts';
import type { RunTrialOptions } from './ready-trial.ts';
import { runTrial } from './run-trial.ts';

const right = '{"team":"billing"}';
const wrong = '{"team":"delivery"}';

async function startGateway(script: ChatScript) {
  const gateway = await startScriptedGateway();
  onTestFinished(gateway.close);
  gateway.setChatScript(script);
  const settings = { GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: 'fk-secret-key', GATEWAY_RPM: '0' };
  return { gateway, settings };
}

/** Answers by the model and the number of the ticket: whether the model is right about it. */
const answerBy =
  (isRight: (model: string, ticket: number) => boolean): ChatScript =>
  (answer, { body }) =>
    answer.sendAnswer(
      isRight(String(body['model']), Number(/\d+/.exec(getTicket(body))?.[0])) ? right : wrong,
    );

const run = (
  { context }: Pick<CommandFolder, 'context'>,
  options: Partial<RunTrialOptions> = {},
  file = 'trial.jsonl',
) => runTrial(file, { expect: 'not-worse', floors: [], out: 'out', ...options }, context);

describe('exit codes', () => {
  it('is 0 with the results in files if no column is worse', async () => {
    const { settings } = await startGateway(
      answerBy((model, ticket) => model === 'south/two' || ticket % 2 === 0),
    );
    const command = createCommandFolder(settings);
    command.write('trial.jsonl', createTrialText(40));
    expect(await run(command)).toBe(0);
    expect(command.readJson('out/verdict.json')).toMatchObject({
      exitCode: 0,
      result: 'as expected',
      comparisons: [{ column: 'B', outcome: 'better' }],
      columns: [
        { passed: 20, answers: 40 },
        { passed: 40, answers: 40 },
      ],
    });
    expect(command.read('out/junit.xml')).toContain('tests="1" failures="0" errors="0"');
    expect(command.read('out/summary.md')).toContain('Cases that only one column passed: 20');
    expect(command.lines.join('\n')).toContain('two is better than one');
    const everything = ['trial.jsonl', 'verdict.json', 'junit.xml', 'summary.md']
      .map((name) => command.read(path.join('out', name)))
      .join('');
    expect(everything + command.lines.join('')).not.toContain('fk-secret');
  });

  it('is 1 if a column is worse, and for a floor that a rate is below', async () => {
    const { settings } = await startGateway(
      answerBy((model, ticket) => model === 'north/one' || ticket % 2 === 0),
    );
    const command = createCommandFolder(settings);
    command.write('trial.jsonl', createTrialText(40));
    expect(await run(command)).toBe(1);
    expect(command.read('out/junit.xml')).toContain('<failure type="decided against"');
    command.write('one.jsonl', createTrialText(40, { columns: createColumns('south/two') }));
    const floors = [{ check: 'right team', rate: 0.9 }];
    expect(await run(command, { out: 'one', floors }, 'one.jsonl')).toBe(1);
  });

  it.each<[string, Partial<RunTrialOptions>, string, string]>([
    ['a file that is no trial', {}, 'hello', 'neither an exported trial'],
    [
      'a trial with one column',
      {},
      createTrialText(3, { columns: createColumns('north/one') }),
      'one column',
    ],
    [
      'an unknown check',
      { floors: [{ check: 'none', rate: 1 }] },
      createTrialText(3),
      'no check named "none"',
    ],
    ['a trial without cases', {}, createTrialText(0), 'cases'],
    ['a missing file of cases', { cases: 'none.csv' }, createTrialText(3), 'none.csv'],
    ['a missing baseline', { baseline: 'none' }, createTrialText(3), 'contains no trial.jsonl'],
  ])('is 2 for %s, without a request', async (_, options, text, message) => {
    const { gateway, settings } = await startGateway(answerBy(() => true));
    const command = createCommandFolder(settings);
    command.write('trial.jsonl', text);
    await expect(run(command, options)).rejects.toThrow(message);
    expect(gateway.posts).toEqual([]);
  });

  it('is 3 if nothing is decided, and missing answers never count as passed', async () => {
    const { settings } = await startGateway((answer, request) =>
      request.body['model'] === 'south/two' && Number(/\d+/.exec(getTicket(request.body))?.[0]) % 3 === 0
        ? answer.sendJson(500, { error: { message: 'Out of order', type: 'server_error', code: '500' } })
        : answer.sendAnswer(right),
    );
    const command = createCommandFolder(settings);
    command.write('trial.jsonl', createTrialText(30));
    expect(await run(command, { floors: [{ check: 'right team', rate: 0.8 }] })).toBe(3);
    expect(command.read('out/junit.xml')).toContain('<error type="not decided"');
  });

  it('is 4 if the gateway cannot be reached or refuses the key, and nothing is lost', async () => {
    const { gateway, settings } = await startGateway(answerBy(() => true));
    const command = createCommandFolder({ ...settings, GATEWAY_BASE_URL: 'http://127.0.0.1:9' });
    command.write('trial.jsonl', createTrialText(20));
    expect(await run(command)).toBe(4);
    gateway.setChatScript((answer) =>
      answer.sendJson(401, { error: { message: 'Wrong key', type: 'auth', code: '401' } }),
    );
    const refused = createCommandFolder(settings);
    refused.write('trial.jsonl', createTrialText(20));
    expect(await run(refused)).toBe(4);
    gateway.setChatScript(answerBy((model) => model === 'south/two'));
    expect(await run(refused)).toBe(0);
  });

  it('is 5 after the given number of requests, and continues without asking again', async () => {
    const { gateway, settings } = await startGateway(answerBy((model) => model === 'south/two'));
    const command = createCommandFolder(settings);
    command.write('trial.jsonl', createTrialText(30));
    expect(await run(command, { maxRequests: 7 })).toBe(5);
    expect(gateway.posts).toHaveLength(7);
    expect(command.lines.join('\n')).toContain('Stopped after 7 requests.');
    expect(await run(command)).toBe(0);
    expect(gateway.posts).toHaveLength(60);
  });

  it('is 5 after an interrupt: requests in flight end and are kept', async () => {
    const gate = createGate();
    const { gateway, settings } = await startGateway(async (answer) => {
      await gate.opened;
      answer.sendAnswer(right);
    });
    const command = createCommandFolder(settings);
    command.write('trial.jsonl', createTrialText(40));
    const exitCode = run(command);
    await waitUntil(() => gateway.posts.length > 3);
    command.interrupt();
    gate.open();
    expect(await exitCode).toBe(5);
    const answers = command.read('out/trial.jsonl').match(/^\{"cell"/gm) ?? [];
    expect(answers).toHaveLength(gateway.posts.length);
    expect(command.lines.join('\n')).not.toContain('in flight when');
  });
});

it('writes the same cells, sentences and verdict as the browser', async () => {
  const { gateway, settings } = await startGateway(
    answerBy((model, ticket) => (model === 'south/two' ? ticket % 10 > 0 : ticket % 3 > 0)),
  );
  const command = createCommandFolder(settings);
  const text = createTrialText(60);
  command.write('trial.jsonl', text);
  await run(command);
  const bench = await createBench({ url: gateway.url, environment: realEnvironment, path: '/' });
  const trials = await bench.lazyTrials.load();
  const imported = await trials.importFile(text);
  const trial = imported.ok ? await trials.open(imported.id) : undefined;
  if (!trial) throw new Error('The trial was not imported');
  await trial.run();
  await waitForTrialState(trial, 'finished');
  const { pieces } = await trial.exportJsonLines(summarizeVerdict);
  const [header, ...lines] = normalizeTrialText(command.read('out/trial.jsonl'));
  const [browserHeader, ...browserLines] = normalizeTrialText(pieces.join(''));
  expect(lines).toEqual(browserLines);
  expect({ ...Object(header), command: undefined }).toEqual({ ...Object(browserHeader), command: undefined });
});

it('stops early with exit code 1 if a column is 20 points worse than a saved baseline', async () => {
  const { gateway, settings } = await startGateway(answerBy((_, ticket) => ticket % 20 > 0));
  const command = createCommandFolder(settings);
  command.write('trial.jsonl', createTrialText(400, { columns: createColumns('north/one') }));
  const floors = [{ check: 'right team', rate: 0.9 }];
  expect(await run(command, { out: 'last', floors })).toBe(0);
  const requestsBefore = gateway.posts.length;
  gateway.setChatScript(answerBy((_, ticket) => ticket % 4 > 0));
  expect(await run(command, { out: 'now', baseline: 'last', stopWhenDecided: true })).toBe(1);
  expect(gateway.posts.length - requestsBefore).toBeLessThan(300);
  expect(command.readJson('now/verdict.json')).toMatchObject({
    comparisons: [{ column: 'B', outcome: 'worse' }],
  });
});

it('adds cases from another file', async () => {
  const { settings } = await startGateway(answerBy(() => true));
  const command = createCommandFolder(settings);
  command.write('trial.jsonl', createTrialText(5));
  command.write('more.csv', 'ticket,team\nticket 6,billing\nticket 7,billing\n');
  await run(command, { cases: 'more.csv' });
  expect(command.readJson('out/verdict.json')).toMatchObject({ cases: 7, counted: 7 });
});

it('refuses a folder that holds another trial, and one that another process uses', async () => {
  const { settings } = await startGateway(answerBy(() => true));
  const command = createCommandFolder(settings);
  command.write('trial.jsonl', createTrialText(5));
  await run(command);
  command.write('trial.jsonl', createTrialText(6));
  await expect(run(command)).rejects.toThrow('another trial or shard');
  command.write('out/running.lock', String(process.ppid));
  await expect(run(command)).rejects.toThrow(`Process ${process.ppid} is using`);
});

describe('shards', () => {
  const caseCount = 30;
  const script = answerBy((model, ticket) => (model === 'south/two' ? ticket % 10 > 0 : ticket % 3 > 0));

  async function runShards(count: number, changes: Parameters<typeof createTrialText>[1] = {}) {
    const { gateway, settings } = await startGateway(script);
    const command = createCommandFolder(settings);
    command.write('trial.jsonl', createTrialText(caseCount, changes));
    await run(command, { out: 'whole' });
    const wholeCount = gateway.posts.length;
    const folders = Array.from({ length: count }, (_, index) => `shard-${index + 1}`);
    for (const [index, out] of folders.entries())
      expect(await run(command, { out, shard: { index: index + 1, count } })).toBe(0);
    expect(gateway.posts.length).toBe(2 * wholeCount);
    const merge = (names: readonly string[], out = 'merged') =>
      mergeTrials(names, { expect: 'not-worse', floors: [], out }, command.context);
    return { command, folders, merge };
  }

  it.each([1, 2, 8, 32])('merges %i of them in any order to the trial of one process', async (count) => {
    const { command, folders, merge } = await runShards(count);
    const [first = ''] = folders;
    await merge([...folders.toReversed(), first]);
    expect(normalizeTrialText(command.read('merged/trial.jsonl'))).toEqual(
      normalizeTrialText(command.read('whole/trial.jsonl')),
    );
    expect(normalizeRunText(command.read('merged/verdict.json'))).toEqual(
      normalizeRunText(command.read('whole/verdict.json')),
    );
  });

  it('says that limits hold for each shard', async () => {
    const { settings } = await startGateway(script);
    const command = createCommandFolder(settings);
    command.write('trial.jsonl', createTrialText(caseCount));
    await run(command, { shard: { index: 2, count: 3 }, rpm: 90, maxRequests: 4 });
    expect(command.lines).toContain(
      'Shard 2 of 3: 10 of 30 cases. Limits of each shard: 90 requests per minute and 4 requests.',
    );
  });

  it('keeps groups whole', async () => {
    const cases = createCases(caseCount);
    const { command, folders, merge } = await runShards(4, { groupField: 'team' });
    await merge(folders);
    expect(cases).toHaveLength(caseCount);
    // All cases have the same team, so one shard has all of them.
    const counts = folders.map(
      (name) => command.read(`${name}/trial.jsonl`).match(/^\{"cell"/gm)?.length ?? 0,
    );
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 2 * caseCount]);
  });

  it('returns 3 and names the cases if a shard is missing', async () => {
    const { command, folders, merge } = await runShards(8);
    expect(await merge(folders.filter((_, index) => index !== 2))).toBe(3);
    const text = command.lines.join('\n');
    expect(text).toContain('Shard 3 of 8 is missing.');
    expect(text).toMatch(/Answers are missing: 8 of cases \d+, \d+, \d+ and \d+\./);
    expect(command.readJson('merged/verdict.json')).toHaveProperty('missingCells.length', 8);
  });

  it('counts the answer that ended first if a cell has two, and lists the other', async () => {
    const { command, folders, merge } = await runShards(2);
    await run(command, { out: 'again', shard: { index: 1, count: 2 } });
    await merge(['again', ...folders]);
    expect(normalizeTrialText(command.read('merged/trial.jsonl'))).toEqual(
      normalizeTrialText(command.read('whole/trial.jsonl')),
    );
    const verdict = command.readJson('merged/verdict.json');
    expect(verdict).toHaveProperty('extraAnswers.length', caseCount);
    expect(verdict).toHaveProperty('extraAnswers.0.from', path.join(command.folder, 'again'));
  });

  it('refuses shards of different trials', async () => {
    const { command, folders, merge } = await runShards(2);
    command.write('trial.jsonl', createTrialText(caseCount, { seed: 7 }));
    await run(command, { out: 'other', shard: { index: 1, count: 2 } });
    await expect(merge([...folders, 'other'])).rejects.toThrow('belongs to another trial');
  });
});
