import { useEffect, useState } from 'react';

import type { CellReading } from '../../../state/trials/open-trial.ts';
import { getCellId } from '../../../trials/case-order.ts';
import type { CellKey } from '../../../trials/trial.ts';
import { useTrial, useTrialState } from '../use-trial.ts';

/** The run and the tape of a cell, read again when it has another run; undefined until they are here. */
export function useCellData(key: CellKey): CellReading | undefined {
  const trial = useTrial();
  const name = getCellId(key);
  const runId = useTrialState((state) => state.cells.get(name)?.runId ?? state.liveCells.get(name)?.runId);
  const isLive = useTrialState((state) => state.liveCells.has(name));
  const changes = useTrialState((state) => (state.liveCells.has(name) ? state.changes : 0));
  const [loaded, setLoaded] = useState<{ cellRunKey: string; reading: CellReading | undefined }>();
  const cellRunKey = `${name} ${runId ?? ''}`;
  useEffect(() => {
    let isUnmounted = false;
    const [caseId = '', columnId = '', repeat = '1'] = name.split(' ');
    trial.readCell({ caseId, columnId, repeat: Number(repeat) }).then(
      (reading) => {
        if (!isUnmounted) setLoaded({ cellRunKey, reading });
      },
      () => undefined,
    );
    return () => {
      isUnmounted = true;
    };
  }, [trial, name, cellRunKey, isLive, changes]);
  return loaded?.cellRunKey === cellRunKey ? loaded.reading : undefined;
}
