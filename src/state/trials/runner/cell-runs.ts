/**
 * Sends cells, each as an in-memory session with one lane, through the same functions as other requests. A cell waits
 * for the pace of its gateway, then for the shared request queue. Runs are stored as they progress, with a reference to
 * the column instead of a setup.
 */
import { delay } from 'es-toolkit';

import { getOutputLimit } from '../../../conversation/reply/cost-estimate.ts';
import { interruptRun, createRun } from '../../../conversation/reply/run.ts';
import { buildRequest, estimatePromptTokens } from '../../../conversation/request/request.ts';
import type { Environment } from '../../../conversation/session/edit-session.ts';
import type { Run, RunId, SessionData } from '../../../conversation/session/types.ts';
import { isUsageRefused, withReplacedFields } from '../../../conversation/setup/refused-fields.ts';
import type { ErrorReport } from '../../../gateway/errors/errors.ts';
import { getIntervalMs } from '../../../gateway/http/request-rate.ts';
import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import type { CellRequest } from '../../../trials/trial-cost.ts';
import {
  resetRejections,
  initialPace,
  shouldPauseTrial,
  measureRequestsPerMinute,
  getRequestsPerMinute,
  slowDown,
  type TrialPace,
} from '../../../trials/trial-pace.ts';
import type { HeartbeatRecord } from '../../../trials/trial-schemas.ts';
import type { Case, CellKey, Column, ColumnId, LiveCell, Trial } from '../../../trials/trial.ts';
import type { LearnedModels } from '../../learned-models.ts';
import type { Recorder } from '../../runs/recorder.ts';
import { createRunDriver, type RunDriverDeps } from '../../runs/run-driver.ts';
import type { RunQueue } from '../../runs/run-queue.ts';
import { createSessionStore, findSessionByRun } from '../../sessions/session-store.ts';
import { toStoredCellRun, type CellData } from '../repository/trial-records.ts';

export interface EndedCell extends CellData {
  key: CellKey;
}

export interface CellRuns {
  /** Sends a cell and follows it to its end. Its run is listed as unreleased until `release`. Never rejects. */
  runCell: (trial: Trial, column: Column, testCase: Case, repeat: number) => Promise<EndedCell>;
  /** Returns the cells in progress in their current state. */
  listLiveCells: () => LiveCell[];
  /** Returns runs in progress or not yet released. After a crash, these runs have to be recovered. */
  listUnreleasedRuns: () => HeartbeatRecord['runs'];
  /** Releases a run whose result has been stored or is not needed. */
  release: (runId: RunId) => void;
  /** Returns the current run and tape of a cell in progress. */
  getCellData: (runId: RunId) => CellData | undefined;
  /**
   * Aborts cells in progress: with `isQueuedOnly` only those not sent yet, with `columnIds` only those of these columns.
   * Resolves when they have ended.
   */
  stop: (scope?: { isQueuedOnly?: true; columnIds?: ReadonlySet<ColumnId> }) => Promise<void>;
}

/** Services with which all trials of a tab send cells. */
export interface TrialRunDeps extends Omit<RunDriverDeps, 'store' | 'recorder' | 'onEnd' | 'idleTimeoutMs'> {
  environment: Environment;
  learnedModels: Pick<LearnedModels, 'getRefusedFields' | 'setRefusedFields'>;
  onEnd: (run: Run) => void;
}

/** Answer to whether a cell may be sent; a promise asks again when it resolves. */
export type SendPermission = boolean | Promise<unknown>;

export interface CellRunsDeps {
  /** Returns whether only the pace may delay this cell. */
  canSend: (key: CellKey, request: CellRequest) => SendPermission;
  /** Called right before a cell is sent, in the same task as `canSend`. */
  onSend: (key: CellKey, request: CellRequest) => void;
  /** Returns the pace of a gateway, by default of the first one. */
  getPace: (gatewayName?: string) => GatewayPace;
  recorder: Recorder;
  getTimeoutMs: () => number;
  /** Called when a run enters another phase, for example when it starts streaming. */
  onChange: () => void;
}

export function createCellRuns(
  trialRuns: TrialRunDeps,
  { recorder, getPace, canSend, onSend, getTimeoutMs, onChange }: CellRunsDeps,
): CellRuns {
  const { environment, learnedModels } = trialRuns;
  const store = createSessionStore();
  const runsInFlight = new Map<RunId, { key: CellKey; tape: TapeEntry[]; request: CellRequest }>();
  const findRun = (runId: RunId): Run | undefined => findSessionByRun(store.getState(), runId)?.runs[runId];

  // The tape is also kept in memory until the end of the run, when it is packed as a whole.
  const cellRecorder: Recorder = {
    ...recorder,
    append: (runId, entries) => {
      runsInFlight.get(runId)?.tape.push(...entries);
      recorder.append(runId, entries);
    },
    dropTape: (runId) => {
      runsInFlight.get(runId)?.tape.splice(0);
      recorder.dropTape(runId);
    },
  };
  const pacedQueues = new Map<RunQueue, RunQueue>();
  const getPacedQueue = (gatewayName?: string): RunQueue => {
    const queue = trialRuns.gateways.getQueue(gatewayName);
    const pacedQueue = pacedQueues.get(queue) ?? {
      ...queue,
      acquire: createCellPacer({
        queue,
        gatewayPace: getPace(gatewayName),
        canSend: (runId) => {
          const run = runsInFlight.get(runId);
          return run !== undefined && canSend(run.key, run.request);
        },
        onSend: (runId) => {
          const run = runsInFlight.get(runId);
          if (run) onSend(run.key, run.request);
        },
      }),
    };
    pacedQueues.set(queue, pacedQueue);
    return pacedQueue;
  };
  const driver = createRunDriver({
    ...trialRuns,
    store,
    recorder: cellRecorder,
    gateways: { ...trialRuns.gateways, getQueue: getPacedQueue },
    idleTimeoutMs: getTimeoutMs,
  });

  store.subscribe((state, previous) => {
    for (const [id, data] of Object.entries(state.open)) {
      const previousData = previous.open[id];
      if (data === previousData) continue;
      for (const run of Object.values(data.runs)) {
        const previousRun = previousData?.runs[run.id];
        if (run === previousRun) continue;
        // While a run streams, only its tape is stored.
        if (run.phase.name !== 'streaming' && run.cell) saveRun(run, run.cell.columnId);
        if (run.phase.name !== previousRun?.phase.name) onChange();
      }
    }
  });

  function saveRun(run: Run, columnId: string): void {
    recorder.put(`runs ${run.id}`, { store: 'runs', put: toStoredCellRun(run, columnId) });
  }

  async function sendOnce(trial: Trial, column: Column, testCase: Case, repeat: number): Promise<EndedCell> {
    const key: CellKey = { caseId: testCase.id, columnId: column.id, repeat };
    const { data, run } = createCellSession(trial, column, testCase, repeat, environment);
    const body = buildRequest(data, run.setup, turnId, trialRuns.requestRules);
    const maxOutputTokens = getOutputLimit({ ...body });
    const request = { promptTokens: estimatePromptTokens(body), maxOutputTokens };
    runsInFlight.set(run.id, { key, tape: [], request });
    store.setState(({ open }) => ({ open: { ...open, [data.session.id]: data } }));
    saveRun(run, column.id);
    onChange();
    await driver.drive(turnId, run.id);
    const endedRun = findRun(run.id) ?? interruptRun(run);
    const tape = runsInFlight.get(run.id)?.tape ?? [];
    store.setState(({ open }) => {
      const { [data.session.id]: _, ...others } = open;
      return { open: others };
    });
    onChange();
    return { key, run: endedRun, tape };
  }

  return {
    runCell: async (trial, column, testCase, repeat) => {
      const send = () => {
        const setup = withReplacedFields(column.setup, learnedModels.getRefusedFields(column.setup));
        return sendOnce(trial, { ...column, setup }, testCase, repeat);
      };
      const endedCell = await send();
      if (!isUsageRefused(endedCell.run)) return endedCell;
      // Retries without the usage field that Bench added, as in a session.
      learnedModels.setRefusedFields(column.setup, {
        ...learnedModels.getRefusedFields(column.setup),
        stream_options: null,
      });
      runsInFlight.delete(endedCell.run.id);
      return send();
    },
    listLiveCells: () =>
      [...runsInFlight].flatMap(([runId, { key }]): LiveCell[] => {
        const name = findRun(runId)?.phase.name;
        if (name === 'waiting' || name === 'streaming') return [{ ...key, runId, status: name }];
        return name === 'queued' ? [{ ...key, runId, status: 'in line' }] : [];
      }),
    listUnreleasedRuns: () => [...runsInFlight].map(([runId, { key }]) => ({ ...key, runId })),
    release: (runId) => void runsInFlight.delete(runId),
    getCellData: (runId) => {
      const run = findRun(runId);
      const tape = runsInFlight.get(runId)?.tape;
      return run && tape ? { run, tape: [...tape] } : undefined;
    },
    stop: async ({ isQueuedOnly = false, columnIds } = {}) => {
      const runs = [...runsInFlight].filter(([runId, { key }]) => {
        const run = findRun(runId);
        return (
          run &&
          (!isQueuedOnly || run.phase.name === 'queued') &&
          (columnIds === undefined || columnIds.has(key.columnId))
        );
      });
      await Promise.all(runs.map(([runId]) => driver.stop(runId)));
    },
  };
}

const turnId = 'turn';

/** Creates the session for sending a cell: the column's setup, the case's values and one prompt. */
function createCellSession(
  { id: trialId, messages }: Trial,
  column: Column,
  { id: caseId, values, history = [] }: Case,
  repeat: number,
  { now, newId }: Environment,
): { data: SessionData; run: Run } {
  const runId = newId();
  const sessionId = `${trialId} ${runId}`;
  const timestamp = now();
  const run: Run = {
    ...createRun(runId, trialId, column.setup),
    cell: { trialId, caseId, columnId: column.id, repeat },
  };
  const data: SessionData = {
    session: {
      id: sessionId,
      title: '',
      createdAt: timestamp,
      updatedAt: timestamp,
      laneIds: ['lane'],
      variables: values,
    },
    lanes: { lane: { id: 'lane', sessionId, setup: column.setup, tip: turnId } },
    prompts: {
      prompt: {
        id: 'prompt',
        sessionId,
        seq: 1,
        createdAt: timestamp,
        messages: [...history, ...(column.messages ?? messages)],
      },
    },
    turns: {
      [turnId]: {
        id: turnId,
        sessionId,
        laneId: 'lane',
        seq: 2,
        promptId: 'prompt',
        reply: { kind: 'run', runId },
      },
    },
    runs: { [runId]: run },
  };
  return { data, run };
}

export interface PaceStatus {
  /** Current requests per minute; 0 means no limit. */
  perMinute: number;
  /** True if slower than the limit because the gateway rejected requests. */
  isSlowed: boolean;
  /** Time in epoch milliseconds before which no request is sent. */
  blockedUntil: number;
  slots: number;
}

/** Pace of one gateway, shared by all of its trials in this tab. */
export interface GatewayPace {
  /** Returns the milliseconds until the next cell may be sent; 0 if it may be sent now. */
  getWaitMs: () => number;
  /** Records that a cell was sent. */
  onSent: () => void;
  onAnswer: () => void;
  /** Records a rejection of a paced request. Returns true if all trials of the gateway must pause. */
  onRejected: (report: ErrorReport, sentAt: number) => boolean;
  /** Resets the count of rejections when the user resumes. */
  resetRejections: () => void;
  getStatus: () => PaceStatus;
}

export function createGatewayPace({ queue, now }: { queue: RunQueue; now: () => number }): GatewayPace {
  let pace: TrialPace = initialPace;
  /** Epoch milliseconds of the requests in the last minute. */
  let sentAt: number[] = [];

  const getLimit = (): number => queue.getLimit();
  const getPerMinute = (): number => getRequestsPerMinute(pace, getLimit(), now());

  return {
    getWaitMs: () => {
      const lastSentAt = sentAt.at(-1) ?? Number.NEGATIVE_INFINITY;
      const nextAllowedMs = pace.override ? lastSentAt + getIntervalMs(getPerMinute()) : 0;
      return Math.max(0, Math.max(nextAllowedMs, pace.blockedUntil) - now());
    },
    onSent: () => (sentAt = [...sentAt.filter((timestamp) => timestamp > now() - 60_000), now()]),
    onAnswer: () => (pace = resetRejections(pace)),
    onRejected: (report, requestSentAt) => {
      const sentSinceHold = sentAt.filter((timestamp) => timestamp >= pace.blockedUntil);
      const measuredPerMinute = measureRequestsPerMinute(sentSinceHold, now());
      pace = slowDown(pace, {
        at: now(),
        sentAt: requestSentAt,
        limit: getLimit(),
        perMinute: measuredPerMinute,
        report,
      });
      return shouldPauseTrial(pace);
    },
    resetRejections: () => (pace = { ...pace, rejections: 0 }),
    getStatus: () => {
      const rate = getPerMinute();
      return {
        perMinute: rate,
        isSlowed: pace.override !== undefined && rate !== getLimit(),
        blockedUntil: pace.blockedUntil,
        slots: queue.getCapacity('cell'),
      };
    },
  };
}

interface CellPacerDeps {
  queue: RunQueue;
  gatewayPace: GatewayPace;
  /** Returns whether only the pace may delay this run. */
  canSend: (runId: RunId) => SendPermission;
  /** Called when the run may be sent, in the same task as `canSend`. */
  onSend: (runId: RunId) => void;
}

/** Queues the cells of one trial. Resolves when the next may be sent, with a function that releases its slot; rejects on abort. */
export function createCellPacer({ queue, gatewayPace, canSend, onSend }: CellPacerDeps): RunQueue['acquire'] {
  let chain: Promise<unknown> = Promise.resolve();

  async function waitUntilAllowed(runId: RunId, signal: AbortSignal): Promise<void> {
    // One listener, however often the budget is checked again.
    let abortion: Promise<never> | undefined;
    for (;;) {
      signal.throwIfAborted();
      const permission = canSend(runId);
      // Waits for the abort, which is triggered by the code that blocks sending.
      if (permission === false) await rejectOnAbort(signal);
      if (typeof permission === 'object') {
        abortion ??= rejectOnAbort(signal);
        // An abort after the wait is handled by the next round.
        abortion.catch(() => undefined);
        await Promise.race([permission, abortion]);
        continue;
      }
      const waitMs = gatewayPace.getWaitMs();
      if (waitMs <= 0) return;
      // After an abort, the next round throws with its reason.
      await delay(waitMs, { signal }).catch(() => undefined);
    }
  }

  async function waitForSlot(runId: string, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      await waitUntilAllowed(runId, signal);
      const release = await queue.acquire(runId, signal, 'cell');
      // Checked again: by now, the pace may be paused or another trial may have sent a cell.
      if (canSend(runId) === true && gatewayPace.getWaitMs() <= 0) {
        gatewayPace.onSent();
        onSend(runId);
        return release;
      }
      release();
    }
  }

  return (runId, signal) => {
    const slot = chain.then(() => waitForSlot(runId, signal));
    chain = slot.catch(() => undefined);
    return slot;
  };
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped'));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
