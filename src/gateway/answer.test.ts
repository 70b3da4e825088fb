import { describe, expect, it } from 'vitest';

import { noAnswerReport } from './answer.ts';

describe('the report of an answer that is none', () => {
  it('has the status and the request id where they are known, and the body where it is text', () => {
    expect(noAnswerReport('fine', { 'x-request-id': 'r-1' }, 200)).toStrictEqual({
      source: 'gateway',
      kind: 'not-an-answer',
      message: 'The gateway sent something that is not an answer. It is kept under the details.',
      requestId: 'r-1',
      status: 200,
      raw: 'fine',
    });
    expect(noAnswerReport(' \n', {})).toStrictEqual({
      source: 'gateway',
      kind: 'no-answer',
      message: 'The gateway sent an empty answer.',
    });
  });

  it('keeps 64 KiB of a text, and nothing of bytes, which the first 1,024 characters tell', () => {
    expect(noAnswerReport('x'.repeat(70_000), {}).raw).toHaveLength(64 * 1024);
    const bytes = 'The gateway sent bytes that are not text.';
    expect(noAnswerReport(`${'x'.repeat(1023)}\u0000`, {}).message).toContain(bytes);
    expect(noAnswerReport('a\uFFFDb', {})).not.toHaveProperty('raw');
    expect(noAnswerReport(`${'x'.repeat(1024)}\u0000`, {}).message).not.toContain(bytes);
    expect(noAnswerReport('a\tb\r\n', {}).message).not.toContain(bytes);
  });

  it.each([
    ['with its title', '<html><title>Sign in</title></html>', ' Its title: "Sign in".'],
    ['without a title', '<html><body></body></html>', ''],
  ])('names a web page %s', (_name, page, title) => {
    expect(noAnswerReport(page, {}).message).toBe(
      `The gateway sent a web page instead of an answer.${title}`,
    );
  });
});
