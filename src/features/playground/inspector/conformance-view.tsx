import { Check, CircleAlert, Eye } from 'lucide-react';
import { useMemo } from 'react';

import { countOf, ruleTitles, type Verdict } from '../../../conversation/conformance/conformance-finding.ts';
import { conformanceOf } from '../../../conversation/conformance/conformance.ts';
import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import { plural } from '../../../lib/format.ts';
import { StatusWord } from '../../../ui/display/status-word.tsx';
import { PanelHead, PanelNote } from './panel-parts.tsx';

const looks = {
  pass: { tone: 'ok', icon: Check },
  seen: { tone: 'plain', icon: Eye },
  fault: { tone: 'err', icon: CircleAlert },
} as const;

/** How well an answer keeps to the description of the gateway, rule by rule. */
export function ConformanceView({ tape }: { tape: readonly TapeEntry[] }) {
  const last = tape.at(-1);
  const isOver = last !== undefined && 'end' in last;
  const findings = useMemo(() => (isOver ? conformanceOf(tape) : []), [tape, isOver]);
  const faults = countOf(findings, 'fault');
  return (
    <section aria-label="Conformance">
      <PanelHead title="Conformance" note="gateway-spec.md" />
      {!isOver && <PanelNote>Available when the answer is complete.</PanelNote>}
      {isOver && findings.length === 0 && <PanelNote>There is no gateway answer to check.</PanelNote>}
      {findings.length > 0 && (
        <>
          <p className="flex flex-wrap gap-x-3 gap-y-1 pb-2">
            <VerdictWord verdict="pass">{`${countOf(findings, 'pass')} pass`}</VerdictWord>
            <VerdictWord verdict="seen">{`${countOf(findings, 'seen')} seen`}</VerdictWord>
            {faults === 0 ? (
              <StatusWord tone="plain">0 faults</StatusWord>
            ) : (
              <VerdictWord verdict="fault">{plural(faults, 'fault')}</VerdictWord>
            )}
          </p>
          <ul className="grid border-t border-line">
            {findings.map(({ rule, section, verdict, detail }) => (
              <li
                key={rule}
                className="grid grid-cols-[62px_minmax(0,1fr)_34px] items-baseline gap-x-2 border-b border-line py-1.25 font-sans text-12 leading-4.5"
                data-verdict={verdict}
              >
                <VerdictWord verdict={verdict}>{verdict}</VerdictWord>
                <b className="font-550 wrap-anywhere">{ruleTitles[rule]}</b>
                <span className="col-start-2 row-start-2 wrap-anywhere text-ink-2">{detail}</span>
                <small className="text-right text-11 text-ink-3">{section}</small>
              </li>
            ))}
          </ul>
          <PanelNote>
            Seen: the specification leaves it open, so it is reported but not counted as a fault. A fault may
            also come from something between Bench and the gateway.
          </PanelNote>
        </>
      )}
    </section>
  );
}

function VerdictWord({ verdict, children }: { verdict: Verdict; children: string }) {
  const { tone, icon: Icon } = looks[verdict];
  return (
    <StatusWord tone={tone} icon={<Icon aria-hidden />}>
      {children}
    </StatusWord>
  );
}
