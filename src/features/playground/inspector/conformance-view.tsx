import { useMemo } from 'react';

import { ruleTitles } from '../../../conversation/conformance/conformance-finding.ts';
import { checkConformance } from '../../../conversation/conformance/conformance.ts';
import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import { FindingList, VerdictCounts } from '../../health/findings.tsx';
import { PanelHeader, PanelNote } from './panel-layout.tsx';

/** Conformance of an answer to the API description, rule by rule. */
export function ConformanceView({ tape }: { tape: readonly TapeEntry[] }) {
  const last = tape.at(-1);
  const isComplete = last !== undefined && 'end' in last;
  const findings = useMemo(
    () =>
      isComplete
        ? checkConformance(tape).map((finding) => ({ ...finding, title: ruleTitles[finding.rule] }))
        : [],
    [tape, isComplete],
  );
  return (
    <section aria-label="Conformance">
      <PanelHeader title="Conformance" note="checked against the gateway API" />
      {!isComplete && <PanelNote>Available when the answer is complete.</PanelNote>}
      {isComplete && findings.length === 0 && <PanelNote>There is no gateway response to check.</PanelNote>}
      {findings.length > 0 && (
        <>
          <VerdictCounts findings={findings} />
          <FindingList findings={findings} />
          <PanelNote>
            Notes cover what the specification leaves open and do not count as faults. A proxy between Bench
            and the gateway can also cause faults.
          </PanelNote>
        </>
      )}
    </section>
  );
}
