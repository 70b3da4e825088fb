import { useEffect, useState } from 'react';

import { parseImageHash } from '../../conversation/request/message-images.ts';
import { useSessionServices } from '../../state/contexts.tsx';

export type ImageState =
  /** `src` is available: a local blob or a data URL. */
  | { state: 'here'; src: string; bytes?: number }
  | { state: 'loading' }
  /** The image is referenced but not stored. */
  | { state: 'missing' }
  /** The image has a remote URL, which is never fetched. */
  | { state: 'elsewhere'; host: string };

/** Returns the state of the image with this URL, or of another file if it is given a type for its `src`. */
export function useStoredImage(url: string, type?: string): ImageState {
  const { images } = useSessionServices();
  const hash = parseImageHash(url);
  const [loaded, setLoaded] = useState<{ hash: string; image: ImageState }>();

  useEffect(() => {
    if (hash === undefined) return;
    let src: string | undefined;
    let isCurrent = true;
    const setFromBlob = (blob: Blob | undefined) => {
      if (!isCurrent) return;
      src = blob && URL.createObjectURL(type === undefined ? blob : blob.slice(0, blob.size, type));
      const image: ImageState =
        src === undefined || !blob ? { state: 'missing' } : { state: 'here', src, bytes: blob.size };
      setLoaded({ hash, image });
    };
    images.read(hash).then(setFromBlob, () => setFromBlob(undefined));
    return () => {
      isCurrent = false;
      if (src !== undefined) URL.revokeObjectURL(src);
    };
  }, [images, hash, type]);

  if (hash !== undefined) return loaded?.hash === hash ? loaded.image : { state: 'loading' };
  if (url.startsWith('data:image/')) return { state: 'here', src: url };
  return { state: 'elsewhere', host: getHost(url) };
}

/** Returns the host of a web URL, or the first 40 characters of other text. */
export function getHost(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return host === '' ? url.slice(0, 40) : host;
}
