import type { ParsedEmbeddingsRequest } from './embeddings-request.ts';

/** Number of vectors computed before yielding to other requests. */
const itemsPerSlice = 64;
/** Maximum number of arguments in one call; a multiple of 4. */
const maxArguments = 8192;

/**
 * Returns the response to a validated request (§2.7). `yieldToEventLoop` lets other requests run and throws if the
 * request is aborted.
 */
export async function createEmbeddingsResponse(
  request: ParsedEmbeddingsRequest,
  yieldToEventLoop: () => Promise<void>,
): Promise<Response> {
  const data: unknown[] = [];
  const embed = await request.model.load();
  for (const [index, item] of request.items.entries()) {
    if (index > 0 && index % itemsPerSlice === 0) await yieldToEventLoop();
    const vector = embed(item, request.size);
    const embedding = request.format === 'base64' ? encodeBase64(vector) : Array.from(vector);
    data.push({ object: 'embedding', index, embedding });
  }
  return Response.json({
    object: 'list',
    data,
    model: request.model.id,
    usage: { prompt_tokens: request.tokens, total_tokens: request.tokens },
  });
}

/** Encodes the vector as base64 of little-endian float32, the format that clients decode (§2.7). */
function encodeBase64(vector: Float32Array): string {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4));
  vector.forEach((value, index) => bytes.setFloat32(index * 4, value, true));
  let characters = '';
  for (let start = 0; start < bytes.byteLength; start += maxArguments) {
    const length = Math.min(maxArguments, bytes.byteLength - start);
    characters += String.fromCharCode(...new Uint8Array(bytes.buffer, start, length));
  }
  return btoa(characters);
}
