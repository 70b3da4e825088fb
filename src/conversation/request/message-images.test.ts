import { describe, expect, it } from 'vitest';

import type { Message } from '../../gateway/wire.ts';
import { describeImageRouting } from './image-routing.ts';
import {
  buildContent,
  estimateDataUrlLength,
  parseImageHash,
  findImageHashes,
  findImageUrls,
  toImagePart,
  toImageUrl,
  withImageData,
  withoutImages,
} from './message-images.ts';

const hash = 'a'.repeat(64);
const storedImage = toImagePart({ url: toImageUrl(hash), detail: 'low' });
const remoteImage = toImagePart({ url: 'https://pictures.example/a.png' });

describe('references to stored images', () => {
  it('accepts only a complete hash as a reference', () => {
    expect(parseImageHash(toImageUrl(hash))).toBe(hash);
    for (const url of [
      'bench-image:abc',
      `bench-image:${hash}x`,
      `https://x/bench-image:${hash}`,
      `bench-image:${hash.toUpperCase()}`,
    ]) {
      expect(parseImageHash(url)).toBeUndefined();
    }
  });

  it('lists all image URLs in order, with duplicates', () => {
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'See' }, storedImage, remoteImage, storedImage] },
      { role: 'user', content: 'bench-image' },
    ];
    const url = toImageUrl(hash);
    expect(findImageUrls(messages)).toEqual([url, 'https://pictures.example/a.png', url]);
  });

  it('estimates the length of a data URL as about 4/3 of the bytes', () => {
    expect([0, 3, 4].map(estimateDataUrlLength)).toEqual([32, 36, 40]);
  });

  it('finds the hashes in user and assistant messages without duplicates', () => {
    const messages: Message[] = [
      { role: 'user', content: [storedImage, remoteImage, storedImage] },
      { role: 'assistant', content: [storedImage] },
      { role: 'tool', content: toImageUrl(hash), tool_call_id: 'c' },
      { role: 'user', content: toImageUrl('b'.repeat(64)) },
    ];
    expect(findImageHashes(messages)).toEqual([hash]);
  });

  it('replaces references with data URLs, keeping the detail and other URLs', () => {
    const body = {
      model: 'm',
      temperature: 1,
      messages: [{ role: 'user' as const, content: buildContent('See', [storedImage, remoteImage]) }],
    };
    expect(withImageData(body, new Map([[hash, 'data:image/png;base64,AA']]))).toEqual({
      model: 'm',
      temperature: 1,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'low' } },
            { type: 'image_url', image_url: { url: 'https://pictures.example/a.png' } },
          ],
        },
      ],
    });
    expect(body.messages[0]?.content[1]).toEqual(storedImage);
  });
});

describe('message for a text-only model', () => {
  it('keeps only the text of a message, as a string if there is one part', () => {
    expect(withoutImages({ role: 'user', content: buildContent('See', [storedImage]), name: 'ada' })).toEqual(
      {
        role: 'user',
        content: 'See',
        name: 'ada',
      },
    );
    const textPart = { type: 'text' as const, text: 'two' };
    expect(withoutImages({ role: 'user', content: [textPart, remoteImage, textPart] })).toEqual({
      role: 'user',
      content: [textPart, textPart],
    });
    expect(withoutImages({ role: 'user', content: [storedImage] })).toEqual({ role: 'user', content: '' });
  });

  it('returns the same message if it has no image', () => {
    const message: Message = { role: 'user', content: [{ type: 'text', text: 'One part' }] };
    expect(withoutImages(message)).toBe(message);
  });
});

describe('image routing message', () => {
  it('names the lanes that receive images and those that do not, with the reason', () => {
    const lanes = [{ letter: 'A' }, { letter: 'B' }, { letter: 'C', textOnlyReason: 'marked' as const }];
    expect(describeImageRouting(lanes, 1)).toBe(
      'Sent to A and B. C is marked text-only, so the image will not be sent to it.',
    );
    const textOnlyLanes = [
      { letter: 'A', textOnlyReason: 'listed' as const },
      { letter: 'B', textOnlyReason: 'listed' as const },
    ];
    expect(describeImageRouting(textOnlyLanes, 2)).toBe(
      'A and B accept text only, so the images will not be sent to them.',
    );
  });

  it('lists three or more lanes with commas', () => {
    const lanes = ['A', 'B', 'C', 'D'].map((letter) => ({ letter }));
    expect(describeImageRouting(lanes, 1)).toBe('Sent to A, B, C and D.');
  });

  it('returns an empty message for a single lane that accepts images, and omits the letter of a single lane', () => {
    expect(describeImageRouting([{ letter: 'A' }], 1)).toBe('');
    expect(describeImageRouting([{ letter: 'A', textOnlyReason: 'marked' }], 1)).toBe(
      'This model is marked text-only, so the image will not be sent to it.',
    );
  });
});
