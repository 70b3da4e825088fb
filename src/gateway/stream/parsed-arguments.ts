/** Arguments of tool calls that a gateway sends as JSON instead of as text. */
import { findJsonSource, parseExactJson } from '../../lib/exact-json.ts';
import { isRecord } from '../../lib/json.ts';

/** Keys from a chunk to the arguments of a call: choices, 0, message, tool_calls, 0, function, arguments, and some to spare. */
const maxPathKeys = 12;

const parsedArguments = /"(?:arguments|input)"\s*:\s*[[{\d-]/;

/** The value that was parsed from the text, its arguments with the digits and doubled keys of the text. */
export function withExactArguments(value: unknown, text: string): unknown {
  return parsedArguments.test(text) ? replaceArguments(value, text, []) : value;
}

function replaceArguments(value: unknown, text: string, path: readonly (string | number)[]): unknown {
  if (path.length > maxPathKeys) return value;
  if (Array.isArray(value)) return value.map((item, index) => replaceArguments(item, text, [...path, index]));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => {
    const inner = [...path, key];
    const isParsed = (key === 'arguments' || key === 'input') && typeof member !== 'string';
    return [key, isParsed ? readExact(member, text, inner) : replaceArguments(member, text, inner)];
  });
  return Object.fromEntries(members);
}

function readExact(member: unknown, text: string, path: readonly (string | number)[]): unknown {
  const reading = parseExactJson(findJsonSource(text, path) ?? '');
  return reading.ok ? reading.value : member;
}
