import { parseImageHash, toImageUrl } from '../../conversation/request/message-images.ts';
import type { DraftImage } from '../../conversation/session/draft.ts';
import type { ImageStore } from '../../state/drafts/image-store.ts';

/** Longest sides, in px, to which an image can be scaled down. */
export const scaledSidesPx = [2048, 1024, 512] as const;

/** Quality of JPEG and WebP, 0 to 1; the loss is invisible at the size sent. */
const jpegQuality = 0.85;

/** Lists the sizes in px that are smaller than the original image. */
export function listSmallerSides(image: DraftImage): number[] {
  const { width = 0, height = 0 } = image.original ?? image;
  return scaledSidesPx.filter((side) => side < Math.max(width, height));
}

/** Returns the image scaled to this longest side, or the original if `side` is undefined. */
export async function createScaledImage(
  image: DraftImage,
  side: number | undefined,
  store: ImageStore,
): Promise<DraftImage> {
  const { original: storedOriginal, ...imageWithoutOriginal } = image;
  const original = storedOriginal ?? { url: image.url, width: image.width ?? 0, height: image.height ?? 0 };
  const blob = await store.read(parseImageHash(original.url) ?? '');
  if (!blob) throw new Error(`${image.name} is no longer stored in this browser.`);
  if (side === undefined) {
    return {
      ...imageWithoutOriginal,
      url: original.url,
      width: original.width,
      height: original.height,
      bytes: blob.size,
    };
  }
  const factor = side / Math.max(original.width, original.height);
  const [width, height] = [original.width, original.height].map((length) =>
    Math.max(1, Math.round(length * factor)),
  );
  const scaledBlob = await drawScaled(blob, width ?? 1, height ?? 1);
  const hash = await store.add(scaledBlob);
  return {
    ...imageWithoutOriginal,
    url: toImageUrl(hash),
    width: width ?? 1,
    height: height ?? 1,
    bytes: scaledBlob.size,
    original,
  };
}

async function drawScaled(blob: Blob, width: number, height: number): Promise<Blob> {
  const bitmap = await createImageBitmap(blob, {
    resizeWidth: width,
    resizeHeight: height,
    resizeQuality: 'high',
  });
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  // Canvases write JPEG, WebP and PNG; other formats become PNG.
  const type = ['image/jpeg', 'image/webp'].includes(blob.type) ? blob.type : 'image/png';
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (scaledBlob) =>
        scaledBlob ? resolve(scaledBlob) : reject(new Error('Could not scale down the image.')),
      type,
      jpegQuality,
    );
  });
}
