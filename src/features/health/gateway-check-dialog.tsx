import { useStore } from 'zustand';

import type { CheckRow } from '../../conversation/conformance/conformance-check-client.ts';
import { countCheckRequests } from '../../conversation/conformance/conformance-check.ts';
import { getFaultSeverity, formatFaultCount } from '../../conversation/conformance/conformance-finding.ts';
import { listChatModels } from '../../gateway/models/model-record.ts';
import { formatCount, pluralize } from '../../lib/format.ts';
import { useSession, useView, useAppServices } from '../../state/contexts.tsx';
import { getGatewayCheck, type CheckState, type CheckSubject } from '../../state/gateway-check-store.ts';
import { reportFailure } from '../../state/notices.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { ProgressBar } from '../../ui/display/progress-bar.tsx';
import { Play } from '../../ui/late-icons.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useModels } from '../models/use-models.ts';
import { FindingList, VerdictCounts } from './findings.tsx';
import { useGatewayStatus } from './use-status.ts';

/**
 * Dialog that checks the gateway against its API description. Closing the dialog neither stops the check nor discards
 * its results.
 */
interface GatewayCheckDialogProps {
  /** Name of the gateway; the first one if undefined. */
  gatewayName: string | undefined;
  onClose: () => void;
}

export function GatewayCheckDialog({ gatewayName, onClose }: GatewayCheckDialogProps) {
  const { notices, serverClient, gateways, environment } = useAppServices();
  const announce = useAnnounce();
  const check = getGatewayCheck({ serverClient, gateways, environment }, gatewayName);
  const state = useStore(check.state);
  const subject = useCheckSubject(gatewayName);
  const isRunning = state.phase === 'running';
  const runCheck = async () => {
    await check.start(subject);
    announce(describeCheckEnd(check.state.getState()));
  };
  return (
    <Dialog
      title="Conformance check"
      note={
        state.subject && (
          <span className="min-w-0 truncate text-12 text-ink-3">{describeCheckStart(state)}</span>
        )
      }
      className="w-[min(760px,calc(100vw-32px))]"
      onClose={onClose}
      footer={
        <>
          <span className="min-w-0 flex-1 text-12 text-ink-3">{isRunning && describeWait(state)}</span>
          {/* A single button for all states, so that the button keeps the focus. */}
          <Button
            variant={isRunning ? 'stop' : 'primary'}
            size="big"
            onClick={isRunning ? check.stop : () => reportFailure(notices, runCheck())}
          >
            {isRunning ? (
              <span className="size-2.5 rounded-[2px] bg-needle" aria-hidden />
            ) : (
              <Play className="icon-14" aria-hidden />
            )}
            {isRunning ? 'Stop' : state.phase === 'new' ? 'Run check' : 'Run check again'}
          </Button>
        </>
      }
    >
      <CheckPlan
        subject={isRunning ? (state.subject ?? subject) : subject}
        limit={gateways.getQueue(gatewayName).getLimit()}
      />
      {isRunning && <CheckProgress state={state} />}
      <CheckFindings state={state} />
    </Dialog>
  );
}

/** Returns the gateway and models to be checked, before any request is sent. */
function useCheckSubject(gatewayName: string | undefined): CheckSubject {
  const status = useGatewayStatus(gatewayName);
  const models = useModels(gatewayName).data?.models ?? [];
  const laneModel = useSession((data) => data.lanes[data.session.laneIds[0] ?? '']?.setup.model) ?? '';
  const namesHidden = useView((view) => view.namesHidden);
  const chatModelIds = listChatModels(models).map(({ id }) => id);
  // The model of a lane must not be revealed while names are hidden.
  const canUseLaneModel =
    laneModel !== '' && !namesHidden && (chatModelIds.includes(laneModel) || chatModelIds.length === 0);
  return {
    name: status?.label ?? 'The gateway',
    model: canUseLaneModel ? laneModel : chatModelIds[0],
    embeddingModel: models.find(({ kind }) => kind === 'embedding')?.id,
    isKeyConfigured: status?.keyConfigured === true,
  };
}

function CheckPlan({ subject, limit }: { subject: CheckSubject; limit: number }) {
  const { model, embeddingModel } = subject;
  const { reads, posts } = countCheckRequests(embeddingModel !== undefined);
  return (
    <div className="grid gap-2 text-13 text-pretty text-ink-2 [&_b]:font-550 [&_b]:wrap-anywhere [&_b]:text-ink">
      <p>
        Checks the gateway against its API description, like <code>npm run conformance</code>. Uses{' '}
        {model === undefined ? 'the first chat model in the list' : <b>{model}</b>}
        {embeddingModel !== undefined && (
          <>
            {' '}
            and, for embeddings, <b>{embeddingModel}</b>
          </>
        )}
        .
      </p>
      <p>
        Sends up to <b>{pluralize(reads + posts, 'small request')}</b>, a few hundred tokens in all.{' '}
        {limit > 0 && `${posts} of them count towards the limit of ${formatCount(limit)} per minute. `}
        They are sent one at a time, after your own requests.
      </p>
    </div>
  );
}

function CheckProgress({ state: { answeredCount, plannedCount } }: { state: CheckState }) {
  const progressText = `${answeredCount} of ${plannedCount}`;
  return (
    <div className="mt-4 flex items-center gap-3 text-12 text-ink-3">
      <ProgressBar label="Requests completed" value={answeredCount} max={plannedCount} text={progressText} />
      <span className="tabular-nums">{progressText} requests</span>
    </div>
  );
}

/** Findings of the check, the most severe first. */
export function CheckFindings({ state: { rows, phase } }: { state: CheckState }) {
  if (rows.length === 0) return phase === 'stopped' ? <p className="mt-4 text-13">Stopped.</p> : null;
  const createSeverityFilter = (severity: string) => (row: CheckRow) =>
    row.verdict === 'fault' && getFaultSeverity(row) === severity;
  const groups: [name: string, rows: CheckRow[]][] = [
    ['Breaks clients', rows.filter(createSeverityFilter('breaks clients'))],
    ['Harmless', rows.filter(createSeverityFilter('harmless'))],
    ['Notes: left open by the specification', rows.filter(({ verdict }) => verdict === 'note')],
  ];
  const passedRows = rows.filter(({ verdict }) => verdict === 'pass');
  return (
    <section aria-label="Findings" className="mt-4">
      {phase === 'stopped' && <p className="pb-2 text-13">Stopped. Findings so far:</p>}
      <VerdictCounts findings={rows} />
      {groups.map(
        ([name, groupFindings]) =>
          groupFindings.length > 0 && (
            <div key={name} className="mt-3">
              <h3 className="pb-1 text-12 text-ink-3">{name}</h3>
              <FindingList findings={groupFindings} />
            </div>
          ),
      )}
      {passedRows.length > 0 && (
        <details className="mt-3">
          <summary className="min-h-6 cursor-pointer text-12 text-ink-3">
            Show {pluralize(passedRows.length, 'passed check')}
          </summary>
          <FindingList findings={passedRows} />
        </details>
      )}
      <p className="mt-3 text-12 text-pretty text-ink-3">
        Without a key, and with a wrong one, a gateway can be checked from a terminal only: here the Bench
        server adds the key. A fault may also come from something between Bench and the gateway.
      </p>
    </section>
  );
}

function describeWait({ isWaiting }: CheckState): string {
  return isWaiting ? 'Waiting for the rate limit.' : 'Continues if you close this dialog.';
}

/** Describes the start of a check, for example "api.example.com with north/one at 22:31:05". */
function describeCheckStart({ subject, startedAt = 0 }: CheckState): string {
  const modelText = subject?.model === undefined ? '' : ` with ${subject.model}`;
  return `${subject?.name ?? ''}${modelText} at ${new Date(startedAt).toLocaleTimeString('en-GB')}`;
}

function describeCheckEnd({ phase, rows }: CheckState): string {
  if (phase === 'stopped') return 'Gateway check stopped.';
  return `Gateway check finished: ${formatFaultCount(rows.filter(({ verdict }) => verdict === 'fault'))}.`;
}
