/**
 * Writes a trial as a promptfoo configuration in YAML. What promptfoo does not have is listed with its count; the rest
 * is read back without loss.
 */
import { isEqual } from 'es-toolkit';
import { Document, visit } from 'yaml';

import { canHaveVariables, findVariables } from '../../../conversation/session/variables.ts';
import {
  buildRequestFields,
  defaultParams,
  getParamState,
  PARAMS,
} from '../../../conversation/setup/params.ts';
import type { ContentPart, Message } from '../../../gateway/wire.ts';
import { hasJsonSource, toPlainJson } from '../../../lib/exact-json.ts';
import { type Json, type JsonObject } from '../../../lib/json.ts';
import { getDisplayTitle } from '../../../lib/text/trim.ts';
import { findSentFields } from '../../cases.ts';
import { createTrial, listActiveCases } from '../../edit-trial.ts';
import { getColumnLetter, type Case, type Column, type Trial } from '../../trial.ts';
import { pickDecidingCheck } from './build-checks.ts';
import { writeCheck } from './check-assertions.ts';
import {
  createNoteCollector,
  describeExportNote,
  type ConfigNote,
  type NoteCollector,
} from './config-notes.ts';
import { isPromptReference, isChatText } from './read-prompts.ts';
import { isDroppedField } from './read-providers.ts';
import { writeTemplate } from './templates.ts';

export interface PromptfooExport {
  /** YAML text, with the notes as comments at its beginning. */
  text: string;
  /** Parts that were not written, or not exactly; see `describeExportNote`. */
  notes: ConfigNote[];
}

const schemaComment = '# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json\n';
const missingReason = 'promptfoo has no such setting';
/** Fields of a request that promptfoo knows by these names; others are passed through. */
const promptfooFields = new Set([
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'frequency_penalty',
  'presence_penalty',
  'stop',
  'seed',
  'reasoning_effort',
  'verbosity',
  'response_format',
  'tools',
  'tool_choice',
]);

/** Builds the configuration of a trial. `cases` may contain retired cases, which are left out. */
export function buildPromptfooConfig(trial: Trial, cases: readonly Case[]): PromptfooExport {
  const notes = createNoteCollector();
  const currentCases = listActiveCases({ trial, cases: [...cases] });
  const { prompts, providers } = writeColumns(trial, notes);
  const { shared, byCase } = writeChecks(trial, currentCases, notes);
  noteTrialSettings(trial, notes);
  const config = {
    description: getDisplayTitle(trial.title),
    prompts,
    providers,
    ...(trial.repeats > 1 ? { evaluateOptions: { repeat: trial.repeats } } : {}),
    ...(shared.length > 0 ? { defaultTest: { assert: shared } } : {}),
    tests: currentCases.map((testCase, index) => {
      const assertions = byCase[index] ?? [];
      return {
        vars: writeValues(testCase, index, trial, notes),
        ...(assertions.length > 0 ? { assert: assertions } : {}),
      };
    }),
  };
  const noteLines = notes.list().map((note) => `# ${describeExportNote(note).replaceAll('\n', ' ')}\n`);
  return {
    text: [schemaComment, ...noteLines, writeYaml(config)].join(''),
    notes: notes.list(),
  };
}

/** Writes YAML whose texts are texts in every version of it, also those that look like dates; long ones as blocks. */
function writeYaml(config: object): string {
  const document = new Document(config, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (key, node) => {
      if (key !== 'key' && typeof node.value === 'string')
        node.type = node.value.includes('\n') ? 'BLOCK_LITERAL' : 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}

interface WrittenPrompt {
  label: string;
  raw: string;
}

/** Writes each different prompt once, and limits providers to theirs if there are several. */
function writeColumns(trial: Trial, notes: NoteCollector): { prompts: Json; providers: Json } {
  const prompts = new Map<string, WrittenPrompt>();
  const fields = new Set(trial.fields);
  const columns = trial.columns.flatMap((column, index) => {
    if (column.setup.model === '') {
      notes.add({ subject: 'column', name: getColumnLetter(index), reason: 'it has no model' });
      return [];
    }
    if (column.savedAnswers)
      notes.addChange({ subject: 'column with saved answers', reason: 'promptfoo sends its requests again' });
    const messages = listMessages(column, trial);
    const key = JSON.stringify(messages);
    const prompt = prompts.get(key) ?? {
      label: `prompt ${prompts.size + 1}`,
      raw: writePrompt(messages, fields, notes),
    };
    prompts.set(key, prompt);
    return [{ column, prompt, letter: getColumnLetter(index) }];
  });
  const hasSeveral = prompts.size > 1;
  return {
    prompts: [...prompts.values()].map(({ label, raw }) => (hasSeveral ? { label, raw } : raw)),
    providers: columns.map(({ column, prompt, letter }) => {
      const config = writeParams(column, notes);
      return {
        id: `openai:chat:${column.setup.model}`,
        label: `${letter}: ${column.setup.model}`,
        ...(hasSeveral ? { prompts: [prompt.label] } : {}),
        ...(Object.keys(config).length > 0 ? { config } : {}),
      };
    }),
  };
}

function listMessages({ setup, messages }: Column, trial: Trial): Message[] {
  const system: Message[] =
    setup.system.trim() === '' ? [] : [{ role: setup.systemRole ?? 'system', content: setup.system }];
  return [...system, ...(messages ?? trial.messages)];
}

/** Writes a single message of a user as text, and other prompts as the JSON of their messages. */
function writePrompt(
  messages: readonly Message[],
  fields: ReadonlySet<string>,
  notes: NoteCollector,
): string {
  const isVariable = (name: string) => fields.has(name);
  const [message] = messages;
  if (
    messages.length === 1 &&
    message?.role === 'user' &&
    typeof message.content === 'string' &&
    !message.name
  ) {
    const text = writeTemplate(message.content, isVariable);
    if (text.trim() !== '' && !isChatText(text) && !isPromptReference(text)) return text;
  }
  return JSON.stringify(
    messages.map((each) => writeMessage(each, isVariable, notes)),
    undefined,
    2,
  );
}

function writeMessage(
  message: Message,
  isVariable: (name: string) => boolean,
  notes: NoteCollector,
): Message {
  if (!canHaveVariables(message)) {
    const { content } = message;
    const text = typeof content === 'string' ? writeTemplate(content, () => false) : content;
    if (message.role === 'tool') return { ...message, content: writeTemplate(message.content, () => false) };
    const { opaque, ...rest } = message;
    if (opaque) notes.add({ subject: 'provider field of a message', reason: missingReason });
    return { ...rest, content: Array.isArray(text) ? writeParts(text, () => false, notes) : text };
  }
  const { content } = message;
  return {
    ...message,
    content:
      typeof content === 'string'
        ? writeTemplate(content, isVariable)
        : writeParts(content, isVariable, notes),
  };
}

function writeParts(
  parts: readonly ContentPart[],
  isVariable: (name: string) => boolean,
  notes: NoteCollector,
): ContentPart[] {
  return parts.flatMap((part): ContentPart[] => {
    if (part.type === 'text' && part.file === undefined)
      return [{ ...part, text: writeTemplate(part.text, isVariable) }];
    notes.add({ subject: 'image or file', reason: 'attach it to the prompt in promptfoo' });
    return [];
  });
}

/** Writes the fields of the request that the column sends. */
function writeParams({ setup }: Column, notes: NoteCollector): JsonObject {
  const { stream, stream_options: streamOptions, ...fields } = buildRequestFields(setup.params);
  const { stream: defaultStream, stream_options: defaultOptions } = buildRequestFields(defaultParams);
  if (!isEqual([stream, streamOptions], [defaultStream, defaultOptions]))
    notes.add({ subject: 'stream setting', reason: missingReason });
  if (setup.gateway !== undefined) notes.add({ subject: 'gateway of a column', reason: missingReason });
  if (setup.sendReasoning !== undefined) notes.add({ subject: 'reasoning setting', reason: missingReason });
  for (const { name } of PARAMS)
    if (
      setup.params[name] &&
      !setup.params[name].byDefault &&
      getParamState(setup.params, name).state !== 'sent'
    )
      notes.add({ subject: 'parameter', name, reason: 'it is not sent' });
  const passthrough: JsonObject = {};
  const config: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) {
    if (hasJsonSource(value))
      notes.addChange({ subject: 'parameter', name, reason: 'promptfoo does not keep all of its digits' });
    if (promptfooFields.has(name)) config[name] = toPlainJson(value);
    else if (isDroppedField(name)) notes.add({ subject: 'parameter', name, reason: 'it may be a key' });
    else passthrough[name] = toPlainJson(value);
  }
  return { ...config, ...(Object.keys(passthrough).length > 0 ? { passthrough } : {}) };
}

/** Writes the values of a case, and notes those that promptfoo changes when it reads or fills them. */
function writeValues(
  { values, history }: Case,
  index: number,
  trial: Trial,
  notes: NoteCollector,
): Record<string, string> {
  const cases = [index];
  const names = new Set(Object.keys(values));
  if (history && history.length > 0)
    notes.add({ subject: 'list of earlier messages', reason: missingReason, cases });
  for (const name of findSentFields(trial)) {
    if (!names.has(name) && trial.fields.includes(name))
      notes.addChange({ subject: 'missing value', name, reason: 'it is empty in promptfoo', cases });
    if (names.has(name) && !/^[A-Za-z_]\w*$/.test(name))
      notes.addChange({ subject: 'value', name, reason: 'promptfoo fills in plain names only', cases });
  }
  const entries = Object.entries(values).filter(([name]) => name !== '__proto__');
  if (names.has('__proto__'))
    notes.add({ subject: 'value', name: '__proto__', reason: 'promptfoo cannot read it', cases });
  for (const [name, value] of entries) {
    const reason = findValueChange(value, names);
    if (reason !== undefined) notes.addChange({ subject: 'value', name, reason, cases });
  }
  return Object.fromEntries(entries);
}

function findValueChange(value: string, names: ReadonlySet<string>): string | undefined {
  if (value.startsWith('file://')) return 'promptfoo reads it as the name of a file';
  if (value.endsWith('\n')) return 'promptfoo removes a final line break';
  return findVariables([value]).some((name) => names.has(name))
    ? 'promptfoo fills values into values'
    : undefined;
}

/** Writes assertions that are the same in all cases once, and others with their cases. */
function writeChecks(
  trial: Trial,
  cases: readonly Case[],
  notes: NoteCollector,
): { shared: JsonObject[]; byCase: JsonObject[][] } {
  const shared: JsonObject[] = [];
  const byCase: JsonObject[][] = cases.map(() => []);
  const writtenChecks: { id: string; caseCount: number; firstCase: number }[] = [];
  const names = new Set<string>();
  for (const check of trial.checks) {
    const { name } = check;
    const writtenCases = cases.map(({ values }) => writeCheck(check, values));
    const failure = writtenCases.find((written) => written && 'reason' in written);
    if (failure && 'reason' in failure) notes.add({ subject: 'check', name, reason: failure.reason });
    else if (names.has(name)) notes.add({ subject: 'check', name, reason: 'another check has its name' });
    else {
      names.add(name);
      const assertions = writtenCases.map((written) =>
        written && 'assertion' in written ? written.assertion : undefined,
      );
      const change = writtenCases.flatMap((written) =>
        written && 'change' in written ? (written.change ?? []) : [],
      )[0];
      if (change !== undefined) notes.addChange({ subject: 'check', name, reason: change });
      const caseCount = assertions.filter((assertion) => assertion !== undefined).length;
      const [first] = assertions;
      const isShared = first !== undefined && assertions.every((assertion) => isEqual(assertion, first));
      if (isShared) shared.push(first);
      else
        for (const [index, assertion] of assertions.entries()) if (assertion) byCase[index]?.push(assertion);
      if (caseCount === 0) notes.add({ subject: 'check', name, reason: 'it counts in no case' });
      else {
        const firstCase = isShared ? -1 : assertions.findIndex((assertion) => assertion !== undefined);
        writtenChecks.push({ id: check.id, caseCount, firstCase });
      }
    }
  }
  // The import lists checks in the order in which they first appear in the file.
  const inFileOrder = writtenChecks.toSorted((a, b) => a.firstCase - b.firstCase);
  const decidingIndex = pickDecidingCheck(inFileOrder.map(({ caseCount }) => caseCount));
  const decidingId = decidingIndex === undefined ? undefined : inFileOrder[decidingIndex]?.id;
  if (trial.decides !== decidingId)
    notes.add({ subject: 'deciding check', reason: 'every assertion decides in promptfoo' });
  return { shared, byCase };
}

/** Notes the settings of the trial that promptfoo does not have and that differ from those of a new trial. */
function noteTrialSettings(trial: Trial, notes: NoteCollector): void {
  const defaults = createTrial([], [], { now: () => 0, newId: () => '', seed: 0 });
  const settings: [name: string, isSet: boolean][] = [
    ['seed of the case order', true],
    ['group', trial.groupField !== undefined],
    ['margin', trial.margin !== defaults.margin],
    ['timeout', trial.giveUpAfterMs !== defaults.giveUpAfterMs],
    ['baseline', trial.baseline !== trial.columns[0]?.id],
    ['budget', trial.budget !== undefined],
    ['stop when decided', trial.stopWhenDecided],
    ['leave out timeouts', trial.leavesOutTimeouts === true],
  ];
  for (const [name, isSet] of settings)
    if (isSet) notes.add({ subject: 'trial setting', name, reason: missingReason });
}
