import { expect, it } from 'vitest';

import { detectBodyFormat, isBinary } from './body-format.ts';

it('names the format of a body by its content, otherwise by its content type', () => {
  const repeatLine = (count: number, line: string) => `${line}\n`.repeat(count);
  const rows: [body: string, contentType: string | undefined, name: string][] = [
    ['RIFF1234WEBPVP8', undefined, 'an image (WebP)'],
    ['RIFF1234WAVEfmt', undefined, 'audio (WAV)'],
    ['\0\0\0\u0020ftypisom', 'video/mp4', 'a video (MP4)'],
    ['\0\0\0\u001Cftypavif', 'image/avif', 'an image (HEIF)'],
    ['\0\0\0\u0001{', undefined, 'gRPC frames'],
    ['BM\u0001', 'image/bmp', 'an image (BMP)'],
    ['PAR1\u0001', undefined, 'a table (Parquet)'],
    ['\u001E{"a":1}\n\u001E{"a":2}', 'application/json-seq', 'a JSON text sequence'],
    ['\uFFFD\u0001', 'application/msgpack', 'MessagePack'],
    ['--b\r\n\r\n{}\r\n--b--', 'multipart/mixed; boundary=b', 'a multipart body'],
    ['a=1&b=2', 'application/x-www-form-urlencoded', 'form data'],
    ['call({})', 'text/javascript', 'a script'],
    ['<?php echo 1;', undefined, 'a script (PHP)'],
    ['<?xml version="1.0"?><!DOCTYPE html><html>', 'application/xhtml+xml', 'a web page'],
    ['RIFF1234AVI LIST', undefined, 'plain text'],
    [`RIFF${'x'.repeat(16)}WEBP`, undefined, 'plain text'],
    ['a WEBP', undefined, 'plain text'],
    ['%PDF-1.7', 'text/html', 'a PDF'],
    ['text', 'Application/X-Protobuf; v=1', 'Protocol Buffers'],
    ['text', 'application/grpc', 'Protocol Buffers'],
    ['a\u0001', undefined, 'binary data'],
    ['a\u0001', 'text/plain', 'binary data'],
    ['a\u0001', 'application/json', 'binary data'],
    ['a\u0001', ' image/x ; q=1', 'binary data of type image/x'],
    ['a\u0001', `x/${'y'.repeat(90)}`, `binary data of type x/${'y'.repeat(78)}`],
    [' \n<html>', undefined, 'a web page'],
    ['<svg/>', undefined, 'an image (SVG)'],
    ['<a/>', undefined, 'XML'],
    [' {"a":1}', undefined, 'JSON in another format'],
    ['{"a":1}\n \n{"a":2}', undefined, 'JSON Lines (NDJSON)'],
    ['{"a":1}\n{"a":', undefined, 'JSON Lines (NDJSON)'],
    ['{"a":1}\nb\n{"a":2}', undefined, 'incomplete JSON'],
    [repeatLine(60, '{"a":1}'), undefined, 'JSON Lines (NDJSON)'],
    ['{"a":', undefined, 'incomplete JSON'],
    ['[x', undefined, 'plain text'],
    ['a,b\n1,2', 'text/csv', 'CSV'],
    ['a,b\n1,2', 'text/plain', 'plain text'],
    ['a: 1\n \nb:\n  - 2', undefined, 'YAML'],
    ['a: 1', undefined, 'plain text'],
    ['a: 1\nand more', undefined, 'plain text'],
    [`${repeatLine(50, 'a: 1')}and more`, undefined, 'YAML'],
  ];
  expect(rows.map(([body, type]) => [body, type, detectBodyFormat(body, type)])).toEqual(rows);
});

it('detects binary data only near the beginning', () => {
  expect(
    [`${'x'.repeat(1023)}\u0001`, `${'x'.repeat(1024)}\u0001`, 'a\t\r\n b', '\uFFFD'].map(isBinary),
  ).toEqual([true, false, false, true]);
});
