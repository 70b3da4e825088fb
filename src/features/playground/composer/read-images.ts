import { formatBytes } from '../../../lib/format.ts';

export interface AttachedImage {
  id: number;
  name: string;
  bytes: number;
  /** A data URL. */
  url: string;
}

/** The proxy takes bodies up to 20 MB, and base64 adds a third. */
const mostBytes = 14_000_000;

let lastId = 0;

/** The files that are images as data URLs, and one sentence about those that can not go along. */
export async function readImages(files: readonly File[]): Promise<{ images: AttachedImage[]; problem?: string }> {
  const fitting = files.filter((file) => file.type.startsWith('image/') && file.size <= mostBytes);
  const images = await Promise.all(fitting.map(readImage));
  const refused = files.find((file) => !fitting.includes(file));
  if (!refused) return { images };
  const why =
    refused.type.startsWith('image/') ? `is ${formatBytes(refused.size)}; up to ${formatBytes(mostBytes)} can be sent` : 'is not an image';
  return { images, problem: `${refused.name || 'That file'} ${why}.` };
}

function readImage(file: File): Promise<AttachedImage> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('error', () => reject(reader.error ?? new Error(`${file.name} could not be read`)));
    reader.addEventListener('load', () => {
      lastId += 1;
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve({ id: lastId, name: file.name || 'Pasted image', bytes: file.size, url });
    });
    reader.readAsDataURL(file);
  });
}
