/** Records of an open trial in memory, with functions to change them. Shared by all modules that work on the trial. */
import type { Case, CaseId, Cell, CellKey, Mark, Trial } from '../../trials/trial.ts';
import type { TrialNotice } from './open-trial.ts';

export interface OpenTrialStore {
  getTrial: () => Trial;
  cases: Map<CaseId, Case>;
  /** Cells by `getCellId`. */
  cells: Map<string, Cell>;
  marks: Map<string, Mark>;
  /**
   * Updates the trial on screen, stores it and notifies other tabs. `shouldRecount`: cases, columns, repeats or checks have
   * changed, so all results are updated in the same step.
   */
  setTrial: (nextTrial: Trial, shouldRecount?: boolean) => void;
  /** Like `setTrial`; resolves when the trial is on disk. */
  saveTrial: (nextTrial: Trial) => Promise<void>;
  /** Reports cells that have ended or were re-scored; they are stored or about to be. */
  notifyCells: (keys: readonly CellKey[]) => void;
  /** Recomputes all results after changes to cases, columns, repeats or checks. */
  recountAll: () => void;
  /** Reports any other change of the state. */
  notify: () => void;
  /** Returns true if the visible results include this case. */
  isCounted: (caseId: CaseId) => boolean;
  /** Returns true once all cells are in memory; until then, missing cells may be stored. */
  isComplete: () => boolean;
  addNotice: (text: string, tone?: TrialNotice['tone']) => void;
}
