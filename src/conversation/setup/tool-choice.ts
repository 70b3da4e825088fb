import { getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import type { Params } from './params.ts';

const prefix = 'function:';

/**
 * tool_choice after an edit of the tools: it follows a tool that was renamed, and falls back to `auto` when its
 * tool has gone. Untouched while the text of the tools is not a JSON array, and where it names no tool.
 */
export function withValidToolChoice(before: Params, after: Params): Params {
  const chosen = after.tool_choice?.text ?? '';
  const text = after.tools?.text ?? '';
  if (!chosen.startsWith(prefix) || text === before.tools?.text) return after;
  const names = namesOf(text);
  const name = chosen.slice(prefix.length);
  if (!names || names.includes(name)) return after;
  const earlier = namesOf(before.tools?.text ?? '') ?? [];
  const renamed = names.length === earlier.length ? names[earlier.indexOf(name)] : undefined;
  const isNew = renamed !== undefined && !earlier.includes(renamed);
  const choice = isNew ? `${prefix}${renamed}` : 'auto';
  return { ...after, tool_choice: { sent: after.tool_choice?.sent === true, text: choice } };
}

/** The name that tool_choice loses by this edit of the tools; undefined where it loses none. */
export function lostToolChoice(before: Params, after: Params): string | undefined {
  const chosen = after.tool_choice?.text ?? '';
  const isLost = chosen.startsWith(prefix) && withValidToolChoice(before, after).tool_choice?.text === 'auto';
  return isLost ? chosen.slice(prefix.length) : undefined;
}

/** Names of functions as they are written, empty where there is none yet; undefined while the text is not a JSON array. */
function namesOf(text: string): string[] | undefined {
  const reading = text.trim() === '' ? { ok: true as const, value: [] } : parseJson(text);
  if (!reading.ok || !Array.isArray(reading.value)) return undefined;
  return reading.value.map((tool) => getStringProperty(getOwnProperty(tool, 'function'), 'name') ?? '');
}
