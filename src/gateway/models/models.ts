import { isRecord } from '../../lib/json.ts';
import { errorReportOf } from '../errors/error-report.ts';
import { isErrorValue } from '../errors/error-value.ts';
import { GatewayError } from '../errors/errors.ts';
import { speechOf } from '../event-message.ts';
import type { Answer, Http } from '../http/http.ts';
import { jsonOf, noAnswerReport } from '../stream/response-json.ts';
import { hasMorePages, modelsIn } from './model-list.ts';
import { modelRecordOf, type ModelRecord } from './model-record.ts';

const timeoutMs = 60_000;
/** Records read at a time: a page can draw between two slices of a long list. */
const sliceRecords = 2000;

export interface ModelList {
  /** Models in the order of the response, each id once. */
  models: ModelRecord[];
  /** The answer says that there are more on further pages, which are not asked for. */
  hasMore: boolean;
  /** The whole answer as received. */
  text: string;
  latencyMs: number;
}

/** GET /v1/models. Records without a usable id are left out. Rejects with a GatewayError, or the signal's reason. */
export async function listModels(http: Http, signal?: AbortSignal): Promise<ModelList> {
  const request = { method: 'GET' as const, path: '/v1/models', timeoutMs };
  return modelListOf(await http.read(signal ? { ...request, signal } : request));
}

/** The list in an answer. Rejects with a GatewayError where there is none. */
export async function modelListOf(answer: Answer): Promise<ModelList> {
  const raw = await jsonOf(answer);
  const list = isErrorValue(raw) ? undefined : modelsIn(raw);
  if (!list) throw await noList(raw, answer);
  const byId = new Map<string, ModelRecord>();
  for (const [index, { item, key }] of list.entries()) {
    if (index % sliceRecords === sliceRecords - 1) await new Promise((resolve) => setTimeout(resolve));
    const model = modelRecordOf(item, key);
    if (!model) continue;
    const listed = byId.get(model.id);
    if (listed) listed.timesListed = (listed.timesListed ?? 1) + 1;
    else byId.set(model.id, model);
  }
  const models = [...byId.values()];
  return {
    models,
    hasMore: hasMorePages(raw, list.length, answer.headers),
    text: answer.text,
    latencyMs: answer.latencyMs,
  };
}

/** What came instead of a list: the words of an error, or else what the JSON holds. */
async function noList(raw: unknown, answer: Answer): Promise<GatewayError> {
  const { status, headers, text } = answer;
  const isError = isErrorValue(raw);
  const words = speechOf(raw);
  if (isError || words !== undefined) {
    const { status: _, ...report } = errorReportOf({ ...answer, body: text });
    return new GatewayError(isError || words === undefined ? report : { ...report, message: words });
  }
  const report = noAnswerReport(text, headers, status);
  if (!isRecord(raw)) return new GatewayError(report);
  const names = Object.keys(raw).slice(0, 4).join(' and ');
  const what = names === '' ? 'an empty object' : `an object with ${names.slice(0, 200)}`;
  return new GatewayError({ ...report, message: `The gateway sent ${what}, which is not a list of models.` });
}
