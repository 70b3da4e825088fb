import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import { parseJson, stringProperty } from '../lib/json.ts';
import { errorResponse, jsonResponse } from './error-response.ts';
import { createRateLimit } from './rate-limit.ts';
import type { RateLimit } from './rate-limit.ts';
import { readBody } from './request-body.ts';
import type { Visitor } from './web-handler.ts';

/** PLAYGROUND_PASSWORD as a session cookie (contract.md, faults.md T10 to T12). Sessions live in memory only. */
export interface Login {
  /** Whether the request carries a session of ours. */
  isLoggedIn: (request: Request) => boolean;
  /** POST /playground/login */
  login: (request: Request, visitor: Visitor) => Promise<Response>;
  /** POST /playground/logout */
  logout: (request: Request) => Response;
}

const SESSION_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_SESSIONS = 1000;
const MAX_BODY_BYTES = 4096;
const ATTEMPTS_A_MINUTE = 10;
const ATTEMPTS_A_MINUTE_OF_ALL = 100;
const MAX_ADDRESSES = 10_000;

export function createLogin(password: string, now: () => number): Login {
  const expected = digest(password);
  const sessions = new Map<string, number>();
  const attemptsOfAll = createRateLimit(ATTEMPTS_A_MINUTE_OF_ALL, 60_000, now);
  const attemptsByAddress = new Map<string, RateLimit>();

  const attempt = (address: string) => {
    let limit = attemptsByAddress.get(address);
    if (limit === undefined) {
      if (attemptsByAddress.size >= MAX_ADDRESSES) attemptsByAddress.clear();
      limit = createRateLimit(ATTEMPTS_A_MINUTE, 60_000, now);
      attemptsByAddress.set(address, limit);
    }
    const own = limit();
    return own.granted ? attemptsOfAll() : own;
  };

  return {
    isLoggedIn(request) {
      return tokensOf(request).some((token) => (sessions.get(keyOf(token)) ?? 0) > now());
    },

    async login(request, visitor) {
      const grant = attempt(visitor.remoteAddress);
      if (!grant.granted) {
        const seconds = Math.ceil(grant.retryAfterMs / 1000);
        const headers = { 'retry-after': String(seconds) };
        const message = `There were too many attempts to log in. The next one may be made in ${seconds} s.`;
        return errorResponse({ type: 'rate_limit_exceeded', message, headers });
      }
      const body = await readBody(request, MAX_BODY_BYTES);
      if (body === 'too large')
        return errorResponse({ type: 'request_too_large', message: 'The request is too large for a login.' });
      const reading = parseJson(new TextDecoder().decode(body));
      const given = reading.ok ? stringProperty(reading.value, 'password') : undefined;
      if (given === undefined)
        return errorResponse({
          type: 'invalid_request',
          message: 'The body must be JSON with a text named password.',
        });
      if (!timingSafeEqual(digest(given), expected)) {
        return errorResponse({
          type: 'login_required',
          message: 'That is not the password of this playground.',
        });
      }
      // Whoever knows the password is not guessing it.
      attemptsByAddress.delete(visitor.remoteAddress);
      const token = randomBytes(32).toString('base64url');
      for (const [key, expiresAt] of sessions) {
        // A Map keeps the order of insertion, so the oldest sessions come first.
        if (expiresAt > now() && sessions.size < MAX_SESSIONS) break;
        sessions.delete(key);
      }
      sessions.set(keyOf(token), now() + SESSION_MS);
      return jsonResponse({ ok: true }, { 'set-cookie': cookie(request, token, SESSION_MS / 1000) });
    },

    logout(request) {
      for (const token of tokensOf(request)) sessions.delete(keyOf(token));
      return jsonResponse({ ok: true }, { 'set-cookie': cookie(request, '', 0) });
    },
  };
}

/** Cookies are shared by all ports of a host, so the port stands in the name. */
function cookieName(request: Request): string {
  return `bench_session_${new URL(request.url).port || 'web'}`;
}

function cookie(request: Request, token: string, maxAgeSeconds: number): string {
  const secure = request.headers.get('origin')?.startsWith('https:') === true ? '; Secure' : '';
  return `${cookieName(request)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}

function tokensOf(request: Request): string[] {
  const name = `${cookieName(request)}=`;
  const cookies = (request.headers.get('cookie') ?? '').split(';').map((part) => part.trim());
  // All of them: a page on another port of the host can plant some before ours. Headers are at most 16 KB.
  return cookies.filter((part) => part.startsWith(name)).map((part) => part.slice(name.length));
}

/** Looking a session up by the hash of its token takes no time that depends on the token itself. */
function keyOf(token: string): string {
  return digest(token).toString('base64url');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
