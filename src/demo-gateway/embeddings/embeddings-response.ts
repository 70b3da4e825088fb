import type { EmbeddingsCall } from './embeddings-request.ts';

/** Vectors made between two looks at the event loop, so that other requests are answered meanwhile. */
const itemsAtOnce = 64;
/** A call may not have arguments without end; a multiple of 4. */
const argumentsAtOnce = 8192;

/** §2.7: the answer to a checked request. `giveWay` lets others run and throws when the request is aborted. */
export async function embeddingsResponse(
  call: EmbeddingsCall,
  giveWay: () => Promise<void>,
): Promise<Response> {
  const data: unknown[] = [];
  const embed = await call.model.load();
  for (const [index, item] of call.items.entries()) {
    if (index > 0 && index % itemsAtOnce === 0) await giveWay();
    const vector = embed(item, call.size);
    const embedding = call.format === 'base64' ? base64Of(vector) : Array.from(vector);
    data.push({ object: 'embedding', index, embedding });
  }
  return Response.json({
    object: 'list',
    data,
    model: call.model.id,
    usage: { prompt_tokens: call.tokens, total_tokens: call.tokens },
  });
}

/** §2.7 in base64: the vector's bytes as little-endian float32, which is how clients decode them. */
function base64Of(vector: Float32Array): string {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4));
  vector.forEach((value, index) => bytes.setFloat32(index * 4, value, true));
  let characters = '';
  for (let start = 0; start < bytes.byteLength; start += argumentsAtOnce) {
    const length = Math.min(argumentsAtOnce, bytes.byteLength - start);
    characters += String.fromCharCode(...new Uint8Array(bytes.buffer, start, length));
  }
  return btoa(characters);
}
