/** Schemas for stored and imported records, which are untrusted data. */
import * as v from 'valibot';

import type { ErrorReport } from '../../gateway/errors/errors.ts';
import { readOpaqueFields } from '../../gateway/opaque-fields.ts';
import type { Message, OpaqueRecord } from '../../gateway/wire.ts';
import { isRecord } from '../../lib/json.ts';
import { readSetup } from '../setup/setup.ts';
import type { Lane, Prompt, Run, RunId, Session, Setup, Turn, Vote } from './types.ts';

/** Records are stored in objects by ID, so the names of inherited properties are not valid IDs. */
const idSchema = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(200),
  v.check((text) => !(text in Object.prototype), 'Not a valid record ID'),
);
const countSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Time in epoch ms within the range of Date (ECMAScript time values). */
const timeSchema = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));

const fileInfoSchema = v.object({
  name: v.string(),
  bytes: countSchema,
  encoding: v.exactOptional(v.string()),
});
const textPartSchema = v.object({
  type: v.literal('text'),
  text: v.string(),
  file: v.exactOptional(fileInfoSchema),
});
const mediaFileSchemas = [
  v.object({ type: v.literal('file'), file: v.object({ filename: v.string(), file_data: v.string() }) }),
  v.object({
    type: v.literal('input_audio'),
    input_audio: v.object({ data: v.string(), format: v.string() }),
    name: v.exactOptional(v.string()),
  }),
] as const;
/** Schema for a part with a file of any kind. */
export const filePartSchema = v.union([
  v.object({ ...textPartSchema.entries, file: fileInfoSchema }),
  ...mediaFileSchemas,
]);
const contentPartSchema = v.union([
  textPartSchema,
  ...mediaFileSchemas,
  v.object({
    type: v.literal('image_url'),
    image_url: v.object({ url: v.string(), detail: v.exactOptional(v.string()) }),
  }),
]);
const contentSchema = v.union([v.string(), v.array(contentPartSchema)]);
const toolCallSchema = v.object({
  id: v.string(),
  type: v.literal('function'),
  function: v.object({ name: v.string(), arguments: v.string() }),
});

/** Drops fields that must not be sent, so that a record cannot set a known field of a message. */
const opaqueFieldsSchema = v.pipe(v.unknown(), v.transform(readOpaqueFields));
const opaqueRecordSchema: v.GenericSchema<unknown, OpaqueRecord> = v.object({
  model: v.string(),
  gatewayId: v.exactOptional(v.string()),
  fields: v.exactOptional(opaqueFieldsSchema),
  calls: v.exactOptional(v.array(opaqueFieldsSchema)),
  isImported: v.exactOptional(v.literal(true)),
});

export const messageSchema: v.GenericSchema<unknown, Message> = v.union([
  v.object({
    role: v.picklist(['system', 'developer', 'user']),
    content: contentSchema,
    name: v.exactOptional(v.string()),
  }),
  v.object({
    role: v.literal('assistant'),
    content: v.nullable(contentSchema),
    name: v.exactOptional(v.string()),
    tool_calls: v.exactOptional(v.array(toolCallSchema)),
    opaque: v.exactOptional(opaqueRecordSchema),
  }),
  v.object({
    role: v.literal('tool'),
    content: v.string(),
    tool_call_id: v.string(),
    name: v.exactOptional(v.string()),
  }),
]);

export const setupSchema: v.GenericSchema<unknown, Setup> = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const setup = readSetup(dataset.value);
    if (setup) return setup;
    addIssue({ message: 'Not a setup: model, system and params are required' });
    return NEVER;
  }),
);

/** Valibot's record schema drops names like `constructor`, which are ordinary names here. */
export const stringRecordSchema = v.custom<Record<string, string>>(
  (value) => isRecord(value) && Object.values(value).every((text) => typeof text === 'string'),
);

export const sessionSchema: v.GenericSchema<unknown, Session> = v.object({
  id: idSchema,
  title: v.string(),
  titled: v.exactOptional(v.literal(true)),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  laneIds: v.array(idSchema),
  summary: v.exactOptional(
    v.object({
      models: v.array(v.string()),
      prompts: countSchema,
      tokens: v.exactOptional(v.number()),
      tokensEstimated: v.exactOptional(v.literal(true)),
      marks: v.exactOptional(v.array(v.picklist(['good', 'bad', 'star']))),
    }),
  ),
  variables: v.exactOptional(stringRecordSchema),
  importedFields: v.exactOptional(v.picklist(['new', 'sent', 'left out'])),
});

export const laneSchema: v.GenericSchema<unknown, Lane> = v.object({
  id: idSchema,
  sessionId: idSchema,
  setup: setupSchema,
  name: v.exactOptional(v.string()),
  tip: v.exactOptional(idSchema),
});

const votesSchema: v.GenericSchema<unknown, Vote[]> = v.array(
  v.object({
    turnIds: v.array(idSchema),
    winner: v.string(),
    blind: v.exactOptional(v.literal(true)),
    at: timeSchema,
  }),
);

export const promptSchema: v.GenericSchema<unknown, Prompt> = v.object({
  id: idSchema,
  sessionId: idSchema,
  seq: countSchema,
  createdAt: timeSchema,
  replaces: v.exactOptional(idSchema),
  messages: v.array(messageSchema),
  results: v.exactOptional(
    v.array(
      v.object({
        call: v.object({ name: v.string(), ordinal: countSchema, arguments: v.exactOptional(v.string()) }),
        content: v.string(),
        isError: v.exactOptional(v.boolean()),
      }),
    ),
  ),
  better: v.exactOptional(votesSchema),
});

/** Turn in stored and exported form, where the only field of `reply` identifies its kind. */
export type StoredTurn = Omit<Turn, 'reply'> & { reply?: { runId: RunId } | { written: Message } };

export const storedTurnSchema: v.GenericSchema<unknown, StoredTurn> = v.object({
  id: idSchema,
  sessionId: idSchema,
  laneId: idSchema,
  seq: countSchema,
  parent: v.exactOptional(v.object({ turnId: idSchema, choice: countSchema })),
  promptId: idSchema,
  reply: v.exactOptional(v.union([v.object({ runId: idSchema }), v.object({ written: messageSchema })])),
  shownChoice: v.exactOptional(countSchema),
  remark: v.exactOptional(
    v.object({
      mark: v.exactOptional(v.picklist(['good', 'bad', 'star'])),
      text: v.exactOptional(v.string()),
    }),
  ),
});

export const turnSchema: v.GenericSchema<unknown, Turn> = v.pipe(
  storedTurnSchema,
  v.transform(({ reply, ...turn }): Turn => {
    if (!reply) return turn;
    return {
      ...turn,
      reply:
        'runId' in reply ? { kind: 'run', runId: reply.runId } : { kind: 'written', message: reply.written },
    };
  }),
);

/** Converts a turn to its stored form. */
export function toStoredTurn({ reply, ...turn }: Turn): StoredTurn {
  if (!reply) return turn;
  return { ...turn, reply: reply.kind === 'run' ? { runId: reply.runId } : { written: reply.message } };
}

const fieldErrorsSchema = v.array(v.object({ path: v.string(), message: v.string() }));

/** Error and note kinds from newer versions are kept and read as strings. */
const errorReportSchema = v.custom<ErrorReport>(
  (value) =>
    isRecord(value) &&
    ['message', 'kind', 'source'].every((key) => typeof value[key] === 'string') &&
    ['type', 'code', 'requestId', 'raw'].every((key) =>
      ['string', 'undefined'].includes(typeof value[key]),
    ) &&
    ['status', 'retryAfterMs'].every((key) => ['number', 'undefined'].includes(typeof value[key])) &&
    (value['fields'] === undefined || v.is(fieldErrorsSchema, value['fields'])),
);

const phaseSchema = v.union([
  v.object({ name: v.picklist(['queued', 'waiting', 'streaming', 'complete', 'stopped', 'interrupted']) }),
  v.object({ name: v.picklist(['truncated', 'failed']), error: v.exactOptional(errorReportSchema) }),
]);

const partSchema = v.variant('type', [
  v.object({ type: v.literal('text'), text: v.string() }),
  v.object({ type: v.literal('refusal'), text: v.string() }),
  v.object({
    type: v.literal('thinking'),
    text: v.string(),
    startedMs: timeSchema,
    endedMs: timeSchema,
    deltas: countSchema,
  }),
  v.object({
    type: v.literal('tool-call'),
    slot: countSchema,
    id: v.exactOptional(v.string()),
    name: v.string(),
    arguments: v.string(),
    opaque: v.exactOptional(opaqueFieldsSchema),
  }),
  v.object({ type: v.literal('image'), url: v.string() }),
]);

const sourcesSchema = v.array(v.object({ url: v.string(), title: v.exactOptional(v.string()) }));

const noteSchema = v.custom<Run['notes'][number]>(
  (value) =>
    isRecord(value) &&
    typeof value['kind'] === 'string' &&
    typeof value['count'] === 'number' &&
    ['string', 'undefined'].includes(typeof value['detail']),
);

export const runSchema: v.GenericSchema<unknown, Run> = v.object({
  id: idSchema,
  sessionId: idSchema,
  setup: setupSchema,
  phase: phaseSchema,
  choices: v.array(
    v.object({
      parts: v.array(partSchema),
      sound: v.exactOptional(v.object({ data: v.string(), format: v.exactOptional(v.string()) })),
      sources: v.exactOptional(sourcesSchema),
      finishReason: v.exactOptional(v.string()),
      held: v.exactOptional(v.string()),
      inThinkTag: v.exactOptional(v.string()),
      hasOwnReasoning: v.exactOptional(v.literal(true)),
      tags: v.exactOptional(v.picklist(['opened', 'done'])),
      opaque: v.exactOptional(opaqueFieldsSchema),
    }),
  ),
  sentAt: v.exactOptional(timeSchema),
  timedBy: v.exactOptional(v.literal('server')),
  firstTokenMs: v.exactOptional(timeSchema),
  firstTextMs: v.exactOptional(timeSchema),
  lastEventMs: v.exactOptional(timeSchema),
  endedMs: v.exactOptional(timeSchema),
  requestId: v.exactOptional(v.string()),
  returnedRequestId: v.exactOptional(v.string()),
  gatewayId: v.exactOptional(v.string()),
  gateway: v.exactOptional(v.string()),
  messageFields: v.exactOptional(v.array(v.string())),
  isImported: v.exactOptional(v.literal(true)),
  model: v.exactOptional(v.string()),
  responseId: v.exactOptional(v.string()),
  status: v.exactOptional(v.number()),
  usage: v.exactOptional(
    v.object({
      promptTokens: v.exactOptional(v.number()),
      completionTokens: v.exactOptional(v.number()),
      totalTokens: v.exactOptional(v.number()),
      reasoningTokens: v.exactOptional(v.number()),
      cachedTokens: v.exactOptional(v.number()),
      costUsd: v.exactOptional(v.number()),
    }),
  ),
  blockReason: v.exactOptional(v.string()),
  deltas: countSchema,
  estimatedPromptTokens: v.exactOptional(v.number()),
  imagesLeftOut: v.exactOptional(countSchema),
  filesLeftOut: v.exactOptional(countSchema),
  notes: v.array(noteSchema),
  sources: v.exactOptional(sourcesSchema),
  leftOver: v.exactOptional(v.string()),
  done: v.exactOptional(v.literal(true)),
  cell: v.exactOptional(
    v.object({ trialId: idSchema, caseId: idSchema, columnId: idSchema, repeat: countSchema }),
  ),
});
