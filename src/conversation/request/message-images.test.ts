import { describe, expect, it } from 'vitest';

import type { ContentPart, Message } from '../../gateway/wire.ts';
import { withMediaData } from './media-data.ts';
import {
  buildContent,
  estimateDataUrlLength,
  parseImageHash,
  findImageUrls,
  findMediaHashes,
  mediaTypes,
  toImagePart,
  toImageUrl,
  withoutMedia,
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
    expect(findMediaHashes(messages)).toEqual([hash]);
  });

  it('replaces references with data URLs, keeping the detail and other URLs', () => {
    const body = {
      model: 'm',
      temperature: 1,
      messages: [{ role: 'user' as const, content: buildContent('See', [storedImage, remoteImage]) }],
    };
    expect(withMediaData(body, new Map([[hash, 'data:image/png;base64,AA']]))).toEqual({
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

  it('replaces references with a data URL in documents and with base64 in sounds', () => {
    const content: ContentPart[] = [
      { type: 'file', file: { filename: 'a.pdf', file_data: toImageUrl(hash) } },
      { type: 'input_audio', input_audio: { data: toImageUrl('b'.repeat(64)), format: 'wav' } },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
    ];
    const messages: Message[] = [{ role: 'user', content }];
    expect(findMediaHashes(messages)).toEqual([hash, 'b'.repeat(64)]);
    const dataUrls = new Map([
      [hash, 'data:application/pdf;base64,JVBE'],
      ['b'.repeat(64), 'data:audio/wav;base64,UklG'],
    ]);
    expect(withMediaData({ model: 'm', messages }, dataUrls).messages[0]?.content).toEqual([
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
      { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } },
      content[2],
    ]);
  });
});

describe('message for a model that rejects parts', () => {
  const textPart = { type: 'text' as const, text: 'two' };
  const paper = { type: 'file' as const, file: { filename: 'a.pdf', file_data: 'data:,' } };

  it('keeps only the text of a message, as a string if there is one part', () => {
    const message: Message = { role: 'user', content: buildContent('See', [storedImage]), name: 'ada' };
    expect(withoutMedia(message, ['image_url'])).toEqual({ role: 'user', content: 'See', name: 'ada' });
    expect(withoutMedia({ role: 'user', content: [textPart, remoteImage, textPart] }, ['image_url'])).toEqual(
      { role: 'user', content: [textPart, textPart] },
    );
    expect(withoutMedia({ role: 'user', content: [storedImage] }, ['image_url'])).toEqual({
      role: 'user',
      content: '',
    });
  });

  it('keeps parts of other types', () => {
    const message: Message = { role: 'user', content: [storedImage, paper] };
    expect(withoutMedia(message, ['image_url', 'input_audio']).content).toEqual([paper]);
    expect(withoutMedia(message, ['file']).content).toEqual([storedImage]);
    expect(withoutMedia(message, mediaTypes).content).toBe('');
  });

  it('returns the same message if nothing is rejected', () => {
    const message: Message = { role: 'user', content: [textPart, paper] };
    expect(withoutMedia(message, ['image_url'])).toBe(message);
    expect(withoutMedia({ role: 'user', content: 'x' }, mediaTypes)).toEqual({ role: 'user', content: 'x' });
  });
});
