import { clsx } from 'clsx';

import type { Run } from '../../conversation/session/types.ts';
import { useRun } from '../../state/contexts.tsx';
import { CheckIcon, CircleDashed, TriangleAlert, X } from '../../ui/icons.tsx';
import { useRunSchemaReport } from './use-schema-report.ts';

/** Schema result of the lane's last answer, with the number of fields that match. */
export function SchemaStatus({ run, candidateIndex }: { run: Run; candidateIndex: number | undefined }) {
  const report = useRunSchemaReport(useRun(run.id) ?? run, candidateIndex);
  if (!report) return null;
  const { state, fitCount, fields } = report;
  const fitText = `${fitCount} of ${fields.length}`;
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1.5 text-12 whitespace-nowrap',
        // Only here the status of the answer follows directly.
        'in-data-[layout=one-lane]:mr-1.5 in-data-[layout=one-lane]:border-r in-data-[layout=one-lane]:border-line-2',
        'in-data-[layout=one-lane]:pr-3',
      )}
    >
      {state === 'so far' && (
        <>
          <CircleDashed className="icon-14 text-ink-3" aria-hidden />
          {fitCount} so far
        </>
      )}
      {state === 'fits' && (
        <>
          <CheckIcon className="icon-14 text-ok-ink" aria-hidden />
          <span className="text-ok-ink">Fits</span>
          <span className="ml-1 text-ink-3">{fitText}</span>
        </>
      )}
      {state === 'fails' && (
        <>
          <X className="icon-14 text-err-ink" aria-hidden />
          <span className="text-err-ink">Does not fit</span>
          <span className="ml-1 text-ink-3">{fitText}</span>
        </>
      )}
      {state === 'unusable' && (
        <>
          <TriangleAlert className="icon-14 text-warn-ink" aria-hidden />
          Schema not usable
        </>
      )}
    </span>
  );
}
