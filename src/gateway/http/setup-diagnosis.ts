/** Explains why a gateway cannot be used and how to fix it: the text of the set-up card. */
import { nameVariables } from '../../lib/gateway-variables.ts';
import type { ErrorReport } from '../errors/errors.ts';
import {
  getModelsFailure,
  getGatewayState,
  isLoadingReport,
  isUnreachable,
  isWebPage,
  type GatewayInputs,
  type GatewayState,
} from './gateway-state.ts';

export interface SetupCheck {
  name: 'Reached' | 'Key accepted' | 'Models listed';
  result: 'yes' | 'no' | 'waiting';
  /** Short text or status of a failed check. */
  failure?: string;
  reason: string;
}

/** How to fix the problem. */
export interface SetupFix {
  instruction: string;
  /** Lines for .env.local, never containing the key. */
  lines: readonly string[];
  note?: string;
}

export interface GatewaySetup {
  state: GatewayState;
  title: string;
  summary: string;
  checks: readonly SetupCheck[];
  fix?: SetupFix;
  /** Command that checks the whole gateway from a terminal; absent if its URL is unknown. */
  command?: string;
}

const unusableTitle = 'Bench cannot use the gateway yet';
const noModelsTitle = 'The gateway lists no models';

type SetupText = Omit<GatewaySetup, 'state' | 'command'>;

/** Returns the content of the set-up card for all kinds of failure. */
export function diagnoseGatewaySetup(inputs: GatewayInputs): GatewaySetup {
  const baseUrl = getGatewayAddress(inputs.status);
  const command = baseUrl === '' ? {} : { command: `npm run conformance -- ${baseUrl}` };
  const state = getGatewayState(inputs);
  const { fix, ...text } = describeState(state, inputs);
  const nameOwnVariables = (line: string) => nameVariables(line, inputs.status?.name);
  return {
    state,
    ...text,
    ...(fix
      ? {
          fix: {
            ...fix,
            lines: fix.lines.map(nameOwnVariables),
            ...(fix.note === undefined ? {} : { note: nameOwnVariables(fix.note) }),
          },
        }
      : {}),
    ...command,
  };
}

function describeState(state: GatewayState, inputs: GatewayInputs): SetupText {
  const failure = getModelsFailure(inputs);
  if (failure) return describeFailedList(failure, inputs);
  if (state === 'gateway') return describeRejectedKey(undefined, inputs);
  if (state === 'checking') return describeChecking(inputs);
  if (state === 'usable') return { title: '', summary: '', checks: [] };
  return {
    title: noModelsTitle,
    summary: 'The gateway responds and accepts the key, but lists no models.',
    checks: [
      createReachedCheck(inputs),
      createKeyAcceptedCheck(inputs),
      { name: 'Models listed', result: 'no', failure: '0 models', reason: 'in a valid response' },
    ],
  };
}

/** Returns the full URL of the model list, since mistakes are often in its path. */
function getListAddress({ status }: GatewayInputs): string {
  return status?.address ? `${status.address}/models` : status?.host || 'the gateway';
}

function createReachedCheck(inputs: GatewayInputs): SetupCheck {
  const { health } = inputs;
  const timeText =
    health?.status === undefined ? '' : `, ${Math.round(health.latencyMs).toLocaleString('en')} ms`;
  return { name: 'Reached', result: 'yes', reason: `${getListAddress(inputs)}${timeText}` };
}

function createKeyAcceptedCheck({ status }: GatewayInputs): SetupCheck {
  const reason = status?.keyConfigured === false ? 'GET /v1/models needs no key' : 'by GET /v1/models';
  return { name: 'Key accepted', result: 'yes', reason };
}

const untriedKeyCheck: SetupCheck = { name: 'Key accepted', result: 'waiting', reason: 'not checked yet' };
const untriedModelsCheck: SetupCheck = {
  name: 'Models listed',
  result: 'waiting',
  reason: 'not checked yet',
};

function describeChecking(inputs: GatewayInputs): SetupText {
  const isReached = inputs.health?.status !== undefined;
  const host = inputs.status?.host ?? '';
  return {
    title: 'Checking the gateway',
    summary: host,
    checks: [
      isReached
        ? createReachedCheck(inputs)
        : { name: 'Reached', result: 'waiting', reason: host === '' ? 'waiting' : `waiting for ${host}` },
      {
        name: 'Key accepted',
        result: 'waiting',
        reason: isReached ? 'waiting for GET /v1/models' : 'not checked yet',
      },
      { name: 'Models listed', result: 'waiting', reason: 'not checked yet' },
    ],
  };
}

function describeFailedList(report: ErrorReport, inputs: GatewayInputs): SetupText {
  const unreachableReason = findUnreachableReason(report, inputs.status?.keyConfigured === true);
  if (unreachableReason) {
    return {
      title: unusableTitle,
      summary: unreachableReason.summary,
      checks: [
        {
          name: 'Reached',
          result: 'no',
          failure: unreachableReason.failure,
          reason: unreachableReason.reason ?? getListAddress(inputs),
        },
        untriedKeyCheck,
        untriedModelsCheck,
      ],
      fix: {
        instruction: unreachableReason.instruction,
        lines: getFixLines(unreachableReason, inputs),
        ...getNote(unreachableReason.note, inputs),
      },
    };
  }
  if (report.kind === 'key-rejected') return describeRejectedKey(report, inputs);
  return report.kind === 'forbidden'
    ? describeForbidden(report, inputs)
    : describeMissingList(report, inputs);
}

function getFixLines({ isBenchFault, isPlainHttp }: UnreachableReason, inputs: GatewayInputs): string[] {
  if (isBenchFault) return [];
  const lines = buildAddressLines(inputs);
  return isPlainHttp ? lines.map((line) => line.replace('=https:', '=http:')) : lines;
}

interface UnreachableReason {
  failure: string;
  reason?: string;
  summary: string;
  instruction: string;
  note?: string;
  /** The problem is not in .env.local. */
  isBenchFault?: true;
  /** The URL uses plain HTTP. */
  isPlainHttp?: true;
}

const correctAddressText = 'Correct the address in .env.local and restart Bench';

/** Reasons why a gateway is unreachable, by failure text; the first match counts. */
const unreachablePatterns: readonly [
  pattern: RegExp,
  failure: string,
  summary: string,
  instruction: string,
  note?: string,
][] = [
  [
    /ECONNREFUSED/,
    'connection refused',
    'No server is listening at this address.',
    'Start the gateway, or correct the address in .env.local and restart Bench',
  ],
  [/ENOTFOUND/, 'name not found', 'There is no server with this name.', correctAddressText],
  [
    /EAI_AGAIN/,
    'name lookup failed',
    'Could not look up the host name of the gateway.',
    'Check the network of the Bench server, or the address in .env.local',
  ],
  [/EHOSTUNREACH|ENETUNREACH/, 'no route', 'No network route to this address.', correctAddressText],
  [
    /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|EPROTO/,
    'TLS error',
    'Could not establish a secure connection.',
    'Renew the certificate of the gateway, or correct the address in .env.local and restart Bench',
    'For a private certificate authority, start Bench with NODE_EXTRA_CA_CERTS.',
  ],
  [
    /proxy in between/,
    'proxy refused',
    'A proxy between Bench and the gateway refused the connection.',
    'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY on the Bench server',
  ],
  [
    /ECONNRESET|EPIPE|closed the connection/,
    'connection closed',
    'The gateway closed the connection before it responded.',
    'Check the gateway, or correct the address in .env.local and restart Bench',
  ],
];

/** Returns undefined if the gateway itself responded. */
function findUnreachableReason(report: ErrorReport, hasKey: boolean): UnreachableReason | undefined {
  if (!isUnreachable(report)) return undefined;
  const { kind, source, message } = report;
  const code = /\(([A-Z][A-Z0-9_]+)\)/.exec(message)?.[1];
  if (kind === 'offline')
    return {
      failure: 'offline',
      reason: 'no network connection',
      summary: 'This browser is offline.',
      instruction: 'Bench checks again when you are back online',
      isBenchFault: true,
    };
  if (kind === 'proxy-unreachable' || kind === 'connection-lost')
    return {
      failure: 'no response',
      reason: 'from the Bench server',
      summary: 'The Bench server is not responding.',
      instruction: 'Check that npm start is still running',
      isBenchFault: true,
    };
  if (kind === 'redirected')
    return {
      failure: report.status === undefined || source === 'proxy' ? 'redirect' : `${report.status} redirect`,
      summary: 'The gateway redirects to another address.',
      instruction: 'Put the new address in .env.local and restart Bench',
      note: `${message} This way, the key is sent only to the gateway.`,
    };
  if (kind === 'unreadable')
    return {
      failure: 'unreadable',
      summary: 'The server at this address is not a gateway.',
      instruction: correctAddressText,
      note: message,
    };
  if (kind === 'timeout')
    return {
      failure: 'timeout',
      summary: 'The gateway did not respond in time.',
      instruction: 'Start the gateway, or correct the address in .env.local and restart Bench',
      note: message,
    };
  if (kind === 'unreachable' && /does not use TLS/.test(message))
    return {
      failure: code === undefined ? 'no TLS' : `no TLS ${code}`,
      summary: 'The server at this address does not use TLS.',
      // No advice may lead to a key being sent unencrypted.
      ...(hasKey
        ? {
            instruction:
              'Give the gateway a TLS certificate, or correct the address in .env.local and restart Bench',
            note: 'Your key was not sent. Without TLS, others on the network could read it.',
          }
        : {
            instruction: correctAddressText,
            note: 'Without TLS, the address begins with http://.',
            isPlainHttp: true,
          }),
    };
  if (kind === 'unreachable') {
    const [, failure, summary, instruction, note] =
      unreachablePatterns.find(([pattern]) => pattern.test(message)) ?? [];
    return {
      failure:
        failure === 'TLS error' && code !== undefined ? `${failure} ${code}` : (failure ?? 'no connection'),
      summary: summary ?? 'The gateway cannot be reached.',
      instruction: instruction ?? correctAddressText,
      note: note ?? (failure === undefined ? message : ''),
    };
  }
  return {
    failure: `${report.status ?? 'blocked'}`,
    reason: 'blocked before reaching the gateway',
    summary: 'A firewall or proxy in front of the gateway blocks Bench.',
    instruction: 'Allow the Bench server there, or correct the address in .env.local and restart Bench',
    note: message,
  };
}

function buildAddressLines({ status }: GatewayInputs): string[] {
  const address = getGatewayAddress(status);
  return address === '' ? [] : [`GATEWAY_BASE_URL=${address}`];
}

const loopbackHost = /^(?:localhost|127\.|\[::1\])/;

/** Returns the base URL as it would be configured. */
export function getGatewayAddress(status: GatewayInputs['status']): string {
  return status?.address.replace(/\/v1$/, '') ?? '';
}

/** Returns the note for this failure. The default explains that a server on the same machine rarely needs a key. */
function getNote(note: string | undefined, { status }: GatewayInputs): { note?: string } {
  if (note !== undefined && note !== '') return { note };
  if (status === undefined || status.keyConfigured || !loopbackHost.test(status.host)) return {};
  return { note: 'If your local server does not need a key, leave GATEWAY_API_KEY out.' };
}

function describeRejectedKey(report: ErrorReport | undefined, inputs: GatewayInputs): SetupText {
  const isKeyMissing = inputs.status?.keyConfigured === false;
  return {
    title: unusableTitle,
    summary: isKeyMissing
      ? 'The gateway requires a key, but none is configured.'
      : 'The gateway responds but rejects the key.',
    checks: [
      createReachedCheck(inputs),
      { name: 'Key accepted', result: 'no', ...describeReport(report, '401') },
      { name: 'Models listed', result: 'waiting', reason: 'needs a valid key' },
    ],
    fix: createKeyFix(inputs, isKeyMissing ? 'Put your key in .env.local and restart Bench' : undefined),
  };
}

function createKeyFix(
  inputs: GatewayInputs,
  instruction = 'Put a valid key in .env.local and restart Bench',
) {
  return {
    instruction,
    lines: [...buildAddressLines(inputs), 'GATEWAY_API_KEY=sk-…'],
    note: 'The key stays on the server. The browser never receives it.',
  };
}

/** The key is valid but lacks this permission; chats may still be allowed. */
function describeForbidden(report: ErrorReport, inputs: GatewayInputs): SetupText {
  return {
    title: unusableTitle,
    summary: 'The gateway responds, but this key is not allowed to list models.',
    checks: [
      createReachedCheck(inputs),
      { name: 'Key accepted', result: 'no', ...describeReport(report, '403') },
      { name: 'Models listed', result: 'waiting', reason: 'needs a key that is allowed to list models' },
    ],
    fix: createKeyFix(
      inputs,
      'Allow this key to list models, or put another key in .env.local and restart Bench',
    ),
  };
}

function describeLoadingModels(report: ErrorReport, inputs: GatewayInputs): SetupText {
  return {
    title: 'The gateway is loading its models',
    summary: 'They appear here when they are ready.',
    checks: [
      createReachedCheck(inputs),
      { name: 'Key accepted', result: 'waiting', reason: 'waiting for GET /v1/models' },
      { name: 'Models listed', result: 'waiting', ...describeReport(report, 'loading') },
    ],
  };
}

/** The gateway responded, but not with a list. */
function describeMissingList(report: ErrorReport, inputs: GatewayInputs): SetupText {
  if (isLoadingReport(report)) return describeLoadingModels(report, inputs);
  const isPage = isWebPage(report);
  const isAddressWrong = isPage || report.kind === 'not-found';
  const summary = isPage
    ? 'This address returns a web page. It is not a gateway.'
    : report.kind === 'not-found'
      ? 'The gateway responds, but has no model list at this address.'
      : report.kind === 'rate-limited'
        ? 'The gateway responds, but its rate limit is reached.'
        : (report.status ?? 0) >= 500
          ? 'The gateway responds, but could not list its models.'
          : 'The gateway responds, but not with a list of models.';
  return {
    title: isPage ? unusableTitle : noModelsTitle,
    summary,
    checks: [
      createReachedCheck(inputs),
      { name: 'Key accepted', result: 'waiting', reason: 'cannot be checked without a model list' },
      { name: 'Models listed', result: 'no', ...describeReport(report, 'no list') },
    ],
    ...(isAddressWrong
      ? {
          fix: {
            instruction: correctAddressText,
            lines: buildAddressLines(inputs),
            note: `Bench requested GET ${getListAddress(inputs)}. Use the base URL from the gateway’s documentation.`,
          },
        }
      : {}),
  };
}

/** Returns `401 invalid_api_key` and the message. */
function describeReport(
  report: ErrorReport | undefined,
  fallback: string,
): Pick<SetupCheck, 'failure' | 'reason'> {
  if (!report) return { failure: fallback, reason: 'in the last request' };
  const status = report.status === undefined ? fallback : String(report.status);
  const type = report.type ?? report.code;
  const text = report.message.length > 240 ? `${report.message.slice(0, 239)}…` : report.message;
  const isQuoted = report.type !== undefined;
  return {
    failure: type === undefined || type === status ? status : `${status} ${type}`,
    reason: isQuoted ? `“${text}”` : text,
  };
}
