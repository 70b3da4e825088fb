import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { errorRows } from './__fixtures__/error-rows.ts';
import { errorReportOf } from './error-report.ts';

describe('errorReportOf', () => {
  it.each(errorRows.map((row) => [row.name, row] as const))('reads %s', (_name, { answer, report }) => {
    const raw = answer.body.trim() === '' ? {} : { raw: answer.body };
    expect(errorReportOf(answer)).toEqual({ ...report, ...raw });
  });

  it('cuts a long message at 4 KB and keeps the rest under raw, up to 64 KiB, never inside a character', () => {
    const report = errorReportOf({ status: 500, body: `x${'👍'.repeat(50_000)}` });
    expect(report.message).toBe(`x${'👍'.repeat(2047)}`);
    expect(report.raw).toBe(`x${'👍'.repeat(32_767)}`);
  });

  it('reads Retry-After that is negative or absurd as a wait from none to a day', () => {
    const waits = ['-5', '0', '99999999'].map(
      (wait) => errorReportOf({ status: 503, headers: { 'retry-after': wait }, body: '' }).retryAfterMs,
    );
    expect(waits).toEqual([undefined, 0, 24 * 60 * 60 * 1000]);
  });

  it('never throws and always says something, whatever came', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.string().map((text) => `<title>${text}`),
        ),
        fc.constantFrom(undefined, 200, 400, 429, 502),
        (body, status) => {
          const report = errorReportOf({
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
