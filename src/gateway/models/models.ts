import { isRecord } from '../../lib/json.ts';
import { buildErrorReport } from '../errors/error-report.ts';
import { isErrorValue } from '../errors/error-value.ts';
import { GatewayError } from '../errors/errors.ts';
import { extractMessage } from '../event-message.ts';
import type { HttpResponse, Http } from '../http/http.ts';
import { parseResponseJson, buildInvalidResponseReport } from '../stream/response-json.ts';
import { hasMorePages, findModelItems } from './model-list.ts';
import { parseModelRecord, type ModelRecord } from './model-record.ts';

const timeoutMs = 60_000;
/** Records read per slice, so that a page can draw between slices of a long list. */
const recordsPerSlice = 2000;

export interface ModelList {
  /** Models in the order of the response, each ID once. */
  models: ModelRecord[];
  /** The response reports more pages, which are not requested. */
  hasMore: boolean;
  /** The whole response as received. */
  text: string;
  latencyMs: number;
}

/**
 * Sends GET /v1/models. Records without a usable ID are left out. Rejects with a GatewayError, or the signal's reason.
 */
export async function listModels(http: Http, signal?: AbortSignal): Promise<ModelList> {
  const request = { method: 'GET' as const, path: '/v1/models', timeoutMs };
  return parseModelList(await http.read(signal ? { ...request, signal } : request));
}

/** Parses the model list in a response. Rejects with a GatewayError if there is none. */
export async function parseModelList(response: HttpResponse): Promise<ModelList> {
  const raw = await parseResponseJson(response);
  const list = isErrorValue(raw) ? undefined : findModelItems(raw);
  if (!list) throw await buildNoListError(raw, response);
  const byId = new Map<string, ModelRecord>();
  for (const [index, { item, key }] of list.entries()) {
    if (index % recordsPerSlice === recordsPerSlice - 1) await new Promise((resolve) => setTimeout(resolve));
    const model = parseModelRecord(item, key);
    if (!model) continue;
    const existing = byId.get(model.id);
    if (existing) existing.timesListed = (existing.timesListed ?? 1) + 1;
    else byId.set(model.id, model);
  }
  const models = [...byId.values()];
  return {
    models,
    hasMore: hasMorePages(raw, list.length, response.headers),
    text: response.text,
    latencyMs: response.latencyMs,
  };
}

/** Returns the error for a response without a list: its error text, or a description of its JSON. */
async function buildNoListError(raw: unknown, response: HttpResponse): Promise<GatewayError> {
  const { status, headers, text } = response;
  const isError = isErrorValue(raw);
  const message = extractMessage(raw);
  if (isError || message !== undefined) {
    const { status: _, ...report } = buildErrorReport({ ...response, body: text });
    return new GatewayError(isError || message === undefined ? report : { ...report, message });
  }
  const report = buildInvalidResponseReport(text, headers, status);
  if (!isRecord(raw)) return new GatewayError(report);
  const names = Object.keys(raw).slice(0, 4).join(' and ');
  const subject = names === '' ? 'an empty object' : `an object with ${names.slice(0, 200)}`;
  return new GatewayError({
    ...report,
    message: `The gateway returned ${subject}, which is not a list of models.`,
  });
}
