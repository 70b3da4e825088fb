/** Parses settings typed into the command palette: `temp 0.2`, `max 600 in b`, `no seed`, `thinking off`. */
import { getLaneLetter } from '../session/turn-tree.ts';
import { PARAMS, type ParamName, type ParamRow } from './params.ts';

/** Effect of a typed setting: sends this text in the row, or removes the row from the request. */
export type SettingChange = { kind: 'send'; text: string; problem?: string } | { kind: 'unset' };

export interface ParsedSetting {
  row: ParamRow;
  /** Change to apply; `undefined` while only a name was typed. */
  change?: SettingChange;
  /** Named lanes as indexes from 0; `undefined` if no lane was named. */
  lanes?: readonly number[];
}

/** Additional short names of fields. Any prefix with at least two letters matches too. */
const aliases: Record<ParamName, readonly string[]> = {
  temperature: ['temp', 't'],
  top_p: ['topp', 'nucleus'],
  max_tokens: ['max', 'tokens', 'limit'],
  frequency_penalty: ['freq'],
  presence_penalty: ['pres'],
  stop: ['stop sequence', 'stop at'],
  n: ['candidates', 'answers'],
  seed: [],
  top_k: ['topk'],
  repetition_penalty: ['rep'],
  logit_bias: ['bias'],
  enable_thinking: ['thinking', 'think', 'reasoning'],
  thinking_budget: ['budget'],
  max_completion_tokens: ['completion'],
  reasoning_effort: ['effort'],
  verbosity: ['verbose'],
  stream: ['streaming'],
  stream_options: ['include_usage', 'usage'],
  response_format: ['format'],
  tools: ['functions'],
  tool_choice: ['choice'],
  'Extra provider fields': ['extra', 'fields'],
};

const nameEntries = PARAMS.flatMap((row) =>
  [row.name.toLowerCase(), row.name.toLowerCase().replaceAll('_', ' '), ...aliases[row.name]].map((name) => ({
    name,
    row,
  })),
).toSorted((a, b) => b.name.length - a.name.length);

/** Minimum length of a name prefix in characters. */
const minNameChars = 2;

/**
 * Returns the possible settings of a typed line, best match first. The list is empty if no field is named, or if `in b`
 * names a lane beyond `laneCount`.
 */
export function parseSettings(input: string, laneCount: number): ParsedSetting[] {
  const { text, lanes } = extractLanes(input.trim());
  if (text === '' || lanes?.some((lane) => lane >= laneCount)) return [];
  const laneFields = lanes === undefined ? {} : { lanes };
  const unsetName = /^(?:no|unset|stop sending|do not send|don't send)\s+(\S.*)$/i.exec(text)?.[1];
  if (unsetName !== undefined) {
    return findMatchingRows(unsetName)
      .filter(({ remainder }) => remainder === '')
      .map(({ row }) => ({ row, change: { kind: 'unset' }, ...laneFields }));
  }
  return findMatchingRows(text).flatMap(({ row, remainder }) => {
    if (remainder === '') return [{ row, ...laneFields }];
    const change = parseChange(row, remainder);
    return change ? [{ row, change, ...laneFields }] : [];
  });
}

/** Several values of one field, to be compared in parallel lanes. */
export interface ParsedValues {
  row: ParamRow;
  texts: readonly string[];
  /** Reason why a value is invalid. */
  problem?: string;
}

/** Parses several values for a numeric field, such as `temp 0.2, 0.7, 1.4`; returns `undefined` for other lines. */
export function parseValues(input: string): ParsedValues | undefined {
  for (const { row, remainder } of findMatchingRows(input.trim())) {
    if (row.control.type !== 'number') continue;
    const singleChange = parseChange(row, remainder);
    // "1,000" is a single number if the field accepts it.
    if (singleChange?.kind === 'send' && singleChange.problem === undefined) continue;
    const texts = remainder.split(/[\s,;]+/).filter((text) => text !== '' && text !== 'and');
    if (texts.length < 2 || !texts.every((text) => /^[-+.\d]/.test(text))) continue;
    const invalidResult = texts.map((text) => row.read(text)).find((result) => !result.ok);
    return { row, texts, ...(invalidResult && !invalidResult.ok ? { problem: invalidResult.problem } : {}) };
  }
  return undefined;
}

/** Returns a message if the setting names lanes that do not exist. */
export function describeMissingLanes(input: string, laneCount: number): string | undefined {
  const { text, lanes } = extractLanes(input.trim());
  const missingLaneIndexes = lanes?.filter((lane) => lane >= laneCount) ?? [];
  if (missingLaneIndexes.length === 0 || parseSettings(text, laneCount).length === 0) return undefined;
  return `There is no lane ${missingLaneIndexes.map(getLaneLetter).join(' and no lane ')}.`;
}

/** Removes `in b`, `in lane b`, `in b and c` or `in all lanes` from the end. */
function extractLanes(input: string): { text: string; lanes?: readonly number[] } {
  const allLanesMatch = /^(.*\S)\s+in\s+all(?:\s+lanes)?$/i.exec(input);
  if (allLanesMatch?.[1] !== undefined) return { text: allLanesMatch[1] };
  const match = /^(.*?\S)\s+(?:in|lanes?)\s+(?:lanes?\s+)?([a-f](?:(?:\s*,\s*|\s+and\s+|\s+)[a-f])*)$/i.exec(
    input,
  );
  const [, text, letters] = match ?? [];
  if (text === undefined || letters === undefined) return { text: input };
  const lanes = [...new Set(letters.replaceAll(/and/gi, ' ').match(/[a-f]/gi) ?? [])].map(
    (letter) => letter.toLowerCase().charCodeAt(0) - 97,
  );
  return { text, lanes: lanes.toSorted((a, b) => a - b) };
}

/**
 * Returns the rows whose name starts the line, and the rest of the line. An exact name takes precedence over prefixes.
 */
function findMatchingRows(text: string): { row: ParamRow; remainder: string }[] {
  const lowerText = text.toLowerCase();
  const exactMatch = nameEntries.find(
    ({ name }) => lowerText.startsWith(name) && /^(?:$|[\s=:])/.test(lowerText.slice(name.length)),
  );
  if (exactMatch)
    return [{ row: exactMatch.row, remainder: parseRemainder(text.slice(exactMatch.name.length)) }];
  const prefixMatch = /^([a-z_]+)(.*)/is.exec(text);
  const prefix = (prefixMatch?.[1] ?? '').toLowerCase();
  if (prefix.length < minNameChars || !/^(?:$|[\s=:\d.-])/.test(prefixMatch?.[2] ?? '')) return [];
  const remainder = parseRemainder(prefixMatch?.[2] ?? '');
  const rows = PARAMS.filter((row) =>
    nameEntries.some((entry) => entry.row === row && entry.name.startsWith(prefix)),
  );
  return rows.map((row) => ({ row, remainder }));
}

function parseRemainder(text: string): string {
  return text.replace(/^\s*(?:[=:]|\bto\b)?\s*/i, '').trim();
}

const switchValues: Record<string, string> = {
  on: 'true',
  true: 'true',
  yes: 'true',
  off: 'false',
  false: 'false',
  no: 'false',
};

/** Returns `undefined` if the row does not accept this value in one line. */
function parseChange(row: ParamRow, input: string): SettingChange | undefined {
  const { control } = row;
  const word = input.toLowerCase();
  const isSwitch = control.type === 'switch';
  if (word === 'unset' || word === 'not sent' || (word === 'off' && !isSwitch)) return { kind: 'unset' };
  switch (control.type) {
    case 'number':
      return createSendChange(row, input.replaceAll(/(?<=\d),(?=\d{3}\b)/g, ''));
    case 'switch':
      return createSendChange(row, switchValues[word] ?? input);
    case 'constant':
      return switchValues[word] === 'true' || word === control.label
        ? createSendChange(row, row.initialText)
        : undefined;
    case 'response-format':
      return createSendChange(row, word === 'json' ? 'json_object' : input);
    case 'tool-choice':
      if (['auto', 'none', 'required'].includes(word)) return createSendChange(row, word);
      return /^[a-z_]\S*$/i.test(input) ? createSendChange(row, toFunctionChoice(input)) : undefined;
    case 'tools':
    case 'json':
      return /^[[{]/.test(input) ? createSendChange(row, input) : undefined;
    case 'words':
      return createSendChange(row, word);
    case 'lines':
      return createSendChange(row, input);
  }
}

function toFunctionChoice(input: string): string {
  return input.startsWith('function:') ? input : `function:${input}`;
}

function createSendChange(row: ParamRow, text: string): SettingChange {
  const result = row.read(text);
  return result.ok ? { kind: 'send', text } : { kind: 'send', text, problem: result.problem };
}
