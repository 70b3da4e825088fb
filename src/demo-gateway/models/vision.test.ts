import { encode } from 'jpeg-js';
import { describe, expect, it } from 'vitest';

import type { ContentPart, Message } from '../../gateway/wire.ts';
import { aRequest, textOfReply } from '../filling/testing-requests.ts';
import { aPng, dataUrl, headerFiles } from '../pictures/testing-images.ts';
import { vision } from './vision.ts';

const withImages = (urls: string[], text = 'Measure this'): Message => ({
  role: 'user',
  content: [
    { type: 'text', text },
    ...urls.map((url): ContentPart => ({ type: 'image_url', image_url: { url } })),
  ],
});
const see = (urls: string[], wantsJson = false) =>
  textOfReply(vision, aRequest([withImages(urls)], { wantsJson }));

const redPng = aPng({ width: 40, height: 30, colourType: 2, pixel: () => [200, 30, 40] });

describe('demo/vision', () => {
  it('measures format, size, width and height of a PNG', () => {
    const text = see([dataUrl('image/png', redPng)]);
    expect(text).toContain('| Format | PNG, RGB, 8 bits per channel |');
    expect(text).toContain(`| Size | ${redPng.length} bytes |`);
    expect(text).toContain('| Width × height | 40 × 30 pixels |');
    expect(text).toContain('| Aspect ratio | 4 : 3 (1.33) |');
    expect(text).toContain('| Transparency | none |');
    expect(text).toContain('| Dominant colours | `#c81e28` red 100% |');
  });

  it('measures the shares of the dominant colours', () => {
    const png = aPng({
      width: 100,
      height: 10,
      colourType: 2,
      pixel: (x) => (x < 60 ? [255, 255, 255] : x < 90 ? [20, 60, 200] : [0, 0, 0]),
    });
    expect(see([dataUrl('image/png', png)])).toContain(
      '`#ffffff` white 60%, `#143cc8` blue 30%, `#000000` black 10%',
    );
  });

  it('measures transparency and leaves what cannot be seen out of the colours', () => {
    const png = aPng({
      width: 10,
      height: 10,
      colourType: 6,
      pixel: (x, y) => (y < 5 ? [255, 0, 0, 0] : x < 5 ? [0, 0, 255, 128] : [0, 0, 255, 255]),
    });
    const text = see([dataUrl('image/png', png)]);
    expect(text).toContain('| Transparency | 50% of the pixels fully, 25% partly |');
    expect(text).toContain('`#0000ff` blue 100%');
  });

  it('measures a JPEG', () => {
    const data = Buffer.alloc(64 * 48 * 4);
    for (let pixel = 0; pixel < 64 * 48; pixel += 1) data.set([250, 220, 40, 255], pixel * 4);
    const jpeg = encode({ width: 64, height: 48, data }, 95).data;
    const text = see([dataUrl('image/jpeg', jpeg)]);
    expect(text).toContain('| Format | JPEG, three channels |');
    expect(text).toContain('| Width × height | 64 × 48 pixels |');
    expect(text).toMatch(/\| Dominant colours \| `#f[89ab]d[bcd]2[789a]` yellow 100% \|/);
  });

  it.each(headerFiles)(
    'reads the header of a %s and says that it measured nothing else',
    (_, type, bytes, facts) => {
      const text = see([dataUrl(type, bytes)]);
      for (const fact of facts) expect(text).toContain(fact);
      expect(text).toContain('I read the header only, so I did not measure its colours.');
    },
  );

  it('measures several images one by one', () => {
    const other = aPng({ width: 7, height: 9, colourType: 0, pixel: () => [0] });
    const text = see([dataUrl('image/png', redPng), dataUrl('image/png', other)]);
    expect(text).toMatch(/\*\*Image 1\*\*[\s\S]*40 × 30[\s\S]*\*\*Image 2\*\*[\s\S]*7 × 9/);
  });

  it('says that it does not fetch an address on the web', () => {
    expect(see(['https://example.com/cat.png'])).toContain(
      'It is at `https://example.com/cat.png`. I do not fetch pictures from the web',
    );
  });

  it('says what is wrong with what is not an image', () => {
    expect(see(['data:image/png;base64,@@@'])).toContain('not valid base64');
    expect(see(['data:image/png;base64,'])).toContain('0 bytes');
    expect(see(['data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'])).toContain('It is SVG');
    expect(see([dataUrl('image/png', Buffer.from('hello'))])).toContain(
      'are not a PNG, JPEG, GIF, WebP or BMP file',
    );
    expect(see(['blob:abc'])).toContain('neither a data URL nor a web address');
  });

  it('says when the label of an image does not fit its bytes', () => {
    expect(see([dataUrl('image/jpeg', redPng)])).toContain(
      'The message calls it `image/jpeg`, and its bytes are PNG.',
    );
    expect(see([dataUrl('image/png', redPng)])).not.toContain('The message calls it');
  });

  it('says that the pixels are damaged where a file is cut', () => {
    const png = aPng({
      width: 80,
      height: 80,
      colourType: 2,
      pixel: (x, y) => [x * 3, y * 3, (x * y) & 255],
    });
    const text = see([dataUrl('image/png', png.subarray(0, 300))]);
    expect(text).toContain('80 × 80');
    expect(text).toContain('its pixels are damaged');
  });

  it('reads the header only of a picture that would take long', () => {
    const png = aPng({ width: 1, height: 1, colourType: 0, pixel: () => [0] });
    Buffer.from(png.buffer, png.byteOffset).writeUInt32BE(60_000, 16);
    Buffer.from(png.buffer, png.byteOffset).writeUInt32BE(60_000, 20);
    expect(see([dataUrl('image/png', png)])).toContain(
      'more than 10 million pixels, so I read the header only',
    );
  });

  it('answers about the last image when a later message has none', () => {
    const messages: Message[] = [
      withImages([dataUrl('image/png', redPng)]),
      { role: 'assistant', content: 'Measured.' },
      { role: 'user', content: 'And its size?' },
    ];
    expect(textOfReply(vision, aRequest(messages))).toMatch(
      /^The last message has no image, so this is about the one before it\.[\s\S]*40 × 30/,
    );
  });

  it('says how to attach an image when there is none', () => {
    expect(textOfReply(vision, aRequest('What do you see?'))).toContain(
      'There is no image in this conversation.',
    );
  });

  it('never claims to see what a picture shows', () => {
    expect(see([dataUrl('image/png', redPng)])).toMatch(/do not see what a picture shows\.$/);
  });

  it('gives its measurements as one JSON object when JSON is wanted', () => {
    const value: unknown = JSON.parse(see([dataUrl('image/png', redPng), 'data:,'], true));
    expect(value).toMatchObject({
      images: [
        { format: 'PNG', width: 40, height: 30, colours: [{ hex: '#c81e28', share: 1 }] },
        { problem: 'Its data URL is empty: 0 bytes.' },
      ],
    });
  });
});
