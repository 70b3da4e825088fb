import { channelPath, channelProtocol, demoHeader } from '../../lib/channel-frames.ts';
import type { ServerError } from '../proxy/error-response.ts';
import { MAX_BODY_BYTES, createTooLargeError } from '../proxy/request-body.ts';
import { getTargetPath, findTargetProblem } from './request-target.ts';

/** A request as received; in a `Request`, the path is already normalised and a second Host is lost. */
export interface RawRequest {
  method: string;
  target: string;
  /** Name, value, name, value, … in order, with duplicates. */
  rawHeaders: readonly string[];
}

/** Hosts and origins that the server accepts (allowed-hosts.ts). */
export interface GuardSettings {
  /** Accepted Host values in lower case, each with the accepted origins of its pages. */
  originsByHost: ReadonlyMap<string, readonly string[]>;
  /** For example `http://127.0.0.1:4780`. */
  canonicalOrigin: string;
  /** Host value whose pages are redirected to the canonical origin, since each host has its own storage. */
  redirectedHost: string;
}

export type GuardDecision =
  | { name: 'allowed'; host: string; path: string }
  | { name: 'redirected'; location: string }
  | { name: 'refused'; error: ServerError };

/** Checks Host, Origin, path and headers of the raw request before any other code reads it. Pure. */
export function checkRequest(request: RawRequest, settings: GuardSettings): GuardDecision {
  const targetProblem = findTargetProblem(request.target);
  const headers = groupHeaders(request.rawHeaders);
  const hosts = headers.get('host') ?? [];
  const host = (hosts[0] ?? '').toLowerCase();
  const path = getTargetPath(request.target);

  if (hosts.length !== 1)
    return createRefusal('invalid_request', 'The request must have exactly one Host header.');
  const origins = settings.originsByHost.get(host);
  if (origins === undefined) {
    const message = 'This server does not accept this host name. Add it to PLAYGROUND_ALLOWED_HOSTS.';
    return createRefusal('forbidden_host', message);
  }
  if (!ALLOWED_METHODS.has(request.method)) {
    return createRefusal('method_not_allowed', 'This method is not allowed here.', {
      allow: 'GET, HEAD, POST',
    });
  }
  if (targetProblem !== undefined) return createRefusal('invalid_request', targetProblem);
  const requestError =
    findFramingError(request.method, headers) ?? findOriginError(request.method, path, headers, origins);
  if (requestError !== undefined) return { name: 'refused', error: requestError };
  if (host === settings.redirectedHost && isPageRequest(path, headers)) {
    return { name: 'redirected', location: settings.canonicalOrigin + request.target };
  }
  return { name: 'allowed', host, path };
}

/**
 * Checks an upgrade request: only the channel's path and protocol, from a page of this server, are allowed. Other
 * upgrades are rejected as in `checkRequest`.
 */
export function checkUpgrade(request: RawRequest, settings: GuardSettings): GuardDecision {
  const headers = groupHeaders(request.rawHeaders);
  const hasSingleValue = (name: string, value: string) => headers.get(name)?.join().toLowerCase() === value;
  const isChannel =
    request.method === 'GET' &&
    request.target === channelPath &&
    hasSingleValue('upgrade', 'websocket') &&
    hasSingleValue('sec-websocket-protocol', channelProtocol);
  const rawHeaders = isChannel ? withoutHeader(request.rawHeaders, 'upgrade') : request.rawHeaders;
  const decision = checkRequest({ ...request, rawHeaders }, settings);
  if (decision.name !== 'allowed' || headers.has('origin')) return decision;
  return createRefusal('forbidden_origin', 'A channel must be opened by a page of this server.');
}

export function withoutHeader(rawHeaders: readonly string[], headerName: string): string[] {
  return rawHeaders.filter((_text, index) => rawHeaders[index - (index % 2)]?.toLowerCase() !== headerName);
}

/** Returns true for a path of the proxy or of the playground's routes, which is never a page or file. */
export function isApiPath(path: string): boolean {
  return /^\/(?:gateway|playground)(?:\/|$)/.test(path);
}

/** Returns true if a GET or HEAD requests a page of the app: plain segments, no file extension, HTML accepted. */
function isPageRequest(path: string, headers: HeadersByName): boolean {
  if (isApiPath(path)) return false;
  const destination = headers.get('sec-fetch-dest')?.[0] ?? 'document';
  if (destination !== 'document' && destination !== 'empty') return false;
  return isPagePath(path) && acceptsHtml(headers.get('accept')?.join(','));
}

export function isPagePath(path: string): boolean {
  return /^(?:\/[A-Za-z0-9_~-]+)*\/?$/.test(path);
}

export function acceptsHtml(accept: string | undefined): boolean {
  return accept === undefined || /text\/html|\*\/\*/i.test(accept);
}

/** Header values by lower-case name, in order. */
type HeadersByName = ReadonlyMap<string, readonly string[]>;

const ALLOWED_METHODS = new Set(['GET', 'HEAD', 'POST']);

/** Headers that may occur only once, since programs interpret duplicates differently. */
const SINGLE_VALUE_HEADERS = [
  'content-length',
  'content-type',
  'origin',
  'transfer-encoding',
  'x-gateway-playground',
  demoHeader,
  'sec-fetch-site',
];

function findFramingError(method: string, headers: HeadersByName): ServerError | undefined {
  const createInvalidError = (message: string): ServerError => ({ type: 'invalid_request', message });
  const duplicateName = SINGLE_VALUE_HEADERS.find((name) => (headers.get(name)?.length ?? 0) > 1);
  if (duplicateName !== undefined)
    return createInvalidError(`The request has more than one ${duplicateName} header.`);
  if (headers.has('upgrade')) return createInvalidError('This server does not upgrade connections.');
  const encoding = headers.get('transfer-encoding')?.[0];
  const length = headers.get('content-length')?.[0];
  if (headers.has('expect')) {
    // Clients that send Expect before a large body at least receive the actual reason.
    return Number(length ?? 0) > MAX_BODY_BYTES
      ? createTooLargeError(MAX_BODY_BYTES)
      : createInvalidError('This server does not accept an Expect header.');
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    return createInvalidError('Only the chunked transfer encoding is supported.');
  if (encoding !== undefined && length !== undefined)
    return createInvalidError('The request has both a content-length and a transfer-encoding.');
  if (length !== undefined && !/^\d{1,15}$/.test(length))
    return createInvalidError('The content-length is not a number.');
  if (method !== 'POST' && (encoding !== undefined || Number(length ?? 0) > 0))
    return createInvalidError(`A ${method} request must not have a body.`);
  return undefined;
}

function findOriginError(
  method: string,
  path: string,
  headers: HeadersByName,
  origins: readonly string[],
): ServerError | undefined {
  const createForbiddenError = (message: string): ServerError => ({ type: 'forbidden_origin', message });
  const origin = headers.get('origin')?.[0];
  const site = headers.get('sec-fetch-site')?.[0];
  if (origin !== undefined && !origins.includes(origin.toLowerCase()))
    return createForbiddenError('Other sites are not allowed to use this server.');
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isLink(path, headers)) {
    return createForbiddenError('Other sites are not allowed to use this server.');
  }
  if (method !== 'POST') return undefined;
  if (!isApiPath(path))
    return {
      type: 'method_not_allowed',
      message: 'This address accepts GET only.',
      headers: { allow: 'GET, HEAD' },
    };
  if (origin === undefined && site !== 'same-origin')
    return createForbiddenError('A POST must come from a page of this server.');
  if (headers.has('content-encoding')) {
    return { type: 'unsupported_media_type', message: 'A request body must not be compressed.' };
  }
  if (headers.get('content-type')?.[0]?.toLowerCase() !== 'application/json') {
    return {
      type: 'unsupported_media_type',
      message: 'The content type of a POST must be application/json.',
    };
  }
  if (headers.get('x-gateway-playground')?.[0] !== '1')
    return createForbiddenError('A POST must have the header x-gateway-playground: 1.');
  return undefined;
}

/** A link on another site may open a page and nothing else: no script, image, frame or API response. */
function isLink(path: string, headers: HeadersByName): boolean {
  return (
    headers.get('sec-fetch-mode')?.[0] === 'navigate' &&
    (headers.get('sec-fetch-dest')?.[0] ?? 'document') === 'document' &&
    isPageRequest(path, headers)
  );
}

/** Groups the raw list by lower-case name. */
function groupHeaders(rawHeaders: readonly string[]): HeadersByName {
  const byName = new Map<string, string[]>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = (rawHeaders[index + 1] ?? '').trim();
    const values = byName.get(name);
    if (values === undefined) byName.set(name, [value]);
    else values.push(value);
  }
  return byName;
}

function createRefusal(
  type: ServerError['type'],
  message: string,
  headers?: Record<string, string>,
): GuardDecision {
  return { name: 'refused', error: { type, message, ...(headers === undefined ? {} : { headers }) } };
}
