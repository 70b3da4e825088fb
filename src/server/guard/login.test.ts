import { afterEach, describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { createPlayground } from '../playground-handler.ts';
import { servedPlayground } from '../testing/test-playground.ts';
import type { ServedPlayground } from '../testing/test-playground.ts';
import { createLogin } from './login.ts';

const PASSWORD = 'correct horse';
let open: ServedPlayground | undefined;

afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function locked(): Promise<ServedPlayground> {
  open = await servedPlayground({ PLAYGROUND_PASSWORD: PASSWORD });
  return open;
}

function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

describe('a playground with a password', () => {
  it('asks for it nowhere else: what is at no address is not found', async () => {
    const playground = await locked();
    for (const path of ['/playground/other', '/playground/status/more', '/playground'])
      expect([path, (await playground.get(path)).status]).toEqual([path, 404]);
    expect((await playground.get('/gateway/other')).status).toBe(401);
  });

  it('asks for it on the gateway routes and the status, and says so in the error shape', async () => {
    const playground = await locked();
    for (const response of [
      await playground.get('/gateway/v1/models'),
      await playground.get('/playground/status'),
      await playground.post('/gateway/v1/chat/completions', {}),
    ]) {
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { type: 'login_required', code: '401' } });
    }
  });

  it('answers with the cookie of a login, until the logout', async () => {
    const playground = await locked();
    const login = await playground.post('/playground/login', { password: PASSWORD });
    expect(login.status).toBe(200);
    const [session = '', device = ''] = login.headers.getSetCookie();
    expect(session).toMatch(/^bench_session_\d+=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=86400$/);
    expect(device).toMatch(
      /^bench_device_\d+=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=31536000$/,
    );
    const cookie = cookieOf(login);
    expect((await playground.get('/playground/status', { cookie: `other=1; ${cookie}` })).status).toBe(200);
    expect((await playground.get('/gateway/v1/models', { cookie })).status).toBe(200);
    const logout = await playground.post('/playground/logout', {}, { headers: { cookie } });
    expect(logout.headers.get('set-cookie')).toMatch(/^bench_session_\d+=; .*Max-Age=0$/);
  });

  it('takes a device, a session of another password and a changed one for no session', async () => {
    const playground = await locked();
    const login = await playground.post('/playground/login', { password: PASSWORD });
    const [session = '', device = ''] = login.headers.getSetCookie().map((text) => text.split(';')[0] ?? '');
    const [name = '', value = ''] = session.split('=');
    const [endsAt = '', signature = ''] = value.split('.');
    const others = createLogin('another password', () => Date.now());
    const foreign = await others.login(
      new Request(`http://127.0.0.1:${playground.port}/`, {
        method: 'POST',
        body: '{"password":"another password"}',
      }),
      { remoteAddress: '' },
    );
    for (const cookie of [
      `${name}=${device.split('=')[1]}`,
      cookieOf(foreign),
      `${name}=${endsAt}`,
      `${name}=${endsAt}.`,
      `${name}=.${signature}`,
      `${name}=${endsAt}0.${signature}`,
      `${name}=${endsAt}-secure.${signature}`,
      `${name}=${endsAt}.${signature.toLowerCase()}`,
      `${name}=${endsAt}.${signature}.${signature}`,
      `${name.slice(0, -1)}${name.endsWith('0') ? 1 : 0}=${value}`,
      `x${name}=${value}`,
      ...['', 'undefined', '__proto__', '-1.AAAA', '.', '..'].map((made) => `${name}=${made}`),
    ])
      expect((await playground.get('/playground/status', { cookie })).status, cookie).toBe(401);
    expect((await playground.get('/playground/status', { cookie: session })).status).toBe(200);
  });

  it.each([
    ['nothing', ''],
    ['another word', 'wrong'],
    ['the password and a space', `${PASSWORD} `],
    ['the password in other letters', 'Correct horse'],
  ])('refuses %s as the password', async (_name, password) => {
    const playground = await locked();
    const response = await playground.post('/playground/login', { password });
    expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null]);
  });

  it('is logged in to and out of by POST alone', async () => {
    const playground = await locked();
    for (const path of ['/playground/login', '/playground/logout']) {
      const response = await playground.get(path);
      expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, 'POST']);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  });

  it('refuses a body that holds no password with 400', async () => {
    const bodies = ['', 'x', '[]', '{}', '{"password":1}', '{"__proto__":{"password":"correct horse"}}'];
    const playground = await locked();
    for (const body of bodies)
      expect((await playground.post('/playground/login', body)).status, body).toBe(400);
  });

  it('knows its session also behind cookies of the same name that another port has planted', async () => {
    const playground = await locked();
    const cookie = cookieOf(await playground.post('/playground/login', { password: PASSWORD }));
    const name = `bench_session_${playground.port}`;
    const planted = Array.from({ length: 60 }, (_, index) => `${name}=planted${index}`).join('; ');
    const answer = await playground.get('/playground/status', { cookie: `${planted}; ${cookie}` });
    expect(answer.status).toBe(200);
  });

  it('counts no attempt of who knows it', async () => {
    const playground = await locked();
    for (let count = 0; count < 12; count += 1)
      expect((await playground.post('/playground/login', { password: PASSWORD })).status).toBe(200);
  });

  it('takes ten attempts per minute from one address, then even the right password waits', async () => {
    const playground = await locked();
    for (let count = 0; count < 10; count += 1)
      expect((await playground.post('/playground/login', { password: 'no' })).status).toBe(401);
    const response = await playground.post('/playground/login', { password: PASSWORD });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

const HOUR_MS = 3_600_000;
const PAGE = 'http://127.0.0.1:4780/playground/login';

function loginOf(
  login: ReturnType<typeof createLogin>,
  password: string,
  headers: Record<string, string> = {},
) {
  const body = JSON.stringify({ password });
  return login.login(new Request(PAGE, { method: 'POST', headers, body }), { remoteAddress: '10.0.0.1' });
}

function visitWith(cookie: string): Request {
  return new Request(PAGE, { headers: { cookie } });
}

describe('a session', () => {
  it('ends after a day, and holds on another instance and after a restart until then', async () => {
    let now = 0;
    const cookie = cookieOf(
      await loginOf(
        createLogin(PASSWORD, () => now),
        PASSWORD,
      ),
    );
    const restarted = createLogin(PASSWORD, () => now);
    now = 24 * HOUR_MS - 1;
    expect(restarted.isLoggedIn(visitWith(cookie))).toBe(true);
    now += 1;
    expect(restarted.isLoggedIn(visitWith(cookie))).toBe(false);
    expect(restarted.renewal(visitWith(cookie))).toBeUndefined();
  });

  it.each(['http://127.0.0.1:4780', 'https://bench.example'])(
    'of a page at %s is renewed once it is an hour old, by a request that does not name its page',
    async (origin) => {
      let now = 0;
      const login = createLogin(PASSWORD, () => now);
      const response = await loginOf(login, PASSWORD, { origin });
      const [attributes = ''] = response.headers.getSetCookie().map((text) => text.replace(/^[^;]*/, ''));
      const visit = visitWith(cookieOf(response));
      now = HOUR_MS - 1;
      expect(login.renewal(visit)).toBeUndefined();
      now += 1;
      const renewed = login.renewal(visit) ?? '';
      expect(renewed.replace(/^[^;]*/, '')).toBe(attributes);
      now = 24 * HOUR_MS;
      expect(login.isLoggedIn(visit)).toBe(false);
      expect(login.isLoggedIn(visitWith(renewed.split(';')[0] ?? ''))).toBe(true);
      now = 25 * HOUR_MS;
      expect(login.isLoggedIn(visitWith(renewed.split(';')[0] ?? ''))).toBe(false);
    },
  );

  it('is renewed on the answers of the gateway and of the status alone', async () => {
    let now = Date.now();
    const playground = createPlayground(
      readConfig((name) => (name === 'PLAYGROUND_PASSWORD' ? PASSWORD : undefined), { port: 0 }),
      '',
      () => now,
    );
    const visitor = { remoteAddress: '' };
    const login = await playground.handle(
      new Request('http://x/playground/login', {
        method: 'POST',
        body: JSON.stringify({ password: PASSWORD }),
      }),
      visitor,
    );
    const cookie = login === undefined ? '' : cookieOf(login);
    const renewedBy = async (path: string) => {
      const response = await playground.handle(
        new Request(`http://x${path}`, { headers: { cookie } }),
        visitor,
      );
      return response?.headers.getSetCookie().length;
    };
    expect([await renewedBy('/playground/status'), await renewedBy('/gateway/v1/models')]).toEqual([0, 0]);
    now += HOUR_MS;
    expect([
      await renewedBy('/playground/status'),
      await renewedBy('/gateway/v1/models'),
      await renewedBy('/playground/other'),
    ]).toEqual([1, 1, 0]);
    await playground.close();
  });
});

describe('whose a request is', () => {
  it('stays the same where the session is renewed, and is told from another browser’s', async () => {
    let now = 0;
    const login = createLogin(PASSWORD, () => now);
    const cookiesOf = (response: Response) =>
      response.headers.getSetCookie().map((text) => text.split(';')[0] ?? '');
    const [session = '', device = ''] = cookiesOf(await loginOf(login, PASSWORD));
    const [, otherDevice = ''] = cookiesOf(await loginOf(login, PASSWORD));
    const mine = login.visitorOf(visitWith(`${session}; ${device}`));
    expect(mine?.endsAt).toBe(24 * HOUR_MS);
    expect(mine?.owner).not.toBe(login.visitorOf(visitWith(`${session}; ${otherDevice}`))?.owner);

    now = HOUR_MS;
    const renewed = login.renewal(visitWith(session))?.split(';')[0] ?? '';
    expect(login.visitorOf(visitWith(`${renewed}; ${device}`))).toEqual({
      owner: mine?.owner,
      endsAt: 25 * HOUR_MS,
    });
    const withoutDevice = [session, renewed].map((cookie) => login.visitorOf(visitWith(cookie))?.owner);
    expect(new Set(withoutDevice).size).toBe(2);
    expect(withoutDevice).not.toContain('');
    expect(login.visitorOf(visitWith(device))).toBeUndefined();
  });
});

describe('logins that many make', () => {
  const url = 'http://127.0.0.1:4780/playground/login';
  const asking = (login: ReturnType<typeof createLogin>, body: string, remoteAddress: string) =>
    login.login(new Request(url, { method: 'POST', body }), { remoteAddress });
  const right = JSON.stringify({ password: PASSWORD });
  const wrong = JSON.stringify({ password: 'wrong' });

  it('are a hundred a minute from all addresses together, and the wait is said in whole seconds', async () => {
    let now = 0;
    const login = createLogin(PASSWORD, () => now);
    for (let count = 0; count < 100; count += 1)
      expect((await asking(login, wrong, `10.0.0.${count}`)).status).toBe(401);
    now = 500;
    const refused = await asking(login, right, '10.0.1.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refused.json()).toMatchObject({
      error: {
        message: 'Too many login attempts. Try again in 60 s.',
      },
    });
    now = 60_000;
    expect((await asking(login, right, '10.0.1.1')).status).toBe(200);
  });

  it('are counted for each address, whoever asks in between', async () => {
    const login = createLogin(PASSWORD, () => 0);
    for (let count = 0; count < 20; count += 1)
      expect((await asking(login, wrong, `10.0.0.${count % 2}`)).status).toBe(401);
    const statuses = await Promise.all([0, 1, 2].map((last) => asking(login, right, `10.0.0.${last}`)));
    expect(statuses.map(({ status }) => status)).toEqual([429, 429, 200]);
  });

  it('lock no browser out that was logged in before, and its own guesses are counted apart', async () => {
    let now = 0;
    const login = createLogin(PASSWORD, () => now);
    const known = (await asking(login, right, '10.0.0.1')).headers.getSetCookie()[1]?.split(';')[0] ?? '';
    const withDevice = (body: string, cookie: string) =>
      login.login(new Request(url, { method: 'POST', body, headers: { cookie } }), {
        remoteAddress: '10.0.0.1',
      });
    for (let count = 0; count < 110; count += 1) await asking(login, wrong, `10.0.0.${count % 11}`);
    expect((await asking(login, right, '10.0.0.1')).status).toBe(429);
    expect((await withDevice(right, `${known.split('.')[0]}.made-up`)).status).toBe(429);
    expect((await withDevice(right, known)).status).toBe(200);
    for (let count = 0; count < 10; count += 1) expect((await withDevice(wrong, known)).status).toBe(401);
    expect((await withDevice(right, known)).status).toBe(429);
    now = 60_000;
    expect((await asking(login, right, '10.0.0.1')).status).toBe(200);
  });

  it('are remembered of ten thousand guessers at most', async () => {
    const login = createLogin(PASSWORD, () => 0);
    const device = (await asking(login, right, 'home')).headers.getSetCookie()[1]?.split(';')[0] ?? '';
    const atHome = async (body: string) =>
      (
        await login.login(new Request(url, { method: 'POST', body, headers: { cookie: device } }), {
          remoteAddress: 'home',
        })
      ).status;
    for (let count = 0; count < 10; count += 1) expect(await atHome(wrong)).toBe(401);
    for (let count = 1; count < 10_000; count += 1) await asking(login, wrong, `address ${count}`);
    expect(await atHome(right)).toBe(429);
    await asking(login, wrong, 'address 10000');
    expect(await atHome(right)).toBe(200);
  });

  it('give each browser a device of its own, which it keeps', async () => {
    const login = createLogin(PASSWORD, () => 0);
    const deviceOf = async (cookie: string) => {
      const request = new Request(url, { method: 'POST', body: right, headers: { cookie } });
      const response = await login.login(request, { remoteAddress: '10.0.0.1' });
      return response.headers.getSetCookie()[1]?.split(';')[0] ?? '';
    };
    const [first, second] = [await deviceOf(''), await deviceOf('')];
    expect(first).not.toBe(second);
    expect(await deviceOf(first)).toBe(first);
  });

  it('are refused with more than 4 KB', async () => {
    const login = createLogin(PASSWORD, () => 0);
    const answer = await asking(login, JSON.stringify({ password: 'x'.repeat(5000) }), '10.0.0.1');
    expect(answer.status).toBe(413);
  });
});

it('a cookie is for https alone where the page is, and named for its port', async () => {
  const login = createLogin(PASSWORD, () => 0);
  const cookieAt = async (origin: string) => {
    const request = new Request(`${origin}/playground/login`, {
      method: 'POST',
      headers: { origin },
      body: JSON.stringify({ password: PASSWORD }),
    });
    return (await login.login(request, { remoteAddress: '' })).headers.getSetCookie()[0] ?? '';
  };
  expect(await cookieAt('https://bench.example')).toMatch(/^bench_session_web=.*; Secure$/);
  expect(await cookieAt('http://bench.example:8080')).toMatch(/^bench_session_8080=.*; Max-Age=86400$/);
});
