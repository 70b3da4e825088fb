/** Opens a trial: puts its records, its standing, what asks and what edits together, and keeps other tabs told. */
import { createStore } from 'zustand/vanilla';

import type { Setup } from '../../conversation/session/types.ts';
import { wordsOf } from '../../lib/error-words.ts';
import { fetchedInAdvance } from '../../lib/fetched.ts';
import { allAtOnce, idle, inSlices } from '../../lib/steps.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import { confirmTrial, newVersion } from '../../trials/edit.ts';
import { cellName } from '../../trials/order.ts';
import type { EarlierAnswers } from '../../trials/plan.ts';
import type { AliveRecord } from '../../trials/records.ts';
import type { Case, CellKey, Trial, TrialId } from '../../trials/trial.ts';
import { isDecided } from '../../trials/verdict.ts';
import { imageDataOf } from '../drafts/images.ts';
import type { Page } from '../page.ts';
import type { Recorder } from '../runs/recorder.ts';
import type { RunQueue } from '../runs/run-queue.ts';
import { createTrialLock } from '../tabs/trial-lock.ts';
import { createAsking, type AskingParts } from './asking/asking.ts';
import type { CellReading, LiveCell, OpenTrial, OpenTrialState } from './open-trial.ts';
import type { Scorer } from './scoring/scorer.ts';
import { createTrialScores } from './scoring/trial-scores.ts';
import { createStanding, type StandingFacts, type Standings, type StandingSums } from './standing.ts';
import type { TrialDesk } from './trial-desk.ts';
import { createTrialEdits } from './trial-edits.ts';
import type { FileParts } from './trial-files.ts';
import { sessionOfCase, type columnsOfLanes } from './trial-lanes.ts';
import type { TrialNews } from './trial-news.ts';
import { createReadings } from './trial-readings.ts';
import {
  casesWrites,
  cellsWrites,
  orderedCases,
  readStoredTrial,
  type TrialReading,
} from './trial-records.ts';
import { recoverRuns } from './trial-recovery.ts';

export interface OpeningParts {
  records: RecordStore;
  recorder: Recorder;
  queue: RunQueue;
  page: Page;
  runs: AskingParts['runs'];
  scorer: Scorer;
  readTape: (runId: string) => Promise<CellReading['tape']>;
  earlierOf: (model: string) => EarlierAnswers | undefined;
  granted: () => number | undefined;
  firstSetup: () => Setup;
  send: (news: TrialNews) => void;
  /** A session that is stored and can be opened. */
  storeSession: (made: ReturnType<typeof sessionOfCase>) => Promise<void>;
  lanesOf: (sessionId: string | undefined) => Promise<ReturnType<typeof columnsOfLanes>>;
  /** A draft that goes on from this one; resolves with its id when it is stored. */
  storeDraft: (trial: Trial, cases: readonly Case[]) => Promise<void>;
  beginWaiting: () => () => void;
  onListChange: () => void;
  onLeave: () => void;
}

export interface OpenedTrial extends OpenTrial {
  hear: (news: TrialNews) => void;
  /** As this page finds it: what a dead tab left is taken in, and what was running goes on or pauses. */
  begin: () => Promise<void>;
  /** Resolves when all of it has been read and counted, and it has begun; rejects where that cannot be. */
  whole: () => Promise<void>;
  /** The store has been emptied by other hands: what is here is all that is left, and is stored again. */
  storeAgain: () => void;
  close: () => void;
  isBusy: () => boolean;
}

const loadTrialFiles = fetchedInAdvance(() => import('./trial-files.ts'));

/** The columns of a trial that have room as lanes beside the baseline. */
const mostLanes = 6;

/** A trial with so many cells is counted in slices, between which the page goes on. */
const manyCells = 4096;
/** So often it is said how much has been read. */
const sayEveryMs = 1000;

export function openStoredTrial(reading: TrialReading, parts: OpeningParts): OpenedTrial {
  const { records, recorder, page } = parts;
  const { stored } = reading;
  let trial = stored.trial;
  const trialId = trial.id;
  const { cases, cells, marks } = stored;
  const live = new Map<string, LiveCell>();
  let othersLive: LiveCell[] = [];
  const standing = createStanding();
  const earlier: { cases?: readonly Case[] } = {};
  let changes = 0;
  let isStale = false;
  let costMs = 0;
  /** What is still to be done before anything can be said of the whole. */
  let opening: OpenTrialState['opening'] = reading.isWhole()
    ? undefined
    : { name: 'reading', answers: cells.size };
  let whole = Promise.resolve();
  let isCounting = false;
  /** Checks were changed before all answers were there. */
  let isRescored = false;
  let isClosed = false;
  /** Not all of it could be read. */
  let isBroken = false;
  let shown = 0;
  let noticeCount = 0;
  let blocks = 0;
  let toldCells: CellKey[] = [];

  const of = (): Standings => ({ trial, cases, cells, marks });
  const facts = (): StandingFacts => {
    const { perMinute, places } = asking.pace();
    return {
      perMinute,
      places,
      underWay: live.size,
      earlierOf: parts.earlierOf,
      granted: parts.granted(),
    };
  };

  function put(key: string, write: Write): void {
    recorder.put(key, write);
  }

  const desk: TrialDesk = {
    trial: () => trial,
    cases,
    cells,
    marks,
    setTrial: (next, isRecounted = false) => {
      const isOtherState = next.state !== trial.state;
      trial = next;
      put(`trials ${trialId}`, { store: 'trials', put: trial });
      parts.send({ trialId, trial });
      if (isRecounted) standing.rebuild(of());
      if (!isOtherState && !isRecounted) {
        store.setState({ trial });
        desk.changed();
        return;
      }
      // At once, with all that is counted: nothing may say that it has ended and still be one answer behind.
      refresh();
      if (isOtherState) parts.onListChange();
    },
    storeTrial: async (next) => {
      desk.setTrial(next);
      await recorder.flush({ strict: true });
      const { message } = recorder.problem.getState();
      if (message !== undefined)
        throw new Error(`The trial could not be stored. The browser says: ${message}`);
    },
    cellsChanged: (keys) => {
      standing.take(of(), keys);
      toldCells.push(...keys);
      desk.changed();
    },
    allChanged: () => {
      standing.rebuild(of());
      desk.changed();
    },
    changed: () => {
      if (isStale) return;
      isStale = true;
      // What costs much is done less often: a key has to be felt at once.
      const refreshOnce = () => {
        if (!isStale) return;
        if (opening === undefined && cells.size >= manyCells) void refreshInSlices();
        else refresh();
      };
      if (costMs > 8) setTimeout(refreshOnce, 8 * costMs);
      else page.nextFrame(refreshOnce);
    },
    isCounted: standing.isCounted,
    isWhole: () => opening === undefined,
    tell: (text, tone = 'note') => {
      noticeCount += 1;
      const notice = { id: String(noticeCount), tone, text };
      store.setState(({ notices }) => ({ notices: [...notices, notice] }));
    },
  };

  const readings = createReadings({
    desk,
    records,
    readTape: parts.readTape,
    live,
    // Before the records are read: what has ended is on its way there.
    flush: () => asking.flush(),
    underWay: (runId) => asking.read(runId),
  });
  const scores = createTrialScores({
    desk,
    put,
    recorder,
    readRun: readings.run,
    scorer: parts.scorer,
  });
  const asking = createAsking({
    desk,
    lock: createTrialLock(page.locks, trialId),
    records,
    recorder,
    queue: parts.queue,
    page,
    runs: parts.runs,
    scored: scores.scored,
    recover: (alive) =>
      recoverRuns(
        { desk, put, records, readRun: readings.run, readTape: parts.readTape, scored: scores.scored },
        alive,
      ),
    reload,
    beginWaiting: parts.beginWaiting,
    onAsker: () => refresh(),
  });

  function takeLive(): void {
    live.clear();
    const underWay = asking.asker().name === 'another tab' ? othersLive : asking.live();
    for (const cell of underWay) live.set(cellName(cell), cell);
  }

  function tellOthers(): void {
    if (asking.asker().name !== 'here') return;
    const told = toldCells.flatMap((key) => cells.get(cellName(key)) ?? []);
    toldCells = [];
    parts.send({ trialId, cells: told, live: asking.live() });
  }

  /** Nothing is counted of a part. */
  const sumsNow = (): StandingSums =>
    opening ? standing.outline(of(), facts()) : allAtOnce(standing.sums(of(), facts()));

  function snapshot(sums: StandingSums): Omit<OpenTrialState, 'notices'> {
    takeLive();
    changes += 1;
    return {
      trial,
      cases,
      cells,
      live,
      marks,
      changes,
      ...sums,
      opening,
      asker: asking.asker(),
      pace: asking.pace(),
      rescoring: scores.left(),
    };
  }

  function refresh(): void {
    isStale = false;
    const begunAt = page.clock();
    show(sumsNow());
    costMs = page.clock() - begunAt;
  }

  function show(sums: StandingSums): void {
    shown += 1;
    store.setState(snapshot(sums));
    tellOthers();
    const { verdict } = store.getState();
    if (trial.stopWhenDecided && trial.state.name === 'running' && verdict && isDecided(verdict))
      asking.decided();
  }

  async function refreshInSlices(): Promise<void> {
    // What changes meanwhile is shown after it.
    if (isCounting) return;
    isCounting = true;
    isStale = false;
    const begunAt = page.clock();
    const before = shown;
    const sums = await countInSlices();
    isCounting = false;
    costMs = (page.clock() - begunAt) / 2;
    const isNews = isStale;
    isStale = false;
    // What has been shown meanwhile is newer.
    if (shown === before && !isClosed) show(sums);
    if (isNews) desk.changed();
  }

  /** Of the trial as it is when all is counted. */
  async function countInSlices(): Promise<StandingSums> {
    for (;;) {
      const begun = trial;
      const sums = await inSlices(standing.sums(of(), facts()), page);
      if (begun === trial || isClosed) return sums;
    }
  }

  /** The cells that the first screen did without, and then what is counted of all. */
  async function readRest(): Promise<void> {
    let saidAt = page.clock();
    let until = 0;
    for (;;) {
      if (page.clock() >= until) until = page.clock() + (await idle(page.whenIdle));
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

  async function reload(): Promise<AliveRecord | undefined> {
    await recorder.flush();
    const now = await readStoredTrial(records, trialId);
    if (!now) return undefined;
    trial = now.trial;
    take(cases, now.cases);
    take(cells, now.cells);
    take(marks, now.marks);
    othersLive = [];
    desk.allChanged();
    return now.alive;
  }

  const edits = createTrialEdits({
    desk,
    now: page.now,
    newId: page.newId,
    put,
    write: (writes) => {
      // One transaction, since they are put in one task; after what was put before, which it replaces.
      blocks += 1;
      writes.forEach((write, index) => put(`${trialId} ${blocks} ${index}`, write));
      parts.send({ trialId, cases: true });
    },
    firstSetup: parts.firstSetup,
    earlierCases: async () => {
      if (trial.follows?.why !== 'confirm') return [];
      earlier.cases ??= [...((await readStoredTrial(records, trial.follows.trialId))?.cases.values() ?? [])];
      return earlier.cases;
    },
    rescore: () => {
      desk.allChanged();
      if (opening) isRescored = true;
      else scores.renew();
    },
    recheck: () => asking.recheck(),
    marked: (name) => {
      const mark = marks.get(name);
      parts.send({ trialId, marks: [{ name, ...(mark ? { mark } : {}) }] });
    },
  });

  standing.rebuild(of());
  const store = createStore<OpenTrialState>(() => ({ ...snapshot(sumsNow()), notices: [] }));

  async function run(): Promise<void> {
    await whole;
    const { problems, plan } = store.getState();
    const { state } = trial;
    if (state.name === 'running') return;
    const [refused] = problems.refused;
    if (refused !== undefined) throw new Error(refused);
    if (trial.columns.length === 0) throw new Error('There is no column: add one first.');
    if (trial.columns.some(({ setup }) => setup.model === ''))
      throw new Error('A column has no model: choose one first.');
    if (plan.requests === 0) throw new Error('There is no case: add or import some first.');
    if (state.name === 'draft' && plan.space?.isRefused === true) throw new Error(plan.space.words);
    if (state.name === 'draft') await asking.start('run');
    else await asking.start(state.name === 'finished' ? 'more to ask' : 'resume');
  }

  async function askAgain(keys?: readonly CellKey[]): Promise<void> {
    await whole;
    const again =
      keys ??
      [...cells.values()].filter(({ outcome, columnId }) => outcome === 'no answer' && isAsked(columnId));
    if (again.length === 0) return;
    asking.askAgain(again);
    if (trial.state.name === 'running') asking.recheck();
    else await run();
  }

  const isAsked = (columnId: string): boolean =>
    trial.columns.some(({ id, stopped }) => id === columnId && stopped === undefined);

  async function openAsLanes(
    caseId: string,
    columnIds: readonly string[] = [],
    repeat = 1,
  ): ReturnType<OpenTrial['openAsLanes']> {
    const each = cases.get(caseId);
    if (!each) throw new Error('This case is no longer in the trial.');
    await whole;
    await asking.flush();
    const all = [...trial.columns, ...trial.retired.columns];
    const baseline = trial.columns.filter(({ id }) => id === trial.baseline);
    const others = (
      columnIds.length > 0 ? all.filter(({ id }) => columnIds.includes(id)) : trial.columns
    ).filter(({ id }) => id !== trial.baseline);
    const chosen = [...baseline, ...others].slice(0, mostLanes);
    const answered = await Promise.all(
      chosen.map(async (column) => {
        const cell = cells.get(cellName({ caseId, columnId: column.id, repeat }));
        const answer = cell && (await readings.ofCell(cell));
        return { column, ...(answer ? { answer } : {}) };
      }),
    );
    const made = sessionOfCase(trial, each, answered, { now: page.now, newId: page.newId });
    await parts.storeSession(made);
    return {
      sessionId: made.data.session.id,
      left: [...baseline, ...others].slice(mostLanes).map(({ id }) => id),
    };
  }

  async function draftFrom(draft: Trial, own: readonly Case[]): Promise<TrialId> {
    await parts.storeDraft(draft, own);
    return draft.id;
  }

  async function begin(): Promise<void> {
    await asking.opened(stored.alive);
    if (isRescored || scores.hasUnscored()) scores.renew();
  }

  const environment = { now: page.now, newId: page.newId };
  const fileParts = (): FileParts => ({
    ...of(),
    read: readings.ofCell,
    images: (hashes) => imageDataOf(records, hashes),
  });

  return {
    id: trialId,
    state: store,
    ...edits,
    // These store cells in whole blocks.
    addCases: async (...args) => {
      await whole;
      return edits.addCases(...args);
    },
    editCase: async (...args) => {
      await whole;
      return edits.editCase(...args);
    },
    removeCases: (caseIds) => {
      if (desk.isWhole()) edits.removeCases(caseIds);
      else
        whole.then(
          () => edits.removeCases(caseIds),
          () => undefined,
        );
    },
    addLanes: async (sessionId) => {
      const { columns, messages } = await parts.lanesOf(sessionId);
      if (trial.messages.every(({ content }) => content === '') && messages.length > 0)
        edits.setMessages(messages);
      return edits.addColumns(columns);
    },
    tryCheck: async (check, signal) => {
      await whole;
      await asking.flush();
      return scores.tryCheck(check, signal);
    },
    run,
    pause: async () => {
      await whole;
      await asking.pause('person');
    },
    stop: () => asking.stop(),
    askAgain,
    runHere: async () => {
      await whole;
      parts.send({ trialId, letGo: true });
      await asking.takeOver();
    },
    read: readings.at,
    openAsLanes,
    csv: async (isGuarded = true) => {
      await whole;
      await asking.flush();
      const { csvFile } = await loadTrialFiles();
      return csvFile(fileParts(), isGuarded);
    },
    jsonLines: async (withTapes = false) => {
      await whole;
      await asking.flush();
      const { jsonLinesFile } = await loadTrialFiles();
      return jsonLinesFile(fileParts(), store.getState(), withTapes);
    },
    newVersion: (messages) => {
      const draft = newVersion(trial, environment);
      const gone = new Set(trial.retired.caseIds);
      const kept = orderedCases(trial, cases).filter(({ id }) => !gone.has(id));
      return draftFrom(messages ? { ...draft, messages } : draft, kept);
    },
    confirm: (winner) => draftFrom(confirmTrial(trial, winner, environment), []),
    dismiss: (noticeId) =>
      store.setState(({ notices }) => ({ notices: notices.filter(({ id }) => id !== noticeId) })),
    saved: async () => {
      await asking.flush();
      await recorder.flush();
    },
    leave: parts.onLeave,
    begin: async () => {
      if (opening === undefined) return begin();
      whole = readRest().then(begin);
      whole.catch((error: unknown) => {
        isBroken = true;
        const said = 'Could not load all answers of this trial. Nothing was changed. Open it again.';
        desk.tell(`${said} ${wordsOf(error)}`, 'problem');
      });
      return undefined;
    },
    whole: () => whole,
    storeAgain: () => {
      const all: Write[] = [
        { store: 'trials', put: trial },
        ...casesWrites(trial, cases),
        ...cellsWrites(trial, cells),
        ...[...marks.values()].map((mark): Write => ({ store: 'marks', put: mark })),
      ];
      all.forEach((write, index) => put(`${trialId} again ${index}`, write));
    },
    close: () => {
      isClosed = true;
      asking.close();
    },
    isBusy: () =>
      (opening !== undefined && !isBroken) ||
      asking.asker().name === 'here' ||
      asking.asker().name === 'counting down',
    hear: (news) => {
      if (news.letGo) void asking.letGo();
      if (news.title !== undefined) {
        trial = { ...trial, title: news.title, titled: true };
        desk.changed();
      }
      if (news.trial) {
        // Who asks says how it stands; others only say what was edited.
        const isOurs = asking.asker().name === 'here';
        trial = isOurs ? { ...news.trial, state: trial.state } : news.trial;
        const isNews = asking.asker().name === 'nobody';
        if (news.trial.state.name === 'running' && isNews && desk.isWhole()) void asking.opened(undefined);
        standing.rebuild(of());
        asking.recheck();
      }
      for (const cell of news.cells ?? []) cells.set(cellName(cell), cell);
      standing.take(of(), news.cells ?? []);
      for (const { name, mark } of news.marks ?? []) {
        const known = mark ?? marks.get(name);
        if (mark) marks.set(name, mark);
        else marks.delete(name);
        if (known) standing.take(of(), [known.key]);
      }
      if (news.live) othersLive = news.live;
      if (news.cases)
        void readStoredTrial(records, trialId).then((now) => {
          if (!now) return;
          take(cases, now.cases);
          desk.allChanged();
        });
      desk.changed();
    },
  };
}

/** The same map with other contents. */
function take<K, V>(into: Map<K, V>, from: ReadonlyMap<K, V>): void {
  into.clear();
  for (const [key, value] of from) into.set(key, value);
}

/** The writes of a draft that is new. */
export function draftWrites(trial: Trial, cases: readonly Case[]): Write[] {
  return [
    { store: 'trials', put: trial },
    ...casesWrites(trial, new Map(cases.map((each) => [each.id, each]))),
  ];
}
