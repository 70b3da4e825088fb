import type { Setup } from '../../../conversation/session/types.ts';
import { canHaveVariables } from '../../../conversation/session/variables.ts';
/** Reads the prompts of a configuration: texts, chat messages as JSON or YAML, and files of either. */
import type { ContentPart, Message } from '../../../gateway/wire.ts';
import { isRecord, getStringProperty } from '../../../lib/json.ts';
import { readTable } from '../../../lib/table/read-table.ts';
import { parseHistoryMessages } from '../parse-history-messages.ts';
import { parseConfigDocument } from './config-document.ts';
import { isFileReference, type ConfigFileReader, type ReadConfigFile } from './config-files.ts';
import type { NoteCollector } from './config-notes.ts';
import { readTemplate, withoutDumpFilters } from './templates.ts';

/** A prompt as a system prompt and messages. */
export interface ReadPrompt extends Pick<Setup, 'system' | 'systemRole'> {
  /** Texts by which providers and tests select the prompt. */
  names: string[];
  messages: Message[];
}

export interface ReadContext {
  files: ConfigFileReader;
  notes: NoteCollector;
}

/** Prompt of a configuration that has none. */
const defaultPrompt = '{{prompt}}';

const filePathPattern = /^[^\s{}]+\.(?:txt|md|json|jsonl|ya?ml|csv)$/i;
const codePathPattern = /^(?:file:\/\/)?[^\s{}]+\.(?:[cm]?[jt]s|py)(?::\w+)?$|^(?:exec|python):/i;
const remotePattern = /^(?:https?|portkey|langfuse|helicone|s3|gs|az):\/\/\S+$/i;

/** Reads `prompts`. Without any, the prompt is the value `prompt` of the cases; if none is readable, it is empty. */
export async function readPrompts(value: unknown, context: ReadContext): Promise<ReadPrompt[]> {
  const entries = listPromptEntries(value);
  const prompts: ReadPrompt[] = [];
  for (const { source, names } of entries) {
    const texts = await readPromptTexts(source, context);
    for (const text of texts)
      prompts.push({ ...readPromptText(text, context.notes), names: [...names, source] });
  }
  if (prompts.length > 0) return prompts;
  return [{ ...readPromptText(entries.length > 0 ? '' : defaultPrompt, context.notes), names: [] }];
}

/** A text, file or list of prompts is accepted, and the older map from files to labels. */
function listPromptEntries(value: unknown): { source: string; names: string[] }[] {
  if (typeof value === 'string') return [{ source: value, names: [] }];
  if (isRecord(value))
    return Object.entries(value).map(([source, label]) => ({ source, names: [String(label)] }));
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (typeof entry === 'string') return [{ source: entry, names: [] }];
    // A list of messages in YAML is one chat prompt.
    if (Array.isArray(entry)) return [{ source: JSON.stringify(entry), names: [] }];
    if (!isRecord(entry)) return [];
    const names = ['label', 'id', 'display'].flatMap((key) => getStringProperty(entry, key) ?? []);
    const source = getPromptSource(entry);
    return source === undefined ? [] : [{ source, names }];
  });
}

function getPromptSource(entry: Record<string, unknown>): string | undefined {
  const raw = entry['raw'] ?? entry['messages'];
  if (isRecord(raw) || Array.isArray(raw)) return JSON.stringify(raw);
  return ['raw', 'content', 'file', 'id']
    .map((key) => getStringProperty(entry, key))
    .find((text) => text !== undefined);
}

async function readPromptTexts(source: string, { files, notes }: ReadContext): Promise<string[]> {
  if (codePathPattern.test(source)) {
    notes.add({ subject: 'prompt', reason: 'Bench runs no code' });
    return [];
  }
  if (remotePattern.test(source)) {
    notes.add({ subject: 'prompt', reason: 'Bench fetches nothing that a file names' });
    return [];
  }
  if (!isFileReference(source) && !filePathPattern.test(source)) return [source];
  const readFiles = await files.read(source, 'prompt');
  return readFiles.flatMap((file) => splitPromptFile(file));
}

function splitPromptFile({ extension, text, path }: ReadConfigFile): string[] {
  switch (extension) {
    case 'txt':
      return text
        .split(/^[^\S\n]*---[^\S\n]*$/m)
        .map((part) => part.trim())
        .filter((part) => part !== '');
    case 'jsonl':
      return text.split('\n').filter((line) => line.trim() !== '');
    case 'csv': {
      const { columns, rows } = readTable(text, { name: path, format: 'delimited', hasHeader: true });
      const index = Math.max(0, columns.indexOf('prompt'));
      return rows.flatMap(({ cells }) => cells[index] ?? []);
    }
    case 'yaml':
    case 'yml': {
      const parsed = parseConfigDocument(text);
      if (!parsed.ok) return [text];
      return [typeof parsed.value === 'string' ? parsed.value : JSON.stringify(parsed.value)];
    }
    default:
      return [text];
  }
}

/** Reads a prompt as chat messages if it is a list of them, otherwise as the text of a user message. */
function readPromptText(source: string, notes: NoteCollector): Omit<ReadPrompt, 'names'> {
  const chat = parseChat(source);
  if (!chat) return { system: '', messages: [{ role: 'user', content: readText(source, notes) }] };
  const messages = chat.map((message) => readMessage(message, notes));
  const [first, ...rest] = messages;
  const isSystem = first?.role === 'system' || first?.role === 'developer';
  if (!isSystem || rest.length === 0 || typeof first.content !== 'string' || first.content.trim() === '')
    return { system: '', messages };
  return {
    system: first.content,
    ...(first.role === 'developer' ? { systemRole: 'developer' } : {}),
    messages: rest,
  };
}

/** Returns true if a text is read as chat messages if possible. */
export function isChatText(text: string): boolean {
  return /^\s*(?:\[|-\s*(?:role|content)\s*:)/.test(text);
}

/** Returns true if a prompt is read as the name of a file, program or address. */
export function isPromptReference(text: string): boolean {
  return (
    isFileReference(text) ||
    [filePathPattern, codePathPattern, remotePattern].some((pattern) => pattern.test(text))
  );
}

function parseChat(source: string): Message[] | undefined {
  const text = source.trim();
  if (!isChatText(text)) return undefined;
  const isJsonList = text.startsWith('[');
  const candidates = isJsonList ? [text, withoutDumpFilters(text)] : [quoteTemplates(text), text];
  for (const candidate of candidates) {
    const parsed = parseConfigDocument(candidate);
    const messages = parsed.ok ? parseHistoryMessages(parsed.value) : undefined;
    if (messages && messages.length > 0) return messages;
  }
  return undefined;
}

/** Quotes values that begin with a template, which would be a map in YAML. */
function quoteTemplates(text: string): string {
  return text.replaceAll(
    /^(\s*(?:-\s*)?\w+:[^\S\n]*)(\{\{.*)$/gm,
    (_, key: string, value: string) => `${key}'${value.trimEnd().replaceAll("'", "''")}'`,
  );
}

function readMessage(message: Message, notes: NoteCollector): Message {
  if (!canHaveVariables(message)) {
    if (typeof message.content !== 'string') return message;
    const { text, hasVariables } = readTemplate(message.content);
    if (hasVariables)
      notes.addChange({
        subject: 'prompt message',
        reason: 'variables in answers and tool results stay as text',
      });
    return { ...message, content: text };
  }
  if (typeof message.content === 'string') return { ...message, content: readText(message.content, notes) };
  const content = message.content.flatMap((part): ContentPart[] => {
    if (part.type === 'text') return [{ ...part, text: readText(part.text, notes) }];
    notes.add({ subject: 'prompt part', reason: 'images and files are attached in Bench' });
    return [];
  });
  return { ...message, content };
}

/** Returns the text with `{{name}}`; other templates stay as they are and are noted. */
function readText(source: string, notes: NoteCollector): string {
  const { text, foreign } = readTemplate(source);
  for (const kind of foreign)
    notes.add({
      subject: kind,
      reason:
        kind === 'environment variable'
          ? 'environment variables are never read, so the text stays as it is'
          : '{{name}} is the only template, so the text stays as it is',
    });
  return text;
}
