import { useEffect, useState } from 'react';

import type { CellData } from '../../../state/trials/open-trial.ts';
import { getCellId } from '../../../trials/case-order.ts';
import type { CellKey } from '../../../trials/trial.ts';
import { useTrial, useTrialState } from '../use-trial.ts';

/** Returns the run and the tape of a cell, reloaded when its run changes; `undefined` until they have loaded. */
export function useCellData(key: CellKey): CellData | undefined {
  const trial = useTrial();
  const cellId = getCellId(key);
  const runId = useTrialState(
    (state) => state.cells.get(cellId)?.runId ?? state.liveCells.get(cellId)?.runId,
  );
  const isLive = useTrialState((state) => state.liveCells.has(cellId));
  const changeCount = useTrialState((state) => (state.liveCells.has(cellId) ? state.changeCount : 0));
  const [loadedCell, setLoadedCell] = useState<{ cellRunKey: string; cellData: CellData | undefined }>();
  const cellRunKey = `${cellId} ${runId ?? ''}`;
  useEffect(() => {
    let isUnmounted = false;
    const [caseId = '', columnId = '', repeat = '1'] = cellId.split(' ');
    trial.readCell({ caseId, columnId, repeat: Number(repeat) }).then(
      (cellData) => {
        if (!isUnmounted) setLoadedCell({ cellRunKey, cellData });
      },
      () => undefined,
    );
    return () => {
      isUnmounted = true;
    };
  }, [trial, cellId, cellRunKey, isLive, changeCount]);
  return loadedCell?.cellRunKey === cellRunKey ? loadedCell.cellData : undefined;
}
