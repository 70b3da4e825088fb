import { useMemo } from 'react';

import { ruleTitles } from '../../conversation/conformance/conformance-finding.ts';
import { checkConformance } from '../../conversation/conformance/conformance.ts';
import { describeNote } from '../../conversation/reply/describe-note.ts';
import type { Run } from '../../conversation/session/types.ts';
import { listResponseTimes } from '../../conversation/trace/response-times.ts';
import type { TapeEnd, TapeEntry } from '../../gateway/stream/tape.ts';
import { formatDuration } from '../../lib/format.ts';
import type { TapeFeed } from '../../state/runs/tape-feed.ts';
import { FindingList, VerdictCounts } from '../health/findings.tsx';
import { useRunGatewayLabel } from '../health/gateway-label.tsx';
import { useAnswerCost } from '../models/use-model-price.ts';
import { formatStatus } from './format-status.ts';
import { HeadersList } from './headers-list.tsx';
import { HiddenNames } from './hidden-names.tsx';
import {
  PanelColumn,
  DefinitionItem,
  DefinitionList,
  PanelHeader,
  PanelNote,
  SameAsSent,
  TwoColumns,
} from './panel-layout.tsx';

interface ResponseTabProps {
  run: Run;
  feed: TapeFeed;
  /** True while names are hidden; raw data that reveals the model is shown only on request. */
  areNamesHidden: boolean;
  onShowNames: () => void;
}

const endLabels = {
  closed: 'Stream closed normally',
  aborted: 'Stopped by Bench',
  lost: 'Connection lost',
  timeout: 'Timed out in Bench',
};

/** Returns how the transport ended. A connection that is closed before the answer is complete did not end normally. */
function formatEnd({ phase }: Run, end: TapeEnd): string {
  return end === 'closed' && phase.name !== 'complete' ? 'Connection closed' : endLabels[end];
}

/** Response without its text: status, headers, request ID, times, and conformance. */
export function ResponseTab({ run, feed, areNamesHidden, onShowNames }: ResponseTabProps) {
  const { count, isLoaded } = feed.state.getState();
  const responseEntry = feed.entries.find((entry) => 'status' in entry);
  const endEntry = feed.entries.find((entry) => 'end' in entry);
  const hasResponse = responseEntry !== undefined && 'status' in responseEntry;
  const cost = useAnswerCost(run);
  const gatewayLabel = useRunGatewayLabel(run);
  return (
    <TwoColumns>
      <PanelColumn side="left" label="Response">
        <PanelHeader
          title="Response"
          note={hasResponse ? formatStatus(responseEntry.status) : isLoaded ? 'No status received' : ''}
        />
        <DefinitionList>
          <DefinitionItem name="Request ID sent" value={run.requestId} />
          <DefinitionItem
            name="Request ID returned"
            value={run.returnedRequestId ?? (hasResponse ? 'not returned' : undefined)}
          >
            {run.returnedRequestId !== undefined && run.returnedRequestId === run.requestId && <SameAsSent />}
          </DefinitionItem>
          <DefinitionItem
            name="Model"
            value={areNamesHidden && run.model !== undefined ? 'hidden' : run.model}
          />
          <DefinitionItem name="Gateway" value={areNamesHidden ? 'hidden' : gatewayLabel} />
          <DefinitionItem name="Cost" value={cost && (areNamesHidden ? 'hidden' : cost.text)} />
          <DefinitionItem name="Response ID" value={run.responseId} />
          {hasResponse && responseEntry.proxied !== true && (
            <DefinitionItem name="Returned by" value="the Bench server, not the gateway" />
          )}
        </DefinitionList>
        <PanelHeader
          hasDivider
          title="Timing"
          note={
            run.timedBy === 'server'
              ? 'on the Bench server, after it forwarded the request'
              : 'after the request was sent'
          }
        />
        <DefinitionList>
          {listResponseTimes(run, responseEntry, endEntry).map(([name, ms]) => (
            <DefinitionItem key={name} name={name} value={formatTimeMs(ms)} />
          ))}
        </DefinitionList>
        {endEntry && 'end' in endEntry && <PanelNote>{formatEnd(run, endEntry.end)}.</PanelNote>}
        {run.notes.length > 0 && (
          <>
            <PanelHeader title="Notes" hasDivider />
            <ul className="mt-2 text-12 text-ink-3">
              {run.notes.map((note) => (
                <li key={note.kind}>{describeNote(note, areNamesHidden)}</li>
              ))}
            </ul>
          </>
        )}
        {hasResponse && !areNamesHidden && (
          <HeadersList response={responseEntry} sentRequestId={run.requestId} />
        )}
      </PanelColumn>
      <PanelColumn side="right" label="Conformance">
        {areNamesHidden && <HiddenNames onShow={onShowNames} />}
        {count > 0 && !areNamesHidden && <ConformanceView tape={feed.entries} key={count} />}
      </PanelColumn>
    </TwoColumns>
  );
}

function formatTimeMs(ms: number): string {
  const { number, unit } = formatDuration(ms);
  return `${number} ${unit}`;
}

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
