/**
 * Checks a whole gateway against the API description with about 17 small requests. Used by `npm run conformance` and by
 * the page.
 */
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
  /** Model to use instead of the first one in the list. */
  model?: string | undefined;
  embeddingModel?: string | undefined;
  /**
   * Detail text of the only row if the model list is rejected because of the key. If omitted, the other rows report the
   * problem.
   */
  keyRejectedText?: string | undefined;
}

/** Returns the maximum number of requests that a check from the page sends; `posts` count towards the rate limit. */
export function countCheckRequests(hasEmbeddings: boolean): { reads: number; posts: number } {
  const errorRequestCount = 2;
  return {
    reads: 2,
    posts: chatProbeCount + (hasEmbeddings ? embeddingRequestCount : 0) + errorRequestCount,
  };
}

/** Yields rows as they become available. An unreachable gateway yields a row and never throws. */
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
    // Every other row would report the same problem.
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

/** Title of the only row if the gateway requires a key or rejects the given one. */
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

/** Returns the models of a response that was already received, or an empty list if it cannot be parsed. */
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

/**
 * Checks that the service generates and returns a request ID if X-Request-ID is missing (§4). The API page does not
 * name the response header.
 */
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

/** Label of the error rows, which compare error responses with §5 and §7. */
const about = 'Errors';

/** Sends invalid requests. `model` is the ID of a model that would respond if the key were valid. */
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
  // §5.4 specifies type and code, but no HTTP status.
  const shape = checkErrorShape(response.text, response.value, 401);
  const status = response.status === 401 ? '' : ` The HTTP status is ${response.status}.`;
  return { about, title, ...shape, detail: `${shape.detail}${status}` };
}

/** Checks the error for an invalid body. No provider was involved, so the error comes from the gateway. */
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
