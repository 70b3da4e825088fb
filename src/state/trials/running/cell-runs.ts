/**
 * Sends cells, each as an in-memory session with one lane, through the same functions as other requests. Their runs are
 * stored as they progress, with a reference to the column instead of a setup.
 */
import { foldInterruptedTape } from '../../../conversation/reply/fold-tape.ts';
import { resetRun, interruptRun, isLive, createRun } from '../../../conversation/reply/run.ts';
import type { Environment } from '../../../conversation/session/edit-session.ts';
import type { Run, RunId, SessionData } from '../../../conversation/session/types.ts';
import { isUsageRefused, withReplacedFields } from '../../../conversation/setup/refused-fields.ts';
import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import type { HeartbeatRecord } from '../../../trials/trial-schemas.ts';
import type { Case, CellKey, Column, Trial } from '../../../trials/trial.ts';
import type { LearnedModels } from '../../learned-models.ts';
import type { Recorder } from '../../runs/recorder.ts';
import { createRunDriver, type RunDriverDeps } from '../../runs/run-driver.ts';
import { createSessionStore, findSessionByRun } from '../../sessions/session-store.ts';
import type { LiveCell } from '../open-trial.ts';
import { toStoredCellRun } from '../trial-records.ts';

export interface EndedCell {
  key: CellKey;
  run: Run;
  tape: TapeEntry[];
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
  getCellData: (runId: RunId) => { run: Run; tape: TapeEntry[] } | undefined;
  /** Aborts cells in progress, or with `isQueuedOnly` only those not sent yet. Resolves when they have ended. */
  stop: (isQueuedOnly?: boolean) => Promise<void>;
}

export interface CellRunsDeps extends Omit<RunDriverDeps, 'store' | 'recorder' | 'onEnd' | 'idleTimeoutMs'> {
  recorder: Recorder;
  environment: Environment;
  learnedModels: Pick<LearnedModels, 'getRefusedFields' | 'setRefusedFields'>;
  getTimeoutMs: () => number;
  /** Called when a run enters another phase, for example when it starts streaming. */
  onChange: () => void;
  onEnd: (run: Run) => void;
}

export function createCellRuns(deps: CellRunsDeps): CellRuns {
  const { recorder, environment, learnedModels } = deps;
  const store = createSessionStore();
  const runsInFlight = new Map<RunId, { key: CellKey; tape: TapeEntry[] }>();
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
  const driver = createRunDriver({
    ...deps,
    store,
    recorder: cellRecorder,
    idleTimeoutMs: () => deps.getTimeoutMs(),
    onEnd: deps.onEnd,
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
        if (run.phase.name !== previousRun?.phase.name) deps.onChange();
      }
    }
  });

  function saveRun(run: Run, columnId: string): void {
    recorder.put(`runs ${run.id}`, { store: 'runs', put: toStoredCellRun(run, columnId) });
  }

  async function sendOnce(trial: Trial, column: Column, testCase: Case, repeat: number): Promise<EndedCell> {
    const key: CellKey = { caseId: testCase.id, columnId: column.id, repeat };
    const { data, run } = createCellSession(trial, column, testCase, repeat, environment);
    runsInFlight.set(run.id, { key, tape: [] });
    store.setState(({ open }) => ({ open: { ...open, [data.session.id]: data } }));
    saveRun(run, column.id);
    deps.onChange();
    await driver.drive(turnId, run.id);
    const endedRun = findRun(run.id) ?? interruptRun(run);
    const tape = runsInFlight.get(run.id)?.tape ?? [];
    store.setState(({ open }) => {
      const { [data.session.id]: _, ...others } = open;
      return { open: others };
    });
    deps.onChange();
    return { key, run: endedRun, tape };
  }

  return {
    runCell: async (trial, column, testCase, repeat) => {
      const { model } = column.setup;
      const send = () => {
        const setup = withReplacedFields(column.setup, learnedModels.getRefusedFields(model));
        return sendOnce(trial, { ...column, setup }, testCase, repeat);
      };
      const endedCell = await send();
      if (!isUsageRefused(endedCell.run)) return endedCell;
      // Retries without the usage field that Bench added, as in a session.
      learnedModels.setRefusedFields(model, {
        ...learnedModels.getRefusedFields(model),
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
    stop: async (isQueuedOnly = false) => {
      const runs = [...runsInFlight.keys()].filter((runId) => {
        const run = findRun(runId);
        return run && (!isQueuedOnly || run.phase.name === 'queued');
      });
      await Promise.all(runs.map((runId) => driver.stop(runId)));
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

/** Folds the tape of a run that no tab drives any more. */
export function foldStoredRun(run: Run, tape: readonly TapeEntry[]): Run {
  if (!isLive(run)) return run;
  const folded = tape.length === 0 ? interruptRun(run) : foldInterruptedTape(resetRun(run), tape);
  return { ...folded, ...(run.cell ? { cell: run.cell } : {}) };
}
