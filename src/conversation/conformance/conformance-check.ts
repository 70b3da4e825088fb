/** Checks a whole gateway against the API description, with about 17 small requests: for `npm run conformance` and for the page. */
import { findRequestId } from '../../gateway/http/headers.ts';
import { listChatModels, type ModelRecord } from '../../gateway/models/model-record.ts';
import { parseModelList } from '../../gateway/models/models.ts';
import { formatError } from '../../lib/format-error.ts';
import { pluralize } from '../../lib/format.ts';
import { errorShape } from './conformance-body.ts';
import type { CheckAnswer, CheckCalls, CheckRow } from './conformance-check-call.ts';
import { chatProbes, chatRows } from './conformance-check-chat.ts';
import { embeddingRequests, embeddingRows } from './conformance-check-embeddings.ts';
import { shown } from './conformance-values.ts';

export interface CheckedModels {
  /** Instead of the first ones of the list. */
  model?: string | undefined;
  embeddingModel?: string | undefined;
  /** What is said where the list is refused for the key. Absent: the other rows say it. */
  whenRefused?: string | undefined;
}

/** How many requests a check from the page sends at most; `posts` of them count against the limit of the minute. */
export function checkSize(hasEmbeddings: boolean): { reads: number; posts: number } {
  const errors = 2;
  return { reads: 2, posts: chatProbes + (hasEmbeddings ? embeddingRequests : 0) + errors };
}

/** The rows as they are found. A gateway that cannot be reached is a row, never an exception. */
export async function* checkGateway(calls: CheckCalls, options: CheckedModels): AsyncGenerator<CheckRow> {
  let models: { chat: string | undefined; embedding: string | undefined; row: CheckRow; answer: CheckAnswer };
  try {
    const health = await calls.call('/healthz');
    models = await listedModels(calls);
    // Every other row would say the same.
    if (options.whenRefused !== undefined && models.answer.status === 401) {
      yield {
        about: 'Key',
        title: noKeyTitle,
        section: '§5.1',
        verdict: 'fault',
        detail: options.whenRefused,
      };
      return;
    }
    yield healthRow(health);
  } catch (error) {
    yield unreachable('Gateway', error);
    return;
  }
  yield models.row;
  if (calls.isDirect) yield requestIdRow(models.answer);
  const chat = options.model ?? models.chat;
  const embedding = options.embeddingModel ?? models.embedding;
  if (chat === undefined) {
    yield {
      about: 'Chat',
      title: 'Model',
      section: '§4',
      verdict: 'note',
      detail: `No chat model is listed.${calls.isDirect ? ' Name one with --model.' : ''}`,
    };
  } else yield* chatRows(calls, chat);
  yield* await safely('Embeddings', async () => {
    if (embedding !== undefined) return embeddingRows(calls, embedding);
    const detail = `No embedding model is listed.${calls.isDirect ? ' Name one with --embedding-model.' : ''}`;
    return [{ about: 'Embeddings', title: 'Model', section: '§4', verdict: 'note', detail }];
  });
  yield* await safely('Errors', () => errorRows(calls, chat ?? 'bench/no-such-model'));
}

/** The one row of a check of a gateway that asks for another key, or for one at all. */
export const noKeyTitle = 'GATEWAY_API_KEY';

async function safely(about: string, rows: () => Promise<CheckRow[]>): Promise<CheckRow[]> {
  try {
    return await rows();
  } catch (error) {
    return [unreachable(about, error)];
  }
}

function unreachable(about: string, error: unknown): CheckRow {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined;
  const words = cause ?? formatError(error);
  return { about, title: 'Answer', section: '§4', verdict: 'fault', detail: `No answer: ${words}.` };
}

function healthRow(answer: CheckAnswer): CheckRow {
  const row = { about: 'Health', title: 'GET /healthz', section: '§4' } as const;
  const said = answer.text.trim() === '' ? 'with an empty body' : shown(answer.value ?? answer.text.trim());
  if (answer.status >= 200 && answer.status < 300)
    return { ...row, verdict: 'pass', detail: `Status ${answer.status}, ${said}.` };
  const verdict = answer.status === 503 ? 'note' : 'fault';
  return { ...row, verdict, detail: `Status ${answer.status}, ${said}.` };
}

/** The models in an answer that is there already; none where it cannot be read. */
async function readModels({ status, headers, text }: CheckAnswer): Promise<ModelRecord[]> {
  const answer = { status, ok: true, headers, isProxied: true, text, isTruncated: false, latencyMs: 0 };
  try {
    return (await parseModelList(answer)).models;
  } catch {
    return [];
  }
}

async function listedModels(calls: CheckCalls) {
  const answer = await calls.call('/v1/models');
  const row = { about: 'Models', title: 'GET /v1/models', section: '§4' } as const;
  const none = { chat: undefined, embedding: undefined, answer };
  if (answer.status !== 200) {
    const { detail } = errorShape(answer.text, answer.value, answer.status);
    return {
      ...none,
      row: { ...row, verdict: 'fault', detail: `Status ${answer.status}. ${detail}` } satisfies CheckRow,
    };
  }
  const models = await readModels(answer);
  if (models.length === 0) {
    const what = answer.value === undefined ? 'The answer is not JSON.' : 'It contains no model with an id.';
    const verdict = answer.value === undefined ? 'fault' : 'note';
    return { ...none, row: { ...row, verdict, detail: what } satisfies CheckRow };
  }
  const detail = `${pluralize(models.length, 'model')}, such as ${models[0]?.id ?? ''}.`;
  return {
    chat: listChatModels(models)[0]?.id,
    embedding: models.find((model) => model.kind === 'embedding')?.id,
    answer,
    row: { ...row, verdict: 'pass', detail } satisfies CheckRow,
  };
}

/** §4: without X-Request-ID the service makes one and returns it; the header's name is not shown. */
function requestIdRow({ headers }: CheckAnswer): CheckRow {
  const row = { about: 'Models', title: 'Request ID generated', section: '§4' } as const;
  const found = findRequestId(headers);
  if (found === undefined)
    return {
      ...row,
      verdict: 'note',
      detail: 'No header looks like one; the specification does not name it.',
    };
  return { ...row, verdict: 'pass', detail: `${found}.` };
}

/** The errors of the check: what the gateway says where the specification tells what it must say. §5, §7 */
const about = 'Errors';

/** `model`: of a chat that would be answered, were the key right. */
async function errorRows({ call, isDirect }: CheckCalls, model: string): Promise<CheckRow[]> {
  const chat = (name: string) =>
    JSON.stringify({ model: name, messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 1 });
  const wrongKey = 'fk-bench-conformance-not-a-key';
  const keyRows = async () => [
    keyRow('No key', await call('/v1/models', { key: undefined })),
    keyRow('A wrong key', await call('/v1/chat/completions', { key: wrongKey, body: chat(model) })),
  ];
  return [
    ...(isDirect ? await keyRows() : []),
    brokenRow(await call('/v1/chat/completions', { body: '{"model": ' })),
    unknownModelRow(await call('/v1/chat/completions', { body: chat('bench/no-such-model') })),
  ];
}

function keyRow(title: string, answer: CheckAnswer): CheckRow {
  if (answer.status < 400) {
    const detail = `Answered with status ${answer.status}, although every request must have a valid key.`;
    return { about, title, section: '§5.1', verdict: 'fault', detail };
  }
  // §5.4 names type and code; the HTTP status is not shown.
  const shape = errorShape(answer.text, answer.value, 401);
  const status = answer.status === 401 ? '' : ` The HTTP status is ${answer.status}.`;
  return { about, title, ...shape, detail: `${shape.detail}${status}` };
}

/** No provider can have been asked: the error is the gateway's own. */
function brokenRow(answer: CheckAnswer): CheckRow {
  const title = 'A body that is not JSON';
  if (answer.status < 400) {
    return {
      about,
      title,
      section: '§4',
      verdict: 'fault',
      detail: `Answered with status ${answer.status}.`,
    };
  }
  const shape = errorShape(answer.text, answer.value, answer.status, true);
  return { about, title, ...shape, detail: `Status ${answer.status}. ${shape.detail}` };
}

function unknownModelRow(answer: CheckAnswer): CheckRow {
  const title = 'A model that does not exist';
  if (answer.status < 400) {
    const detail = `Answered with status ${answer.status}, as if the model existed.`;
    return { about, title, section: '§2.1', verdict: 'note', detail };
  }
  const shape = errorShape(answer.text, answer.value, answer.status, false);
  return { about, title, ...shape, detail: `Status ${answer.status}. ${shape.detail}` };
}
