import { describe, expect, it } from 'vitest';

import { GatewayError, type ErrorReport } from '../../gateway/errors/errors.ts';
import {
  countChars,
  findFieldProblem,
  getMaxItems,
  toErrorReport,
  buildEmbeddingsRequest,
  getRetryWaitMs,
} from './build-embeddings-request.ts';

it('counts the characters of a text and estimates six per token', () => {
  expect([countChars('twelve chars'), countChars([1, 2, 3]), countChars(undefined)]).toEqual([12, 18, 0]);
});

describe('the field named by a rejection', () => {
  const request = {
    model: 'm',
    input: ['one', 'two'],
    encoding_format: 'base64' as const,
    dimensions: 64,
    input_type: 'document',
    task: 'passage',
  };
  const refused: ErrorReport = { source: 'gateway', kind: 'invalid-request', status: 400, message: 'No.' };
  const findProblem = (overrides: Partial<ErrorReport>, isFirst = true) =>
    findFieldProblem({ ...refused, ...overrides }, request, isFirst);

  const namedCases: [Partial<ErrorReport>, string][] = [
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

  it('finds the rejected field in the message, code or fields of an error', () => {
    for (const [overrides, name] of namedCases)
      for (const isFirst of [true, false])
        expect(findProblem(overrides, isFirst), JSON.stringify(overrides)).toEqual({ name, kind: 'refused' });
  });

  it('finds a missing field only before any request was accepted', () => {
    const overrides = { message: 'Missing required parameter: "prompt_name"' };
    expect(findProblem(overrides)).toEqual({ name: 'prompt_name', kind: 'missing' });
    expect(findProblem(overrides, false)).toBeUndefined();
  });

  const unnamedCases: Partial<ErrorReport>[] = [
    { message: 'An item cannot be embedded' },
    { message: 'input[1] is too long: at most 512 tokens are allowed' },
    { message: 'Invalid.', fields: [{ path: 'input.1', message: 'String is too long' }] },
    { message: 'The task failed' },
    { message: 'twodimensional' },
    { message: 'encoding_format is not supported', kind: 'overloaded', status: 503 },
    { message: 'encoding_format is not supported', source: 'proxy' },
  ];

  it('finds no field if a text, a timeout or the Bench server caused the rejection', () => {
    for (const overrides of unnamedCases)
      expect(findProblem(overrides), JSON.stringify(overrides)).toBeUndefined();
  });
});

it('waits as long as the gateway requests, otherwise with exponential backoff up to a minute', () => {
  const refused: ErrorReport = { source: 'gateway', kind: 'overloaded', message: 'No.' };
  expect([1, 2, 3, 20].map((retryCount) => getRetryWaitMs(refused, retryCount, 0.5))).toEqual([
    2000, 4000, 8000, 60_000,
  ]);
  expect([0, 1].map((random) => getRetryWaitMs(refused, 2, random))).toEqual([3000, 5000]);
  expect(getRetryWaitMs({ ...refused, retryAfterMs: 20_000 }, 1, 0.5)).toBe(20_000);
  expect(getRetryWaitMs({ ...refused, retryAfterMs: 5 }, 1, 0.5)).toBe(1000);
  const serverRateLimit: ErrorReport = { source: 'proxy', kind: 'rate-limited', message: 'Wait.' };
  expect(getRetryWaitMs(serverRateLimit, 6, 0.5)).toBe(1000);
  expect(getRetryWaitMs({ ...serverRateLimit, kind: 'overloaded' }, 1, 0.5)).toBe(2000);
  expect(getRetryWaitMs({ ...serverRateLimit, source: 'gateway' }, 1, 0.5)).toBe(2000);
});

it('allows fewer vectors per response the longer they are, and more in base64', () => {
  expect([getMaxItems('float', 1000), getMaxItems('float', 2000), getMaxItems('base64', 1000)]).toEqual([
    909, 454, 3636,
  ]);
});

it('sends texts as a list, a single token list unchanged, and dimensions only if set', () => {
  const setup = { model: 'm', format: 'base64' } as const;
  expect(buildEmbeddingsRequest(setup, ['a'])).toEqual({
    model: 'm',
    input: ['a'],
    encoding_format: 'base64',
  });
  expect(buildEmbeddingsRequest({ ...setup, dimensions: 64 }, [[1, 2]])).toEqual({
    model: 'm',
    input: [1, 2],
    encoding_format: 'base64',
    dimensions: 64,
  });
  // Omits the format and appends extra fields at the end.
  expect(buildEmbeddingsRequest({ model: 'm', fields: { user: 'u' } }, ['a'])).toEqual({
    model: 'm',
    input: ['a'],
    user: 'u',
  });
  expect(buildEmbeddingsRequest(setup, [[1, 2], [3]]).input).toEqual([[1, 2], [3]]);
  // Undefined inputs are skipped.
  expect(buildEmbeddingsRequest(setup, ['a', undefined]).input).toEqual(['a']);
  expect(buildEmbeddingsRequest(setup, [[1, 2], undefined]).input).toEqual([1, 2]);
});

it('keeps the message of errors that are not gateway responses', () => {
  const report: ErrorReport = { source: 'gateway', kind: 'overloaded', message: 'Later.' };
  expect(toErrorReport(new GatewayError(report))).toBe(report);
  expect(toErrorReport(new Error('The disk is full.'))).toEqual({
    source: 'app',
    kind: 'failed',
    message: 'The disk is full.',
  });
});
