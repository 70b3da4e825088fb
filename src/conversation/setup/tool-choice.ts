import { getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import type { Params } from './params.ts';

const functionPrefix = 'function:';

/**
 * tool_choice after an edit of the tools: it follows a tool that was renamed, and falls back to `auto` when its
 * tool has gone. Untouched while the text of the tools is not a JSON array, and where it names no tool.
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

/** The name that tool_choice loses by this edit of the tools; undefined where it loses none. */
export function findLostToolChoice(before: Params, after: Params): string | undefined {
  const choiceText = after.tool_choice?.text ?? '';
  const isLost =
    choiceText.startsWith(functionPrefix) && withValidToolChoice(before, after).tool_choice?.text === 'auto';
  return isLost ? choiceText.slice(functionPrefix.length) : undefined;
}

/** Names of functions as they are written, empty where there is none yet; undefined while the text is not a JSON array. */
function parseToolNames(text: string): string[] | undefined {
  const parsed = text.trim() === '' ? { ok: true as const, value: [] } : parseJson(text);
  if (!parsed.ok || !Array.isArray(parsed.value)) return undefined;
  return parsed.value.map((tool) => getStringProperty(getOwnProperty(tool, 'function'), 'name') ?? '');
}
