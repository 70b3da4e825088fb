/** Reads the providers of a configuration as models with parameters. Addresses and keys are dropped. */
import {
  defaultParams,
  getParamRow,
  PARAMS,
  type ParamName,
  type Params,
} from '../../../conversation/setup/params.ts';
import { isRecord, getOwnProperty, getStringProperty } from '../../../lib/json.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import { isFileReference } from './config-files.ts';
import type { NoteCollector } from './config-notes.ts';
import type { ReadContext } from './read-prompts.ts';

export interface ReadProvider {
  model: string;
  params: Params;
  /** Names of the prompts that the provider is limited to. */
  prompts?: string[];
}

/** Kinds of providers that run code, or that are not chat models. */
const codeKinds = new Set([
  'exec',
  'python',
  'javascript',
  'golang',
  'go',
  'ruby',
  'script',
  'package',
  'browser',
  'mcp',
  'file',
]);
const remoteKinds = new Set(['http', 'https', 'ws', 'wss', 'websocket', 'webhook']);
const otherKinds = new Set(['echo', 'manual-input', 'null', 'promptfoo', 'sequence', 'slack']);
const otherModelTypes = new Set([
  'embedding',
  'embeddings',
  'image',
  'video',
  'assistant',
  'assistants',
  'realtime',
  'moderation',
  'speech',
  'transcription',
  'tts',
  'agents',
  'agent',
  'codex-sdk',
  'codex',
  'chatkit',
  'live',
  'claude-agent-sdk',
  'text-classification',
  'feature-extraction',
  'token-classification',
  'sentence-similarity',
]);
/** Parts of an ID between the provider and the model. */
const chatModelTypes = new Set([
  'chat',
  'responses',
  'completion',
  'messages',
  'converse',
  'text',
  'text-generation',
]);
const secretPattern =
  /key|secret|password|authorization|credential|headers|token$|tokenfile|envar|organi[sz]ation/i;
const addressPattern = /url|host|endpoint|^region$|proxy/i;

/** Reads `providers` or `targets`. */
export async function readProviders(value: unknown, context: ReadContext): Promise<ReadProvider[]> {
  const entries = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  const providers: ReadProvider[] = [];
  for (const entry of entries) providers.push(...(await readProviderEntry(entry, context)));
  return providers;
}

async function readProviderEntry(entry: unknown, context: ReadContext): Promise<ReadProvider[]> {
  const { files, notes } = context;
  const id = typeof entry === 'string' ? entry : getStringProperty(entry, 'id');
  if (isFileReference(id) && /\.(?:ya?ml|json)$/i.test(id)) {
    const values = await files.readValues(id, 'provider file');
    return readProviders(
      values.flatMap((value) => value).filter((value) => !isFileReference(value)),
      context,
    );
  }
  if (id === undefined && isRecord(entry)) {
    // The older form is a map from IDs to options.
    const providers: ReadProvider[] = [];
    for (const [mappedId, options] of Object.entries(entry))
      if (isRecord(options))
        providers.push(...(await readProviderEntry({ ...options, id: mappedId }, context)));
    if (providers.length > 0) return providers;
  }
  const model = id === undefined ? undefined : readModel(id, notes);
  if (model === undefined) {
    if (id === undefined) notes.add({ subject: 'provider', reason: 'it has no ID' });
    return [];
  }
  for (const key of Object.keys(isRecord(entry) ? entry : {}))
    if (!['id', 'config', 'label', 'prompts'].includes(key)) noteSetting(key, notes);
  const prompts = getOwnProperty(entry, 'prompts');
  return [
    {
      model,
      params: await readParams(getOwnProperty(entry, 'config'), context),
      ...(Array.isArray(prompts) ? { prompts: prompts.filter((name) => typeof name === 'string') } : {}),
    },
  ];
}

/** Returns the model ID in a provider ID, `undefined` if it names no chat model. */
function readModel(id: string, notes: NoteCollector): string | undefined {
  const [kind = '', ...parts] = id.split(':');
  const type = parts[0] ?? '';
  if (codeKinds.has(kind) || /\.(?:[cm]?[jt]s|py|rb|go|sh)$/i.test(id)) {
    notes.add({
      subject: `${kind === 'file' ? 'code' : sanitizeForSentence(kind, 40)} provider`,
      reason: 'Bench runs no code',
    });
    return undefined;
  }
  if (remoteKinds.has(kind)) {
    notes.add({ subject: `${kind} provider`, reason: 'requests go to the gateway of Bench only' });
    return undefined;
  }
  if (otherKinds.has(kind) || otherModelTypes.has(type) || parts.length === 0) {
    const name = [kind, ...(otherModelTypes.has(type) ? [type] : [])].join(':');
    notes.add({ subject: 'provider', name, reason: 'it names no chat model' });
    return undefined;
  }
  // Gateways name the provider before the type, as in `adaline:openai:chat:gpt-4.1`.
  const typeIndex = parts.slice(0, kind === 'openai' ? 1 : 2).findIndex((part) => chatModelTypes.has(part));
  const model = parts.slice(typeIndex + 1).join(':');
  if (model === '' || id.includes('{{')) {
    notes.add({
      subject: 'provider',
      reason: model === '' ? 'it names no model' : 'IDs with templates are not read',
    });
    return undefined;
  }
  if (kind !== 'openai')
    notes.addChange({
      subject: 'provider',
      name: id,
      reason: `${sanitizeForSentence(model)} is requested from your gateway, which must know it`,
    });
  return model;
}

/** Names of other APIs for the same parameter. */
const parameterNames: Readonly<Record<string, ParamName>> = {
  max_output_tokens: 'max_tokens',
  maxOutputTokens: 'max_tokens',
  maxTokens: 'max_tokens',
  topP: 'top_p',
  topK: 'top_k',
  stopSequences: 'stop',
  stop_sequences: 'stop',
};

async function readParams(config: unknown, context: ReadContext): Promise<Params> {
  const { notes } = context;
  const params: Params = { ...defaultParams };
  const entries = Object.entries(isRecord(config) ? config : {}).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  for (const [key, rawValue] of entries) {
    const name = Object.hasOwn(parameterNames, key)
      ? parameterNames[key]
      : PARAMS.find((row) => row.name === key)?.name;
    if (key === 'passthrough' && isRecord(rawValue)) Object.assign(params, readExtraFields(rawValue, notes));
    else if (key === 'reasoning' && typeof getOwnProperty(rawValue, 'effort') === 'string')
      params.reasoning_effort = { sent: true, text: getStringProperty(rawValue, 'effort') ?? '' };
    else if (name === undefined || name === 'stream_options' || name === 'Extra provider fields')
      noteSetting(key, notes);
    else {
      const value = await readParamValue(rawValue, context);
      const text = value === undefined ? undefined : toParamText(name, value);
      if (text !== undefined && getParamRow(name).read(text).ok && !hasTemplate(text))
        params[name] = { sent: true, text };
      else notes.add({ subject: 'parameter value', name, reason: 'Bench cannot send it' });
    }
  }
  return params;
}

function hasTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}

/** Tools and formats may be in a file. */
async function readParamValue(value: unknown, { files }: ReadContext): Promise<unknown> {
  if (isFileReference(value)) return (await files.readValues(value, 'parameter file'))[0];
  if (!Array.isArray(value)) return value;
  const items: unknown[] = [];
  for (const item of value) {
    const values: unknown[] = isFileReference(item) ? await files.readValues(item, 'parameter file') : [item];
    items.push(...values.flatMap((each) => (isFileReference(item) ? each : [each])));
  }
  return items;
}

function noteSetting(key: string, notes: NoteCollector): void {
  if (secretPattern.test(key))
    notes.add({
      subject: 'provider setting',
      name: key,
      reason: 'keys and headers come from the server of Bench only',
    });
  else if (addressPattern.test(key))
    notes.add({ subject: 'provider setting', name: key, reason: 'requests go to the gateway of Bench only' });
  else notes.add({ subject: 'provider setting', name: key, reason: 'Bench has no such setting' });
}

/** Returns true for fields of a request that are never taken from a configuration: they may be keys. */
export function isDroppedField(name: string): boolean {
  return secretPattern.test(name) || name === 'model' || name === 'messages' || name === '__proto__';
}

function readExtraFields(fields: Record<string, unknown>, notes: NoteCollector): Params {
  const entries = Object.entries(fields).filter(([key]) => {
    const isDropped = isDroppedField(key);
    if (isDropped) noteSetting(key, notes);
    return !isDropped;
  });
  const namedFields = entries.filter(([key]) => PARAMS.some(({ name }) => name === key));
  const extra = Object.fromEntries(entries.filter((entry) => !namedFields.includes(entry)));
  return {
    ...Object.fromEntries(
      namedFields.flatMap(([key, value]) => {
        const row = PARAMS.find(({ name }) => name === key);
        const text = row && toParamText(row.name, value);
        return text === undefined ? [] : [[key, { sent: true, text }]];
      }),
    ),
    ...(Object.keys(extra).length > 0
      ? { 'Extra provider fields': { sent: true, text: JSON.stringify(extra) } }
      : {}),
  };
}

/** Returns the text of a parameter's control for a value of the request. */
export function toParamText(name: ParamName, value: unknown): string | undefined {
  switch (getParamRow(name).control.type) {
    case 'number':
      return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
    case 'switch':
      return typeof value === 'boolean' || value === 'true' || value === 'false' ? String(value) : undefined;
    case 'words':
      return typeof value === 'string' ? value : undefined;
    case 'lines': {
      const lines: unknown[] = Array.isArray(value) ? value : [value];
      return lines.every((line) => typeof line === 'string' && line !== '')
        ? lines.map(String).map(escapeLine).join('\n')
        : undefined;
    }
    case 'response-format': {
      const type = getStringProperty(value, 'type');
      const isPlain = isRecord(value) && Object.keys(value).length === 1;
      return isPlain && (type === 'text' || type === 'json_object') ? type : JSON.stringify(value);
    }
    case 'tool-choice': {
      const functionName = getStringProperty(getOwnProperty(value, 'function'), 'name');
      return typeof value === 'string'
        ? value
        : functionName === undefined
          ? undefined
          : `function:${functionName}`;
    }
    case 'tools':
    case 'json':
      return JSON.stringify(value);
    case 'constant':
      return undefined;
  }
}

/** Escapes a stop sequence as `splitLines` of param-readers.ts reads it. */
function escapeLine(line: string): string {
  return line
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r');
}
