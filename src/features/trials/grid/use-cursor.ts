import { useEffect } from 'react';

import { besideCases } from '../trial-focus-targets.ts';
import { useTrialState, useTrialView, useTrialViewStore } from '../use-trial.ts';
import type { CaseRow } from './case-rows.ts';

export interface GridCursor {
  /** -1 before one has been anywhere. */
  row: number;
  column: number;
}

/** point: look at it, and stay in the grid. look: go into it. play: its recording. edit: the case itself. */
type Opening = 'point' | 'look' | 'play' | 'edit';

/** Where one is in the grid, and what opens there. What stands beside the cases follows the cursor. */
export function useCursor(rows: readonly CaseRow[]) {
  const view = useTrialViewStore();
  const kept = useTrialView(({ cursor }) => cursor);
  const fields = useTrialState(({ trial }) => trial.fields.length);
  const columns = useTrialState(({ trial }) => trial.columns);
  const isDraft = useTrialState(({ trial }) => trial.state.name === 'draft');
  const panel = useTrialView((state) => state.panel);
  const before = 1 + fields;
  const found = rows.findIndex(({ caseId }) => caseId === kept.caseId);
  const cursor: GridCursor = {
    row: found < 0 ? 0 : found,
    column: Math.min(kept.column, before + columns.length - 1),
  };

  const keyAt = ({ row, column }: GridCursor, repeat = 1) => {
    const caseId = rows[row]?.caseId;
    const columnId = columns[column - before]?.id;
    return caseId === undefined || columnId === undefined ? undefined : { caseId, columnId, repeat };
  };
  const moveTo = (to: GridCursor) => {
    const caseId = rows[to.row]?.caseId;
    const key = keyAt(to);
    view.setState(({ panel: shown }) => ({
      cursor: { ...(caseId === undefined ? {} : { caseId }), column: to.column },
      ...(shown?.name === 'cell' && key ? { panel: { name: 'cell' as const, key } } : {}),
    }));
  };
  const open = (at: GridCursor, how: Opening) => {
    const key = keyAt(at);
    const caseId = rows[at.row]?.caseId;
    if (!key || isDraft) {
      if (how !== 'point' && caseId !== undefined) view.setState({ dialog: { name: 'case', caseId } });
      return;
    }
    view.setState(({ plays }) => ({
      panel: { name: 'cell', key },
      focusesPanel: how === 'look' || how === 'play',
      ...(how === 'play' ? { plays: plays + 1 } : {}),
    }));
  };
  const isWanted = useTrialView((state) => state.focusesPanel);
  useEffect(() => {
    if (!isWanted || !panel) return;
    besideCases.focus();
    view.setState({ focusesPanel: false });
  }, [isWanted, panel, view]);
  return { cursor, moveTo, open };
}
