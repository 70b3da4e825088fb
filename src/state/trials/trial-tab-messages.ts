/** What tabs tell each other of a trial that is open in several of them. */
import * as v from 'valibot';

import { isDeepEqual } from '../../conversation/session/request-diff.ts';
import { getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { getCellId } from '../../trials/case-order.ts';
import { caseSchema, cellSchema, markSchema, trialSchema } from '../../trials/trial-schemas.ts';
import type { Case, Cell, CellKey, Mark, Trial, TrialId } from '../../trials/trial.ts';
import type { OpenTrialStore } from './open-trial-store.ts';
import type { LiveCell } from './open-trial.ts';
import type { TrialRunner } from './running/trial-runner.ts';

/** Of one trial; records are read as outside data. */
export interface TrialTabMessage {
  trialId: TrialId;
  /** It has another name, given where it is not open. */
  title?: string;
  trial?: Trial;
  cells?: Cell[];
  marks?: { name: string; mark?: Mark }[];
  live?: LiveCell[];
  /** Added, or with other values; told before the trial that lists them. */
  cases?: Case[];
  /** The tab that asks is to let go. */
  release?: true;
}

const liveSchema = v.object({
  caseId: v.string(),
  columnId: v.string(),
  repeat: v.number(),
  runId: v.string(),
  status: v.picklist(['in line', 'waiting', 'streaming']),
});

/** A message of this version of Bench; fields that cannot be read are left out. */
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
  /** Takes it on screen alone: it is on the disk already. */
  setTrial: (trial: Trial) => void;
  /** These cells were stored or marked elsewhere. */
  updateCells: (keys: readonly CellKey[]) => void;
  /** What scores are made from was edited elsewhere. */
  rescore: () => void;
}

/** Takes in what another tab tells of a trial that is open here. */
export function applyTrialMessage(
  message: TrialTabMessage,
  { store, runner, setTrial, updateCells, rescore }: TabMessageDeps,
): void {
  if (message.release) void runner.handOver();
  for (const testCase of message.cases ?? []) store.cases.set(testCase.id, testCase);
  if (message.title !== undefined) setTrial({ ...store.getTrial(), title: message.title, titled: true });
  const previousTrial = store.getTrial();
  if (message.trial) {
    // Who asks says how it stands; others only say what was edited.
    const isRunningHere = runner.getStatus().name === 'here';
    // What was said before it was heard what is here: both tabs keep what was edited last.
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
  if (message.cases || decides !== previousTrial.decides || !isDeepEqual(checks, previousTrial.checks))
    rescore();
  store.notify();
}
