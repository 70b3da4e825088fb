import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { errorRows } from '../__fixtures__/error-rows.ts';
import { buildErrorReport } from './error-report.ts';

describe('buildErrorReport', () => {
  it.each(errorRows.map((row) => [row.name, row] as const))(
    'builds the expected error report: %s',
    (_name, { response, report }) => {
      const raw = response.body.trim() === '' ? {} : { raw: response.body };
      expect(buildErrorReport(response)).toStrictEqual({ ...report, ...raw });
    },
  );

  it('detects a redirect without a URL by its error type, whatever the message', () => {
    const message = 'The gateway at g.example answered with the redirect status 308 but named no address.';
    const getKind = (type: string) =>
      buildErrorReport({ status: 502, body: JSON.stringify({ error: { message, type } }) }).kind;
    expect(getKind('gateway_redirected')).toBe('redirected');
    expect(getKind('gateway_unreachable')).toBe('unreadable');
  });

  it('cuts a long message at 4 KB and keeps up to 64 KiB in raw, never splitting a character', () => {
    const report = buildErrorReport({ status: 500, body: `x${'👍'.repeat(50_000)}` });
    expect(report.message).toBe(`x${'👍'.repeat(2047)}`);
    expect(report.raw).toBe(`x${'👍'.repeat(32_767)}`);
  });

  it('searches for a message at most five levels down, in objects and in JSON inside a message', () => {
    const createNested = (levels: number): unknown =>
      levels === 0 ? 'found' : { error: createNested(levels - 1) };
    const createNestedText = (levels: number): string =>
      levels === 0 ? 'found' : JSON.stringify({ message: createNestedText(levels - 1) });
    const getMessage = (body: string) => buildErrorReport({ status: 500, body }).message;
    const unknownMessage = 'The gateway returned an error in an unknown format.';
    expect([5, 6].map((levels) => getMessage(JSON.stringify(createNested(levels))))).toEqual([
      'found',
      unknownMessage,
    ]);
    expect([3, 4].map((levels) => getMessage(createNestedText(levels)))).toEqual([
      'found',
      createNestedText(1),
    ]);
  });

  it('reads an error that has only a type, and nested lists of errors to a limited depth', () => {
    expect(buildErrorReport({ status: 500, body: '{"type":"overloaded_error"}' })).toMatchObject({
      type: 'overloaded_error',
    });
    const deep = `${'{"errors":['.repeat(30_000)}"found"${']}'.repeat(30_000)}`;
    expect(buildErrorReport({ status: 500, body: deep }).message).toBe(
      'The gateway returned an error in an unknown format.',
    );
  });

  it('names the format of a binary error body', () => {
    expect(buildErrorReport({ status: 500, body: '\u0000\u0001\u0002\ufffd' }).message).toMatch(
      /^The response was status 500 with /,
    );
  });

  it('omits the request ID if the response has none', () => {
    expect(Object.keys(buildErrorReport({ status: 500, body: '' }))).not.toContain('requestId');
  });

  it('finds no error message in a list without text', () => {
    expect(buildErrorReport({ status: 500, body: '[{"a":1},2]' }).message).toBe(
      'The gateway returned an error in an unknown format.',
    );
    expect(buildErrorReport({ status: 500, body: '[]' }).message).toBe(
      'The gateway returned status 500 without details.',
    );
  });

  it('cuts a message only before a character that does not fit completely', () => {
    const getMessage = (body: string) => buildErrorReport({ status: 500, body }).message;
    expect(getMessage(`${'x'.repeat(4095)}👍yyy`)).toBe('x'.repeat(4095));
    expect(getMessage(`${'x'.repeat(4094)}👍yyy`)).toBe(`${'x'.repeat(4094)}👍`);
    expect(getMessage(`${'x'.repeat(4097)}👍`)).toBe('x'.repeat(4096));
    expect(getMessage('x'.repeat(4096))).toBe('x'.repeat(4096));
  });

  it('omits a blank body and cuts a long type and code', () => {
    expect(buildErrorReport({ status: 500, body: ' \n' })).not.toHaveProperty('raw');
    const error = { message: 'm', type: 't'.repeat(300), code: 'c'.repeat(300) };
    expect(buildErrorReport({ body: JSON.stringify({ error }) })).toMatchObject({
      type: 't'.repeat(200),
      code: 'c'.repeat(200),
    });
  });

  it('ignores a negative Retry-After and limits a large one to a day', () => {
    const waits = ['-5', '0', '99999999'].map(
      (wait) => buildErrorReport({ status: 503, headers: { 'retry-after': wait }, body: '' }).retryAfterMs,
    );
    expect(waits).toEqual([undefined, 0, 24 * 60 * 60 * 1000]);
  });

  it('reads a Retry-After of ten digits as a point in time and a shorter one as a wait', () => {
    const headers = { date: 'Sat, 21 Nov 2026 00:00:00 GMT' };
    const waits = ['999999999', '1000000000'].map(
      (wait) =>
        buildErrorReport({ status: 503, headers: { ...headers, 'retry-after': wait }, body: '' })
          .retryAfterMs,
    );
    expect(waits).toEqual([24 * 60 * 60 * 1000, 0]);
  });

  it('detects a rejected key by status, or by error type for statuses that some gateways use', () => {
    const kinds = [400, 401, 403, 404, 500].map(
      (status) =>
        buildErrorReport({ status, body: '{"error":{"message":"m","type":"invalid_api_key"}}' }).kind,
    );
    expect(kinds).toEqual(['key-rejected', 'key-rejected', 'key-rejected', 'not-found', 'failed']);
  });

  it('reads the message of each error layer once', () => {
    const buildReport = (error: unknown) => {
      const { raw: _, ...rest } = buildErrorReport({ body: JSON.stringify(error) });
      return rest;
    };
    const base = { source: 'gateway', kind: 'failed' };
    const createMetadata = (raw: unknown, name?: string) => ({
      raw,
      ...(name === undefined ? {} : { provider_name: name }),
    });
    const rows: [error: unknown, report: object][] = [
      [
        { message: 'm', metadata: createMetadata('m') },
        { source: 'provider', message: 'm' },
      ],
      [
        { message: 'm', metadata: createMetadata('r') },
        { source: 'provider', message: 'm: r' },
      ],
      [
        { message: 'm', metadata: createMetadata('r', 'Acme') },
        { source: 'provider', message: 'm (Acme): r' },
      ],
      [{ metadata: createMetadata('r', 'Acme') }, { source: 'provider', message: 'Error (Acme): r' }],
      [{ metadata: createMetadata('r') }, { source: 'provider', message: 'Error: r' }],
      [
        { message: 'm', metadata: createMetadata('', 'Acme') },
        { source: 'provider', message: 'm' },
      ],
      [
        { object: 'error', message: 'm' },
        { source: 'provider', message: 'm' },
      ],
      [
        { error: { message: 'm' }, type: 't', code: 7 },
        { message: 'm', type: 't', code: '7' },
      ],
      [
        { error: { message: 'm', type: 'inner' }, type: 't' },
        { message: 'm', type: 'inner' },
      ],
      [
        { error: 'm', status: 'S', status_code: 7 },
        { message: 'm', type: 'S', code: '7' },
      ],
      [
        { error: 7, message: 'm' },
        { message: 'm', code: '7' },
      ],
      [{ error_code: 7, message: 'm', code: '' }, { message: 'm' }],
      [{ error: { message: 'm', status: 429 } }, { kind: 'rate-limited', message: 'm' }],
      [{ errors: ['a', { message: 'b' }] }, { message: 'a; b' }],
      [{ errors: ['a'], message: 'm' }, { message: 'm' }],
      [
        { message: 'm', param: 'p' },
        { message: 'm', fields: [{ path: 'p', message: 'm' }] },
      ],
      [
        { type: 't', param: 'p' },
        { message: 'The gateway returned an error without details.', type: 't' },
      ],
      [
        {
          detail: [{ loc: ['body', 'a', 0], msg: 'x' }, { loc: ['query', 'b'], msg: 'y' }, { msg: 'z' }, {}],
        },
        {
          message: 'a.0: x; query.b: y; z',
          fields: [
            { path: 'a.0', message: 'x' },
            { path: 'query.b', message: 'y' },
          ],
        },
      ],
      [{ message: 'Outer {"message":"inner","code":7} rest' }, { message: 'Outer inner', code: '7' }],
      [{ message: '{"message":"inner"}' }, { message: 'inner' }],
      [{ message: 'Set {a} and {b}' }, { message: 'Set {a} and {b}' }],
      [{ message: 'Sent {"a":1}' }, { message: 'Sent {"a":1}' }],
      [
        { message: 'The upstream error was hidden' },
        { source: 'provider', message: 'The upstream error was hidden' },
      ],
    ];
    expect(rows.map(([error]) => [error, buildReport(error)])).toEqual(
      rows.map(([error, expected]) => [error, { ...base, ...expected }]),
    );
    expect(buildReport(Array.from({ length: 60 }, () => 'a')).message).toBe(
      Array.from({ length: 50 }, () => 'a').join('; '),
    );
  });

  it('never throws and always reports a message, whatever the error body', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.string().map((text) => `<title>${text}`),
        ),
        fc.constantFrom(undefined, 200, 400, 429, 502),
        (body, status) => {
          const report = buildErrorReport({
            body,
            headers: { 'retry-after': body },
            ...(status === undefined ? {} : { status }),
          });
          expect(report.message).not.toBe('');
        },
      ),
    );
  });
});
