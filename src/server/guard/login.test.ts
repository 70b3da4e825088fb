import { afterEach, describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { createPlaygroundHandler } from '../playground-handler.ts';
import { startTestPlayground } from '../testing/test-playground.ts';
import type { TestPlayground } from '../testing/test-playground.ts';
import { createLogin } from './login.ts';

const PASSWORD = 'correct horse';
let runningPlayground: TestPlayground | undefined;

afterEach(async () => {
  await runningPlayground?.close();
  runningPlayground = undefined;
});

async function startLockedPlayground(): Promise<TestPlayground> {
  runningPlayground = await startTestPlayground({ PLAYGROUND_PASSWORD: PASSWORD });
  return runningPlayground;
}

function getCookie(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

describe('playground with a password', () => {
  it('answers 404 for unknown URLs without requiring the password', async () => {
    const playground = await startLockedPlayground();
    for (const path of ['/playground/other', '/playground/status/more', '/playground'])
      expect([path, (await playground.get(path)).status]).toEqual([path, 404]);
    expect((await playground.get('/gateway/other')).status).toBe(401);
  });

  it('requires the password for the gateway routes and the status, with an API error', async () => {
    const playground = await startLockedPlayground();
    for (const response of [
      await playground.get('/gateway/v1/models'),
      await playground.get('/playground/status'),
      await playground.post('/gateway/v1/chat/completions', {}),
    ]) {
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { type: 'login_required', code: '401' } });
    }
  });

  it('accepts requests with a login cookie until logout', async () => {
    const playground = await startLockedPlayground();
    const loginResponse = await playground.post('/playground/login', { password: PASSWORD });
    expect(loginResponse.status).toBe(200);
    const [session = '', device = ''] = loginResponse.headers.getSetCookie();
    expect(session).toMatch(/^bench_session_\d+=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=86400$/);
    expect(device).toMatch(
      /^bench_device_\d+=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=31536000$/,
    );
    const cookie = getCookie(loginResponse);
    expect((await playground.get('/playground/status', { cookie: `other=1; ${cookie}` })).status).toBe(200);
    expect((await playground.get('/gateway/v1/models', { cookie })).status).toBe(200);
    const logoutResponse = await playground.post('/playground/logout', {}, { headers: { cookie } });
    expect(logoutResponse.headers.get('set-cookie')).toMatch(/^bench_session_\d+=; .*Max-Age=0$/);
  });

  it('rejects a device cookie, a session of another password and a modified session', async () => {
    const playground = await startLockedPlayground();
    const loginResponse = await playground.post('/playground/login', { password: PASSWORD });
    const [session = '', device = ''] = loginResponse.headers
      .getSetCookie()
      .map((text) => text.split(';')[0] ?? '');
    const [name = '', value = ''] = session.split('=');
    const [endsAt = '', signature = ''] = value.split('.');
    const otherLogin = createLogin('another password', () => Date.now());
    const foreignResponse = await otherLogin.login(
      new Request(`http://127.0.0.1:${playground.port}/`, {
        method: 'POST',
        body: '{"password":"another password"}',
      }),
      { remoteAddress: '' },
    );
    for (const cookie of [
      `${name}=${device.split('=')[1]}`,
      getCookie(foreignResponse),
      `${name}=${endsAt}`,
      `${name}=${endsAt}.`,
      `${name}=.${signature}`,
      `${name}=${endsAt}0.${signature}`,
      `${name}=${endsAt}-secure.${signature}`,
      `${name}=${endsAt}.${signature.toLowerCase()}`,
      `${name}=${endsAt}.${signature}.${signature}`,
      `${name.slice(0, -1)}${name.endsWith('0') ? 1 : 0}=${value}`,
      `x${name}=${value}`,
      ...['', 'undefined', '__proto__', '-1.AAAA', '.', '..'].map((forgedValue) => `${name}=${forgedValue}`),
    ])
      expect((await playground.get('/playground/status', { cookie })).status, cookie).toBe(401);
    expect((await playground.get('/playground/status', { cookie: session })).status).toBe(200);
  });

  it.each([
    ['an empty text', ''],
    ['another word', 'wrong'],
    ['the password with a trailing space', `${PASSWORD} `],
    ['the password in different case', 'Correct horse'],
  ])('rejects %s as the password', async (_name, password) => {
    const playground = await startLockedPlayground();
    const response = await playground.post('/playground/login', { password });
    expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null]);
  });

  it('accepts login and logout only by POST', async () => {
    const playground = await startLockedPlayground();
    for (const path of ['/playground/login', '/playground/logout']) {
      const response = await playground.get(path);
      expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, 'POST']);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  });

  it('rejects a login body without a password with 400', async () => {
    const bodies = ['', 'x', '[]', '{}', '{"password":1}', '{"__proto__":{"password":"correct horse"}}'];
    const playground = await startLockedPlayground();
    for (const body of bodies)
      expect((await playground.post('/playground/login', body)).status, body).toBe(400);
  });

  it('finds its session cookie after cookies of the same name set by another port', async () => {
    const playground = await startLockedPlayground();
    const cookie = getCookie(await playground.post('/playground/login', { password: PASSWORD }));
    const name = `bench_session_${playground.port}`;
    const plantedCookies = Array.from({ length: 60 }, (_, index) => `${name}=planted${index}`).join('; ');
    const response = await playground.get('/playground/status', { cookie: `${plantedCookies}; ${cookie}` });
    expect(response.status).toBe(200);
  });

  it('does not count correct passwords as attempts', async () => {
    const playground = await startLockedPlayground();
    for (let count = 0; count < 12; count += 1)
      expect((await playground.post('/playground/login', { password: PASSWORD })).status).toBe(200);
  });

  it('allows ten attempts per minute from one address, then delays even the correct password', async () => {
    const playground = await startLockedPlayground();
    for (let count = 0; count < 10; count += 1)
      expect((await playground.post('/playground/login', { password: 'no' })).status).toBe(401);
    const response = await playground.post('/playground/login', { password: PASSWORD });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

const HOUR_MS = 3_600_000;
const PAGE = 'http://127.0.0.1:4780/playground/login';

function sendLogin(
  login: ReturnType<typeof createLogin>,
  password: string,
  headers: Record<string, string> = {},
) {
  const body = JSON.stringify({ password });
  return login.login(new Request(PAGE, { method: 'POST', headers, body }), { remoteAddress: '10.0.0.1' });
}

function createRequestWithCookie(cookie: string): Request {
  return new Request(PAGE, { headers: { cookie } });
}

describe('login session', () => {
  it('ends a login session after a day and accepts it on other instances and after a restart until then', async () => {
    let nowMs = 0;
    const cookie = getCookie(
      await sendLogin(
        createLogin(PASSWORD, () => nowMs),
        PASSWORD,
      ),
    );
    const restartedLogin = createLogin(PASSWORD, () => nowMs);
    nowMs = 24 * HOUR_MS - 1;
    expect(restartedLogin.isLoggedIn(createRequestWithCookie(cookie))).toBe(true);
    nowMs += 1;
    expect(restartedLogin.isLoggedIn(createRequestWithCookie(cookie))).toBe(false);
    expect(restartedLogin.createRenewalCookie(createRequestWithCookie(cookie))).toBeUndefined();
  });

  it.each(['http://127.0.0.1:4780', 'https://bench.example'])(
    'renews a session at %s after an hour, for a request without an Origin header',
    async (origin) => {
      let nowMs = 0;
      const login = createLogin(PASSWORD, () => nowMs);
      const response = await sendLogin(login, PASSWORD, { origin });
      const [attributes = ''] = response.headers.getSetCookie().map((text) => text.replace(/^[^;]*/, ''));
      const sessionRequest = createRequestWithCookie(getCookie(response));
      nowMs = HOUR_MS - 1;
      expect(login.createRenewalCookie(sessionRequest)).toBeUndefined();
      nowMs += 1;
      const renewedCookie = login.createRenewalCookie(sessionRequest) ?? '';
      expect(renewedCookie.replace(/^[^;]*/, '')).toBe(attributes);
      nowMs = 24 * HOUR_MS;
      expect(login.isLoggedIn(sessionRequest)).toBe(false);
      expect(login.isLoggedIn(createRequestWithCookie(renewedCookie.split(';')[0] ?? ''))).toBe(true);
      nowMs = 25 * HOUR_MS;
      expect(login.isLoggedIn(createRequestWithCookie(renewedCookie.split(';')[0] ?? ''))).toBe(false);
    },
  );

  it('renews a session only on gateway and status responses', async () => {
    let nowMs = Date.now();
    const playground = createPlaygroundHandler(
      readConfig((name) => (name === 'PLAYGROUND_PASSWORD' ? PASSWORD : undefined), { port: 0 }),
      '',
      () => nowMs,
    );
    const context = { remoteAddress: '' };
    const loginResponse = await playground.handle(
      new Request('http://x/playground/login', {
        method: 'POST',
        body: JSON.stringify({ password: PASSWORD }),
      }),
      context,
    );
    const cookie = loginResponse === undefined ? '' : getCookie(loginResponse);
    const countRenewedCookies = async (path: string) => {
      const response = await playground.handle(
        new Request(`http://x${path}`, { headers: { cookie } }),
        context,
      );
      return response?.headers.getSetCookie().length;
    };
    expect([
      await countRenewedCookies('/playground/status'),
      await countRenewedCookies('/gateway/v1/models'),
    ]).toEqual([0, 0]);
    nowMs += HOUR_MS;
    expect([
      await countRenewedCookies('/playground/status'),
      await countRenewedCookies('/gateway/v1/models'),
      await countRenewedCookies('/playground/other'),
    ]).toEqual([1, 1, 0]);
    await playground.close();
  });
});

describe('request owner', () => {
  it('keeps the owner when the session is renewed and distinguishes browsers', async () => {
    let nowMs = 0;
    const login = createLogin(PASSWORD, () => nowMs);
    const getCookies = (response: Response) =>
      response.headers.getSetCookie().map((text) => text.split(';')[0] ?? '');
    const [session = '', device = ''] = getCookies(await sendLogin(login, PASSWORD));
    const [, otherDevice = ''] = getCookies(await sendLogin(login, PASSWORD));
    const client = login.identifyOwner(createRequestWithCookie(`${session}; ${device}`));
    expect(client?.endsAt).toBe(24 * HOUR_MS);
    expect(client?.owner).not.toBe(
      login.identifyOwner(createRequestWithCookie(`${session}; ${otherDevice}`))?.owner,
    );

    nowMs = HOUR_MS;
    const renewedSession = login.createRenewalCookie(createRequestWithCookie(session))?.split(';')[0] ?? '';
    expect(login.identifyOwner(createRequestWithCookie(`${renewedSession}; ${device}`))).toEqual({
      owner: client?.owner,
      endsAt: 25 * HOUR_MS,
    });
    const ownersWithoutDevice = [session, renewedSession].map(
      (cookie) => login.identifyOwner(createRequestWithCookie(cookie))?.owner,
    );
    expect(new Set(ownersWithoutDevice).size).toBe(2);
    expect(ownersWithoutDevice).not.toContain('');
    expect(login.identifyOwner(createRequestWithCookie(device))).toBeUndefined();
  });
});

describe('login attempts', () => {
  const url = 'http://127.0.0.1:4780/playground/login';
  const sendAttempt = (login: ReturnType<typeof createLogin>, body: string, remoteAddress: string) =>
    login.login(new Request(url, { method: 'POST', body }), { remoteAddress });
  const rightBody = JSON.stringify({ password: PASSWORD });
  const wrongBody = JSON.stringify({ password: 'wrong' });

  it('limits all addresses together to a hundred attempts per minute, with waits in whole seconds', async () => {
    let nowMs = 0;
    const login = createLogin(PASSWORD, () => nowMs);
    for (let count = 0; count < 100; count += 1)
      expect((await sendAttempt(login, wrongBody, `10.0.0.${count}`)).status).toBe(401);
    nowMs = 500;
    const rejected = await sendAttempt(login, rightBody, '10.0.1.1');
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await rejected.json()).toMatchObject({
      error: {
        message: 'Too many login attempts. Try again in 60 s.',
      },
    });
    nowMs = 60_000;
    expect((await sendAttempt(login, rightBody, '10.0.1.1')).status).toBe(200);
  });

  it('counts attempts per address, regardless of other addresses', async () => {
    const login = createLogin(PASSWORD, () => 0);
    for (let count = 0; count < 20; count += 1)
      expect((await sendAttempt(login, wrongBody, `10.0.0.${count % 2}`)).status).toBe(401);
    const statuses = await Promise.all(
      [0, 1, 2].map((last) => sendAttempt(login, rightBody, `10.0.0.${last}`)),
    );
    expect(statuses.map(({ status }) => status)).toEqual([429, 429, 200]);
  });

  it('does not lock out a known browser, whose own guesses are counted separately', async () => {
    let nowMs = 0;
    const login = createLogin(PASSWORD, () => nowMs);
    const knownDevice =
      (await sendAttempt(login, rightBody, '10.0.0.1')).headers.getSetCookie()[1]?.split(';')[0] ?? '';
    const sendWithDevice = (body: string, cookie: string) =>
      login.login(new Request(url, { method: 'POST', body, headers: { cookie } }), {
        remoteAddress: '10.0.0.1',
      });
    for (let count = 0; count < 110; count += 1) await sendAttempt(login, wrongBody, `10.0.0.${count % 11}`);
    expect((await sendAttempt(login, rightBody, '10.0.0.1')).status).toBe(429);
    expect((await sendWithDevice(rightBody, `${knownDevice.split('.')[0]}.made-up`)).status).toBe(429);
    expect((await sendWithDevice(rightBody, knownDevice)).status).toBe(200);
    for (let count = 0; count < 10; count += 1)
      expect((await sendWithDevice(wrongBody, knownDevice)).status).toBe(401);
    expect((await sendWithDevice(rightBody, knownDevice)).status).toBe(429);
    nowMs = 60_000;
    expect((await sendAttempt(login, rightBody, '10.0.0.1')).status).toBe(200);
  });

  it('tracks failed logins of at most 10,000 addresses', async () => {
    const login = createLogin(PASSWORD, () => 0);
    const device =
      (await sendAttempt(login, rightBody, 'home')).headers.getSetCookie()[1]?.split(';')[0] ?? '';
    const sendFromHome = async (body: string) =>
      (
        await login.login(new Request(url, { method: 'POST', body, headers: { cookie: device } }), {
          remoteAddress: 'home',
        })
      ).status;
    for (let count = 0; count < 10; count += 1) expect(await sendFromHome(wrongBody)).toBe(401);
    for (let count = 1; count < 10_000; count += 1) await sendAttempt(login, wrongBody, `address ${count}`);
    expect(await sendFromHome(rightBody)).toBe(429);
    await sendAttempt(login, wrongBody, 'address 10000');
    expect(await sendFromHome(rightBody)).toBe(200);
  });

  it('gives each browser its own permanent device cookie', async () => {
    const login = createLogin(PASSWORD, () => 0);
    const fetchDevice = async (cookie: string) => {
      const request = new Request(url, { method: 'POST', body: rightBody, headers: { cookie } });
      const response = await login.login(request, { remoteAddress: '10.0.0.1' });
      return response.headers.getSetCookie()[1]?.split(';')[0] ?? '';
    };
    const [first, second] = [await fetchDevice(''), await fetchDevice('')];
    expect(first).not.toBe(second);
    expect(await fetchDevice(first)).toBe(first);
  });

  it('rejects login bodies of more than 4 KB', async () => {
    const login = createLogin(PASSWORD, () => 0);
    const response = await sendAttempt(login, JSON.stringify({ password: 'x'.repeat(5000) }), '10.0.0.1');
    expect(response.status).toBe(413);
  });
});

it('restricts the login cookie to https on an https page and includes the port in its name', async () => {
  const login = createLogin(PASSWORD, () => 0);
  const fetchCookie = async (origin: string) => {
    const request = new Request(`${origin}/playground/login`, {
      method: 'POST',
      headers: { origin },
      body: JSON.stringify({ password: PASSWORD }),
    });
    return (await login.login(request, { remoteAddress: '' })).headers.getSetCookie()[0] ?? '';
  };
  expect(await fetchCookie('https://bench.example')).toMatch(/^bench_session_web=.*; Secure$/);
  expect(await fetchCookie('http://bench.example:8080')).toMatch(/^bench_session_8080=.*; Max-Age=86400$/);
});
