/**
 * The requests of cells: each is a session of one lane in memory, sent by the functions that send any other. Their runs
 * are written as they go, with the setup of their column in place of their own.
 */
import { foldInterruptedTape } from '../../../conversation/reply/fold-tape.ts';
import { resetRun, interruptRun, isLive, createRun } from '../../../conversation/reply/run.ts';
import type { Environment } from '../../../conversation/session/edit-session.ts';
import type { Run, RunId, SessionData } from '../../../conversation/session/types.ts';
import { isUsageRefused, withReplacedFields } from '../../../conversation/setup/refused-fields.ts';
import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import type { AliveRecord } from '../../../trials/trial-schemas.ts';
import type { Case, CellKey, Column, Trial } from '../../../trials/trial.ts';
import type { LearnedModels } from '../../learned-models.ts';
import type { Recorder } from '../../runs/recorder.ts';
import { createRunDriver, type DriverParts } from '../../runs/run-driver.ts';
import { createSessionStore, sessionOfRun } from '../../sessions/session-store.ts';
import type { LiveCell } from '../open-trial.ts';
import { storedCellRun } from '../trial-records.ts';

export interface EndedCell {
  key: CellKey;
  run: Run;
  tape: TapeEntry[];
}

export interface CellRuns {
  /** Sends a cell and follows it to its end. It counts as alive until it is let go. Never rejects. */
  ask: (trial: Trial, column: Column, of: Case, repeat: number) => Promise<EndedCell>;
  /** Under way, as they are now. */
  live: () => LiveCell[];
  /** Under way, or ended and not yet let go: whoever comes after a crash has to look at their runs. */
  alive: () => AliveRecord['runs'];
  /** What its run came to is kept elsewhere, or is nothing. */
  letGo: (runId: RunId) => void;
  /** What is under way of a cell: its run so far, and its tape. */
  read: (runId: RunId) => { run: Run; tape: TapeEntry[] } | undefined;
  /** Aborts what is under way; `isQueuedOnly`: only what has not left yet. Resolves when it has ended. */
  stop: (isQueuedOnly?: boolean) => Promise<void>;
}

export interface CellRunsParts extends Omit<DriverParts, 'store' | 'recorder' | 'onEnd' | 'idleTimeoutMs'> {
  recorder: Recorder;
  environment: Environment;
  learned: Pick<LearnedModels, 'refusedFields' | 'setRefusedFields'>;
  giveUpAfterMs: () => number;
  /** A run is in line, waits or streams, or has ended. */
  onChange: () => void;
  onEnd: (run: Run) => void;
}

export function createCellRuns(parts: CellRunsParts): CellRuns {
  const { recorder, environment, learned } = parts;
  const store = createSessionStore();
  const asked = new Map<RunId, { key: CellKey; tape: TapeEntry[] }>();
  const runOf = (runId: RunId): Run | undefined => sessionOfRun(store.getState(), runId)?.runs[runId];

  // The tape is kept here as well until its end, when it is packed as a whole.
  const keeping: Recorder = {
    ...recorder,
    append: (runId, entries) => {
      asked.get(runId)?.tape.push(...entries);
      recorder.append(runId, entries);
    },
    dropTape: (runId) => {
      asked.get(runId)?.tape.splice(0);
      recorder.dropTape(runId);
    },
  };
  const driver = createRunDriver({
    ...parts,
    store,
    recorder: keeping,
    idleTimeoutMs: () => parts.giveUpAfterMs(),
    onEnd: parts.onEnd,
  });

  store.subscribe((state, before) => {
    for (const [id, data] of Object.entries(state.open)) {
      const known = before.open[id];
      if (data === known) continue;
      for (const run of Object.values(data.runs)) {
        const was = known?.runs[run.id];
        if (run === was) continue;
        // While it streams its tape is the record.
        if (run.phase.name !== 'streaming' && run.cell) put(run, run.cell.columnId);
        if (run.phase.name !== was?.phase.name) parts.onChange();
      }
    }
  });

  function put(run: Run, columnId: string): void {
    recorder.put(`runs ${run.id}`, { store: 'runs', put: storedCellRun(run, columnId) });
  }

  async function sendOnce(trial: Trial, column: Column, of: Case, repeat: number): Promise<EndedCell> {
    const key: CellKey = { caseId: of.id, columnId: column.id, repeat };
    const { data, run } = sessionOfCell(trial, column, of, repeat, environment);
    asked.set(run.id, { key, tape: [] });
    store.setState(({ open }) => ({ open: { ...open, [data.session.id]: data } }));
    put(run, column.id);
    parts.onChange();
    await driver.drive(turnId, run.id);
    const ended = runOf(run.id) ?? interruptRun(run);
    const tape = asked.get(run.id)?.tape ?? [];
    store.setState(({ open }) => {
      const { [data.session.id]: _, ...others } = open;
      return { open: others };
    });
    parts.onChange();
    return { key, run: ended, tape };
  }

  return {
    ask: async (trial, column, of, repeat) => {
      const { model } = column.setup;
      const askNow = () => {
        const setup = withReplacedFields(column.setup, learned.refusedFields(model));
        return sendOnce(trial, { ...column, setup }, of, repeat);
      };
      const ended = await askNow();
      if (!isUsageRefused(ended.run)) return ended;
      // As in a session: what Bench had added by itself is left out, and it is asked once more.
      learned.setRefusedFields(model, { ...learned.refusedFields(model), stream_options: null });
      asked.delete(ended.run.id);
      return askNow();
    },
    live: () =>
      [...asked].flatMap(([runId, { key }]): LiveCell[] => {
        const name = runOf(runId)?.phase.name;
        if (name === 'waiting' || name === 'streaming') return [{ ...key, runId, life: name }];
        return name === 'queued' ? [{ ...key, runId, life: 'in line' }] : [];
      }),
    alive: () => [...asked].map(([runId, { key }]) => ({ ...key, runId })),
    letGo: (runId) => void asked.delete(runId),
    read: (runId) => {
      const run = runOf(runId);
      const tape = asked.get(runId)?.tape;
      return run && tape ? { run, tape: [...tape] } : undefined;
    },
    stop: async (isQueuedOnly = false) => {
      const runs = [...asked.keys()].filter((runId) => {
        const run = runOf(runId);
        return run && (!isQueuedOnly || run.phase.name === 'queued');
      });
      await Promise.all(runs.map((runId) => driver.stop(runId)));
    },
  };
}

const turnId = 'turn';

/** The session that a cell is sent as: setup of the column, values of the case, one prompt. */
function sessionOfCell(
  { id: trialId, messages }: Trial,
  column: Column,
  { id: caseId, values, history = [] }: Case,
  repeat: number,
  { now, newId }: Environment,
): { data: SessionData; run: Run } {
  const runId = newId();
  const sessionId = `${trialId} ${runId}`;
  const at = now();
  const run: Run = {
    ...createRun(runId, trialId, column.setup),
    cell: { trialId, caseId, columnId: column.id, repeat },
  };
  const data: SessionData = {
    session: {
      id: sessionId,
      title: '',
      createdAt: at,
      updatedAt: at,
      laneIds: ['lane'],
      variables: values,
    },
    lanes: { lane: { id: 'lane', sessionId, setup: column.setup, tip: turnId } },
    prompts: {
      prompt: {
        id: 'prompt',
        sessionId,
        seq: 1,
        createdAt: at,
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

/** A run that nobody drives any more, as far as its tape tells. */
export function settledRun(run: Run, tape: readonly TapeEntry[]): Run {
  if (!isLive(run)) return run;
  const settled = tape.length === 0 ? interruptRun(run) : foldInterruptedTape(resetRun(run), tape);
  return { ...settled, ...(run.cell ? { cell: run.cell } : {}) };
}
