/** What the parts of an open trial share: its records in memory, and the ways to change them. */
import type { Case, CaseId, Cell, CellKey, Mark, Trial } from '../../trials/trial.ts';
import type { TrialNotice } from './open-trial.ts';

export interface OpenTrialStore {
  getTrial: () => Trial;
  cases: Map<CaseId, Case>;
  /** By `getCellId`. */
  cells: Map<string, Cell>;
  marks: Map<string, Mark>;
  /**
   * Takes the trial on screen and to the disk; other tabs are told. `shouldRecount`: cases, columns, repeats or checks have
   * changed, and all that is counted changes with them in one step.
   */
  setTrial: (nextTrial: Trial, shouldRecount?: boolean) => void;
  /** The same, resolved when it is on the disk. */
  saveTrial: (nextTrial: Trial) => Promise<void>;
  /** These cells have ended or were scored again; they are on the disk, or will be. */
  notifyCells: (keys: readonly CellKey[]) => void;
  /** Cases, columns, repeats or checks have changed: all is counted again. */
  recountAll: () => void;
  /** Something else of the state has changed. */
  notify: () => void;
  /** The row of this case is counted on screen. */
  isCounted: (caseId: CaseId) => boolean;
  /** All cells are in memory: before that, what is not there may be stored. */
  isComplete: () => boolean;
  addNotice: (text: string, tone?: TrialNotice['tone']) => void;
}
