import { createHash, createHmac, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

import { parseJson, getStringProperty } from '../../lib/json.ts';
import { createErrorResponse, createJsonResponse } from '../proxy/error-response.ts';
import { readBody } from '../proxy/request-body.ts';
import type { RequestContext } from '../web-handler.ts';
import { createRateLimit } from './rate-limit.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * Login with PLAYGROUND_PASSWORD and a session cookie. The cookie is signed with a key derived from the password and
 * nothing is stored: sessions survive a restart, work on every instance, and end when the password changes.
 */
export interface Login {
  /** Returns true if the request has a valid session. */
  isLoggedIn: (request: Request) => boolean;
  /**
   * Returns an ID shared by all requests of one browser, and the end of its session in epoch ms; `undefined` without a
   * session.
   */
  identifyOwner: (request: Request) => { owner: string; endsAt: number } | undefined;
  /** Handles POST /playground/login. */
  login: (request: Request, context: RequestContext) => Promise<Response>;
  /** Handles POST /playground/logout. */
  logout: (request: Request) => Response;
  /** Returns a cookie for another day if the session of a logged-in request is more than an hour old. */
  createRenewalCookie: (request: Request) => string | undefined;
}

const HOUR_MS = 60 * 60 * 1000;
const SESSION_MS = 24 * HOUR_MS;
const DEVICE_MS = 365 * SESSION_MS;
const MAX_BODY_BYTES = 4096;
const MAX_ATTEMPTS_PER_MINUTE = 10;
const MAX_TOTAL_ATTEMPTS_PER_MINUTE = 100;
const MAX_ATTEMPT_LIMITS = 10_000;

export function createLogin(password: string, now: () => number): Login {
  const expectedDigest = digest(password);
  const key = scryptSync(password, 'bench login', 32);
  const takeSharedAttempt = createRateLimit(MAX_TOTAL_ATTEMPTS_PER_MINUTE, 60_000, now);
  const attemptLimits = new Map<string, RateLimit>();

  const signValue = (kind: CookieKind, value: string) =>
    `${value}.${createHmac('sha256', key).update(`${kind} ${value}`).digest('base64url')}`;

  /** Returns the signed values among the request's cookies of this kind. */
  const listSignedValues = (kind: CookieKind, request: Request): string[] =>
    listCookies(kind, request).flatMap((text) => {
      const value = text.slice(0, text.indexOf('.'));
      return timingSafeEqual(digest(text), digest(signValue(kind, value))) ? [value] : [];
    });

  /** Returns the end of the request's session, and whether its cookie is restricted to https. */
  const findSession = (request: Request) =>
    listSignedValues('session', request)
      .map((value) => ({ endsAt: Number.parseInt(value, 36), isSecure: value.endsWith(SECURE_SUFFIX) }))
      .find(({ endsAt }) => endsAt > now());

  const createSessionCookie = (request: Request, isSecure: boolean) => {
    const value = (now() + SESSION_MS).toString(36) + (isSecure ? SECURE_SUFFIX : '');
    return formatCookie(request, {
      kind: 'session',
      value: signValue('session', value),
      maxAgeMs: SESSION_MS,
      isSecure,
    });
  };

  const getAttemptLimit = (name: string): RateLimit => {
    const existingLimit = attemptLimits.get(name);
    if (existingLimit !== undefined) return existingLimit;
    if (attemptLimits.size >= MAX_ATTEMPT_LIMITS) attemptLimits.clear();
    const limit = createRateLimit(MAX_ATTEMPTS_PER_MINUTE, 60_000, now);
    attemptLimits.set(name, limit);
    return limit;
  };

  return {
    isLoggedIn: (request) => findSession(request) !== undefined,

    identifyOwner(request) {
      const session = findSession(request);
      if (session === undefined) return undefined;
      // Uses the device cookie, since the session's value changes on renewal.
      const owner = listSignedValues('device', request)[0] ?? listSignedValues('session', request)[0] ?? '';
      return { owner, endsAt: session.endsAt };
    },

    async login(request, context) {
      // A browser that has logged in before has its own limit, so that strangers at the same IP address, such as that
      // of a reverse proxy, cannot lock it out (OWASP device cookies).
      const device = listSignedValues('device', request)[0];
      const attemptKey = device === undefined ? `address ${context.remoteAddress}` : `device ${device}`;
      const ownGrant = getAttemptLimit(attemptKey)();
      const grant = ownGrant.granted && device === undefined ? takeSharedAttempt() : ownGrant;
      if (!grant.granted) {
        const seconds = Math.ceil(grant.retryAfterMs / 1000);
        const headers = { 'retry-after': String(seconds) };
        const message = `Too many login attempts. Try again in ${seconds} s.`;
        return createErrorResponse({ type: 'rate_limit_exceeded', message, headers });
      }
      const body = await readBody(request, MAX_BODY_BYTES);
      if (body === 'too large')
        return createErrorResponse({
          type: 'request_too_large',
          message: 'The login request is too large.',
        });
      const parsed = parseJson(new TextDecoder().decode(body));
      const submittedPassword = getStringProperty(parsed.ok && parsed.value, 'password');
      if (submittedPassword === undefined)
        return createErrorResponse({
          type: 'invalid_request',
          message: 'The body must be JSON with a string named password.',
        });
      if (!timingSafeEqual(digest(submittedPassword), expectedDigest)) {
        return createErrorResponse({
          type: 'login_required',
          message: 'Wrong password.',
        });
      }
      // A correct password does not count as a guess.
      attemptLimits.delete(attemptKey);
      const isSecure = isFromHttps(request);
      const response = createJsonResponse(
        { ok: true },
        { 'set-cookie': createSessionCookie(request, isSecure) },
      );
      const value = signValue('device', device ?? randomBytes(16).toString('base64url'));
      response.headers.append(
        'set-cookie',
        formatCookie(request, { kind: 'device', value, maxAgeMs: DEVICE_MS, isSecure }),
      );
      return response;
    },

    logout(request) {
      const isSecure = isFromHttps(request);
      const expiredCookie = formatCookie(request, { kind: 'session', value: '', maxAgeMs: 0, isSecure });
      return createJsonResponse({ ok: true }, { 'set-cookie': expiredCookie });
    },

    createRenewalCookie(request) {
      const session = findSession(request);
      if (session === undefined || session.endsAt > now() + SESSION_MS - HOUR_MS) return undefined;
      return createSessionCookie(request, session.isSecure);
    },
  };
}

/** Marks a session that began on an https page, since a GET that may renew it has no Origin header. */
const SECURE_SUFFIX = '-secure';

function isFromHttps(request: Request): boolean {
  return request.headers.get('origin')?.startsWith('https:') === true;
}

type CookieKind = 'session' | 'device';

/** All ports of a host share cookies, so the port is part of the name. */
function getCookieName(kind: CookieKind, request: Request): string {
  return `bench_${kind}_${new URL(request.url).port || 'web'}`;
}

function formatCookie(
  request: Request,
  {
    kind,
    value,
    maxAgeMs,
    isSecure,
  }: { kind: CookieKind; value: string; maxAgeMs: number; isSecure: boolean },
): string {
  const secureAttribute = isSecure ? '; Secure' : '';
  return `${getCookieName(kind, request)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeMs / 1000}${secureAttribute}`;
}

function listCookies(kind: CookieKind, request: Request): string[] {
  const name = `${getCookieName(kind, request)}=`;
  const cookies = (request.headers.get('cookie') ?? '').split(';').map((part) => part.trim());
  // Returns all matching cookies: a page on another port of the host may set some before ours. Headers are limited to
  // 16 KB.
  return cookies.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
