import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { pixelBase64, pixelUrl } from '../__fixtures__/media-rows.ts';
import { findImageAddress, withImageReferences } from './answer-media.ts';

const reference = `bench-image:${'a'.repeat(64)}`;
const references = new Map([[pixelUrl, reference]]);

describe('image references', () => {
  /** Ways in which programs escape base64 characters in JSON. */
  const escapes = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.replaceAll('/', String.raw`\/`),
    (text: string) => text.replaceAll('+', String.raw`\u002b`).replaceAll('=', String.raw`\u003D`),
  );
  const imageTexts = fc.constantFrom(
    pixelUrl,
    pixelBase64,
    `${pixelBase64.slice(0, 20)}\n${pixelBase64.slice(20)}`,
  );
  const otherFields = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });

  it('replaces images with references and leaves all other bytes unchanged', () => {
    fc.assert(
      fc.property(
        otherFields,
        otherFields,
        imageTexts,
        escapes,
        fc.boolean(),
        (firstFields, lastFields, image, escape, isSpaced) => {
          const stringifyFields = (value: object) =>
            JSON.stringify([value], undefined, isSpaced ? 2 : 0).slice(1, -1);
          const [start, end] = [
            `[${stringifyFields(firstFields)}, {"big": 12345678901234567890, "url" : `,
            `}, ${stringifyFields(lastFields)}]`,
          ];
          const data = `${start}${escape(JSON.stringify(image))}${end}`;
          expect(withImageReferences({ at: 3, serverAt: 2, data }, references)).toEqual({
            at: 3,
            serverAt: 2,
            data: `${start}"${reference}"${end}`,
          });
        },
      ),
    );
  });

  it('replaces the image of a whole response but not text that contains it', () => {
    const body = JSON.stringify({ a: pixelUrl, b: `see ${pixelUrl}`, c: pixelBase64.slice(4) });
    expect(withImageReferences({ at: 0, body }, references)).toEqual({
      at: 0,
      body: JSON.stringify({ a: reference, b: `see ${pixelUrl}`, c: pixelBase64.slice(4) }),
    });
  });
});

it('accepts image URLs and rejects scripts and other text', () => {
  const rows: [value: unknown, address: string | undefined][] = [
    [reference, reference],
    ['https://a.example/x.png', 'https://a.example/x.png'],
    ['data:text/html;base64,PHNjcmlwdD4xPC9zY3JpcHQ+', undefined],
    ['javascript:alert(1)', undefined],
    ['bench-image:../../etc', undefined],
    ['a sentence of some words, not an image', undefined],
    [{ file_id: 'file-abcdefghijklmnopqrstuvwx' }, undefined],
    [{ data: 'UklGRiQAAABXQVZF', mime_type: 'audio/wav' }, undefined],
    [{ data: pixelBase64.slice(0, -3) }, undefined],
    [null, undefined],
  ];
  expect(rows.map(([value]) => [value, findImageAddress(value)])).toEqual(rows);
});
