import { createHash, createHmac, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

import { parseJson, getStringProperty } from '../../lib/json.ts';
import { errorResponse, jsonResponse } from '../proxy/error-response.ts';
import { readBody } from '../proxy/request-body.ts';
import type { Visitor } from '../web-handler.ts';
import { createRateLimit } from './rate-limit.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * PLAYGROUND_PASSWORD as a session cookie. The cookie is signed with a key made of the
 * password and nothing is kept here: sessions outlive a restart, hold on every instance, and end with the password.
 */
export interface Login {
  /** Whether the request carries a session of ours. */
  isLoggedIn: (request: Request) => boolean;
  /** The same mark for all that one browser sends, and when its session ends, in epoch milliseconds; undefined without a session. */
  visitorOf: (request: Request) => { owner: string; endsAt: number } | undefined;
  /** POST /playground/login */
  login: (request: Request, visitor: Visitor) => Promise<Response>;
  /** POST /playground/logout */
  logout: (request: Request) => Response;
  /** A cookie for another day, where the session of a logged-in request is more than an hour old. */
  renewal: (request: Request) => string | undefined;
}

const HOUR_MS = 60 * 60 * 1000;
const SESSION_MS = 24 * HOUR_MS;
const DEVICE_MS = 365 * SESSION_MS;
const MAX_BODY_BYTES = 4096;
const ATTEMPTS_A_MINUTE = 10;
const ATTEMPTS_A_MINUTE_OF_ALL = 100;
const MAX_ATTEMPT_LIMITS = 10_000;

export function createLogin(password: string, now: () => number): Login {
  const expected = digest(password);
  const key = scryptSync(password, 'bench login', 32);
  const attemptsOfStrangers = createRateLimit(ATTEMPTS_A_MINUTE_OF_ALL, 60_000, now);
  const attempts = new Map<string, RateLimit>();

  const signed = (kind: Kind, value: string) =>
    `${value}.${createHmac('sha256', key).update(`${kind} ${value}`).digest('base64url')}`;

  /** The values of the request's cookies of this kind that we have signed. */
  const valuesOf = (kind: Kind, request: Request): string[] =>
    cookiesOf(kind, request).flatMap((text) => {
      const value = text.slice(0, text.indexOf('.'));
      return timingSafeEqual(digest(text), digest(signed(kind, value))) ? [value] : [];
    });

  /** When the session of the request ends, and whether its cookie is for https alone. */
  const sessionOf = (request: Request) =>
    valuesOf('session', request)
      .map((value) => ({ endsAt: Number.parseInt(value, 36), isSecure: value.endsWith(SECURE) }))
      .find(({ endsAt }) => endsAt > now());

  const sessionCookie = (request: Request, isSecure: boolean) => {
    const value = (now() + SESSION_MS).toString(36) + (isSecure ? SECURE : '');
    return cookie(request, { kind: 'session', value: signed('session', value), forMs: SESSION_MS, isSecure });
  };

  const limitFor = (name: string): RateLimit => {
    const known = attempts.get(name);
    if (known !== undefined) return known;
    if (attempts.size >= MAX_ATTEMPT_LIMITS) attempts.clear();
    const limit = createRateLimit(ATTEMPTS_A_MINUTE, 60_000, now);
    attempts.set(name, limit);
    return limit;
  };

  return {
    isLoggedIn: (request) => sessionOf(request) !== undefined,

    visitorOf(request) {
      const session = sessionOf(request);
      if (session === undefined) return undefined;
      // The session's own value changes when it is renewed.
      const owner = valuesOf('device', request)[0] ?? valuesOf('session', request)[0] ?? '';
      return { owner, endsAt: session.endsAt };
    },

    async login(request, visitor) {
      // A browser that was logged in once has attempts of its own, so that strangers at its address, such as that of a
      // reverse proxy, cannot lock it out (OWASP's device cookies).
      const device = valuesOf('device', request)[0];
      const guesser = device === undefined ? `address ${visitor.remoteAddress}` : `device ${device}`;
      const own = limitFor(guesser)();
      const grant = own.granted && device === undefined ? attemptsOfStrangers() : own;
      if (!grant.granted) {
        const seconds = Math.ceil(grant.retryAfterMs / 1000);
        const headers = { 'retry-after': String(seconds) };
        const message = `Too many login attempts. Try again in ${seconds} s.`;
        return errorResponse({ type: 'rate_limit_exceeded', message, headers });
      }
      const body = await readBody(request, MAX_BODY_BYTES);
      if (body === 'too large')
        return errorResponse({ type: 'request_too_large', message: 'The request is too large for a login.' });
      const reading = parseJson(new TextDecoder().decode(body));
      const given = getStringProperty(reading.ok && reading.value, 'password');
      if (given === undefined)
        return errorResponse({
          type: 'invalid_request',
          message: 'The body must be JSON with a string named password.',
        });
      if (!timingSafeEqual(digest(given), expected)) {
        return errorResponse({
          type: 'login_required',
          message: 'Wrong password.',
        });
      }
      // Whoever knows the password is not guessing it.
      attempts.delete(guesser);
      const isSecure = isFromHttps(request);
      const response = jsonResponse({ ok: true }, { 'set-cookie': sessionCookie(request, isSecure) });
      const value = signed('device', device ?? randomBytes(16).toString('base64url'));
      response.headers.append(
        'set-cookie',
        cookie(request, { kind: 'device', value, forMs: DEVICE_MS, isSecure }),
      );
      return response;
    },

    logout(request) {
      const isSecure = isFromHttps(request);
      const ended = cookie(request, { kind: 'session', value: '', forMs: 0, isSecure });
      return jsonResponse({ ok: true }, { 'set-cookie': ended });
    },

    renewal(request) {
      const session = sessionOf(request);
      if (session === undefined || session.endsAt > now() + SESSION_MS - HOUR_MS) return undefined;
      return sessionCookie(request, session.isSecure);
    },
  };
}

/** Ends the value of a session that began on an https page: a GET, which may renew it, does not say where it comes from. */
const SECURE = '-secure';

function isFromHttps(request: Request): boolean {
  return request.headers.get('origin')?.startsWith('https:') === true;
}

type Kind = 'session' | 'device';

/** Cookies are shared by all ports of a host, so the port is part of the name. */
function cookieName(kind: Kind, request: Request): string {
  return `bench_${kind}_${new URL(request.url).port || 'web'}`;
}

function cookie(
  request: Request,
  { kind, value, forMs, isSecure }: { kind: Kind; value: string; forMs: number; isSecure: boolean },
): string {
  const secure = isSecure ? '; Secure' : '';
  return `${cookieName(kind, request)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${forMs / 1000}${secure}`;
}

function cookiesOf(kind: Kind, request: Request): string[] {
  const name = `${cookieName(kind, request)}=`;
  const cookies = (request.headers.get('cookie') ?? '').split(';').map((part) => part.trim());
  // All of them: a page on another port of the host can plant some before ours. Headers are at most 16 KB.
  return cookies.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
