/** Checks a whole gateway against the API description, with about 17 small requests: for `npm run conformance` and for the page. */
import { findRequestId } from '../../gateway/http/headers.ts';
import { listChatModels, type ModelRecord } from '../../gateway/models/model-record.ts';
import { parseModelList } from '../../gateway/models/models.ts';
import { formatError } from '../../lib/format-error.ts';
import { pluralize } from '../../lib/format.ts';
import { checkErrorShape } from './conformance-body.ts';
import { chatProbeCount, checkChat } from './conformance-check-chat.ts';
import type { CheckResponse, CheckClient, CheckRow } from './conformance-check-client.ts';
import { embeddingRequestCount, checkEmbeddings } from './conformance-check-embeddings.ts';
import { formatShort } from './conformance-values.ts';

export interface GatewayCheckOptions {
  /** Instead of the first ones of the list. */
  model?: string | undefined;
  embeddingModel?: string | undefined;
  /** What is said where the list is refused for the key. Absent: the other rows say it. */
  keyRejectedText?: string | undefined;
}

/** How many requests a check from the page sends at most; `posts` of them count against the limit of the minute. */
export function countCheckRequests(hasEmbeddings: boolean): { reads: number; posts: number } {
  const errorRequestCount = 2;
  return {
    reads: 2,
    posts: chatProbeCount + (hasEmbeddings ? embeddingRequestCount : 0) + errorRequestCount,
  };
}

/** The rows as they are found. A gateway that cannot be reached is a row, never an exception. */
export async function* checkGateway(
  client: CheckClient,
  options: GatewayCheckOptions,
): AsyncGenerator<CheckRow> {
  let models: {
    chat: string | undefined;
    embedding: string | undefined;
    row: CheckRow;
    response: CheckResponse;
  };
  try {
    const health = await client.call('/healthz');
    models = await checkModels(client);
    // Every other row would say the same.
    if (options.keyRejectedText !== undefined && models.response.status === 401) {
      yield {
        about: 'Key',
        title: noKeyTitle,
        section: '§5.1',
        verdict: 'fault',
        detail: options.keyRejectedText,
      };
      return;
    }
    yield checkHealthEndpoint(health);
  } catch (error) {
    yield createUnreachableRow('Gateway', error);
    return;
  }
  yield models.row;
  if (client.isDirect) yield checkRequestId(models.response);
  const chat = options.model ?? models.chat;
  const embedding = options.embeddingModel ?? models.embedding;
  if (chat === undefined) {
    yield {
      about: 'Chat',
      title: 'Model',
      section: '§4',
      verdict: 'note',
      detail: `No chat model is listed.${client.isDirect ? ' Name one with --model.' : ''}`,
    };
  } else yield* checkChat(client, chat);
  yield* await collectRowsSafely('Embeddings', async () => {
    if (embedding !== undefined) return checkEmbeddings(client, embedding);
    const detail = `No embedding model is listed.${client.isDirect ? ' Name one with --embedding-model.' : ''}`;
    return [{ about: 'Embeddings', title: 'Model', section: '§4', verdict: 'note', detail }];
  });
  yield* await collectRowsSafely('Errors', () => checkErrors(client, chat ?? 'bench/no-such-model'));
}

/** The one row of a check of a gateway that asks for another key, or for one at all. */
export const noKeyTitle = 'GATEWAY_API_KEY';

async function collectRowsSafely(about: string, collectRows: () => Promise<CheckRow[]>): Promise<CheckRow[]> {
  try {
    return await collectRows();
  } catch (error) {
    return [createUnreachableRow(about, error)];
  }
}

function createUnreachableRow(about: string, error: unknown): CheckRow {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined;
  const message = cause ?? formatError(error);
  return { about, title: 'Response', section: '§4', verdict: 'fault', detail: `No response: ${message}.` };
}

function checkHealthEndpoint(response: CheckResponse): CheckRow {
  const row = { about: 'Health', title: 'GET /healthz', section: '§4' } as const;
  const bodyDescription =
    response.text.trim() === '' ? 'with an empty body' : formatShort(response.value ?? response.text.trim());
  if (response.status >= 200 && response.status < 300)
    return { ...row, verdict: 'pass', detail: `Status ${response.status}, ${bodyDescription}.` };
  const verdict = response.status === 503 ? 'note' : 'fault';
  return { ...row, verdict, detail: `Status ${response.status}, ${bodyDescription}.` };
}

/** The models in an answer that is there already; none where it cannot be read. */
async function readModels({ status, headers, text }: CheckResponse): Promise<ModelRecord[]> {
  const response = { status, ok: true, headers, isProxied: true, text, isTruncated: false, latencyMs: 0 };
  try {
    return (await parseModelList(response)).models;
  } catch {
    return [];
  }
}

async function checkModels(client: CheckClient) {
  const response = await client.call('/v1/models');
  const row = { about: 'Models', title: 'GET /v1/models', section: '§4' } as const;
  const noModels = { chat: undefined, embedding: undefined, response };
  if (response.status !== 200) {
    const { detail } = checkErrorShape(response.text, response.value, response.status);
    return {
      ...noModels,
      row: { ...row, verdict: 'fault', detail: `Status ${response.status}. ${detail}` } satisfies CheckRow,
    };
  }
  const models = await readModels(response);
  if (models.length === 0) {
    const problem = response.value === undefined ? 'The response is not JSON.' : 'No listed model has an id.';
    const verdict = response.value === undefined ? 'fault' : 'note';
    return { ...noModels, row: { ...row, verdict, detail: problem } satisfies CheckRow };
  }
  const detail = `${pluralize(models.length, 'model')}, such as ${models[0]?.id ?? ''}.`;
  return {
    chat: listChatModels(models)[0]?.id,
    embedding: models.find((model) => model.kind === 'embedding')?.id,
    response,
    row: { ...row, verdict: 'pass', detail } satisfies CheckRow,
  };
}

/** §4: without X-Request-ID the service makes one and returns it; the header's name is not shown. */
function checkRequestId({ headers }: CheckResponse): CheckRow {
  const row = { about: 'Models', title: 'Request ID generated', section: '§4' } as const;
  const responseRequestId = findRequestId(headers);
  if (responseRequestId === undefined)
    return {
      ...row,
      verdict: 'note',
      detail: 'No header looks like a request ID. The specification does not name it.',
    };
  return { ...row, verdict: 'pass', detail: `${responseRequestId}.` };
}

/** The errors of the check: what the gateway says where the specification tells what it must say. §5, §7 */
const about = 'Errors';

/** `model`: of a chat that would be answered, were the key right. */
async function checkErrors({ call, isDirect }: CheckClient, model: string): Promise<CheckRow[]> {
  const buildChatBody = (name: string) =>
    JSON.stringify({ model: name, messages: [{ role: 'user', content: 'Say hello.' }], max_tokens: 1 });
  const wrongKey = 'fk-bench-conformance-not-a-key';
  const checkKeys = async () => [
    checkKeyError('No key', await call('/v1/models', { key: undefined })),
    checkKeyError(
      'Wrong key',
      await call('/v1/chat/completions', { key: wrongKey, body: buildChatBody(model) }),
    ),
  ];
  return [
    ...(isDirect ? await checkKeys() : []),
    checkBrokenBody(await call('/v1/chat/completions', { body: '{"model": ' })),
    checkUnknownModel(await call('/v1/chat/completions', { body: buildChatBody('bench/no-such-model') })),
  ];
}

function checkKeyError(title: string, response: CheckResponse): CheckRow {
  if (response.status < 400) {
    const detail = `Status ${response.status}, although every request needs a valid key.`;
    return { about, title, section: '§5.1', verdict: 'fault', detail };
  }
  // §5.4 names type and code; the HTTP status is not shown.
  const shape = checkErrorShape(response.text, response.value, 401);
  const status = response.status === 401 ? '' : ` The HTTP status is ${response.status}.`;
  return { about, title, ...shape, detail: `${shape.detail}${status}` };
}

/** No provider can have been asked: the error is the gateway's own. */
function checkBrokenBody(response: CheckResponse): CheckRow {
  const title = 'Request body is not JSON';
  if (response.status < 400) {
    return {
      about,
      title,
      section: '§4',
      verdict: 'fault',
      detail: `Status ${response.status}.`,
    };
  }
  const shape = checkErrorShape(response.text, response.value, response.status, true);
  return { about, title, ...shape, detail: `Status ${response.status}. ${shape.detail}` };
}

function checkUnknownModel(response: CheckResponse): CheckRow {
  const title = 'Unknown model';
  if (response.status < 400) {
    const detail = `Status ${response.status}, as if the model existed.`;
    return { about, title, section: '§2.1', verdict: 'note', detail };
  }
  const shape = checkErrorShape(response.text, response.value, response.status, false);
  return { about, title, ...shape, detail: `Status ${response.status}. ${shape.detail}` };
}
