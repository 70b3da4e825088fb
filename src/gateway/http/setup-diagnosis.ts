/** What is wrong with a gateway that cannot be used, and how it is put right: the sentences of the set-up card. */
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
  /** What came, in a word or a status, where it failed. */
  failure?: string;
  reason: string;
}

/** How it is put right. */
export interface SetupFix {
  instruction: string;
  /** For .env.local; never the key. */
  lines: readonly string[];
  note?: string;
}

export interface GatewaySetup {
  state: GatewayState;
  title: string;
  summary: string;
  checks: readonly SetupCheck[];
  fix?: SetupFix;
  /** Checks the whole gateway from a terminal; absent where its address is not known. */
  command?: string;
}

const unusableTitle = 'Bench cannot use the gateway yet';
const noModelsTitle = 'The gateway lists no models';

type SetupText = Omit<GatewaySetup, 'state' | 'command'>;

/** What the set-up card says. One function for every kind of failure. */
export function diagnoseGatewaySetup(inputs: GatewayInputs): GatewaySetup {
  const baseUrl = getGatewayAddress(inputs.status);
  const command = baseUrl === '' ? {} : { command: `npm run conformance -- ${baseUrl}` };
  const state = getGatewayState(inputs);
  return { state, ...describeState(state, inputs), ...command };
}

function describeState(state: GatewayState, inputs: GatewayInputs): SetupText {
  const failure = getModelsFailure(inputs);
  if (failure) return describeFailedList(failure, inputs);
  if (state === 'gateway') return describeRejectedKey(undefined, inputs);
  if (state === 'checking') return describeChecking(inputs);
  if (state === 'usable') return { title: '', summary: '', checks: [] };
  return {
    title: noModelsTitle,
    summary: 'It is reached and accepts the key, but its list of models is empty.',
    checks: [
      createReachedCheck(inputs),
      createKeyAcceptedCheck(inputs),
      { name: 'Models listed', result: 'no', failure: '0 models', reason: 'in a valid answer' },
    ],
  };
}

/** Returns the whole address of the list of models, since mistakes are often in its path. */
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
  const reason =
    status?.keyConfigured === false ? 'no key is needed for GET /v1/models' : 'by GET /v1/models';
  return { name: 'Key accepted', result: 'yes', reason };
}

const untriedKeyCheck: SetupCheck = { name: 'Key accepted', result: 'waiting', reason: 'not tried' };
const untriedModelsCheck: SetupCheck = { name: 'Models listed', result: 'waiting', reason: 'not tried' };

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
      { name: 'Key accepted', result: 'waiting', reason: isReached ? 'waiting for GET /v1/models' : 'next' },
      { name: 'Models listed', result: 'waiting', reason: 'next' },
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
  /** No line of .env.local is wrong. */
  isBenchFault?: true;
  /** The address works without TLS. */
  isPlainHttp?: true;
}

const correctAddressText = 'Correct the address in .env.local and restart Bench';

/** The ways not to reach a gateway, by the words of the failure; the first that fits. */
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
    'Nothing answers at this address.',
    'Start the gateway, or correct the address in .env.local and restart Bench',
  ],
  [/ENOTFOUND/, 'name not found', 'No server has this name.', correctAddressText],
  [
    /EAI_AGAIN/,
    'name lookup failed',
    'The name of the gateway could not be looked up.',
    'Check the network of the machine that Bench runs on, or the address in .env.local',
  ],
  [/EHOSTUNREACH|ENETUNREACH/, 'no route', 'The network has no way to this address.', correctAddressText],
  [
    /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|EPROTO/,
    'TLS error',
    'No secure connection could be made.',
    'Renew the certificate of the gateway, or correct the address in .env.local and restart Bench',
    'For a certificate of your own authority, start Bench with NODE_EXTRA_CA_CERTS.',
  ],
  [
    /proxy in between/,
    'proxy refused',
    'A proxy between Bench and the gateway refused the connection.',
    'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the Bench server',
  ],
  [
    /ECONNRESET|EPIPE|closed the connection|broke the connection/,
    'connection closed',
    'The gateway closed the connection before it answered.',
    'Check the gateway, or correct the address in .env.local and restart Bench',
  ],
];

/** Undefined where the gateway itself answered. */
function findUnreachableReason(report: ErrorReport, hasKey: boolean): UnreachableReason | undefined {
  if (!isUnreachable(report)) return undefined;
  const { kind, source, message } = report;
  const code = /\(([A-Z][A-Z0-9_]+)\)/.exec(message)?.[1];
  if (kind === 'offline')
    return {
      failure: 'offline',
      reason: 'this browser has no network',
      summary: 'This browser is offline.',
      instruction: 'Bench checks again as soon as there is a network',
      isBenchFault: true,
    };
  if (kind === 'proxy-unreachable' || kind === 'connection-lost')
    return {
      failure: 'no answer',
      reason: 'from the Bench server',
      summary: 'The Bench server is not responding.',
      instruction: 'Check that npm start is still running',
      isBenchFault: true,
    };
  if (kind === 'redirected')
    return {
      failure: report.status === undefined || source === 'proxy' ? 'redirect' : `${report.status} redirect`,
      summary: 'The address sends Bench on to another one.',
      instruction: 'Put the address that it leads to in .env.local and restart Bench',
      note: `${message} Bench never follows a redirect, so that the key stays with the gateway.`,
    };
  if (kind === 'unreadable')
    return {
      failure: 'not readable',
      summary: 'Something answers at this address, but not as a gateway.',
      instruction: correctAddressText,
      note: message,
    };
  if (kind === 'timeout')
    return {
      failure: 'timeout',
      summary: 'The gateway does not answer in time.',
      instruction: 'Start the gateway, or correct the address in .env.local and restart Bench',
      note: message,
    };
  if (kind === 'unreachable' && /answers without TLS/.test(message))
    return {
      failure: code === undefined ? 'no TLS' : `no TLS ${code}`,
      summary: 'The server at this address answers without TLS.',
      // No advice may lead to a key that is sent unencrypted.
      ...(hasKey
        ? {
            instruction:
              'Give the gateway a TLS certificate, or correct the address in .env.local and restart Bench',
            note: 'Bench did not send your key: without TLS, others on the network can read it.',
          }
        : {
            instruction: correctAddressText,
            note: 'The address of a server without TLS begins with http.',
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
    reason: 'blocked before the gateway',
    summary: 'Something in front of the gateway blocks the requests of Bench.',
    instruction: 'Allow the server of Bench there, or correct the address in .env.local and restart Bench',
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

/** What is worth knowing of this failure, else that a server on the same machine seldom asks for a key. */
function getNote(note: string | undefined, { status }: GatewayInputs): { note?: string } {
  if (note !== undefined && note !== '') return { note };
  if (status === undefined || status.keyConfigured || !loopbackHost.test(status.host)) return {};
  return { note: 'A local server often needs no key. Leave GATEWAY_API_KEY out then.' };
}

function describeRejectedKey(report: ErrorReport | undefined, inputs: GatewayInputs): SetupText {
  const isKeyMissing = inputs.status?.keyConfigured === false;
  return {
    title: unusableTitle,
    summary: isKeyMissing
      ? 'The gateway answers, but it asks for a key, and none is set.'
      : 'The gateway answers, but it rejects the key.',
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
  instruction = 'Put the right key in .env.local and restart Bench',
) {
  return {
    instruction,
    lines: [...buildAddressLines(inputs), 'GATEWAY_API_KEY=your key'],
    note: 'The key stays on the server. This page never sees it.',
  };
}

/** The key is known and may not do this; chats may still be allowed. */
function describeForbidden(report: ErrorReport, inputs: GatewayInputs): SetupText {
  return {
    title: unusableTitle,
    summary: 'The gateway answers, but this key may not list its models.',
    checks: [
      createReachedCheck(inputs),
      { name: 'Key accepted', result: 'no', ...describeReport(report, '403') },
      { name: 'Models listed', result: 'waiting', reason: 'needs a key that may list them' },
    ],
    fix: createKeyFix(
      inputs,
      'Allow the key to list models, or put another one in .env.local and restart Bench',
    ),
  };
}

function describeLoadingModels(report: ErrorReport, inputs: GatewayInputs): SetupText {
  return {
    title: 'The gateway is loading its models',
    summary: 'The list appears here as soon as it is ready.',
    checks: [
      createReachedCheck(inputs),
      { name: 'Key accepted', result: 'waiting', reason: 'waiting for GET /v1/models' },
      { name: 'Models listed', result: 'waiting', ...describeReport(report, 'loading') },
    ],
  };
}

/** The gateway answered, but not with a list. */
function describeMissingList(report: ErrorReport, inputs: GatewayInputs): SetupText {
  if (isLoadingReport(report)) return describeLoadingModels(report, inputs);
  const isPage = isWebPage(report);
  const isAddressWrong = isPage || report.kind === 'not-found';
  const summary = isPage
    ? 'The address answers with a web page, not as a gateway.'
    : report.kind === 'not-found'
      ? 'The gateway answers, but it has no list of models at this address.'
      : report.kind === 'rate-limited'
        ? 'The gateway answers, but it allows no more requests for now.'
        : (report.status ?? 0) >= 500
          ? 'The gateway answers, but it could not list its models.'
          : 'The gateway answers, but not with a list of models.';
  return {
    title: isPage ? unusableTitle : noModelsTitle,
    summary,
    checks: [
      createReachedCheck(inputs),
      { name: 'Key accepted', result: 'waiting', reason: 'no list of models to check it with' },
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

/** `401 invalid_api_key` and the words beside it. */
function describeReport(
  report: ErrorReport | undefined,
  fallback: string,
): Pick<SetupCheck, 'failure' | 'reason'> {
  if (!report) return { failure: fallback, reason: 'at the last request' };
  const status = report.status === undefined ? fallback : String(report.status);
  const type = report.type ?? report.code;
  const text = report.message.length > 240 ? `${report.message.slice(0, 239)}…` : report.message;
  const isQuoted = report.type !== undefined;
  return {
    failure: type === undefined || type === status ? status : `${status} ${type}`,
    reason: isQuoted ? `“${text}”` : text,
  };
}
