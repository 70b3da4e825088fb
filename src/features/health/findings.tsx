/** Findings of a check, either of a single response in the inspector or of a whole gateway. */
import {
  countRuleResults,
  getFaultSeverity,
  formatFaultCount,
  type RuleResult,
} from '../../conversation/conformance/conformance-finding.ts';
import { pluralize } from '../../lib/format.ts';
import { getHelpLink } from '../../lib/help-link.ts';
import { StatusLabel } from '../../ui/display/status-label.tsx';
import { CheckIcon, CircleAlert, Eye } from '../../ui/icons.tsx';

interface FindingItem {
  /** Subject of the request, if it differs between findings. */
  about?: string;
  title: string;
  section: string;
  verdict: RuleResult;
  detail: string;
}

const looks = {
  pass: { tone: 'ok', icon: CheckIcon },
  note: { tone: 'plain', icon: Eye },
  fault: { tone: 'err', icon: CircleAlert },
} as const;

/** Number of findings per verdict and the severity of the faults. */
export function VerdictCounts({ findings }: { findings: readonly FindingItem[] }) {
  const faults = findings.filter(({ verdict }) => verdict === 'fault');
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 pb-2">
      <VerdictLabel verdict="pass">{`${countRuleResults(findings, 'pass')} passed`}</VerdictLabel>
      <VerdictLabel verdict="note">{pluralize(countRuleResults(findings, 'note'), 'note')}</VerdictLabel>
      {faults.length === 0 ? (
        <StatusLabel tone="plain">0 faults</StatusLabel>
      ) : (
        <VerdictLabel verdict="fault">{formatFaultCount(faults)}</VerdictLabel>
      )}
    </p>
  );
}

/** List of findings, each with a link to the API documentation. */
export function FindingList({ findings }: { findings: readonly FindingItem[] }) {
  return (
    <ul className="grid border-t border-line">
      {findings.map(({ about, title, section, verdict, detail }) => (
        <li
          key={`${about ?? ''} ${title}`}
          className="grid grid-cols-[62px_minmax(0,1fr)_auto] items-baseline gap-x-2 border-b border-line py-1.25 font-sans text-12 leading-4.5"
          data-verdict={verdict}
        >
          <VerdictLabel verdict={verdict}>{verdict}</VerdictLabel>
          <span className="wrap-anywhere">
            <b className="font-550">{about === undefined ? title : `${about}: ${title}`}</b>
            {verdict === 'fault' && (
              <span className="text-err-ink">, {getFaultSeverity({ title, detail })}</span>
            )}
          </span>
          <span className="col-start-2 row-start-2 wrap-anywhere text-ink-2">{detail}</span>
          <a
            className="min-h-6 text-12 text-ink-3 underline decoration-line-2 underline-offset-3 hover:text-ink"
            href={getHelpLink('The gateway API', section)}
            aria-label={`${section}, API description`}
          >
            {section}
          </a>
        </li>
      ))}
    </ul>
  );
}

function VerdictLabel({ verdict, children }: { verdict: RuleResult; children: string }) {
  const { tone, icon: Icon } = looks[verdict];
  return (
    <StatusLabel tone={tone} icon={<Icon aria-hidden />}>
      {children}
    </StatusLabel>
  );
}
