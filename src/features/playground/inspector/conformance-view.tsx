import { Check, CircleAlert, Eye } from 'lucide-react';
import { useMemo, useState } from 'react';

import {
  countOf,
  faultGrade,
  faultWords,
  ruleTitles,
  type Verdict,
} from '../../../conversation/conformance/conformance-finding.ts';
import { conformanceOf } from '../../../conversation/conformance/conformance.ts';
import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import { plural } from '../../../lib/format.ts';
import { StatusWord } from '../../../ui/display/status-word.tsx';
import { lazyView } from '../../../ui/hooks/lazy-view.tsx';
import { PanelHead, PanelNote } from './panel-parts.tsx';

const ApiPage = lazyView('The page on the API', async () => (await import('./api-page.tsx')).ApiPage);

const looks = {
  pass: { tone: 'ok', icon: Check },
  note: { tone: 'plain', icon: Eye },
  fault: { tone: 'err', icon: CircleAlert },
} as const;

/** How well an answer keeps to the description of the gateway, rule by rule. */
export function ConformanceView({ tape }: { tape: readonly TapeEntry[] }) {
  const last = tape.at(-1);
  const [shown, setShown] = useState<string>();
  const isOver = last !== undefined && 'end' in last;
  const findings = useMemo(() => (isOver ? conformanceOf(tape) : []), [tape, isOver]);
  const faults = countOf(findings, 'fault');
  const graded = findings
    .filter(({ verdict }) => verdict === 'fault')
    .map(({ rule, detail }) => ({ title: ruleTitles[rule], detail }));
  return (
    <section aria-label="Conformance">
      <PanelHead title="Conformance" note="against the gateway API" />
      {!isOver && <PanelNote>Available when the answer is complete.</PanelNote>}
      {isOver && findings.length === 0 && <PanelNote>There is no gateway answer to check.</PanelNote>}
      {findings.length > 0 && (
        <>
          <p className="flex flex-wrap gap-x-3 gap-y-1 pb-2">
            <VerdictWord verdict="pass">{`${countOf(findings, 'pass')} pass`}</VerdictWord>
            <VerdictWord verdict="note">{plural(countOf(findings, 'note'), 'note')}</VerdictWord>
            {faults === 0 ? (
              <StatusWord tone="plain">0 faults</StatusWord>
            ) : (
              <VerdictWord verdict="fault">{faultWords(graded)}</VerdictWord>
            )}
          </p>
          <ul className="grid border-t border-line">
            {findings.map(({ rule, section, verdict, detail }) => (
              <li
                key={rule}
                className="grid grid-cols-[62px_minmax(0,1fr)_auto] items-baseline gap-x-2 border-b border-line py-1.25 font-sans text-12 leading-4.5"
                data-verdict={verdict}
              >
                <VerdictWord verdict={verdict}>
                  {verdict === 'fault'
                    ? `fault, ${faultGrade({ title: ruleTitles[rule], detail })}`
                    : verdict}
                </VerdictWord>
                <b className="font-550 wrap-anywhere">{ruleTitles[rule]}</b>
                <span className="col-start-2 row-start-2 wrap-anywhere text-ink-2">{detail}</span>
                <button
                  type="button"
                  className="min-h-6 cursor-pointer text-12 text-ink-3 underline decoration-line-2 underline-offset-3 hover:text-ink"
                  aria-label={`${section}, what the API says`}
                  aria-haspopup="dialog"
                  onClick={() => setShown(section)}
                >
                  {section}
                </button>
              </li>
            ))}
          </ul>
          <PanelNote>
            A note: the specification leaves it open, so it is reported and not counted as a fault. A fault
            may also come from something between Bench and the gateway.
          </PanelNote>
        </>
      )}
      {shown !== undefined && <ApiPage section={shown} onClose={() => setShown(undefined)} />}
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
