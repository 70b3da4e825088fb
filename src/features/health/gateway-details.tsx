import { KeyRound, OctagonAlert, RotateCw } from 'lucide-react';
import { useState } from 'react';

import { channelPath } from '../../lib/channel/frames.ts';
import { Button } from '../../ui/controls/button.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { useDemoChoice } from './use-gateway-setup.ts';
import type { Health, TimedReading } from './use-health.ts';

const envLines = 'GATEWAY_BASE_URL=https://…\nGATEWAY_API_KEY=fk-…';

interface GatewayDetailsProps extends Health {
  /** Opens the check of the whole gateway. */
  onCheck: () => void;
}

/** What the badge rests on: the raw answer, latency, last check, which gateway, whether a key is set. */
export function GatewayDetails({
  badge,
  last,
  status,
  way,
  isBuffered,
  isChecking,
  checkNow,
  onCheck,
}: GatewayDetailsProps) {
  return (
    <>
      <div className="gw-head">
        <h2>{badge.text}</h2>
        <span className="grow" />
        <Button size="small" onClick={checkNow} aria-disabled={isChecking}>
          <RotateCw className="i s" aria-hidden />
          {isChecking ? 'Checking' : 'Check again'}
        </Button>
      </div>
      {badge.text === 'Key rejected' ? (
        <KeyRejected />
      ) : status?.insteadOf !== undefined ? (
        <InsteadOf host={status.insteadOf} />
      ) : status?.demo ? (
        <NoKey />
      ) : (
        badge.detail && <p>{badge.detail}</p>
      )}
      {(badge.text === 'Key rejected' || badge.text === 'Gateway down') && <MeanwhileDemo />}
      <dl className="facts">
        {status && (
          <>
            <dt>Gateway</dt>
            <dd>{status.demo ? 'built in' : status.host || status.name}</dd>
            <dt>Key</dt>
            <dd>
              {status.demo
                ? 'not needed'
                : status.keyConfigured
                  ? 'configured on the server'
                  : 'none configured'}
            </dd>
            <dt>Limit</dt>
            <dd>
              {status.requestsPerMinute === 0 ? 'none' : `${status.requestsPerMinute} requests per minute`}
            </dd>
          </>
        )}
        {last && <ReadingFacts reading={last} />}
        {way && (
          <>
            <dt>Requests</dt>
            <dd>{way === 'channel' ? 'over one connection' : 'a connection each, 4 at a time'}</dd>
          </>
        )}
        {status?.version && (
          <>
            <dt>Bench</dt>
            <dd>{status.version}</dd>
          </>
        )}
      </dl>
      {way === 'direct' && (
        <p>
          The WebSocket at <code>{channelPath}</code> cannot be opened. Behind a reverse proxy, let it pass
          WebSockets on that path.
        </p>
      )}
      {isBuffered && (
        <p>
          Something between this page and Bench holds answers back and delivers them in clumps. Turn off
          buffering for <code>/gateway/</code> in the reverse proxy (nginx: <code>proxy_buffering off</code>),
          and exempt Bench from traffic inspection.
        </p>
      )}
      <Button size="small" aria-haspopup="dialog" onClick={onCheck}>
        Check this gateway
      </Button>
      {last && <RawAnswer reading={last} said={badge.detail} />}
    </>
  );
}

function ReadingFacts({ reading }: { reading: TimedReading }) {
  return (
    <>
      <dt>Latency</dt>
      <dd>
        {reading.status === undefined
          ? 'no answer'
          : `${Math.round(reading.latencyMs).toLocaleString('en')} ms`}
      </dd>
      <dt>Last check</dt>
      <dd>
        <time dateTime={new Date(reading.at).toISOString()}>
          {new Date(reading.at).toLocaleTimeString('en-GB')}
        </time>
      </dd>
    </>
  );
}

/** `said`: what stands above already. */
function RawAnswer({ reading, said }: { reading: TimedReading; said: string | undefined }) {
  const isEmpty = reading.body.trim() === '';
  const message = reading.error?.message === said ? undefined : reading.error?.message;
  return (
    <section>
      <h3>GET /healthz{reading.status === undefined ? '' : `, ${reading.status}`}</h3>
      {message && <p>{message}</p>}
      {isEmpty ? !reading.error && <p>The answer has no body.</p> : <pre>{reading.body}</pre>}
    </section>
  );
}

/** The demo gateway was chosen, and how to go back. */
function InsteadOf({ host }: { host: string }) {
  const chooseDemo = useDemoChoice();
  return (
    <div className="note">
      <KeyRound className="i" aria-hidden />
      <div>
        <p>
          <b>The demo gateway answers in place of {host}.</b> Your key is not used. This lasts until you go
          back or reload the page.
        </p>
        <Button size="small" onClick={() => chooseDemo(false)}>
          Go back to {host}
        </Button>
      </div>
    </div>
  );
}

/** For a gateway that cannot be used now. */
function MeanwhileDemo() {
  const chooseDemo = useDemoChoice();
  return (
    <Button size="small" onClick={() => chooseDemo(true)}>
      Use the demo gateway meanwhile
    </Button>
  );
}

/** design.md §10, No key. */
function NoKey() {
  return (
    <>
      <div className="note">
        <KeyRound className="i" aria-hidden />
        <p>
          <b>You are on the demo gateway.</b> Small built-in programs answer, so you can try everything. They
          are not language models.
        </p>
      </div>
      <h3>To use real models, add this to .env.local and restart</h3>
      <CopyLines lines={envLines} />
      <p>The key stays on the server. This page never sees it.</p>
    </>
  );
}

/** design.md §10, 401. */
function KeyRejected() {
  return (
    <div className="note err">
      <OctagonAlert className="i" aria-hidden />
      <p>
        <b>The gateway does not accept this key.</b> It may be mistyped, expired or removed. The key is set on
        the server, in <code>GATEWAY_API_KEY</code>; restart Bench after a change.
      </p>
    </div>
  );
}

/** Lines to be put into a file, with a button that copies them. */
function CopyLines({ lines }: { lines: string }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    const copied = await copyText(lines);
    setSaid(copied ? 'Copied.' : 'The browser blocked copying. Select the lines and copy them.');
  };
  return (
    <>
      <pre>{lines}</pre>
      <div className="offers">
        <Button size="small" onClick={() => void copy()}>
          Copy these lines
        </Button>
        <span role="status" className="mut">
          {said}
        </span>
      </div>
    </>
  );
}
