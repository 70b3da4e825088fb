/** Builds a single request of an embedding job, with its size limits, and interprets its failure. */
import type { EmbeddingInput } from '../../embedding/items/vector-key.ts';
import type { EmbeddingsResponse } from '../../gateway/embeddings/embed.ts';
import { findElementType } from '../../gateway/embeddings/parse-embeddings.ts';
import { GatewayError, type ErrorReport } from '../../gateway/errors/errors.ts';
import { readFieldRefusals } from '../../gateway/errors/field-refusal.ts';
import type { EmbeddingsRequest } from '../../gateway/wire.ts';
import { formatError } from '../../lib/format-error.ts';
import type { FieldProblem, JobSetup } from './embedding-job-types.ts';

/** Maximum size of a response in bytes, well below the limit of http.ts. */
const maxResponseBytes = 20_000_000;
const bytesPerNumber = { base64: 5.5, float: 22 };

/** Vector length assumed until one is known; a high value keeps the first responses small. */
export const assumedVectorLength = 4096;

/** Returns how many vectors of this length fit into one response. */
export function getMaxItems(format: JobSetup['format'], length: number): number {
  return Math.floor(maxResponseBytes / (length * bytesPerNumber[format ?? 'float']));
}

/**
 * Builds the body (§2.6). Texts are always sent as a list, even a single text; a single token list is sent unchanged.
 */
export function buildEmbeddingsRequest(
  setup: JobSetup,
  inputs: readonly (EmbeddingInput | undefined)[],
): EmbeddingsRequest {
  const texts = inputs.filter((input) => typeof input === 'string');
  const lists = inputs.flatMap((input) => (typeof input === 'object' ? [[...input]] : []));
  const [onlyList] = lists;
  return {
    model: setup.model,
    input: texts.length > 0 ? texts : onlyList && lists.length === 1 ? onlyList : lists,
    ...(setup.format === undefined ? {} : { encoding_format: setup.format }),
    ...(setup.dimensions === undefined ? {} : { dimensions: setup.dimensions }),
    ...setup.fields,
  };
}

export function countChars(input: EmbeddingInput | undefined): number {
  if (input === undefined) return 0;
  return typeof input === 'string' ? input.length : input.length * 6;
}

/** Fields whose rejection concerns the texts, or no field at all. */
const contentFields = new Set(['model', 'input']);

/**
 * Finds the sent or missing request field that a rejection names; undefined if it names none. `isFirst`: no request has
 * been accepted yet. After a success, no field can be missing.
 */
export function findFieldProblem(
  report: ErrorReport,
  request: EmbeddingsRequest,
  isFirst: boolean,
): FieldProblem | undefined {
  const namedRefusals = readFieldRefusals(report, request).filter(
    (refusal) => refusal.in === 'request' && !contentFields.has(refusal.field),
  );
  const rejection = namedRefusals.find(({ kind }) => kind !== 'missing');
  if (rejection) return { name: rejection.field, kind: 'refused' };
  if (request.dimensions !== undefined && isAboutDimensions(report))
    return { name: 'dimensions', kind: 'refused' };
  const missing = isFirst ? namedRefusals[0] : undefined;
  return missing && { name: missing.field, kind: 'missing' };
}

/** Returns true if a rejection concerns `dimensions` without naming the field. */
function isAboutDimensions(report: ErrorReport): boolean {
  const texts = [
    report.message,
    report.code,
    ...(report.fields ?? []).map((field) => `${field.path} ${field.message}`),
  ];
  return report.kind === 'invalid-request' && /matryoshka|\bdimensions?\b/i.test(texts.join(' '));
}

export function buildUnusableResponseReport(response: EmbeddingsResponse): ErrorReport {
  const isPacked = response.findings.some(({ kind }) => kind === 'packed-bits');
  const report: ErrorReport = {
    source: 'gateway',
    kind: 'not-an-answer',
    message: isPacked
      ? 'The vectors are packed bits, which cannot be compared. No more were requested.'
      : 'The last response has no usable vectors. No more were requested. The Wire view shows the problem.',
    status: response.status,
  };
  return response.requestId === undefined ? report : { ...report, requestId: response.requestId };
}

/** Finds the request field that caused the vectors to be unusable. */
export function findUnusableField(
  response: EmbeddingsResponse,
  request: EmbeddingsRequest,
): FieldProblem | undefined {
  const isPacked = response.findings.some(({ kind }) => kind === 'packed-bits');
  const elementType = isPacked ? findElementType(request) : undefined;
  return elementType && { name: elementType.field, kind: 'unusable' };
}

export function toErrorReport(error: unknown): ErrorReport {
  if (error instanceof GatewayError) return error.report;
  return { source: 'app', kind: 'failed', message: formatError(error) };
}

const maxWaitMs = 60_000;

/**
 * Returns the wait in ms after a temporary rejection: the reported time, otherwise an exponential backoff. `random` is
 * between 0 and 1.
 */
export function getRetryWaitMs(report: ErrorReport, retryCount: number, random: number): number {
  const backOffMs = Math.min(maxWaitMs, 2000 * 2 ** (retryCount - 1)) * (0.75 + random / 2);
  return Math.max(1000, report.retryAfterMs ?? (isServerRateLimitReport(report) ? 1000 : backOffMs));
}

/** Returns true for our own server's rate limit: the request did not reach the gateway, and a retry will succeed. */
export function isServerRateLimitReport(report: ErrorReport): boolean {
  return report.source === 'proxy' && report.kind === 'rate-limited';
}
