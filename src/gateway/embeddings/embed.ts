import { writeExactJson } from '../../lib/exact-json.ts';
import { ownProperty, stringProperty } from '../../lib/json.ts';
import { GatewayError } from '../errors/errors.ts';
import { requestIdOf } from '../http/headers.ts';
import type { Http } from '../http/http.ts';
import { usageOf } from '../stream/parse-usage.ts';
import { jsonOf, noAnswerReport } from '../stream/response-json.ts';
import type { EmbeddingsRequest, Usage } from '../wire.ts';
import { findElementType, readEmbeddings, type EmbeddingsReading } from './parse-embeddings.ts';

export interface EmbeddingsAnswer extends EmbeddingsReading {
  /** As the answer reported it. */
  model?: string;
  usage?: Usage;
  requestId?: string;
  status: number;
  latencyMs: number;
  /** From the text of the answer to its vectors, in milliseconds. */
  decodeMs: number;
  /** The body as received. */
  raw: string;
}

export interface EmbedOptions {
  signal?: AbortSignal;
  requestId: string;
  /** The length that vectors of this model have, where earlier answers have shown it. */
  length?: number | undefined;
}

/** §2.6: a string and one array of tokens are one input; arrays of them are many. */
function inputCount(input: EmbeddingsRequest['input']): number {
  return Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1;
}

/**
 * POST /v1/embeddings (§2.6, §2.7). A vector that is missing or wrong is named in the findings and no error. Rejects
 * with a GatewayError where there is no answer of this kind at all, or with the signal's reason.
 */
export async function embed(
  http: Http,
  body: EmbeddingsRequest,
  options: EmbedOptions,
): Promise<EmbeddingsAnswer> {
  const { length, ...request } = options;
  const answer = await http.read({
    method: 'POST',
    path: '/v1/embeddings',
    body: writeExactJson(body),
    ...request,
  });
  const { latencyMs, text, headers, status } = answer;
  const startedAt = http.now();
  const value = await jsonOf(answer);
  if (!Array.isArray(ownProperty(value, 'data')))
    throw new GatewayError(noAnswerReport(text, headers, status));
  const elements = findElementType(body);
  const reading = readEmbeddings(value, {
    count: inputCount(body.input),
    model: body.model,
    ...(body.encoding_format === undefined ? {} : { format: body.encoding_format }),
    ...(elements ? { elementType: elements.type } : {}),
    ...(body.dimensions === undefined ? {} : { dimensions: body.dimensions }),
    ...(length === undefined ? {} : { length }),
  });
  const result: EmbeddingsAnswer = {
    ...reading,
    status,
    latencyMs,
    decodeMs: http.now() - startedAt,
    raw: text,
  };
  const model = stringProperty(value, 'model');
  const usage = usageOf(ownProperty(value, 'usage'));
  const requestId = requestIdOf(headers);
  if (model) result.model = model;
  if (usage) result.usage = usage;
  if (requestId !== undefined) result.requestId = requestId;
  return result;
}
