/** What a client makes of an `embedding` field that believes what it asked for. Widely used ones do. */

export type CarelessReading =
  | { numbers: number; head: number[]; areZero: boolean; areWild: boolean }
  | { throws: string };

const headCount = 4;

/**
 * As the JavaScript SDK of this format reads an answer when no format was named: it asks for base64 by itself and takes
 * whatever comes for the bytes of float32.
 */
export function carelessReading(embedding: unknown): CarelessReading {
  let bytes: Uint8Array<ArrayBuffer>;
  if (typeof embedding === 'string') {
    try {
      const binary = atob(embedding);
      bytes = Uint8Array.from({ length: binary.length }, (_, at) => binary.charCodeAt(at));
    } catch {
      return { throws: 'It throws: the text is not base64.' };
    }
  } else if (Array.isArray(embedding)) {
    // `Buffer.from` takes a list for a list of bytes: each number is cut to a whole one from 0 to 255.
    bytes = Uint8Array.from(embedding, Number);
  } else return { throws: 'It throws: there is no text to decode.' };
  const numbers = new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
  return {
    numbers: numbers.length,
    head: Array.from(numbers.subarray(0, headCount)),
    areZero: numbers.length > 0 && numbers.every((item) => item === 0),
    areWild: numbers.some((item) => !Number.isFinite(item) || Math.abs(item) > 1e6),
  };
}
