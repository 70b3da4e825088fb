/** Tests what the command field offers for typed text and what it runs, in the real app. */
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';

import { listCommands } from '../app/commands/command-options.tsx';
import { createPageState } from '../app/page-state.ts';
import { buildRequestFields } from '../conversation/setup/params.ts';
import { getModelsKey } from '../features/models/use-models.ts';
import type { PaletteOption } from '../features/palette/palette-option.ts';
import { getSessionsQueryOptions, usePaletteOptions } from '../features/palette/use-palette-options.ts';
import type { Bench } from '../testing/bench.ts';
import { sendAndWait, createConversation } from '../testing/conversation-driver.ts';
import { readHook } from '../testing/render-with-playground.tsx';
import { waitUntil } from '../testing/wait-until.ts';

type PaletteOptions = ReturnType<typeof usePaletteOptions>;

interface Palette {
  /** Returns the options for the typed text. */
  findOptions: (typed: string) => Promise<PaletteOptions>;
  /** Runs the first option, or the first whose label starts with `labelPrefix`. Resolves to its message. */
  run: (typed: string, labelPrefix?: string) => Promise<string | void>;
  /** Returns the name of the open dialog, if any. */
  getOpenDialog: () => string | undefined;
}

function createTestPalette(bench: Bench): Palette {
  const pageState = createPageState();
  const context = { ...bench, pageState, announce: () => undefined };
  const findOptions = async (typed: string) => {
    const queryClient = new QueryClient();
    queryClient.setQueryData(getModelsKey(), await bench.serverClient.listModels());
    await queryClient.fetchQuery({ ...getSessionsQueryOptions(bench), gcTime: Number.POSITIVE_INFINITY });
    return readHook(
      bench,
      () =>
        usePaletteOptions(
          typed,
          () => listCommands(context),
          () => undefined,
        ),
      queryClient,
    );
  };
  return {
    findOptions,
    run: async (typed, labelPrefix = '') => {
      const option = findOption(await findOptions(typed), labelPrefix);
      if (option.disabledReason !== undefined)
        throw new Error(`${option.label} cannot run: ${option.disabledReason}`);
      return option.run();
    },
    getOpenDialog: () => pageState.getState().openOverlay,
  };
}

function findOption({ options }: PaletteOptions, labelPrefix = ''): PaletteOption {
  const match = options.find((option) => option.label.startsWith(labelPrefix));
  if (!match)
    throw new Error(
      `No option starts with ${labelPrefix}: ${options.map((option) => option.label).join('; ')}`,
    );
  return match;
}

/** Returns the model and the sent parameters of each lane. */
function listSetups(bench: Bench) {
  const { session, lanes } = bench.getOpenSession();
  return session.laneIds.map((id) => {
    const { model = '', params = {} } = lanes[id]?.setup ?? {};
    return { model, ...buildRequestFields(params) };
  });
}

async function createPaletteBench() {
  const { bench, gateway } = await createConversation();
  const palette = createTestPalette(bench);
  await palette.run('@north/one');
  return { bench, gateway, palette };
}

describe('typed setting', () => {
  it('previews the meaning and effect of a typed setting, then applies it', async () => {
    const { bench, palette } = await createPaletteBench();
    bench.actions.addLane();
    await palette.run('temp 0.7 in b');
    const [first, second] = listSetups(bench);
    expect(first).not.toHaveProperty('temperature');
    expect(second).toMatchObject({ temperature: 0.7 });

    const options = await palette.findOptions('temp 0.2');
    expect(options.interpretation).toEqual(['temperature', '0.2']);
    expect(options.options[0]).toMatchObject({
      label: 'Set temperature to 0.2 in all lanes',
      currentValues: [
        { text: 'not sent', letters: ['A'] },
        { text: '0.7', letters: ['B'] },
      ],
    });
    expect(findOption(options, 'Set temperature to 0.2 in B only').currentValues).toEqual([
      { text: '0.7', letters: ['B'] },
    ]);
    expect(listSetups(bench)[0], 'unchanged before the command runs').not.toHaveProperty('temperature');
    expect(await palette.run('temp 0.2')).toBe('temperature set to 0.2 in all lanes.');
    expect(listSetups(bench)).toMatchObject([{ temperature: 0.2 }, { temperature: 0.2 }]);

    await palette.run('no temp');
    for (const setup of listSetups(bench)) expect(setup).not.toHaveProperty('temperature');
  });

  it('reports a lane that does not exist', async () => {
    const { palette } = await createPaletteBench();
    expect(await palette.findOptions('max 600 in b')).toMatchObject({
      options: [],
      missingLaneMessage: 'There is no lane B.',
    });
  });

  it('rejects an invalid value with the reason from its field', async () => {
    const { bench, palette } = await createPaletteBench();
    expect((await palette.findOptions('budget 64')).options[0]?.disabledReason).toContain(
      'Must be between 128 and 32,768.',
    );
    await expect(palette.run('budget 64')).rejects.toThrow('cannot run');
    expect(listSetups(bench)[0]).not.toHaveProperty('thinking_budget');
  });

  it('adds a lane with the typed value and all values set earlier', async () => {
    const { bench, palette } = await createPaletteBench();
    expect(await palette.run('max 600')).toBe('max_tokens set to 600.');
    expect(await palette.run('seed 7')).toBe('seed set to 7.');
    await palette.run('temp 1.5', 'Add lane B');
    expect(listSetups(bench)).toMatchObject([
      { max_tokens: 600, seed: 7 },
      { model: 'north/one', max_tokens: 600, seed: 7, temperature: 1.5 },
    ]);
    expect(listSetups(bench)[0]).not.toHaveProperty('temperature');
  });
});

describe('models in the command field', () => {
  const listLaneModels = (bench: Bench) => listSetups(bench).map(({ model }) => model);

  it('finds models after @ for all lanes, one lane or a new lane, even if unlisted', async () => {
    const { bench, palette } = await createPaletteBench();
    await palette.run('@two');
    expect(listLaneModels(bench)).toEqual(['north/two']);
    await palette.run('@north/one', 'Add lane B with north/one');
    expect(listLaneModels(bench)).toEqual(['north/two', 'north/one']);
    await palette.run('@my/own in b');
    expect(listLaneModels(bench)).toEqual(['north/two', 'my/own']);
    const embeddingOptions = await palette.findOptions('@embed');
    expect(
      embeddingOptions.options.map(({ label }) => label),
      'an embedding model cannot chat',
    ).not.toContain('Use south/embed-small in all lanes');
    expect(embeddingOptions.options[0]).toMatchObject({ note: 'exact ID as typed' });
  });

  it('lists models for a word without @, but those that a command matches only by whole parts of their ID', async () => {
    const { bench, gateway } = await createConversation();
    gateway.models = { data: ['openai/large', 'mono/open-small', 'north/one'].map((id) => ({ id })) };
    const palette = createTestPalette(bench);
    const listUses = async (typed: string) =>
      (await palette.findOptions(typed)).options
        .map(({ label }) => label)
        .filter((label) => label.startsWith('Use ') && label.includes('/'));
    expect(await listUses('openai')).toEqual(['Use openai/large']);
    expect(await listUses('lar'), 'no command begins like this').toEqual(['Use openai/large']);
    expect(await listUses('open'), 'also the start of commands').toEqual(['Use mono/open-small']);
  });

  it('suggests commands in an empty field before the recent ones', async () => {
    const { bench, palette } = await createPaletteBench();
    await palette.run('open settings');
    await palette.run('add lane');
    const { options } = await palette.findOptions('');
    expect([...new Set(options.map(({ group }) => group))].slice(0, 2)).toEqual(['Suggested', 'Recent']);
    expect(options.filter(({ group }) => group === 'Recent').map(({ label }) => label)).toEqual([
      'Open settings',
    ]);
    expect(bench.prefs.getState().recentCommands).toHaveLength(2);
  });

  it('hides model names in commands while names are hidden', async () => {
    const { bench, palette } = await createPaletteBench();
    await palette.run('@two');
    await palette.run('add lane');
    await palette.run('show or hide model');
    expect(findOption(await palette.findOptions('temp 1'), 'Add lane C').label).toContain('the same model');
    const { options } = await palette.findOptions('@two');
    expect(options[0]?.currentValues).toEqual([
      { text: 'hidden', letters: ['A'] },
      { text: 'hidden', letters: ['B'] },
    ]);
    expect(options.map(({ disabledReason }) => disabledReason)).not.toContain('In use');
    await palette.run('show or hide model');
    expect((await palette.findOptions('@two')).options[0]?.disabledReason, 'while names are visible').toBe(
      'In use',
    );
    expect(listLaneModels(bench)).toEqual(['north/two', 'north/two']);
  });
});

it('reports failed commands and options instead of confirming them', async () => {
  const { bench, palette } = await createPaletteBench();
  await sendAndWait(bench, 'A question worth asking');
  const { recorder } = bench;
  const { flush } = recorder;
  const commandTexts = [
    ['duplicate', 'Duplicate session'],
    ['rename Mine', 'Rename session'],
  ] as const;
  for (const [typed, label] of commandTexts) {
    bench.notices.setState({ notice: undefined });
    const option = findOption(await palette.findOptions(typed), label);
    recorder.flush = () => Promise.reject(new Error('It broke.'));
    expect(await option.run(), typed).toBe('Action failed: It broke.');
    recorder.flush = flush;
    expect(bench.notices.getState().notice, typed).toMatchObject({ severity: 'problem' });
  }
});

it('finds every command and shows why disabled ones cannot run', async () => {
  const { bench, gateway, palette } = await createPaletteBench();
  expect((await palette.findOptions('present')).options[0]).toMatchObject({
    label: 'Present',
    disabledReason: 'No messages yet',
  });
  await sendAndWait(bench, 'A question worth asking');
  await palette.run('present');
  expect(palette.getOpenDialog()).toBe('presentation');

  await palette.run('rename A better title');
  const { id, title } = bench.getOpenSession().session;
  expect(title).toBe('A better title');
  expect((await palette.findOptions('rename lane a')).options[0]?.label).toBe('Rename lane A');
  await palette.run('run again');
  expect(gateway.posts).toHaveLength(2);
  expect(await palette.run('rpm 20')).toBe('Limit set to 20 requests per minute.');
  expect(bench.getQueue().getLimit()).toBe(20);
  await palette.run('dark theme');
  expect(bench.prefs.getState().theme).toBe('dark');

  await palette.run('new session');
  expect(bench.getOpenSession().session.id).not.toBe(id);
  expect((await palette.findOptions('better title')).options[0]).toMatchObject({
    label: 'A better title',
    note: expect.stringContaining('1 message'),
  });
  await palette.run('A better title');
  await waitUntil(() => bench.getOpenSession().session.id === id);
  await palette.run('history');
  expect(bench.tab.visitedPaths.at(-1)).toBe('/history');
  expect((await palette.findOptions('add lane')).options[0]?.disabledReason).toBe('Only in the playground');
});
