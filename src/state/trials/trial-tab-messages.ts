/** Messages between tabs about a trial that is open in several of them. */
import { isEqual } from 'es-toolkit';
import * as v from 'valibot';

import { getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { getCellId } from '../../trials/case-order.ts';
import { caseSchema, cellSchema, markSchema, trialSchema } from '../../trials/trial-schemas.ts';
import type { Case, Cell, CellKey, Mark, Trial, TrialId } from '../../trials/trial.ts';
import type { OpenTrialStore } from './open-trial-store.ts';
import type { LiveCell } from './open-trial.ts';
import type { TrialRunner } from './running/trial-runner.ts';

/** Message about one trial; its records are validated in the same way as external data. */
export interface TrialTabMessage {
  trialId: TrialId;
  /** New title, set in a tab that does not have the trial open. */
  title?: string;
  trial?: Trial;
  cells?: Cell[];
  marks?: { name: string; mark?: Mark }[];
  live?: LiveCell[];
  /** Added or changed cases, sent before the trial that lists them. */
  cases?: Case[];
  /** Request to the tab that runs the trial to hand it over. */
  release?: true;
}

const liveSchema = v.object({
  caseId: v.string(),
  columnId: v.string(),
  repeat: v.number(),
  runId: v.string(),
  status: v.picklist(['in line', 'waiting', 'streaming']),
});

/** Parses a message from this version of Bench; invalid fields are omitted. */
export function parseTrialMessage(raw: unknown): TrialTabMessage | undefined {
  const trialId = getStringProperty(raw, 'trialId');
  if (trialId === undefined) return undefined;
  const title = getStringProperty(raw, 'title');
  const trial = v.safeParse(trialSchema, getOwnProperty(raw, 'trial'));
  const cases = v.safeParse(v.array(caseSchema), getOwnProperty(raw, 'cases'));
  const cells = v.safeParse(v.array(cellSchema), getOwnProperty(raw, 'cells'));
  const live = v.safeParse(v.array(liveSchema), getOwnProperty(raw, 'live'));
  const marks = v.safeParse(
    v.array(v.object({ name: v.string(), mark: v.exactOptional(markSchema) })),
    getOwnProperty(raw, 'marks'),
  );
  return {
    trialId,
    ...(title === undefined ? {} : { title }),
    ...(trial.success ? { trial: trial.output } : {}),
    ...(cases.success ? { cases: cases.output } : {}),
    ...(cells.success ? { cells: cells.output } : {}),
    ...(live.success ? { live: live.output } : {}),
    ...(marks.success ? { marks: marks.output } : {}),
    ...(getOwnProperty(raw, 'release') === true ? { release: true } : {}),
  };
}

interface TabMessageDeps {
  store: OpenTrialStore;
  runner: TrialRunner;
  /** Updates the visible trial without storing it, because it is already stored. */
  setTrial: (trial: Trial) => void;
  /** Updates cells that another tab has stored or marked. */
  updateCells: (keys: readonly CellKey[]) => void;
  /** Updates the scores after an edit in another tab. */
  rescore: () => void;
}

/** Applies a message from another tab to the open trial. */
export function applyTrialMessage(
  message: TrialTabMessage,
  { store, runner, setTrial, updateCells, rescore }: TabMessageDeps,
): void {
  if (message.release) void runner.handOver();
  for (const testCase of message.cases ?? []) store.cases.set(testCase.id, testCase);
  if (message.title !== undefined) setTrial({ ...store.getTrial(), title: message.title, titled: true });
  const previousTrial = store.getTrial();
  if (message.trial) {
    // The tab that runs the trial defines its state; other tabs send edits only.
    const isRunningHere = runner.getStatus().name === 'here';
    // The message may have been sent before the other tab received a local edit; both tabs keep the latest edit.
    const latestTrial = message.trial.updatedAt < previousTrial.updatedAt ? previousTrial : message.trial;
    setTrial({ ...latestTrial, state: isRunningHere ? previousTrial.state : message.trial.state });
    const isUnowned = runner.getStatus().name === 'nobody';
    if (message.trial.state.name === 'running' && isUnowned && store.isComplete())
      void runner.resumeStored(undefined);
    store.recountAll();
    runner.refillQueue();
  }
  for (const cell of message.cells ?? []) store.cells.set(getCellId(cell), cell);
  const markedKeys = (message.marks ?? []).flatMap(({ name, mark }) => {
    const affectedMark = mark ?? store.marks.get(name);
    if (mark) store.marks.set(name, mark);
    else store.marks.delete(name);
    return affectedMark ? [affectedMark.key] : [];
  });
  updateCells([...(message.cells ?? []), ...markedKeys]);
  const { checks, decides } = store.getTrial();
  if (message.cases || decides !== previousTrial.decides || !isEqual(checks, previousTrial.checks)) rescore();
  store.notify();
}
