import { writeExactJson } from '../../lib/exact-json.ts';
import { getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { GatewayError } from '../errors/errors.ts';
import { findRequestId } from '../http/headers.ts';
import type { Http } from '../http/http.ts';
import { parseUsage } from '../stream/parse-usage.ts';
import { parseResponseJson, buildInvalidResponseReport } from '../stream/response-json.ts';
import type { EmbeddingsRequest, Usage } from '../wire.ts';
import { findElementType, parseEmbeddings, type ParsedEmbeddings } from './parse-embeddings.ts';

export interface EmbeddingsResponse extends ParsedEmbeddings {
  /** Model reported by the response. */
  model?: string;
  usage?: Usage;
  requestId?: string;
  status: number;
  latencyMs: number;
  /** Time in ms to decode the response text into vectors. */
  decodeMs: number;
  /** The body as received. */
  raw: string;
}

export interface EmbedOptions {
  signal?: AbortSignal;
  requestId: string;
  /** Expected length of this model's vectors, if known from earlier responses. */
  length?: number | undefined;
}

/** Counts the inputs (§2.6): a string or one array of tokens is one input, an array of those is many. */
function countInputs(input: EmbeddingsRequest['input']): number {
  return Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1;
}

/**
 * Sends POST /v1/embeddings (§2.6, §2.7). Missing or faulty vectors are reported as findings, not errors. Rejects with
 * a GatewayError if the response has no embeddings, or with the signal's reason.
 */
export async function embed(
  http: Http,
  body: EmbeddingsRequest,
  options: EmbedOptions,
): Promise<EmbeddingsResponse> {
  const { length, ...requestOptions } = options;
  const response = await http.read({
    method: 'POST',
    path: '/v1/embeddings',
    body: writeExactJson(body),
    ...requestOptions,
  });
  const { latencyMs, text, headers, status } = response;
  const startedAt = http.monotonicNow();
  const value = await parseResponseJson(response);
  if (!Array.isArray(getOwnProperty(value, 'data')))
    throw new GatewayError(buildInvalidResponseReport(text, headers, status));
  const requestedElement = findElementType(body);
  const parsedEmbeddings = parseEmbeddings(value, {
    count: countInputs(body.input),
    model: body.model,
    ...(body.encoding_format === undefined ? {} : { format: body.encoding_format }),
    ...(requestedElement ? { elementType: requestedElement.type } : {}),
    ...(body.dimensions === undefined ? {} : { dimensions: body.dimensions }),
    ...(length === undefined ? {} : { length }),
  });
  const result: EmbeddingsResponse = {
    ...parsedEmbeddings,
    status,
    latencyMs,
    decodeMs: http.monotonicNow() - startedAt,
    raw: text,
  };
  const model = getStringProperty(value, 'model');
  const usage = parseUsage(getOwnProperty(value, 'usage'));
  const requestId = findRequestId(headers);
  if (model) result.model = model;
  if (usage) result.usage = usage;
  if (requestId !== undefined) result.requestId = requestId;
  return result;
}
