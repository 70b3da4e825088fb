import fc from 'fast-check';
import { expect, it } from 'vitest';

import { createSoundFile } from './sound-file.ts';

const toBase64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64');
const wav = Buffer.from('RIFF$\0\0\0WAVEfmt sound', 'latin1');

it.each([
  ['wav', 'audio/wav', wav],
  ['mp3 with tags', 'audio/mpeg', Buffer.from('ID3\u0004sound', 'latin1')],
  ['mp3', 'audio/mpeg', Buffer.from([0xff, 0xfb, 0x90, 0x64])],
  ['ogg', 'audio/ogg', Buffer.from('OggS\0sound', 'latin1')],
  ['flac', 'audio/flac', Buffer.from('fLaCsound', 'latin1')],
  ['m4a', 'audio/mp4', Buffer.from('\0\0\0\u0020ftypM4A ', 'latin1')],
])('recognises %s by its first bytes', (name, type, bytes) => {
  const file = createSoundFile({ data: toBase64(bytes) });
  expect(file).toMatchObject({ extension: name.split(' ')[0], type });
  expect(Buffer.from(file?.bytes ?? [])).toEqual(bytes);
});

it('joins base64 pieces that were cut anywhere or encoded separately', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { minLength: 1 }), (pieces) => {
      const joinedBytes = Buffer.concat([wav, ...pieces]);
      const joinedBase64 = [wav, ...pieces].map(toBase64).join('');
      expect(Buffer.from(createSoundFile({ data: joinedBase64 })?.bytes ?? [])).toEqual(joinedBytes);
      expect(Buffer.from(createSoundFile({ data: toBase64(joinedBytes) })?.bytes ?? [])).toEqual(joinedBytes);
    }),
  );
});

it('adds a WAV header to raw samples', () => {
  const samples = new Uint8Array([1, 0, 2, 0, 3, 0]);
  const { bytes = new Uint8Array(), ...file } = createSoundFile({ data: toBase64(samples) }) ?? {};
  expect(file).toEqual({ extension: 'wav', type: 'audio/wav' });
  const view = new DataView(bytes.buffer);
  expect(Buffer.from(bytes.subarray(0, 16)).toString('latin1')).toMatch(/^RIFF....WAVEfmt $/s);
  expect([view.getUint32(4, true), view.getUint32(24, true), view.getUint16(34, true)]).toEqual([
    42, 24_000, 16,
  ]);
  expect([...bytes.subarray(44)]).toEqual([...samples]);
});

it('returns no file before the first complete byte', () => {
  expect(createSoundFile({ data: 'U' })).toBeUndefined();
});
