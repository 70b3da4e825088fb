/** Opens a trial: puts its records, what is on screen of them, what asks and what edits together, and keeps other tabs told. */
import { isDeepEqual } from '../../conversation/session/differences.ts';
import type { Setup } from '../../conversation/session/types.ts';
import { formatError } from '../../lib/format-error.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import { cellName } from '../../trials/case-order.ts';
import type { EarlierAnswers } from '../../trials/trial-plan.ts';
import type { AliveRecord } from '../../trials/trial-schemas.ts';
import type { Case, CellKey, Trial } from '../../trials/trial.ts';
import { isDecided } from '../../trials/verdict.ts';
import type { Page } from '../page.ts';
import type { Recorder } from '../runs/recorder.ts';
import type { RunQueue } from '../runs/run-queue.ts';
import { createTrialLock } from '../tabs/trial-lock.ts';
import { createReadings } from './cell-reader.ts';
import type { TrialDesk } from './open-trial-store.ts';
import { hasLeft, type CellReading, type LiveCell, type OpenTrial } from './open-trial.ts';
import { createStanding, type StandingFacts, type Standings } from './results/trial-results.ts';
import { createShownTrial } from './results/trial-state-store.ts';
import type { GatewayPace } from './running/cell-pacer.ts';
import { createAsking, type AskingParts } from './running/trial-runner.ts';
import type { Scorer } from './scoring/scorer.ts';
import { createTrialScores } from './scoring/trial-scores.ts';
import { createTrialActs } from './trial-actions.ts';
import { createTrialEdits, dropGone } from './trial-edits.ts';
import type { columnsOfLanes, sessionOfCase } from './trial-lanes.ts';
import { casesWrites, cellsWrites, readStoredTrial, type TrialReading } from './trial-records.ts';
import { recoverRuns } from './trial-recovery.ts';
import { hearNews, type TrialNews } from './trial-tab-messages.ts';

export interface OpeningParts {
  records: RecordStore;
  recorder: Recorder;
  queue: RunQueue;
  gatewayPace: GatewayPace;
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
  let whole = Promise.resolve();
  /** Checks were changed before all answers were there. */
  let isRescored = false;
  /** Not all of it could be read. */
  let isBroken = false;
  let blocks = 0;
  let toldCells: CellKey[] = [];

  const of = (): Standings => ({ trial, cases, cells, marks });

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
        shown.state.setState({ trial });
        shown.changed();
        return;
      }
      // At once, with all that is counted: nothing may say that it has ended and still be one answer behind.
      shown.refresh();
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
      shown.changed();
    },
    allChanged: () => {
      standing.rebuild(of());
      shown.changed();
    },
    changed: () => shown.changed(),
    isCounted: standing.isCounted,
    isWhole: () => shown.isWhole(),
    tell: (text, tone) => shown.tell(text, tone),
  };

  const readings = createReadings({
    desk,
    records,
    readTape: parts.readTape,
    live,
    underWay: (runId) => asking.read(runId),
  });
  const storesCells = (): boolean => asking.asker().name !== 'another tab';
  const scores = createTrialScores({
    desk,
    put,
    storesCells,
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
    gatewayPace: parts.gatewayPace,
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
    onAsker: () => shown.refresh(),
  });

  function takeLive(): void {
    live.clear();
    const cells = asking.asker().name === 'another tab' ? othersLive : asking.live();
    for (const cell of cells) live.set(cellName(cell), cell);
  }

  function facts(): StandingFacts {
    takeLive();
    const { perMinute, places } = asking.pace();
    const underWay = [...live.values()].filter(hasLeft).length;
    return { perMinute, places, underWay, earlierOf: parts.earlierOf, granted: parts.granted() };
  }

  standing.rebuild(of());
  const shown = createShownTrial({
    reading,
    standing,
    of,
    facts,
    rest: () => {
      takeLive();
      return { ...of(), live, asker: asking.asker(), pace: asking.pace(), rescoring: scores.left() };
    },
    page,
    onShown: ({ verdict }) => {
      tellOthers();
      if (trial.stopWhenDecided && trial.state.name === 'running' && verdict && isDecided(verdict))
        asking.decided();
    },
  });

  function tellOthers(): void {
    if (asking.asker().name !== 'here') return;
    const told = toldCells.flatMap((key) => cells.get(cellName(key)) ?? []);
    toldCells = [];
    parts.send({ trialId, cells: told, live: asking.live() });
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

  /** One transaction, since they are put in one task; after what was put before, which it replaces. */
  function write(writes: readonly Write[]): void {
    blocks += 1;
    writes.forEach((each, index) => put(`${trialId} ${blocks} ${index}`, each));
  }

  function rescore(): void {
    desk.allChanged();
    if (shown.isWhole()) scores.renew();
    else isRescored = true;
  }

  const edits = createTrialEdits({
    desk,
    now: page.now,
    newId: page.newId,
    put,
    write,
    storesCells,
    casesChanged: (changed) => parts.send({ trialId, cases: [...changed] }),
    firstSetup: parts.firstSetup,
    earlierCases: async () => {
      if (trial.follows?.why !== 'confirm') return [];
      earlier.cases ??= [...((await readStoredTrial(records, trial.follows.trialId))?.cases.values() ?? [])];
      return earlier.cases;
    },
    rescore,
    recheck: () => asking.recheck(),
    marked: (name) => {
      const mark = marks.get(name);
      parts.send({ trialId, marks: [{ name, ...(mark ? { mark } : {}) }] });
    },
  });

  const acts = createTrialActs({
    desk,
    asking,
    readings,
    records,
    page,
    state: () => shown.state.getState(),
    whole: () => whole,
    storeSession: parts.storeSession,
    storeDraft: parts.storeDraft,
  });

  async function begin(): Promise<void> {
    await asking.opened(stored.alive);
    if (isRescored || scores.hasUnscored()) scores.renew();
  }

  return {
    id: trialId,
    state: shown.state,
    ...edits,
    ...acts,
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
    pause: async () => {
      await whole;
      await asking.pause('person');
    },
    stop: () => asking.stop(),
    runHere: async () => {
      await whole;
      parts.send({ trialId, letGo: true });
      await asking.takeOver();
    },
    read: readings.at,
    dismiss: shown.dismiss,
    saved: async () => {
      await asking.flush();
      await recorder.flush();
    },
    leave: parts.onLeave,
    begin: async () => {
      if (shown.isWhole()) return begin();
      whole = shown.readRest().then(begin);
      whole.catch((error: unknown) => {
        isBroken = true;
        const said = 'Could not load all answers of this trial. Nothing was changed. Open it again.';
        desk.tell(`${said} ${formatError(error)}`, 'problem');
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
      shown.close();
      asking.close();
    },
    isBusy: () =>
      (!shown.isWhole() && !isBroken) ||
      asking.asker().name === 'here' ||
      asking.asker().name === 'counting down',
    hear: (news) => {
      if (news.live) othersLive = news.live;
      hearNews(news, {
        desk,
        asking,
        setTrial: (next) => {
          const { batches } = trial;
          trial = next;
          dropGone(cases, trial);
          // Cases have other places: so have the answers.
          if (asking.asker().name === 'here' && !isDeepEqual(batches, trial.batches))
            write(cellsWrites(trial, cells));
        },
        take: (keys) => standing.take(of(), keys),
        rescore,
      });
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
