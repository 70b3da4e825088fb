import { useEffect } from 'react';

import { sidePanel } from '../trial-focus-targets.ts';
import { useTrialState, useTrialView, useTrialViewStore } from '../use-trial.ts';
import type { CaseRow } from './case-rows.ts';

export interface GridCursor {
  /** Row of the cursor; -1 before its first use. */
  row: number;
  column: number;
}

/**
 * Ways to open a cell. `point`: show it, but keep the focus in the grid; `look`: show and focus it; `play`: show its
 * replay; `edit`: edit the case.
 */
type CellOpenMode = 'point' | 'look' | 'play' | 'edit';

/** Manages the cursor of the grid and opens cells. The panel beside the cases follows the cursor. */
export function useCursor(rows: readonly CaseRow[]) {
  const view = useTrialViewStore();
  const storedCursor = useTrialView(({ cursor }) => cursor);
  const fieldCount = useTrialState(({ trial }) => trial.fields.length);
  const columns = useTrialState(({ trial }) => trial.columns);
  const isDraft = useTrialState(({ trial }) => trial.state.name === 'draft');
  const panel = useTrialView((state) => state.panel);
  const leadingColumns = 1 + fieldCount;
  const rowIndex = rows.findIndex(({ caseId }) => caseId === storedCursor.caseId);
  const cursor: GridCursor = {
    row: rowIndex < 0 ? 0 : rowIndex,
    column: Math.min(storedCursor.column, leadingColumns + columns.length - 1),
  };

  const getCellKey = ({ row, column }: GridCursor, repeat = 1) => {
    const caseId = rows[row]?.caseId;
    const columnId = columns[column - leadingColumns]?.id;
    return caseId === undefined || columnId === undefined ? undefined : { caseId, columnId, repeat };
  };
  const moveTo = (target: GridCursor) => {
    const caseId = rows[target.row]?.caseId;
    const key = getCellKey(target);
    view.setState(({ panel: currentPanel }) => ({
      cursor: { ...(caseId === undefined ? {} : { caseId }), column: target.column },
      ...(currentPanel?.name === 'cell' && key ? { panel: { name: 'cell' as const, key } } : {}),
    }));
  };
  const open = (target: GridCursor, mode: CellOpenMode) => {
    const key = getCellKey(target);
    const caseId = rows[target.row]?.caseId;
    if (!key || isDraft) {
      if (mode !== 'point' && caseId !== undefined) view.setState({ dialog: { name: 'case', caseId } });
      return;
    }
    view.setState(({ replayRequests }) => ({
      panel: { name: 'cell', key },
      shouldFocusPanel: mode === 'look' || mode === 'play',
      ...(mode === 'play' ? { replayRequests: replayRequests + 1 } : {}),
    }));
  };
  const shouldFocusPanel = useTrialView((state) => state.shouldFocusPanel);
  useEffect(() => {
    if (!shouldFocusPanel || !panel) return;
    sidePanel.focus();
    view.setState({ shouldFocusPanel: false });
  }, [shouldFocusPanel, panel, view]);
  return { cursor, moveTo, open };
}
