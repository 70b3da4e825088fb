import { useId, useState, type FormEvent } from 'react';

import { diagnoseGatewaySetup, type SetupCheck } from '../../gateway/http/setup-diagnosis.ts';
import { useSession, useSessionServices } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { CheckIcon, CircleDashed, RotateCw, X } from '../../ui/icons.tsx';
import { Copy } from '../../ui/late-icons.tsx';
import { GatewayLabel } from './gateway-label.tsx';
import {
  useDemoChoice,
  useGatewayRefresh,
  useGatewayInputs,
  useGatewayRechecks,
  useHasBeenVisibleFor,
} from './use-gateway-setup.ts';

/** Delay of the skeleton in ms, because the first response is usually fast. */
const skeletonDelayMs = 400;

/**
 * Card that lists, check by check, why the gateway is unusable and how to fix it. The checks are repeated
 * automatically.
 */
export function GatewaySetupCard({ gatewayName }: { gatewayName: string | undefined }) {
  const setup = diagnoseGatewaySetup(useGatewayInputs(gatewayName));
  const { checkNow, isChecking, lastCheckedAt } = useGatewayRefresh(gatewayName);
  const chooseDemo = useDemoChoice();
  const shouldShow = useHasBeenVisibleFor(skeletonDelayMs);
  useGatewayRechecks(checkNow);
  const isFirstCheck = setup.state === 'checking';
  if (isFirstCheck && !shouldShow) return null;
  const { fix, command } = setup;
  return (
    <div
      role="group"
      aria-label="Gateway setup"
      className="mx-auto w-full max-w-160 rounded-4 border border-edge bg-raised px-7 py-6 text-13 text-ink-2 max-phone:px-4 max-phone:py-4"
    >
      <GatewayLabel name={gatewayName} />
      <h2 className="text-22 text-ink">{setup.title}</h2>
      <p className="mt-1 text-14">{setup.summary}</p>
      <ul aria-label="Gateway checks" className="mt-4 border-t border-line-2">
        {setup.checks.map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
      </ul>
      {fix && (
        <>
          <p className="mt-6 mb-2">{fix.instruction}</p>
          {fix.lines.length > 0 && <CopyLines lines={fix.lines.join('\n')} label="lines for .env.local" />}
          {fix.note && <p className="mt-2 text-12 wrap-anywhere text-ink-3">{fix.note}</p>}
        </>
      )}
      {setup.state === 'models' && <ModelIdForm />}
      {isFirstCheck ? (
        <>
          <div className="mt-5 grid gap-2.5" aria-hidden>
            <span className="h-3 w-[62%] rounded-1 bg-sunken" />
            <span className="h-3 w-[78%] rounded-1 bg-sunken" />
            <span className="h-3 w-[48%] rounded-1 bg-sunken" />
          </div>
          <p className="mt-3 text-12 text-ink-3">Your models and starters will appear here.</p>
        </>
      ) : (
        command && (
          <>
            <p className="mt-6 mb-2">
              To check the gateway against the API description, run this in a terminal
            </p>
            <CopyLines lines={command} label="conformance command" />
          </>
        )
      )}
      <div className="mt-5 flex flex-wrap items-center gap-2">
        {!isFirstCheck && (
          <Button variant="primary" size="big" disabled={isChecking} onClick={checkNow}>
            <RotateCw className="icon-14" aria-hidden />
            Check again
          </Button>
        )}
        <Button size="big" onClick={() => chooseDemo(true)}>
          Use the demo gateway meanwhile
        </Button>
        {lastCheckedAt !== undefined && !isFirstCheck && (
          <span className="ml-auto text-12 text-ink-3">
            Checked every 10 s, last at{' '}
            <time dateTime={new Date(lastCheckedAt).toISOString()}>
              {new Date(lastCheckedAt).toLocaleTimeString('en-GB')}
            </time>
          </span>
        )}
      </div>
      <span role="status" className="sr-only">
        {setup.title}. {setup.summary}
      </span>
    </div>
  );
}

function CheckRow({ check: { name, result, failure, reason } }: { check: SetupCheck }) {
  const isWaiting = result === 'waiting';
  return (
    <li
      aria-label={`${name}: ${result}, ${failure === undefined ? '' : `${failure}, `}${reason}`}
      className="grid min-h-9 grid-cols-[20px_128px_minmax(0,1fr)] items-center gap-x-2 border-b border-line-2 py-2 max-phone:grid-cols-[20px_minmax(0,1fr)]"
    >
      {result === 'yes' ? (
        <CheckIcon className="icon-16 text-ok-ink" aria-hidden />
      ) : result === 'no' ? (
        <X className="icon-16 text-err-ink" aria-hidden />
      ) : (
        <CircleDashed className="icon-16 text-ink-3" aria-hidden />
      )}
      <span className={isWaiting ? 'text-ink-3' : 'font-[550] text-ink'}>{name}</span>
      <span className="wrap-anywhere max-phone:col-start-2">
        {failure !== undefined && <span className="mr-2 font-mono text-mono-12 text-err-ink">{failure}</span>}
        {reason}
      </span>
    </li>
  );
}

/** Lines to copy into a file or terminal, with a copy button. */
function CopyLines({ lines, label }: { lines: string; label: string }) {
  const [copyMessage, setCopyMessage] = useState('');
  const copy = async () => {
    const copied = await copyText(lines);
    setCopyMessage(copied ? 'Copied.' : 'The browser blocked copying. Select the lines and copy them.');
  };
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-1 rounded-2 border border-edge bg-sunken py-1.5 pr-1.5 pl-3">
      <pre className="min-w-0 flex-1 self-center font-mono text-mono-12 wrap-anywhere whitespace-pre-wrap text-ink">
        {lines}
      </pre>
      <Button size="small" aria-label={`Copy ${label}`} onClick={() => void copy()}>
        <Copy className="icon-14" aria-hidden />
        Copy
      </Button>
      <span role="status" className="basis-full text-12 text-ink-3 empty:hidden">
        {copyMessage}
      </span>
    </div>
  );
}

/** Form for a model ID, because some gateways serve models that they do not list. */
function ModelIdForm() {
  const id = useId();
  const { actions } = useSessionServices();
  const laneIds = useSession((data) => data.session.laneIds) ?? [];
  const [modelText, setModelText] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const model = modelText.trim();
    if (model !== '') actions.changeSetups(laneIds, (setup) => ({ ...setup, model }));
  };
  return (
    <form className="mt-6" onSubmit={onSubmit}>
      <label htmlFor={id}>If you know a model ID, enter it here</label>
      <div className="mt-2 flex flex-wrap gap-2">
        <input
          id={id}
          className="h-8 min-w-40 flex-1 rounded-2 border border-edge bg-raised px-2.5 text-13 text-ink"
          placeholder="owner/model"
          spellCheck={false}
          autoComplete="off"
          value={modelText}
          onInput={(event) => setModelText(event.currentTarget.value)}
        />
        <Button size="big" type="submit">
          Use this ID
        </Button>
      </div>
      <p className="mt-2 text-12 text-ink-3">
        Some gateways serve models that they do not list. The first message shows whether this one does.
      </p>
    </form>
  );
}
