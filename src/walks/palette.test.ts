/** What the command field offers for what is typed, and what it does, over the real app. */
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';

import { listCommands } from '../app/commands/list-commands.ts';
import { createPageState } from '../app/page-state.ts';
import { buildRequestFields } from '../conversation/setup/params.ts';
import { modelsKey } from '../features/models/use-models.ts';
import type { PaletteOption } from '../features/palette/palette-option.ts';
import { getSessionsQueryOptions, useOptions } from '../features/palette/use-options.ts';
import type { Bench } from '../testing/bench.ts';
import { ask, aTalk } from '../testing/conversation-driver.ts';
import { readHook } from '../testing/render-views.tsx';
import { until } from '../testing/wait-until.ts';

type Offered = ReturnType<typeof useOptions>;

interface Palette {
  /** What is offered for this text. */
  offers: (typed: string) => Promise<Offered>;
  /** Runs the first option, or the first whose words begin so; answers with what it says. */
  run: (typed: string, words?: string) => Promise<string | void>;
  /** What lies over the page. */
  opened: () => string | undefined;
}

function aPalette(bench: Bench): Palette {
  const pageState = createPageState();
  const context = { playground: bench, pageState, announce: () => undefined };
  const offers = async (typed: string) => {
    const queries = new QueryClient();
    queries.setQueryData(modelsKey, await bench.gateway.listModels());
    await queries.fetchQuery({ ...getSessionsQueryOptions(bench), gcTime: Number.POSITIVE_INFINITY });
    return readHook(
      bench,
      () =>
        useOptions(
          typed,
          () => listCommands(context),
          () => undefined,
        ),
      queries,
    );
  };
  return {
    offers,
    run: async (typed, words = '') => {
      const option = optionIn(await offers(typed), words);
      if (option.disabledReason !== undefined)
        throw new Error(`${option.label} cannot run: ${option.disabledReason}`);
      return option.run();
    },
    opened: () => pageState.getState().openOverlay,
  };
}

function optionIn({ options }: Offered, words = ''): PaletteOption {
  const found = options.find((option) => option.label.startsWith(words));
  if (!found) throw new Error(`${words} is not among: ${options.map((option) => option.label).join('; ')}`);
  return found;
}

/** Model and sent parameters of each lane. */
function setups(bench: Bench) {
  const { session, lanes } = bench.current();
  return session.laneIds.map((id) => {
    const { model = '', params = {} } = lanes[id]?.setup ?? {};
    return { model, ...buildRequestFields(params) };
  });
}

async function aBenchWithPalette() {
  const { bench, gateway } = await aTalk();
  const palette = aPalette(bench);
  await palette.run('@north/one');
  return { bench, gateway, palette };
}

describe('a typed setting', () => {
  it('says how it is read and what it would change, and changes it', async () => {
    const { bench, palette } = await aBenchWithPalette();
    bench.actions.addLane();
    await palette.run('temp 0.7 in b');
    const [first, second] = setups(bench);
    expect(first).not.toHaveProperty('temperature');
    expect(second).toMatchObject({ temperature: 0.7 });

    const offered = await palette.offers('temp 0.2');
    expect(offered.interpretation).toEqual(['temperature', '0.2']);
    expect(offered.options[0]).toMatchObject({
      label: 'Set temperature to 0.2 in all lanes',
      currentValues: [
        { text: 'not sent', letters: ['A'] },
        { text: '0.7', letters: ['B'] },
      ],
    });
    expect(optionIn(offered, 'Set temperature to 0.2 in B only').currentValues).toEqual([
      { text: '0.7', letters: ['B'] },
    ]);
    expect(setups(bench)[0], 'nothing before it is run').not.toHaveProperty('temperature');
    expect(await palette.run('temp 0.2')).toBe('temperature is 0.2 in all lanes.');
    expect(setups(bench)).toMatchObject([{ temperature: 0.2 }, { temperature: 0.2 }]);

    await palette.run('no temp');
    for (const setup of setups(bench)) expect(setup).not.toHaveProperty('temperature');
  });

  it('for a lane that is not there says so', async () => {
    const { palette } = await aBenchWithPalette();
    expect(await palette.offers('max 600 in b')).toMatchObject({
      options: [],
      missingLaneMessage: 'There is no lane B.',
    });
  });

  it('that the field refuses is refused with its reason', async () => {
    const { bench, palette } = await aBenchWithPalette();
    expect((await palette.offers('budget 64')).options[0]?.disabledReason).toContain(
      'Must be 128 to 32,768.',
    );
    await expect(palette.run('budget 64')).rejects.toThrow('cannot run');
    expect(setups(bench)[0]).not.toHaveProperty('thinking_budget');
  });

  it('can come with a new lane, which has all that was set before', async () => {
    const { bench, palette } = await aBenchWithPalette();
    expect(await palette.run('max 600')).toBe('max_tokens is 600.');
    expect(await palette.run('seed 7')).toBe('seed is 7.');
    await palette.run('temp 1.5', 'Add lane B');
    expect(setups(bench)).toMatchObject([
      { max_tokens: 600, seed: 7 },
      { model: 'north/one', max_tokens: 600, seed: 7, temperature: 1.5 },
    ]);
    expect(setups(bench)[0]).not.toHaveProperty('temperature');
  });
});

describe('models', () => {
  const models = (bench: Bench) => setups(bench).map(({ model }) => model);

  it('are found by an at sign, for all lanes, one, or a new one, also one that is not listed', async () => {
    const { bench, palette } = await aBenchWithPalette();
    await palette.run('@two');
    expect(models(bench)).toEqual(['north/two']);
    await palette.run('@north/one', 'Add lane B with north/one');
    expect(models(bench)).toEqual(['north/two', 'north/one']);
    await palette.run('@my/own in b');
    expect(models(bench)).toEqual(['north/two', 'my/own']);
    const embedding = await palette.offers('@embed');
    expect(
      embedding.options.map(({ label }) => label),
      'a model for vectors cannot chat',
    ).not.toContain('Use south/embed-small in all lanes');
    expect(embedding.options[0]).toMatchObject({ note: 'use this exact ID' });
  });

  it('whose names are hidden stay hidden in the commands', async () => {
    const { bench, palette } = await aBenchWithPalette();
    await palette.run('@two');
    await palette.run('add lane');
    await palette.run('hide or show');
    expect(optionIn(await palette.offers('temp 1'), 'Add lane C').label).toContain('the same model');
    const { options } = await palette.offers('@two');
    expect(options[0]?.currentValues).toEqual([
      { text: 'hidden', letters: ['A'] },
      { text: 'hidden', letters: ['B'] },
    ]);
    expect(options.map(({ disabledReason }) => disabledReason)).not.toContain('In use');
    await palette.run('hide or show');
    expect((await palette.offers('@two')).options[0]?.disabledReason, 'while they are shown').toBe('In use');
    expect(models(bench)).toEqual(['north/two', 'north/two']);
  });
});

it('what fails is told, whether a command or an option was picked, and is not called done', async () => {
  const { bench, palette } = await aBenchWithPalette();
  await ask(bench, 'A question worth asking');
  const { recorder } = bench;
  const { flush } = recorder;
  const picked = [
    ['duplicate', 'Duplicate the session'],
    ['rename Mine', 'Rename the session'],
  ] as const;
  for (const [typed, words] of picked) {
    bench.notices.setState({ notice: undefined });
    const option = optionIn(await palette.offers(typed), words);
    recorder.flush = () => Promise.reject(new Error('It broke.'));
    expect(await option.run(), typed).toBe('Could not do that: It broke.');
    recorder.flush = flush;
    expect(bench.notices.getState().notice, typed).toMatchObject({ severity: 'problem' });
  }
});

it('every command can be found, and what cannot run says why', async () => {
  const { bench, gateway, palette } = await aBenchWithPalette();
  expect((await palette.offers('present')).options[0]).toMatchObject({
    label: 'Present',
    disabledReason: 'No messages yet',
  });
  await ask(bench, 'A question worth asking');
  await palette.run('present');
  expect(palette.opened()).toBe('presentation');

  await palette.run('rename A better title');
  const { id, title } = bench.current().session;
  expect(title).toBe('A better title');
  await palette.run('run again');
  expect(gateway.posts).toHaveLength(2);
  expect(await palette.run('rpm 20')).toBe('At most 20 requests per minute.');
  expect(bench.queue.getLimit()).toBe(20);
  await palette.run('dark theme');
  expect(bench.prefs.getState().theme).toBe('dark');

  await palette.run('new session');
  expect(bench.current().session.id).not.toBe(id);
  expect((await palette.offers('better title')).options[0]).toMatchObject({
    label: 'A better title',
    note: expect.stringContaining('1 message'),
  });
  await palette.run('A better title');
  await until(() => bench.current().session.id === id);
  await palette.run('history');
  expect(bench.tab.visited.at(-1)).toBe('/history');
  expect((await palette.offers('add lane')).options[0]?.disabledReason).toBe('Only in the playground');
});
