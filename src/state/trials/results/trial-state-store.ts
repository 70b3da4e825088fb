/** What is on screen of an open trial: counted again soon after each change, of a large trial in slices. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { runToCompletion, waitForIdle, runWhenIdle } from '../../../lib/steps.ts';
import type { Page } from '../../page.ts';
import type { OpenTrialState, TrialNotice } from '../open-trial.ts';
import type { TrialReading } from '../trial-records.ts';
import type { Standing, StandingFacts, Standings, StandingSums } from './trial-results.ts';

export interface ShownTrial {
  state: StoreApi<OpenTrialState>;
  /** Something has changed: it is on screen soon. */
  changed: () => void;
  /** Puts it on screen at once, with all that is counted. */
  refresh: () => void;
  /** All cells are in memory and counted. */
  isWhole: () => boolean;
  /** Reads the cells that the first screen did without, and then counts all of them. */
  readRest: () => Promise<void>;
  tell: (text: string, tone?: TrialNotice['tone']) => void;
  dismiss: (noticeId: string) => void;
  close: () => void;
}

interface ShownTrialParts {
  reading: TrialReading;
  standing: Standing;
  of: () => Standings;
  facts: () => StandingFacts;
  /** What is on screen beside what is counted. */
  rest: () => Omit<OpenTrialState, keyof StandingSums | 'opening' | 'changes' | 'notices'>;
  page: Pick<Page, 'clock' | 'nextFrame' | 'whenIdle'>;
  /** It has been put on screen. */
  onShown: (state: OpenTrialState) => void;
}

/** A trial with so many cells is counted in slices, between which the page goes on. */
const manyCells = 4096;
/** What costs more is done less often: a key has to be felt at once. */
const cheapMs = 8;
/** So often it is said how much has been read. */
const sayEveryMs = 1000;

export function createShownTrial(parts: ShownTrialParts): ShownTrial {
  const { reading, standing, of, facts, rest, page } = parts;
  const { cells } = reading.stored;
  /** What is still to be done before anything can be said of the whole. */
  let opening: OpenTrialState['opening'] = reading.isWhole()
    ? undefined
    : { name: 'reading', answers: cells.size };
  let changes = 0;
  let isStale = false;
  let costMs = 0;
  let isCounting = false;
  let isClosed = false;
  let noticeCount = 0;

  /** Nothing is counted of a part. */
  const sumsNow = (): StandingSums =>
    opening ? standing.outline(of(), facts()) : runToCompletion(standing.sums(of(), facts()));

  function snapshot(sums: StandingSums): Omit<OpenTrialState, 'notices'> {
    changes += 1;
    return { ...sums, ...rest(), opening, changes };
  }

  const state = createStore<OpenTrialState>(() => ({ ...snapshot(sumsNow()), notices: [] }));

  function show(sums: StandingSums): void {
    state.setState(snapshot(sums));
    parts.onShown(state.getState());
  }

  function refresh(): void {
    isStale = false;
    const begunAt = page.clock();
    show(sumsNow());
    costMs = page.clock() - begunAt;
  }

  function changed(): void {
    if (isStale) return;
    isStale = true;
    const refreshOnce = () => {
      if (!isStale) return;
      if (opening === undefined && cells.size >= manyCells) void refreshInSlices();
      else refresh();
    };
    if (costMs > cheapMs) setTimeout(refreshOnce, 8 * costMs);
    else page.nextFrame(refreshOnce);
  }

  async function refreshInSlices(): Promise<void> {
    // What changes meanwhile is shown after it.
    if (isCounting) return;
    isCounting = true;
    isStale = false;
    const begunAt = page.clock();
    const before = changes;
    const sums = await countInSlices();
    isCounting = false;
    // Much of that was waiting.
    costMs = (page.clock() - begunAt) / 2;
    const isNews = isStale;
    isStale = false;
    // What has been shown meanwhile is newer.
    if (changes === before && !isClosed) show(sums);
    if (isNews) changed();
  }

  /** Of the trial as it is when all is counted. */
  async function countInSlices(): Promise<StandingSums> {
    for (;;) {
      const { trial } = of();
      const sums = await runWhenIdle(standing.sums(of(), facts()), page);
      if (of().trial === trial || isClosed) return sums;
    }
  }

  async function readRest(): Promise<void> {
    let saidAt = page.clock();
    let until = 0;
    for (;;) {
      if (page.clock() >= until) until = page.clock() + (await waitForIdle(page.whenIdle));
      const came = await reading.more();
      if (!came || isClosed) break;
      standing.take(of(), came);
      opening = { name: 'reading', answers: cells.size };
      if (page.clock() - saidAt < sayEveryMs) continue;
      saidAt = page.clock();
      refresh();
    }
    opening = { name: 'counting', answers: cells.size };
    refresh();
    const sums = await countInSlices();
    opening = undefined;
    if (!isClosed) show(sums);
  }

  return {
    state,
    changed,
    refresh,
    isWhole: () => opening === undefined,
    readRest,
    tell: (text, tone = 'note') => {
      noticeCount += 1;
      const notice = { id: String(noticeCount), tone, text };
      state.setState(({ notices }) => ({ notices: [...notices, notice] }));
    },
    dismiss: (noticeId) =>
      state.setState(({ notices }) => ({ notices: notices.filter(({ id }) => id !== noticeId) })),
    close: () => {
      isClosed = true;
    },
  };
}
