import { isRecord, parseJson, type JsonObject } from '../lib/json.ts';
import { ApiError } from './api-error.ts';

/** Room for several images; the same as the playground's proxy allows. */
const largestBodyBytes = 20 * 1024 * 1024;

/** §4: the JSON object in a request's body; throws an ApiError for any other body. Counts the real bytes. */
export async function readJsonBody(request: Request): Promise<JsonObject> {
  const type = request.headers.get('content-type') ?? 'not sent';
  if (!/^application\/json *(;|$)/i.test(type)) {
    throw new ApiError('unsupported_media_type', `content-type is ${type}; it must be application/json.`);
  }
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    throw new ApiError(
      'unsupported_media_type',
      `content-encoding is ${encoding}; send the body uncompressed.`,
    );
  }
  const reading = parseJson(textOf(await readBytes(request)));
  if (!reading.ok) throw new ApiError('invalid_request', `The body is not valid JSON: ${reading.message}.`);
  if (!isRecord(reading.value)) throw new ApiError('invalid_request', 'The body must be a JSON object.');
  return reading.value;
}

async function readBytes(request: Request): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.byteLength;
    if (length > largestBodyBytes) {
      throw new ApiError('request_too_large', `The body is larger than ${largestBodyBytes} bytes.`);
    }
    parts.push(part);
  }
  return parts;
}

function textOf(parts: Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  } catch {
    throw new ApiError('invalid_request', 'The body is not valid UTF-8.');
  }
}
