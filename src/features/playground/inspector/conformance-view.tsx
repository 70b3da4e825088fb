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

import '../code/code-view.css';

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
      <header className="fl">
        <h3>Conformance</h3>
        <span className="grow" />
        <span className="mut">against the gateway API</span>
      </header>
      {!isOver && <p className="nt">Available when the answer is complete.</p>}
      {isOver && findings.length === 0 && <p className="nt">There is no gateway answer to check.</p>}
      {findings.length > 0 && (
        <>
          <p className="conf-sum">
            <VerdictWord verdict="pass">{`${countOf(findings, 'pass')} pass`}</VerdictWord>
            <VerdictWord verdict="note">{plural(countOf(findings, 'note'), 'note')}</VerdictWord>
            {faults === 0 ? (
              <StatusWord tone="plain">0 faults</StatusWord>
            ) : (
              <VerdictWord verdict="fault">{faultWords(graded)}</VerdictWord>
            )}
          </p>
          <ul className="conf">
            {findings.map(({ rule, section, verdict, detail }) => (
              <li key={rule} data-verdict={verdict}>
                <VerdictWord verdict={verdict}>
                  {verdict === 'fault'
                    ? `fault, ${faultGrade({ title: ruleTitles[rule], detail })}`
                    : verdict}
                </VerdictWord>
                <b>{ruleTitles[rule]}</b>
                <span className="why">{detail}</span>
                <button
                  type="button"
                  className="text-12 text-ink-3 decoration-line-2 hover:text-ink min-h-6 cursor-pointer underline underline-offset-3"
                  aria-label={`${section}, what the API says`}
                  aria-haspopup="dialog"
                  onClick={() => setShown(section)}
                >
                  {section}
                </button>
              </li>
            ))}
          </ul>
          <p className="nt">
            A note: the specification leaves it open, so it is reported and not counted as a fault. A fault
            may also come from something between Bench and the gateway.
          </p>
        </>
      )}
      {shown !== undefined && <ApiPage section={shown} onClose={() => setShown(undefined)} />}
    </section>
  );
}

function VerdictWord({ verdict, children }: { verdict: Verdict; children: string }) {
  const { tone, icon: Icon } = looks[verdict];
  return (
    <StatusWord tone={tone} icon={<Icon className="i s" aria-hidden />}>
      {children}
    </StatusWord>
  );
}
