/** What is wrong with a gateway that cannot be used, and how it is put right: the sentences of the set-up card. */
import type { ErrorReport } from '../errors/errors.ts';
import {
  failureOf,
  gatewayStateOf,
  isLoadingReport,
  isUnreached,
  isWebPage,
  type GatewayFacts,
  type GatewayState,
} from './gateway-state.ts';

export interface GatewayCheck {
  name: 'Reached' | 'Key accepted' | 'Models listed';
  result: 'yes' | 'no' | 'waiting';
  /** What came, in a word or a status, where it failed. */
  mark?: string;
  reason: string;
}

/** How it is put right. */
export interface GatewayFix {
  lead: string;
  /** For .env.local; never the key. */
  lines: readonly string[];
  note?: string;
}

export interface GatewaySetup {
  state: GatewayState;
  title: string;
  summary: string;
  checks: readonly GatewayCheck[];
  fix?: GatewayFix;
  /** Checks the whole gateway from a terminal; absent where its address is not known. */
  command?: string;
}

const unusable = 'Bench cannot use the gateway yet';
const listsNothing = 'The gateway lists no models';

type Words = Omit<GatewaySetup, 'state' | 'command'>;

/** What the set-up card says. One function for every kind of failure. */
export function gatewaySetupOf(facts: GatewayFacts): GatewaySetup {
  const base = addressOf(facts.status);
  const command = base === '' ? {} : { command: `npm run conformance -- ${base}` };
  const state = gatewayStateOf(facts);
  return { state, ...wordsOf(state, facts), ...command };
}

function wordsOf(state: GatewayState, facts: GatewayFacts): Words {
  const failure = failureOf(facts);
  if (failure) return failed(failure, facts);
  if (state === 'gateway') return keyRejected(undefined, facts);
  if (state === 'checking') return checking(facts);
  if (state === 'usable') return { title: '', summary: '', checks: [] };
  return {
    title: listsNothing,
    summary: 'It is reached and accepts the key, but its list of models is empty.',
    checks: [
      reached(facts),
      keyAccepted(facts),
      { name: 'Models listed', result: 'no', mark: '0 models', reason: 'in a valid answer' },
    ],
  };
}

/** Returns the whole address of the list of models, since mistakes are often in its path. */
function getListAddress({ status }: GatewayFacts): string {
  return status?.address ? `${status.address}/models` : status?.host || 'the gateway';
}

function reached(facts: GatewayFacts): GatewayCheck {
  const { health } = facts;
  const time =
    health?.status === undefined ? '' : `, ${Math.round(health.latencyMs).toLocaleString('en')} ms`;
  return { name: 'Reached', result: 'yes', reason: `${getListAddress(facts)}${time}` };
}

function keyAccepted({ status }: GatewayFacts): GatewayCheck {
  const reason =
    status?.keyConfigured === false ? 'no key is needed for GET /v1/models' : 'by GET /v1/models';
  return { name: 'Key accepted', result: 'yes', reason };
}

const keyNotTried: GatewayCheck = { name: 'Key accepted', result: 'waiting', reason: 'not tried' };
const modelsNotTried: GatewayCheck = { name: 'Models listed', result: 'waiting', reason: 'not tried' };

function checking(facts: GatewayFacts): Words {
  const isReached = facts.health?.status !== undefined;
  const host = facts.status?.host ?? '';
  return {
    title: 'Checking the gateway',
    summary: host,
    checks: [
      isReached
        ? reached(facts)
        : { name: 'Reached', result: 'waiting', reason: host === '' ? 'waiting' : `waiting for ${host}` },
      { name: 'Key accepted', result: 'waiting', reason: isReached ? 'waiting for GET /v1/models' : 'next' },
      { name: 'Models listed', result: 'waiting', reason: 'next' },
    ],
  };
}

function failed(report: ErrorReport, facts: GatewayFacts): Words {
  const way = unreached(report, facts.status?.keyConfigured === true);
  if (way) {
    return {
      title: unusable,
      summary: way.summary,
      checks: [
        { name: 'Reached', result: 'no', mark: way.mark, reason: way.reason ?? getListAddress(facts) },
        keyNotTried,
        modelsNotTried,
      ],
      fix: { lead: way.lead, lines: getFixLines(way, facts), ...noteOf(way.note, facts) },
    };
  }
  if (report.kind === 'key-rejected') return keyRejected(report, facts);
  return report.kind === 'forbidden' ? forbidden(report, facts) : noList(report, facts);
}

function getFixLines({ isOurs, isPlainHttp }: Unreached, facts: GatewayFacts): string[] {
  if (isOurs) return [];
  const lines = addressLines(facts);
  return isPlainHttp ? lines.map((line) => line.replace('=https:', '=http:')) : lines;
}

interface Unreached {
  mark: string;
  reason?: string;
  summary: string;
  lead: string;
  note?: string;
  /** No line of .env.local is wrong. */
  isOurs?: true;
  /** The address works without TLS. */
  isPlainHttp?: true;
}

const correctAddress = 'Correct the address in .env.local and restart Bench';

/** The ways not to reach a gateway, by the words of the failure; the first that fits. */
const refusals: readonly [words: RegExp, mark: string, summary: string, lead: string, note?: string][] = [
  [
    /ECONNREFUSED/,
    'connection refused',
    'Nothing answers at this address.',
    'Start the gateway, or correct the address in .env.local and restart Bench',
  ],
  [/ENOTFOUND/, 'name not found', 'No server has this name.', correctAddress],
  [
    /EAI_AGAIN/,
    'name lookup failed',
    'The name of the gateway could not be looked up.',
    'Check the network of the machine that Bench runs on, or the address in .env.local',
  ],
  [/EHOSTUNREACH|ENETUNREACH/, 'no route', 'The network has no way to this address.', correctAddress],
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
function unreached(report: ErrorReport, hasKey: boolean): Unreached | undefined {
  if (!isUnreached(report)) return undefined;
  const { kind, source, message } = report;
  const code = /\(([A-Z][A-Z0-9_]+)\)/.exec(message)?.[1];
  if (kind === 'offline')
    return {
      mark: 'offline',
      reason: 'this browser has no network',
      summary: 'This browser is offline.',
      lead: 'Bench checks again as soon as there is a network',
      isOurs: true,
    };
  if (kind === 'proxy-unreachable' || kind === 'connection-lost')
    return {
      mark: 'no answer',
      reason: 'from the Bench server',
      summary: 'The Bench server is not responding.',
      lead: 'Check that npm start is still running',
      isOurs: true,
    };
  if (kind === 'redirected')
    return {
      mark: report.status === undefined || source === 'proxy' ? 'redirect' : `${report.status} redirect`,
      summary: 'The address sends Bench on to another one.',
      lead: 'Put the address that it leads to in .env.local and restart Bench',
      note: `${message} Bench never follows a redirect, so that the key stays with the gateway.`,
    };
  if (kind === 'unreadable')
    return {
      mark: 'not readable',
      summary: 'Something answers at this address, but not as a gateway.',
      lead: correctAddress,
      note: message,
    };
  if (kind === 'timeout')
    return {
      mark: 'timeout',
      summary: 'The gateway does not answer in time.',
      lead: 'Start the gateway, or correct the address in .env.local and restart Bench',
      note: message,
    };
  if (kind === 'unreachable' && /answers without TLS/.test(message))
    return {
      mark: code === undefined ? 'no TLS' : `no TLS ${code}`,
      summary: 'The server at this address answers without TLS.',
      // No advice may lead to a key that is sent unencrypted.
      ...(hasKey
        ? {
            lead: 'Give the gateway a TLS certificate, or correct the address in .env.local and restart Bench',
            note: 'Bench did not send your key: without TLS, others on the network can read it.',
          }
        : {
            lead: correctAddress,
            note: 'The address of a server without TLS begins with http.',
            isPlainHttp: true,
          }),
    };
  if (kind === 'unreachable') {
    const [, mark, summary, lead, note] = refusals.find(([words]) => words.test(message)) ?? [];
    return {
      mark: mark === 'TLS error' && code !== undefined ? `${mark} ${code}` : (mark ?? 'no connection'),
      summary: summary ?? 'The gateway cannot be reached.',
      lead: lead ?? correctAddress,
      note: note ?? (mark === undefined ? message : ''),
    };
  }
  return {
    mark: `${report.status ?? 'blocked'}`,
    reason: 'blocked before the gateway',
    summary: 'Something in front of the gateway blocks the requests of Bench.',
    lead: 'Allow the server of Bench there, or correct the address in .env.local and restart Bench',
    note: message,
  };
}

function addressLines({ status }: GatewayFacts): string[] {
  const address = addressOf(status);
  return address === '' ? [] : [`GATEWAY_BASE_URL=${address}`];
}

const loopback = /^(?:localhost|127\.|\[::1\])/;

/** Returns the base URL as it would be configured. */
export function addressOf(status: GatewayFacts['status']): string {
  return status?.address.replace(/\/v1$/, '') ?? '';
}

/** What is worth knowing of this failure, else that a server on the same machine seldom asks for a key. */
function noteOf(note: string | undefined, { status }: GatewayFacts): { note?: string } {
  if (note !== undefined && note !== '') return { note };
  if (status === undefined || status.keyConfigured || !loopback.test(status.host)) return {};
  return { note: 'A local server often needs no key. Leave GATEWAY_API_KEY out then.' };
}

function keyRejected(report: ErrorReport | undefined, facts: GatewayFacts): Words {
  const isMissing = facts.status?.keyConfigured === false;
  return {
    title: unusable,
    summary: isMissing
      ? 'The gateway answers, but it asks for a key, and none is set.'
      : 'The gateway answers, but it rejects the key.',
    checks: [
      reached(facts),
      { name: 'Key accepted', result: 'no', ...said(report, '401') },
      { name: 'Models listed', result: 'waiting', reason: 'needs a valid key' },
    ],
    fix: keyFix(facts, isMissing ? 'Put your key in .env.local and restart Bench' : undefined),
  };
}

function keyFix(facts: GatewayFacts, lead = 'Put the right key in .env.local and restart Bench') {
  return {
    lead,
    lines: [...addressLines(facts), 'GATEWAY_API_KEY=your key'],
    note: 'The key stays on the server. This page never sees it.',
  };
}

/** The key is known and may not do this; chats may still be allowed. */
function forbidden(report: ErrorReport, facts: GatewayFacts): Words {
  return {
    title: unusable,
    summary: 'The gateway answers, but this key may not list its models.',
    checks: [
      reached(facts),
      { name: 'Key accepted', result: 'no', ...said(report, '403') },
      { name: 'Models listed', result: 'waiting', reason: 'needs a key that may list them' },
    ],
    fix: keyFix(facts, 'Allow the key to list models, or put another one in .env.local and restart Bench'),
  };
}

function loadingModels(report: ErrorReport, facts: GatewayFacts): Words {
  return {
    title: 'The gateway is loading its models',
    summary: 'The list appears here as soon as it is ready.',
    checks: [
      reached(facts),
      { name: 'Key accepted', result: 'waiting', reason: 'waiting for GET /v1/models' },
      { name: 'Models listed', result: 'waiting', ...said(report, 'loading') },
    ],
  };
}

/** The gateway answered, but not with a list. */
function noList(report: ErrorReport, facts: GatewayFacts): Words {
  if (isLoadingReport(report)) return loadingModels(report, facts);
  const isPage = isWebPage(report);
  const isAddress = isPage || report.kind === 'not-found';
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
    title: isPage ? unusable : listsNothing,
    summary,
    checks: [
      reached(facts),
      { name: 'Key accepted', result: 'waiting', reason: 'no list of models to check it with' },
      { name: 'Models listed', result: 'no', ...said(report, 'no list') },
    ],
    ...(isAddress
      ? {
          fix: {
            lead: correctAddress,
            lines: addressLines(facts),
            note: `Bench requested GET ${getListAddress(facts)}. Use the base URL from the gateway’s documentation.`,
          },
        }
      : {}),
  };
}

/** `401 invalid_api_key` and the words beside it. */
function said(report: ErrorReport | undefined, otherwise: string): Pick<GatewayCheck, 'mark' | 'reason'> {
  if (!report) return { mark: otherwise, reason: 'at the last request' };
  const status = report.status === undefined ? otherwise : String(report.status);
  const type = report.type ?? report.code;
  const words = report.message.length > 240 ? `${report.message.slice(0, 239)}…` : report.message;
  const isQuoted = report.type !== undefined;
  return {
    mark: type === undefined || type === status ? status : `${status} ${type}`,
    reason: isQuoted ? `“${words}”` : words,
  };
}
