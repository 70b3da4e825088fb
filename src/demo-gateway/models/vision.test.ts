import { describe, expect, it } from 'vitest';

import type { ContentPart, Message } from '../../gateway/wire.ts';
import { createModelRequest, getReplyText } from '../../testing/demo-requests.ts';
import { vision } from './vision.ts';

const createImageMessage = (urls: string[], text = 'Read this'): Message => ({
  role: 'user',
  content: [
    { type: 'text', text },
    ...urls.map((url): ContentPart => ({ type: 'image_url', image_url: { url } })),
  ],
});
const getReply = (urls: string[], isJsonMode = false) =>
  getReplyText(vision, createModelRequest([createImageMessage(urls)], { isJsonMode }));

/** Encodes bytes, given as a string of one-byte characters, as a data URL. */
const createDataUrl = (type: string, bytes: string) =>
  `data:${type};base64,${Buffer.from(bytes, 'latin1').toString('base64')}`;

/** Creates the header of a PNG file, followed by `rest`. */
function createPng(width: number, height: number, colourType: number, rest = ''): string {
  const header = Buffer.alloc(21);
  header.writeUInt32BE(13, 0);
  header.write('IHDR', 4, 'latin1');
  header.writeUInt32BE(width, 8);
  header.writeUInt32BE(height, 12);
  header.set([8, colourType], 16);
  return `\x89PNG\r\n\x1a\n${header.toString('latin1')}\0\0\0\0${rest}`;
}

const png = createDataUrl('image/png', createPng(40, 30, 2));
const jpeg = '\xff\xd8\xff\xe0\0\x04\0\0\xff\xff\xc2\0\x11\x08\0\x30\0\x40\x03';

const files: [string, string, string, string[]][] = [
  [
    'an RGB PNG file',
    'image/png',
    createPng(40, 30, 2),
    ['PNG, RGB, 8 bits per channel', '40 × 30 pixels', '| none |'],
  ],
  [
    'a PNG file with alpha',
    'image/png',
    createPng(2000, 9, 6),
    ['RGB with alpha', '2,000 × 9', '| possible |'],
  ],
  [
    'a PNG file with a palette and a transparent colour',
    'image/png',
    createPng(1, 1, 3, '\0\0\0\x01tRNS\0'),
    ['palette', '| possible |'],
  ],
  ['a JPEG file', 'image/jpeg', jpeg, ['JPEG, 3 channels, progressive', '64 × 48 pixels', '| none |']],
  [
    'a GIF file',
    'image/gif',
    'GIF89a\x0a\x01\x14\0\0\0\0!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x0a\x01\x14\0\0\x02\x01\0\0;',
    ['GIF, version 89a', '266 × 20', '| possible |'],
  ],
  [
    'a lossy WebP file',
    'image/webp',
    'RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x90\x01\x2c\x01',
    ['WebP, lossy', '400 × 300', '| none |'],
  ],
  [
    'a lossless WebP file',
    'image/webp',
    'RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x8f\xc1\x4a\x10',
    ['WebP, lossless', '400 × 300', '| possible |'],
  ],
  [
    'an extended WebP file',
    'image/webp',
    'RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x8f\x01\0\x2b\x01\0',
    ['WebP, animated', '400 × 300', '| none |'],
  ],
];

describe('demo/vision', () => {
  it.each(files)('reads the header of %s', (_, type, bytes, expectedTexts) => {
    const text = getReply([createDataUrl(type, bytes)]);
    for (const expectedText of [...expectedTexts, `| Size | ${bytes.length} bytes |`])
      expect(text).toContain(expectedText);
    expect(text).not.toContain('The message declares it');
  });

  it.each(files)('reports %s that ends within its header', (_, type, bytes) => {
    expect(getReply([createDataUrl(type, bytes.slice(0, 8))])).toContain('or its header is incomplete');
  });

  it('describes several images separately', () => {
    expect(getReply([png, createDataUrl('image/png', createPng(7, 9, 0))])).toMatch(
      /\*\*Image 1\*\*[\s\S]*40 × 30[\s\S]*\*\*Image 2\*\*[\s\S]*7 × 9/,
    );
  });

  it('explains that web URLs are not fetched', () => {
    expect(getReply(['https://example.com/cat.png'])).toContain(
      'It is at `https://example.com/cat.png`. I do not download images from the web',
    );
  });

  it('explains why an attachment is not a readable image', () => {
    expect(getReply(['data:image/png;base64,@@@'])).toContain('not valid base64');
    expect(getReply(['data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'])).toContain(
      'not valid base64',
    );
    expect(getReply(['data:image/png;base64,'])).toContain('Its 0 bytes are not a PNG');
    expect(getReply([createDataUrl('image/png', 'hello')])).toContain(
      'Its 5 bytes are not a PNG, JPEG, GIF or WebP file',
    );
    expect(getReply(['blob:abc'])).toContain('neither a data URL nor a web address');
  });

  it('reports a media type that contradicts the bytes', () => {
    expect(getReply([createDataUrl('image/webp', createPng(1, 1, 2))])).toContain(
      'The message declares it as `image/webp`, but its bytes are PNG.',
    );
  });

  it('describes the latest image if the last message has none', () => {
    const messages: Message[] = [
      createImageMessage([png]),
      { role: 'assistant', content: 'Read.' },
      { role: 'user', content: 'And its size?' },
    ];
    expect(getReplyText(vision, createModelRequest(messages))).toMatch(
      /^The last message has no attachment, so this is about an earlier one\.[\s\S]*40 × 30/,
    );
  });

  it('explains how to attach an image if there is none', () => {
    expect(getReplyText(vision, createModelRequest('What do you see?'))).toContain(
      'There is no image or file in this conversation.',
    );
  });

  it('states that the model cannot see what an image shows', () => {
    expect(getReply([png])).toMatch(/cannot see what an image shows\.$/);
  });

  const wav = Buffer.alloc(44 + 16_000);
  wav.write('RIFF', 0, 'latin1');
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8000, 24);
  wav.writeUInt32LE(16_000, 28);
  const pdfPart: ContentPart = {
    type: 'file',
    file: { filename: 'a|b.pdf', file_data: createDataUrl('application/pdf', '%PDF-1.7 x') },
  };
  const getFileReply = (parts: ContentPart[], isJsonMode = false) =>
    getReplyText(vision, createModelRequest([{ role: 'user', content: parts }], { isJsonMode }));

  it.each<[string, ContentPart, string[]]>([
    ['a PDF', pdfPart, ['| Name | a b.pdf |', '| Format | PDF 1.7 |', '| Size | 10 bytes |']],
    [
      'another document',
      { type: 'file', file: { filename: 'a.bin', file_data: createDataUrl('application/msword', 'x') } },
      ['| Format | application/msword, as declared |'],
    ],
    [
      'a WAV file',
      { type: 'input_audio', input_audio: { data: wav.toString('base64'), format: 'wav' } },
      [
        '| Format | wav, as declared |',
        '| Channels | 1 |',
        '| Sample rate | 8,000 Hz |',
        '| Duration | 1.0 s |',
      ],
    ],
    [
      'another sound',
      { type: 'input_audio', input_audio: { data: 'SUQz', format: 'mp3' } },
      ['| Format | mp3, as declared |', '| Size | 3 bytes |'],
    ],
  ])('reports what it received of %s', (_, part, expectedTexts) => {
    const text = getFileReply([part]);
    for (const expectedText of expectedTexts) expect(text).toContain(expectedText);
    expect(text).toMatch(/cannot read what a file contains\.$/);
  });

  it('reports images and files together, also in JSON mode', () => {
    const parts: ContentPart[] = [{ type: 'image_url', image_url: { url: png } }, pdfPart];
    expect(getFileReply(parts)).toMatch(/\*\*Image 1\*\*[^]*40 × 30[^]*\*\*File 1\*\*[^]*PDF 1\.7/);
    expect(JSON.parse(getFileReply(parts, true))).toMatchObject({
      images: [{ format: 'PNG' }],
      files: [{ name: 'a|b.pdf', format: 'PDF 1.7', size: '10 bytes' }],
    });
  });

  it('returns image properties as one JSON object in JSON mode', () => {
    const value: unknown = JSON.parse(getReply([png, 'blob:abc'], true));
    expect(value).toMatchObject({
      images: [{ format: 'PNG', width: 40, height: 30, alpha: false }, { problem: expect.any(String) }],
    });
  });
});
