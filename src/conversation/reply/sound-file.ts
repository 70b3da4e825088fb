/** Converts the speech of an answer to a file. */
import type { Sound } from '../../gateway/media/answer-media.ts';

interface SoundFile {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  extension: string;
}

/** Signatures at the start of audio files, as Latin-1. */
const signatures: readonly [start: RegExp, extension: string, type: string][] = [
  [/^RIFF[^]{4}WAVE/, 'wav', 'audio/wav'],
  [/^(?:ID3|\xFF[\xE2\xE3\xF2\xF3\xFA\xFB])/, 'mp3', 'audio/mpeg'],
  [/^OggS/, 'ogg', 'audio/ogg'],
  [/^fLaC/, 'flac', 'audio/flac'],
  [/^[^]{4}ftyp/, 'm4a', 'audio/mp4'],
  [/^\xFF[\xF0-\xF9]/, 'aac', 'audio/aac'],
];

/** Returns the approximate size in bytes, for display. */
export function estimateSoundBytes({ data }: Sound): number {
  return Math.floor((data.length * 3) / 4);
}

/**
 * Creates a file whose type follows from its first bytes. Other data is treated as streamed raw samples (16 bit, mono,
 * 24 kHz) and gets a WAV header. Returns `undefined` if nothing can be decoded.
 */
export function createSoundFile({ data }: Sound): SoundFile | undefined {
  const bytes = decodeBase64(data);
  if (bytes.length === 0) return undefined;
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  const [, extension, type] = signatures.find(([start]) => start.test(head)) ?? [];
  if (extension !== undefined && type !== undefined) return { bytes, type, extension };
  return { bytes: withWavHeader(bytes), type: 'audio/wav', extension: 'wav' };
}

/** Decodes base64 whose pieces may have been encoded separately, with padding between them. */
function decodeBase64(data: string): Uint8Array<ArrayBuffer> {
  const parts = data.split(/=+/).map((part) => {
    const decodablePart = part.length % 4 === 1 ? part.slice(0, -1) : part;
    return Uint8Array.from(atob(decodablePart), (character) => character.charCodeAt(0));
  });
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

const sampleRate = 24_000;
const bytesPerSample = 2;
const headerBytes = 44;

function withWavHeader(samples: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(headerBytes + samples.length);
  const view = new DataView(bytes.buffer);
  const write = (text: string, offset: number) => {
    for (let index = 0; index < text.length; index += 1)
      view.setUint8(offset + index, text.charCodeAt(index));
  };
  write('RIFF', 0);
  view.setUint32(4, bytes.length - 8, true);
  write('WAVEfmt ', 8);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * bytesPerSample, true);
  view.setUint16(32, bytesPerSample, true);
  view.setUint16(34, 8 * bytesPerSample, true);
  write('data', 36);
  view.setUint32(40, samples.length, true);
  bytes.set(samples, headerBytes);
  return bytes;
}
