import { isRecord, ownProperty } from '../lib/json.ts';
import { jsonOf, noAnswerReport } from './answer.ts';
import { GatewayError } from './errors.ts';
import type { Http } from './http.ts';
import { modelRecordOf, type ModelRecord } from './model-record.ts';

const timeoutMs = 60_000;

export interface ModelList {
  /** In the order of the answer, without repeated ids. */
  models: ModelRecord[];
  /** The whole answer as it came. */
  raw: unknown;
  latencyMs: number;
}

/** The list in any wrapper in use: `{data}`, `{models}`, a bare array, or a table by id (§2.8 does not show it). */
function listIn(value: unknown, depth = 0): unknown[] | undefined {
  if (Array.isArray(value)) return value.map((item: unknown) => item);
  if (depth > 2) return undefined;
  for (const key of ['data', 'models', 'items', 'results']) {
    const found = ownProperty(value, key);
    const list = listIn(found, depth + 1);
    if (list) return list;
    if (isRecord(found) && key === 'models') return Object.keys(found);
  }
  return undefined;
}

/** GET /v1/models. Records without a usable id are left out. Rejects with a GatewayError, or the signal's reason. */
export async function listModels(http: Http, signal?: AbortSignal): Promise<ModelList> {
  const request = { method: 'GET' as const, path: '/v1/models', timeoutMs };
  const answer = await http.read(signal ? { ...request, signal } : request);
  const raw = await jsonOf(answer);
  const list = listIn(raw);
  if (!list) throw new GatewayError(noAnswerReport(answer.text, answer.headers, answer.status));
  const byId = new Map<string, ModelRecord>();
  for (const item of list) {
    const model = modelRecordOf(item);
    if (model && !byId.has(model.id)) byId.set(model.id, model);
  }
  return { models: [...byId.values()], raw, latencyMs: answer.latencyMs };
}
