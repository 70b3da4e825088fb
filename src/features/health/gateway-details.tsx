import { clsx } from 'clsx';
import { useState, type ComponentProps, type ReactNode, type RefObject } from 'react';

import { channelPath } from '../../lib/channel-frames.ts';
import { nameVariables } from '../../lib/gateway-variables.ts';
import { Button } from '../../ui/controls/button.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { RotateCw } from '../../ui/icons.tsx';
import { KeyRound, OctagonAlert } from '../../ui/late-icons.tsx';
import { PopoverPanel } from '../../ui/overlays/popover-panel.tsx';
import { useDemoChoice } from './use-gateway-setup.ts';
import { useHealth, type Health, type TimedReading } from './use-health.ts';
import { useGatewayStatuses } from './use-status.ts';

const envLines = 'GATEWAY_BASE_URL=https://…\nGATEWAY_API_KEY=sk-…';

interface GatewayDetailsProps extends Health {
  /** Opens the check of the whole gateway. */
  onCheck: () => void;
}

interface GatewayDetailsPopoverProps extends GatewayDetailsProps {
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** The details in a panel below the badge. */
export function GatewayDetailsPopover({ button, onClose, ...details }: GatewayDetailsPopoverProps) {
  return (
    <PopoverPanel
      label="Gateway details"
      button={button}
      onClose={onClose}
      className="max-h-[min(620px,calc(100dvh-72px))] w-[min(380px,calc(100vw-16px))] overflow-y-auto px-4 pt-3 pb-4 max-phone:max-h-[calc(100dvh-68px)] max-phone:w-[calc(100vw-16px)]"
    >
      <GatewayDetails {...details} />
    </PopoverPanel>
  );
}

/** Details behind the badge: raw response, latency, last check, gateway, key. */
export function GatewayDetails({
  badge,
  lastReading,
  limit,
  status,
  version,
  transport,
  isBuffered,
  isChecking,
  checkNow,
  onCheck,
}: GatewayDetailsProps) {
  return (
    <>
      <div className="flex items-center gap-2">
        <h2 className="text-[14px]/5 font-600">{badge.text}</h2>
        <span className="min-w-0 flex-1" />
        <Button size="small" onClick={checkNow} disabled={isChecking}>
          <RotateCw className="icon-14" aria-hidden />
          {isChecking ? 'Checking' : 'Check again'}
        </Button>
      </div>
      {badge.text === 'Key rejected' ? (
        <KeyRejected gatewayName={status?.name} />
      ) : status?.replacedLabel !== undefined ? (
        <DemoInUse replacedLabel={status.replacedLabel} />
      ) : status?.demo ? (
        <NoKey />
      ) : (
        badge.detail && <DetailText className="mt-2.5">{badge.detail}</DetailText>
      )}
      {(badge.text === 'Key rejected' || badge.text === 'Gateway down') && <UseDemoButton />}
      <dl className="mt-2.5 grid grid-cols-[88px_1fr] gap-x-2 gap-y-0.75 border-t border-line pt-2.5 text-13">
        {status && (
          <>
            <DetailRow name="Gateway">{status.demo ? 'built in' : status.label}</DetailRow>
            <DetailRow name="Key">
              {status.demo
                ? 'not needed'
                : status.keyConfigured
                  ? 'configured on the server'
                  : 'none configured'}
            </DetailRow>
            <DetailRow name="Rate limit">
              {status.requestsPerMinute === 0 ? 'none' : `${status.requestsPerMinute} requests per minute`}
              {Object.entries(limit?.headers ?? {}).map(([name, value]) => (
                <span key={name} className="block text-12 text-ink-2">
                  {name.replaceAll('-', ' ')}: {value}
                </span>
              ))}
            </DetailRow>
          </>
        )}
        {lastReading && <ReadingDetails reading={lastReading} />}
        {transport && (
          <DetailRow name="Transport">
            {transport === 'channel'
              ? 'WebSocket, one connection'
              : 'one connection for each request, 4 at a time'}
          </DetailRow>
        )}
        {version !== undefined && version !== '' && <DetailRow name="Bench">{version}</DetailRow>}
      </dl>
      <AllGateways />
      {transport === 'direct' && (
        <DetailText className="mt-2.5">
          The WebSocket at <Code>{channelPath}</Code> cannot be opened. If Bench runs behind a reverse proxy,
          allow WebSockets on that path.
        </DetailText>
      )}
      {isBuffered && (
        <DetailText className="mt-2.5">
          A proxy between this page and Bench is buffering responses. Turn off buffering for{' '}
          <Code>/gateway/</Code> in the reverse proxy (nginx: <Code>proxy_buffering off</Code>), and exempt
          Bench from traffic inspection.
        </DetailText>
      )}
      <Button size="small" className="mt-2.5" aria-haspopup="dialog" onClick={onCheck}>
        Run conformance check
      </Button>
      {lastReading && <RawResponse reading={lastReading} badgeDetail={badge.detail} />}
    </>
  );
}

/** State of each gateway; nothing if the server has only one. */
function AllGateways() {
  const statuses = useGatewayStatuses();
  if (statuses.length < 2) return null;
  return (
    <section className="mt-2.5 border-t border-line pt-2.5">
      <h3 className="text-11 text-ink-3">All gateways</h3>
      <ul className="mt-1 grid gap-0.75 text-13">
        {statuses.map(({ name, label }) => (
          <GatewayRow key={name} name={name} label={label} />
        ))}
      </ul>
    </section>
  );
}

function GatewayRow({ name, label }: { name: string; label: string }) {
  const { badge, lastReading, status } = useHealth(name);
  const limit = status?.requestsPerMinute ?? 0;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2" title={badge.detail}>
      <span className="min-w-0 truncate">{label}</span>
      <span>
        {badge.text}
        <span className="text-12 text-ink-3">
          {lastReading?.status !== undefined &&
            `, ${Math.round(lastReading.latencyMs).toLocaleString('en')} ms`}
          {limit > 0 && `, ${limit} per minute`}
        </span>
      </span>
    </li>
  );
}

function DetailRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-12/5 text-ink-3">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </>
  );
}

function ReadingDetails({ reading }: { reading: TimedReading }) {
  return (
    <>
      <DetailRow name="Latency">
        {reading.status === undefined
          ? 'no response'
          : `${Math.round(reading.latencyMs).toLocaleString('en')} ms`}
      </DetailRow>
      <DetailRow name="Last check">
        <time dateTime={new Date(reading.checkedAt).toISOString()}>
          {new Date(reading.checkedAt).toLocaleTimeString('en-GB')}
        </time>
      </DetailRow>
    </>
  );
}

/** Raw response. `badgeDetail` is the text already shown above. */
function RawResponse({ reading, badgeDetail }: { reading: TimedReading; badgeDetail: string | undefined }) {
  const isEmpty = reading.body.trim() === '';
  const shownTexts = [badgeDetail, reading.body.trim()];
  const message = shownTexts.includes(reading.error?.message) ? undefined : reading.error?.message;
  return (
    <section className="mt-2.5">
      <h3 className="text-11 text-ink-3">
        GET /healthz{reading.status === undefined ? '' : `, ${reading.status}`}
        {reading.isFromModels &&
          '. Not requested again, because GET /v1/models shows whether the gateway responds'}
      </h3>
      {message && <DetailText>{message}</DetailText>}
      {isEmpty ? (
        !reading.error && <DetailText>The response has no body.</DetailText>
      ) : (
        <RawText>{reading.body}</RawText>
      )}
    </section>
  );
}

interface NoteProps {
  tone?: 'plain' | 'err';
  icon: ReactNode;
  /** First sentence of the note. */
  title: ReactNode;
  children: ReactNode;
  /** Control that solves the problem. */
  action?: ReactNode;
}

function Note({ tone = 'plain', icon, title, children, action }: NoteProps) {
  const isError = tone === 'err';
  return (
    <div
      className={clsx(
        'mt-2.5 flex gap-2.5 rounded-2 px-3 py-2.5',
        isError ? 'bg-err-wash [&>svg]:text-err-ink' : 'bg-sunken',
      )}
    >
      {icon}
      <div>
        <DetailText>
          <b className={clsx('font-600', isError ? 'text-err-ink' : 'text-ink')}>{title}</b> {children}
        </DetailText>
        {action}
      </div>
    </div>
  );
}

/** Note that the demo gateway is in use, with a button to switch back. */
function DemoInUse({ replacedLabel }: { replacedLabel: string }) {
  const chooseDemo = useDemoChoice();
  return (
    <Note
      icon={<KeyRound className="mt-0.5 icon-16" aria-hidden />}
      title={`Using the demo gateway instead of ${replacedLabel}.`}
      action={
        <Button size="small" onClick={() => chooseDemo(false)}>
          Switch back to {replacedLabel}
        </Button>
      }
    >
      Your key is not used until you switch back or reload the page.
    </Note>
  );
}

/** Switches to the demo gateway while the configured one is unusable. */
function UseDemoButton() {
  const chooseDemo = useDemoChoice();
  return (
    <Button size="small" className="mt-2.5" onClick={() => chooseDemo(true)}>
      Use the demo gateway meanwhile
    </Button>
  );
}

/** Shown when no key is configured. */
function NoKey() {
  return (
    <>
      <Note
        icon={<KeyRound className="mt-0.5 icon-16" aria-hidden />}
        title="You are using the demo gateway."
      >
        Small built-in programs produce the answers, so you can try everything. They are not language models.
      </Note>
      <h3 className="mt-2.5 text-11 text-ink-3">
        To use real models, add your gateway to .env.local and restart Bench
      </h3>
      <CopyLines lines={envLines} />
      <DetailText className="mt-2.5">The key stays on the server. The browser never receives it.</DetailText>
    </>
  );
}

/** Shown when the gateway rejects the key. */
function KeyRejected({ gatewayName }: { gatewayName: string | undefined }) {
  return (
    <Note
      tone="err"
      icon={<OctagonAlert className="mt-0.5 icon-16" aria-hidden />}
      title="The gateway rejected the key."
    >
      It may be mistyped, expired or revoked. Correct{' '}
      <Code>{nameVariables('GATEWAY_API_KEY', gatewayName)}</Code> in .env.local or the environment of the
      server and restart Bench.
    </Note>
  );
}

/** Lines to copy into a file, with a copy button. */
function CopyLines({ lines }: { lines: string }) {
  const [copyMessage, setCopyMessage] = useState('');
  const copy = async () => {
    const copied = await copyText(lines);
    setCopyMessage(copied ? 'Copied.' : 'The browser blocked copying. Select the lines and copy them.');
  };
  return (
    <>
      <RawText>{lines}</RawText>
      <div className="mt-2.5 flex flex-wrap items-center gap-1.5">
        <Button size="small" onClick={() => void copy()}>
          Copy lines
        </Button>
        <span role="status" className="text-ink-3">
          {copyMessage}
        </span>
      </div>
    </>
  );
}

function DetailText({ className, ...rest }: ComponentProps<'p'>) {
  return <p className={clsx('text-[13px]/4.75 font-400 text-ink-2', className)} {...rest} />;
}

function Code(props: { children: ReactNode }) {
  return <code className="font-mono text-mono-12" {...props} />;
}

function RawText(props: { children: ReactNode }) {
  return (
    <pre
      className="mt-1 rounded-2 border border-line-2 bg-paper px-2.25 py-1.5 font-mono text-mono-12 wrap-anywhere whitespace-pre-wrap"
      {...props}
    />
  );
}
