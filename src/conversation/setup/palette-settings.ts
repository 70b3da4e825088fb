import { laneLetter } from '../session/turn-tree.ts';
/** Settings as people type them into the command field: `temp 0.2`, `max 600 in b`, `no seed`, `thinking off`. */
import { PARAMS, type ParamName, type ParamRow } from './params.ts';

/** What a typed setting would do: put this text into the row, or take the row out of the request. */
export type SettingChange = { kind: 'send'; text: string; problem?: string } | { kind: 'unset' };

export interface SettingReading {
  row: ParamRow;
  /** Undefined while only the name was typed. */
  change?: SettingChange;
  /** Positions of the lanes that were named, from 0; undefined where none was. */
  lanes?: readonly number[];
}

/** Short names beside the field's own. Every word that begins one finds it too, as long as it has two letters. */
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

const names = PARAMS.flatMap((row) =>
  [row.name.toLowerCase(), row.name.toLowerCase().replaceAll('_', ' '), ...aliases[row.name]].map((name) => ({
    name,
    row,
  })),
).toSorted((one, other) => other.name.length - one.name.length);

/** How many letters the beginning of a name needs to find it. */
const fewestLetters = 2;

/**
 * What a typed line may set, the likeliest first; empty where it names no field. `laneCount` bounds the lanes that
 * `in b` may name; a lane that is not there leaves the line unread.
 */
export function readSettings(typed: string, laneCount: number): SettingReading[] {
  const { words, lanes } = withoutLanes(typed.trim());
  if (words === '' || lanes?.some((lane) => lane >= laneCount)) return [];
  const where = lanes === undefined ? {} : { lanes };
  const off = /^(?:no|unset|stop sending|do not send|don't send)\s+(\S.*)$/i.exec(words)?.[1];
  if (off !== undefined) {
    return matches(off)
      .filter(({ rest }) => rest === '')
      .map(({ row }) => ({ row, change: { kind: 'unset' }, ...where }));
  }
  return matches(words).flatMap(({ row, rest }) => {
    if (rest === '') return [{ row, ...where }];
    const change = changeOf(row, rest);
    return change ? [{ row, change, ...where }] : [];
  });
}

/** Several values for one field, as for lanes beside each other. */
export interface ValuesReading {
  row: ParamRow;
  texts: readonly string[];
  /** Why one of them cannot be used. */
  problem?: string;
}

/** A list of values for a field of numbers: `temp 0.2, 0.7, 1.4`. Undefined where the line is none. */
export function readValues(typed: string): ValuesReading | undefined {
  for (const { row, rest } of matches(typed.trim())) {
    if (row.control.type !== 'number') continue;
    const one = changeOf(row, rest);
    // "1,000" is one number where the field can have it.
    if (one?.kind === 'send' && one.problem === undefined) continue;
    const texts = rest.split(/[\s,;]+/).filter((text) => text !== '' && text !== 'and');
    if (texts.length < 2 || !texts.every((text) => /^[-+.\d]/.test(text))) continue;
    const problem = texts.map((text) => row.read(text)).find((reading) => !reading.ok);
    return { row, texts, ...(problem && !problem.ok ? { problem: problem.problem } : {}) };
  }
  return undefined;
}

/** Where a setting is meant for lanes that are not there, what is to be said of that. */
export function missingLanes(typed: string, laneCount: number): string | undefined {
  const { words, lanes } = withoutLanes(typed.trim());
  const missing = lanes?.filter((lane) => lane >= laneCount) ?? [];
  if (missing.length === 0 || readSettings(words, laneCount).length === 0) return undefined;
  return `There is no lane ${missing.map(laneLetter).join(' and no lane ')}.`;
}

/** Takes `in b`, `in lane b`, `in b and c`, `in all lanes` off the end. */
function withoutLanes(typed: string): { words: string; lanes?: readonly number[] } {
  const all = /^(.*\S)\s+in\s+all(?:\s+lanes)?$/i.exec(typed);
  if (all?.[1] !== undefined) return { words: all[1] };
  const found = /^(.*?\S)\s+(?:in|lanes?)\s+(?:lanes?\s+)?([a-f](?:(?:\s*,\s*|\s+and\s+|\s+)[a-f])*)$/i.exec(
    typed,
  );
  const [, words, letters] = found ?? [];
  if (words === undefined || letters === undefined) return { words: typed };
  const lanes = [...new Set(letters.replaceAll(/and/gi, ' ').match(/[a-f]/gi) ?? [])].map(
    (letter) => letter.toLowerCase().charCodeAt(0) - 97,
  );
  return { words, lanes: lanes.toSorted((one, other) => one - other) };
}

/** The rows that the line begins with the name of, and what follows it. An exact name beats the beginnings of others. */
function matches(words: string): { row: ParamRow; rest: string }[] {
  const lower = words.toLowerCase();
  const exact = names.find(
    ({ name }) => lower.startsWith(name) && /^(?:$|[\s=:])/.test(lower.slice(name.length)),
  );
  if (exact) return [{ row: exact.row, rest: restOf(words.slice(exact.name.length)) }];
  const begun = /^([a-z_]+)(.*)/is.exec(words);
  const first = (begun?.[1] ?? '').toLowerCase();
  if (first.length < fewestLetters || !/^(?:$|[\s=:\d.-])/.test(begun?.[2] ?? '')) return [];
  const rest = restOf(begun?.[2] ?? '');
  const rows = PARAMS.filter((row) =>
    names.some((known) => known.row === row && known.name.startsWith(first)),
  );
  return rows.map((row) => ({ row, rest }));
}

function restOf(text: string): string {
  return text.replace(/^\s*(?:[=:]|\bto\b)?\s*/i, '').trim();
}

const switchWords: Record<string, string> = {
  on: 'true',
  true: 'true',
  yes: 'true',
  off: 'false',
  false: 'false',
  no: 'false',
};

/** Undefined where the value is none that this row could take in one line. */
function changeOf(row: ParamRow, typed: string): SettingChange | undefined {
  const { control } = row;
  const word = typed.toLowerCase();
  const takesOff = control.type === 'switch';
  if (word === 'unset' || word === 'not sent' || (word === 'off' && !takesOff)) return { kind: 'unset' };
  switch (control.type) {
    case 'number':
      return sends(row, typed.replaceAll(/(?<=\d),(?=\d{3}\b)/g, ''));
    case 'switch':
      return sends(row, switchWords[word] ?? typed);
    case 'constant':
      return switchWords[word] === 'true' || word === control.shown ? sends(row, row.start) : undefined;
    case 'response-format':
      return sends(row, word === 'json' ? 'json_object' : typed);
    case 'tool-choice':
      if (['auto', 'none', 'required'].includes(word)) return sends(row, word);
      return /^[a-z_]\S*$/i.test(typed) ? sends(row, functionChoice(typed)) : undefined;
    case 'tools':
    case 'json':
      return /^[[{]/.test(typed) ? sends(row, typed) : undefined;
    case 'words':
      return sends(row, word);
    case 'lines':
      return sends(row, typed);
  }
}

function functionChoice(typed: string): string {
  return typed.startsWith('function:') ? typed : `function:${typed}`;
}

function sends(row: ParamRow, text: string): SettingChange {
  const reading = row.read(text);
  return reading.ok ? { kind: 'send', text } : { kind: 'send', text, problem: reading.problem };
}
