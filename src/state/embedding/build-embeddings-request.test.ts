import { describe, expect, it } from 'vitest';

import { GatewayError, type ErrorReport } from '../../gateway/errors/errors.ts';
import {
  charactersOf,
  findFieldProblem,
  mostItemsOf,
  reportOf,
  requestOf,
  waitAfterMs,
} from './build-embeddings-request.ts';

it('the characters of a text are counted, and those of tokens estimated at six each', () => {
  expect([charactersOf('twelve chars'), charactersOf([1, 2, 3]), charactersOf(undefined)]).toEqual([
    12, 18, 0,
  ]);
});

describe('the field that a refusal names', () => {
  const request = {
    model: 'm',
    input: ['one', 'two'],
    encoding_format: 'base64' as const,
    dimensions: 64,
    input_type: 'document',
    task: 'passage',
  };
  const refused: ErrorReport = { source: 'gateway', kind: 'invalid-request', status: 400, message: 'No.' };
  const find = (words: Partial<ErrorReport>, isFirst = true) =>
    findFieldProblem({ ...refused, ...words }, request, isFirst);

  const named: [Partial<ErrorReport>, string][] = [
    [{ message: 'encoding_format base64 is not supported' }, 'encoding_format'],
    [{ message: 'Unknown parameter: "input_type".' }, 'input_type'],
    [{ message: "m does not support parameters: {'task': 'passage'}" }, 'task'],
    [{ message: 'Invalid.', fields: [{ path: 'task', message: 'Extra inputs are not permitted' }] }, 'task'],
    [{ message: 'task: Extra inputs are not permitted', status: 422 }, 'task'],
    [
      { message: 'Internal error: unsupported encoding_format', kind: 'failed', status: 500 },
      'encoding_format',
    ],
    [{ message: 'dimensions is not supported' }, 'dimensions'],
    [{ message: 'The model has no Matryoshka representations' }, 'dimensions'],
    [{ message: 'No.', code: 'unsupported dimension' }, 'dimensions'],
    [{ message: 'No.', fields: [{ path: 'body', message: 'dimensions must be 256' }] }, 'dimensions'],
  ];

  it('finds the refused field in the message, the code or the fields of an error', () => {
    for (const [words, name] of named)
      for (const isFirst of [true, false])
        expect(find(words, isFirst), JSON.stringify(words)).toEqual({ name, is: 'refused' });
  });

  it('finds a missing field only before any request was accepted', () => {
    const words = { message: 'Missing required parameter: "prompt_name"' };
    expect(find(words)).toEqual({ name: 'prompt_name', is: 'missing' });
    expect(find(words, false)).toBeUndefined();
  });

  const unnamed: Partial<ErrorReport>[] = [
    { message: 'An item cannot be embedded' },
    { message: 'input[1] is too long: at most 512 tokens are allowed' },
    { message: 'Invalid.', fields: [{ path: 'input.1', message: 'String is too long' }] },
    { message: 'The task failed' },
    { message: 'twodimensional' },
    { message: 'encoding_format is not supported', kind: 'overloaded', status: 503 },
    { message: 'encoding_format is not supported', source: 'proxy' },
  ];

  it('finds no field if a text, a timeout or the Bench server is the cause', () => {
    for (const words of unnamed) expect(find(words), JSON.stringify(words)).toBeUndefined();
  });
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
  // Without a format, and with further fields behind all others.
  expect(requestOf({ model: 'm', fields: { user: 'u' } }, ['a'])).toEqual({
    model: 'm',
    input: ['a'],
    user: 'u',
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
