import { useEffect, useState } from 'react';

import type { CellReading } from '../../../state/trials/open-trial.ts';
import { cellName } from '../../../trials/case-order.ts';
import type { CellKey } from '../../../trials/trial.ts';
import { useTrial, useTrialState } from '../use-trial.ts';

/** The run and the tape of a cell, read again when it has another run; undefined until they are here. */
export function useCellReading(key: CellKey): CellReading | undefined {
  const trial = useTrial();
  const name = cellName(key);
  const runId = useTrialState((state) => state.cells.get(name)?.runId ?? state.live.get(name)?.runId);
  const isLive = useTrialState((state) => state.live.has(name));
  const changes = useTrialState((state) => (state.live.has(name) ? state.changes : 0));
  const [read, setRead] = useState<{ of: string; reading: CellReading | undefined }>();
  const of = `${name} ${runId ?? ''}`;
  useEffect(() => {
    let isGone = false;
    const [caseId = '', columnId = '', repeat = '1'] = name.split(' ');
    trial.read({ caseId, columnId, repeat: Number(repeat) }).then(
      (reading) => {
        if (!isGone) setRead({ of, reading });
      },
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [trial, name, of, isLive, changes]);
  return read?.of === of ? read.reading : undefined;
}
