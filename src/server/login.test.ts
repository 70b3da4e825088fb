import { afterEach, describe, expect, it } from 'vitest';

import { createLogin } from './login.ts';
import { servedPlayground } from './testing/served-playground.ts';
import type { ServedPlayground } from './testing/served-playground.ts';

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
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
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
    expect(login.headers.get('set-cookie')).toMatch(
      /^bench_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    const cookie = cookieOf(login);
    expect((await playground.get('/playground/status', { cookie: `other=1; ${cookie}` })).status).toBe(200);
    expect((await playground.get('/gateway/v1/models', { cookie })).status).toBe(200);
    const logout = await playground.post('/playground/logout', {}, { headers: { cookie } });
    expect(logout.headers.get('set-cookie')).toMatch(/Max-Age=0/);
    expect((await playground.get('/playground/status', { cookie })).status).toBe(401);
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

  it('refuses made-up cookies', async () => {
    const playground = await locked();
    for (const value of ['', 'x', 'undefined', '__proto__', 'a'.repeat(43)]) {
      expect(
        (await playground.get('/playground/status', { cookie: `bench_session_${playground.port}=${value}` }))
          .status,
      ).toBe(401);
    }
  });

  it('refuses a login from another site', async () => {
    const playground = await locked();
    const response = await playground.post(
      '/playground/login',
      { password: PASSWORD },
      { headers: { origin: 'http://evil.example' } },
    );
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
  });

  it('counts no attempt of who knows it', async () => {
    const playground = await locked();
    for (let count = 0; count < 12; count += 1)
      expect((await playground.post('/playground/login', { password: PASSWORD })).status).toBe(200);
  });

  it('takes ten attempts a minute from one address, then even the right password waits', async () => {
    const playground = await locked();
    for (let count = 0; count < 10; count += 1)
      expect((await playground.post('/playground/login', { password: 'no' })).status).toBe(401);
    const response = await playground.post('/playground/login', { password: PASSWORD });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

it('a session ends after a week', async () => {
  let now = 0;
  const login = createLogin(PASSWORD, () => now);
  const url = 'http://127.0.0.1:4780/playground/login';
  const response = await login.login(
    new Request(url, { method: 'POST', body: JSON.stringify({ password: PASSWORD }) }),
    { remoteAddress: '' },
  );
  const visit = new Request(url, { headers: { cookie: cookieOf(response) } });
  now = 7 * 24 * 3600 * 1000 - 1;
  expect(login.isLoggedIn(visit)).toBe(true);
  now += 1;
  expect(login.isLoggedIn(visit)).toBe(false);
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
        message: 'There were too many attempts to log in. The next one may be made in 60 s.',
      },
    });
    now = 60_000;
    expect((await asking(login, right, '10.0.1.1')).status).toBe(200);
  });

  it('leave a thousand sessions, of which the oldest ends for the next', async () => {
    let now = 0;
    const login = createLogin(PASSWORD, () => now);
    const cookies: string[] = [];
    for (let count = 0; count < 1001; count += 1) {
      now += 60_000;
      cookies.push(cookieOf(await asking(login, right, '10.0.0.1')));
    }
    const isOpen = (cookie = '') => login.isLoggedIn(new Request(url, { headers: { cookie } }));
    expect([isOpen(cookies[0]), isOpen(cookies[1]), isOpen(cookies.at(-1))]).toEqual([false, true, true]);
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
    return (await login.login(request, { remoteAddress: '' })).headers.get('set-cookie') ?? '';
  };
  expect(await cookieAt('https://bench.example')).toMatch(/^bench_session_web=.*; Secure$/);
  expect(await cookieAt('http://bench.example:8080')).toMatch(/^bench_session_8080=.*; Max-Age=604800$/);
});
