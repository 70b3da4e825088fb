/** Converts checks to assertions of promptfoo that pass and fail on the same answers, but for noted differences. */
import type { Json, JsonObject } from '../../../lib/json.ts';
import { parseCheckSettings, parseStoredObject, type CheckSettings } from '../../checks/check-settings.ts';
import { getExpectedText, isExcluded } from '../../checks/score-answer.ts';
import type { Case, Check } from '../../trial.ts';
import { isPattern } from './assertion-types.ts';
import { fieldKinds } from './build-checks.ts';
import { writeLiteral } from './templates.ts';

/** An assertion, or the reason why there is none. `change` is a difference to the check. */
export type WrittenCheck = { assertion: JsonObject; change?: string } | { reason: string };

const missingReason = 'promptfoo has no such assertion';

/** Returns the assertion for one case, `undefined` if the check does not count there. */
export function writeCheck(check: Check, values: Case['values']): WrittenCheck | undefined {
  if (isExcluded(check, values)) return undefined;
  const settings = parseCheckSettings(check);
  if (!settings) return { reason: 'its settings are invalid' };
  const written = writeSettings(settings, getExpectedText(check, values) ?? '', findVariable(check, values));
  if ('reason' in written || !check.field || !fieldKinds.has(check.kind)) return withMetric(written, check);
  const transform = writeTransform(check.field);
  if (transform === undefined) return { reason: 'its field has characters that promptfoo code cannot name' };
  return withMetric(
    {
      assertion: { ...written.assertion, transform },
      change: written.change ?? 'promptfoo reads fields only of JSON without a code fence',
    },
    check,
  );
}

function withMetric(written: WrittenCheck, { name }: Check): WrittenCheck {
  return 'reason' in written ? written : { ...written, assertion: { ...written.assertion, metric: name } };
}

/** Returns the name of the value that the check expects if promptfoo fills it in unchanged. */
function findVariable({ expected }: Check, values: Case['values']): string | undefined {
  if (!expected || !('value' in expected) || !/^[A-Za-z_]\w*$/.test(expected.value)) return undefined;
  const text = getExpectedText({ expected }, values) ?? '';
  return text.includes('{{') || text.endsWith('\n') || text.startsWith('file://')
    ? undefined
    : expected.value;
}

function writeSettings(
  settings: CheckSettings,
  expected: string,
  variable: string | undefined,
): WrittenCheck {
  const writeText = (text: string): string =>
    variable !== undefined && text === expected ? `{{${variable}}}` : writeLiteral(text);
  switch (settings.kind) {
    case 'equals':
      if (settings.ignoreCase || settings.ignoreSpace || settings.ignoreLastStop || settings.ignoreQuotes)
        return { reason: missingReason };
      return {
        assertion: { type: 'equals', value: writeText(expected) },
        change: 'promptfoo also compares whitespace at both ends',
      };
    case 'contains': {
      const type = `${settings.ignoreCase ? 'i' : ''}contains`;
      const lines = splitExpected(expected);
      const [line] = lines;
      if (line === undefined) return { reason: 'it expects no text' };
      if (!settings.all) return { assertion: { type: `${type}-any`, value: writeLines(lines) } };
      return lines.length === 1
        ? { assertion: { type, value: writeText(line) } }
        : { assertion: { type: `${type}-all`, value: writeLines(lines) } };
    }
    case 'contains none': {
      const lines = splitExpected(expected);
      if (lines.length === 0) return { reason: 'it expects no text' };
      return {
        assertion: { type: `not-${settings.ignoreCase ? 'i' : ''}contains-any`, value: writeLines(lines) },
      };
    }
    case 'matches':
    case 'matches none':
      if (!isPattern(settings.pattern)) return { reason: 'its pattern is invalid' };
      if (settings.flags !== '') return { reason: 'patterns of promptfoo have no flags' };
      return {
        assertion: {
          type: settings.kind === 'matches' ? 'regex' : 'not-regex',
          value: writeLiteral(settings.pattern),
        },
      };
    case 'is JSON':
      return settings.allowFence ? { reason: missingReason } : { assertion: { type: 'is-json' } };
    case 'fits schema':
      return writeSchema(settings.schema && parseStoredObject(settings.schema));
    case 'finish reason':
      return { assertion: { type: 'finish-reason', value: writeLiteral(settings.reason) } };
    case 'whole answer within':
      return { assertion: { type: 'latency', threshold: settings.ms } };
    case 'length': {
      const { unit, atLeast, atMost } = settings;
      if (unit !== 'words' || (atLeast === undefined && atMost === undefined))
        return { reason: missingReason };
      const limits = {
        ...(atLeast === undefined ? {} : { min: atLeast }),
        ...(atMost === undefined ? {} : { max: atMost }),
      };
      return { assertion: { type: 'word-count', value: limits } };
    }
    case 'one of':
    case 'number within':
    case 'called tool':
    case 'first token within':
    case 'marks':
      return { reason: missingReason };
  }
}

function splitExpected(expected: string): string[] {
  return expected
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function writeLines(lines: readonly string[]): Json {
  return lines.map((line) => writeLiteral(line));
}

function writeSchema(schema: JsonObject | undefined): WrittenCheck {
  if (!schema) return { reason: 'it uses the response_format of each column' };
  if (/\{[{%#]/.test(JSON.stringify(schema))) return { reason: 'its schema contains template syntax' };
  return {
    assertion: { type: 'is-json', value: schema },
    change: 'promptfoo fails JSON in a code fence',
  };
}

/** Returns the code that reads a field, in the one form that the import recognises. */
function writeTransform(field: string): string | undefined {
  const keys = field.match(/[^.[\]]+/g) ?? [];
  if (keys.length === 0 || keys.some((key) => /["\\]/.test(key))) return undefined;
  return `JSON.parse(output)${keys.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `["${key}"]`)).join('')}`;
}
