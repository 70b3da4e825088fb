import { ownProperty, stringProperty } from '../lib/json.ts';
import { jsonOf, noAnswerReport } from './answer.ts';
import { GatewayError } from './errors.ts';
import { requestIdOf } from './headers.ts';
import type { Http } from './http.ts';
import { usageOf } from './usage.ts';
import type { EmbeddingsRequest, Usage } from './wire.ts';

export interface EmbeddingsAnswer {
  /** One for each input, in the order of the inputs; all of the same length. */
  vectors: Float32Array[];
  /** How the vectors came, whatever was asked. */
  encoding: 'float' | 'base64';
  /** As the answer reported it. */
  model?: string;
  usage?: Usage;
  requestId?: string;
  latencyMs: number;
  /** The answer's length in characters. */
  size: number;
}

/** Little-endian float32, or undefined when the text is no such thing. */
function vectorOfBase64(text: string): Float32Array | undefined {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  if (binary.length === 0 || binary.length % 4 !== 0) return undefined;
  const view = new DataView(new ArrayBuffer(binary.length));
  for (let index = 0; index < binary.length; index++) view.setUint8(index, binary.charCodeAt(index));
  return Float32Array.from({ length: binary.length / 4 }, (_, index) => view.getFloat32(index * 4, true));
}

function vectorOf(value: unknown): Float32Array | undefined {
  if (typeof value === 'string') return vectorOfBase64(value);
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.every((item) => typeof item === 'number') ? Float32Array.from(value) : undefined;
}

/** §2.6: a string and one array of tokens are one input; arrays of them are many. */
function inputCount(input: EmbeddingsRequest['input']): number {
  return Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1;
}

/** POST /v1/embeddings (§2.6, §2.7). Rejects with a GatewayError, also when a vector is missing or unreadable, or with the signal's reason. */
export async function embed(
  http: Http,
  body: EmbeddingsRequest,
  options: { signal?: AbortSignal; requestId: string },
): Promise<EmbeddingsAnswer> {
  const answer = await http.read({ method: 'POST', path: '/v1/embeddings', body, ...options });
  const value = await jsonOf(answer);
  const data = ownProperty(value, 'data');
  const items = Array.isArray(data) ? data : [];
  const vectors: (Float32Array | undefined)[] = Array.from({ length: inputCount(body.input) });
  let encoding: EmbeddingsAnswer['encoding'] = 'float';
  for (const [position, item] of items.entries()) {
    const index = ownProperty(item, 'index') ?? position;
    const embedding = ownProperty(item, 'embedding');
    if (typeof embedding === 'string') encoding = 'base64';
    if (typeof index === 'number' && index in vectors) vectors[index] = vectorOf(embedding);
  }
  const found = vectors.filter((vector) => vector !== undefined);
  const length = found[0]?.length;
  const whole = found.filter((vector) => vector.length === length);
  const { latencyMs, text, headers, status } = answer;
  if (whole.length < vectors.length) {
    const report = noAnswerReport(text, headers, status);
    const message = `The answer holds ${whole.length} of ${vectors.length} vectors that can be read.`;
    throw new GatewayError({ ...report, message });
  }
  const result: EmbeddingsAnswer = { vectors: whole, encoding, latencyMs, size: text.length };
  const model = stringProperty(value, 'model');
  const usage = usageOf(ownProperty(value, 'usage'));
  const requestId = requestIdOf(headers);
  if (model) result.model = model;
  if (usage) result.usage = usage;
  if (requestId !== undefined) result.requestId = requestId;
  return result;
}
