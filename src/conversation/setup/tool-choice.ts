import { getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import type { Params } from './params.ts';

const functionPrefix = 'function:';

/**
 * Updates tool_choice after the tools were edited: follows a renamed tool, and falls back to `auto` if the tool was
 * removed. Unchanged if the tools text is not a JSON array or tool_choice names no tool.
 */
export function withValidToolChoice(before: Params, after: Params): Params {
  const choiceText = after.tool_choice?.text ?? '';
  const text = after.tools?.text ?? '';
  if (!choiceText.startsWith(functionPrefix) || text === before.tools?.text) return after;
  const names = parseToolNames(text);
  const name = choiceText.slice(functionPrefix.length);
  if (!names || names.includes(name)) return after;
  const previousNames = parseToolNames(before.tools?.text ?? '') ?? [];
  const newName = names.length === previousNames.length ? names[previousNames.indexOf(name)] : undefined;
  const isNew = newName !== undefined && !previousNames.includes(newName);
  const choice = isNew ? `${functionPrefix}${newName}` : 'auto';
  return { ...after, tool_choice: { sent: after.tool_choice?.sent === true, text: choice } };
}

/** Returns the tool name that tool_choice loses through this edit, `undefined` if it loses none. */
export function findLostToolChoice(before: Params, after: Params): string | undefined {
  const choiceText = after.tool_choice?.text ?? '';
  const isLost =
    choiceText.startsWith(functionPrefix) && withValidToolChoice(before, after).tool_choice?.text === 'auto';
  return isLost ? choiceText.slice(functionPrefix.length) : undefined;
}

/** Returns the function names, empty strings for unnamed functions, or `undefined` if the text is not a JSON array. */
function parseToolNames(text: string): string[] | undefined {
  const parsed = text.trim() === '' ? { ok: true as const, value: [] } : parseJson(text);
  if (!parsed.ok || !Array.isArray(parsed.value)) return undefined;
  return parsed.value.map((tool) => getStringProperty(getOwnProperty(tool, 'function'), 'name') ?? '');
}
