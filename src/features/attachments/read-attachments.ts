import { toImageUrl } from '../../conversation/request/message-images.ts';
import type { DraftImage } from '../../conversation/session/draft.ts';
import { formatBytes } from '../../lib/format.ts';
import type { ImageStore } from '../../state/drafts/image-store.ts';

/** Maximum file size in bytes; larger images exhaust memory before they can be scaled down. */
const maxFileBytes = 100_000_000;

/** Stores the files that are images; returns them and a sentence about those that cannot be attached. */
export async function readImages(
  files: readonly File[],
  store: ImageStore,
): Promise<{ images: DraftImage[]; problem?: string }> {
  const results = await Promise.all(files.map((file) => readImage(file, store)));
  const images = results.flatMap((result) => ('image' in result ? [result.image] : []));
  const problems = results.flatMap((result) => ('problem' in result ? [result.problem] : []));
  return problems.length === 0 ? { images } : { images, problem: problems.join(' ') };
}

async function readImage(
  file: File,
  store: ImageStore,
): Promise<{ image: DraftImage } | { problem: string }> {
  const name = file.name || 'Pasted image';
  if (!file.type.startsWith('image/'))
    return { problem: `${name} is not an image. Only images can be attached.` };
  if (file.type === 'image/svg+xml') {
    return { problem: `${name} is an SVG image. Models accept PNG, JPEG, WebP or GIF.` };
  }
  if (file.size > maxFileBytes) {
    return {
      problem: `${name} is ${formatBytes(file.size)}; the limit is ${formatBytes(maxFileBytes)}.`,
    };
  }
  const dimensions = await readImageSize(file);
  if (!dimensions) return { problem: `Could not read ${name} as an image.` };
  // Stores only the bytes, without the file's name and date.
  const hash = await store.add(new Blob([file], { type: file.type }));
  return { image: { url: toImageUrl(hash), name, detail: 'auto', bytes: file.size, ...dimensions } };
}

async function readImageSize(file: Blob): Promise<{ width: number; height: number } | undefined> {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  } catch {
    return undefined;
  }
}
