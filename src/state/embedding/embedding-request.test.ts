import { expect, it } from 'vitest';

import { GatewayError, type ErrorReport } from '../../gateway/errors/errors.ts';
import {
  charactersOf,
  isAboutDimensions,
  mostItemsOf,
  reportOf,
  requestOf,
  waitAfterMs,
} from './embedding-request.ts';

it('the characters of a text are counted, and those of tokens estimated at six each', () => {
  expect([charactersOf('twelve chars'), charactersOf([1, 2, 3]), charactersOf(undefined)]).toEqual([
    12, 18, 0,
  ]);
});

it('a refusal is about dimensions where its message, its code or one of its fields says so', () => {
  const refused: ErrorReport = { source: 'gateway', kind: 'invalid-request', message: 'No.' };
  const said: Partial<ErrorReport>[] = [
    { message: 'dimensions is not supported' },
    { message: 'The model has no Matryoshka representations' },
    { code: 'unsupported dimension' },
    { fields: [{ path: 'dimensions', message: 'Extra inputs are not permitted' }] },
    { fields: [{ path: 'body', message: 'dimensions must be 256' }] },
  ];
  for (const words of said)
    expect(isAboutDimensions({ ...refused, ...words }), JSON.stringify(words)).toBe(true);
  expect(isAboutDimensions(refused)).toBe(false);
  expect(isAboutDimensions({ ...refused, message: 'twodimensional' })).toBe(false);
  expect(isAboutDimensions({ ...refused, kind: 'overloaded', message: 'dimensions' })).toBe(false);
});

it('a refusal that time heals is waited out as long as it says, else longer each time, up to a minute', () => {
  const refused: ErrorReport = { source: 'gateway', kind: 'overloaded', message: 'No.' };
  expect([1, 2, 3, 20].map((waits) => waitAfterMs(refused, waits, 0.5))).toEqual([2000, 4000, 8000, 60_000]);
  expect([0, 1].map((random) => waitAfterMs(refused, 2, random))).toEqual([3000, 5000]);
  expect(waitAfterMs({ ...refused, retryAfterMs: 20_000 }, 1, 0.5)).toBe(20_000);
  expect(waitAfterMs({ ...refused, retryAfterMs: 5 }, 1, 0.5)).toBe(1000);
  const ownLimit: ErrorReport = { source: 'proxy', kind: 'rate-limited', message: 'Wait.' };
  expect(waitAfterMs(ownLimit, 6, 0.5)).toBe(1000);
  expect(waitAfterMs({ ...ownLimit, kind: 'overloaded' }, 1, 0.5)).toBe(2000);
  expect(waitAfterMs({ ...ownLimit, source: 'gateway' }, 1, 0.5)).toBe(2000);
});

it('an answer holds fewer vectors the longer they are, and more where they are packed', () => {
  expect([mostItemsOf('float', 1000), mostItemsOf('float', 2000), mostItemsOf('base64', 1000)]).toEqual([
    909, 454, 3636,
  ]);
});

it('texts are always asked for as a list, one list of tokens as it is, and dimensions only where they are set', () => {
  const setup = { model: 'm', format: 'base64' } as const;
  expect(requestOf(setup, ['a'])).toEqual({ model: 'm', input: ['a'], encoding_format: 'base64' });
  expect(requestOf({ ...setup, dimensions: 64 }, [[1, 2]])).toEqual({
    model: 'm',
    input: [1, 2],
    encoding_format: 'base64',
    dimensions: 64,
  });
  expect(requestOf(setup, [[1, 2], [3]]).input).toEqual([[1, 2], [3]]);
  // One that is not there is not asked for.
  expect(requestOf(setup, ['a', undefined]).input).toEqual(['a']);
  expect(requestOf(setup, [[1, 2], undefined]).input).toEqual([1, 2]);
});

it('what is not an answer of the gateway is told in its own words', () => {
  const report: ErrorReport = { source: 'gateway', kind: 'overloaded', message: 'Later.' };
  expect(reportOf(new GatewayError(report))).toBe(report);
  expect(reportOf(new Error('The disk is full.'))).toEqual({
    source: 'app',
    kind: 'failed',
    message: 'The disk is full.',
  });
});
