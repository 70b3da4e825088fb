import { describe, expect, it } from 'vitest';

import { buildInvalidResponseReport } from './response-json.ts';

describe('report of an invalid response', () => {
  it('includes status, request ID and text body if known', () => {
    expect(buildInvalidResponseReport('fine', { 'x-request-id': 'r-1' }, 200)).toStrictEqual({
      source: 'gateway',
      kind: 'not-an-answer',
      message: 'The gateway returned plain text instead of an answer.',
      requestId: 'r-1',
      status: 200,
      raw: 'fine',
    });
    expect(buildInvalidResponseReport(' \n', {})).toStrictEqual({
      source: 'gateway',
      kind: 'no-answer',
      message: 'The gateway returned an empty answer.',
    });
  });

  it('keeps 64 KiB of a text body, and binary data in decoded form', () => {
    expect(buildInvalidResponseReport('x'.repeat(70_000), {}).raw).toHaveLength(64 * 1024);
    expect(buildInvalidResponseReport('a\uFFFD\u0000b', {})).toMatchObject({
      message: 'The gateway returned binary data instead of an answer.',
      raw: 'a\uFFFD\u0000b',
    });
    expect(buildInvalidResponseReport('a\tb\r\n', {}).message).toContain('plain text');
  });

  it('names the format of an invalid response body', () => {
    const rows: [body: string | Uint8Array, name: string, type?: string][] = [
      ['{"a":1}\n{"a":2}\n', 'JSON Lines (NDJSON)'],
      ['{"message":{"content":"a"},"done":false}\r\n{"done":true}\r\n', 'JSON Lines (NDJSON)'],
      ['[1]\n[2]', 'JSON Lines (NDJSON)'],
      ['{"a":1}\n{"a":2}\n{"b', 'JSON Lines (NDJSON)'],
      ['{"hello":1}', 'JSON in another format'],
      ['[1,2]', 'JSON in another format'],
      ['"yes"', 'JSON in another format'],
      ['{"a":', 'incomplete JSON'],
      ['<!doctype html><p>x', 'a web page'],
      ['<html></html>', 'a web page'],
      ['<?xml version="1.0"?><a/>', 'XML'],
      ['<Error><Code>Denied</Code></Error>', 'XML'],
      ['<svg xmlns="x"></svg>', 'an image (SVG)'],
      ['choices:\n  - message: hi\nmodel: m', 'YAML'],
      ['---\na: 1\nb: 2', 'YAML'],
      ['fine', 'plain text'],
      ['Note: all is well', 'plain text'],
      ['a,b\n1,2\n3,4', 'CSV', 'text/csv'],
      [Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0), 'compressed bytes (gzip)'],
      [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 1), 'compressed bytes (Zstandard)'],
      [Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), 'a ZIP archive'],
      [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0), 'an image (PNG)'],
      [Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46), 'an image (JPEG)'],
      ['GIF89a\u0001\u0000', 'an image (GIF)'],
      ['RIFF\u0001\u0000\u0000\u0000WEBPVP8 ', 'an image (WebP)'],
      ['RIFF\u0001\u0000\u0000\u0000WAVEfmt ', 'audio (WAV)'],
      ['%PDF-1.7\n', 'a PDF'],
      [Uint8Array.of(0, 0, 0, 0, 5, 10, 3, 0x61, 0x62, 0x63), 'gRPC frames'],
      [Uint8Array.of(10, 5, 0x48, 0x65, 0x6c, 0x6c, 0x6f), 'Protocol Buffers', 'application/x-protobuf'],
      [Uint8Array.of(0x93, 1, 2, 0xc0, 0xff), 'MessagePack', 'application/msgpack'],
      [Uint8Array.of(1, 2, 3), 'binary data'],
    ];
    const messages = rows.map(([body, , type]) => {
      const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
      return buildInvalidResponseReport(text, type === undefined ? {} : { 'content-type': type }).message;
    });
    expect(messages).toEqual(
      rows.map(([, name]) => expect.stringContaining(`returned ${name} instead of an answer.`)),
    );
  });

  it.each([
    ['with its title', '<html><title>Sign in</title></html>', ' Its title is "Sign in".'],
    ['without a title', '<html><body></body></html>', ''],
  ])('names a web page %s in the report', (_name, page, title) => {
    expect(buildInvalidResponseReport(page, {}).message).toBe(
      `The gateway returned a web page instead of an answer.${title}`,
    );
  });
});
