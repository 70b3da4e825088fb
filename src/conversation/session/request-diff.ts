/**
 * Describes the differences between the requests of lanes, based on the bodies themselves: the list is empty if and
 * only if all bodies are equal.
 */
import { isEqual } from 'es-toolkit';

import type { ChatRequest, Message } from '../../gateway/wire.ts';
import { writeExactJson } from '../../lib/exact-json.ts';
import { formatCount, pluralize } from '../../lib/format.ts';
import { getContentText } from '../request/request.ts';

export interface Difference {
  /** Name of the difference: `model`, `system prompt`, `histories` or the name of a field. */
  field: string;
  /** Short values, one per body; `histories` has a single value. */
  values: string[];
}

export const notSentLabel = 'not sent';

export function diffRequests(bodies: readonly ChatRequest[]): Difference[] {
  const [first, ...rest] = bodies;
  if (!first || rest.every((body) => isEqual(first, body))) return [];
  const names = [...new Set(bodies.flatMap((body) => Object.keys(body)))].filter(
    (name) => name !== 'messages',
  );
  const fieldDifferences = names.flatMap((name): Difference[] => {
    const values = bodies.map((body) => (Object.hasOwn(body, name) ? body[name] : undefined));
    return areAllEqual(values)
      ? []
      : [{ field: name, values: values.map((value) => formatShortValue(name, value)) }];
  });
  return [...fieldDifferences, ...diffMessages(bodies)];
}

function areAllEqual(values: readonly unknown[]): boolean {
  return values.every((value) => isEqual(values[0], value));
}

function diffMessages(bodies: readonly ChatRequest[]): Difference[] {
  const histories = bodies.map((body) => body.messages);
  if (areAllEqual(histories)) return [];
  const systemMessages = histories.map(getSystemMessage);
  const remainingHistories = histories.map((messages, index) =>
    messages.slice(systemMessages[index] === undefined ? 0 : 1),
  );
  const differences: Difference[] = [];
  if (!areAllEqual(systemMessages))
    differences.push({ field: 'system prompt', values: formatSystemDifferences(systemMessages) });
  if (!areAllEqual(remainingHistories)) {
    differences.push({
      field: 'histories',
      values: [`differ from turn ${findFirstDifferentTurn(remainingHistories)} on`],
    });
  }
  return differences;
}

function getSystemMessage(messages: readonly Message[]): Message | undefined {
  const [first] = messages;
  return first?.role === 'system' || first?.role === 'developer' ? first : undefined;
}

function formatSystemDifferences(systemMessages: readonly (Message | undefined)[]): string[] {
  const texts = systemMessages.map((system) => (system ? getContentText(system.content) : ''));
  const [firstText = ''] = texts;
  const areRolesAlike = areAllEqual(systemMessages.flatMap((system) => system?.role ?? []));
  return systemMessages.map((system, index) => {
    if (!system) return notSentLabel;
    const text = texts[index] ?? '';
    if (!areRolesAlike) return `as ${system.role}`;
    if (text.length <= 24 && !text.includes('\n')) return `“${text}”`;
    return index === 0 ? pluralize(listWords(text).length, 'word') : describeWordChanges(firstText, text);
  });
}

function listWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Returns how many words were added and removed, such as `+21 −1 words`. */
function describeWordChanges(before: string, after: string): string {
  if (before === after) return 'same text';
  const counts = new Map<string, number>();
  for (const word of listWords(after)) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const word of listWords(before)) counts.set(word, (counts.get(word) ?? 0) - 1);
  const sumPositive = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + Math.max(0, value), 0);
  const added = sumPositive([...counts.values()]);
  const removed = sumPositive([...counts.values()].map((count) => -count));
  const changes = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])];
  if (changes.length === 0) return 'same words';
  return `${changes.join(' ')} ${added + removed === 1 ? 'word' : 'words'}`;
}

/** Returns the number of the first turn that differs; each answer that the histories share completes a turn. */
function findFirstDifferentTurn(histories: readonly (readonly Message[])[]): number {
  const [firstHistory = []] = histories;
  const differenceIndex = firstHistory.findIndex((message, index) =>
    histories.some((history) => !isEqual(history[index], message)),
  );
  const sharedMessages = differenceIndex < 0 ? firstHistory : firstHistory.slice(0, differenceIndex);
  return sharedMessages.filter(({ role }) => role === 'assistant').length + 1;
}

function formatShortValue(name: string, value: unknown): string {
  if (value === undefined) return notSentLabel;
  if (name === 'tools' && Array.isArray(value)) return pluralize(value.length, 'function');
  if (typeof value === 'string') return value;
  if (Number.isSafeInteger(value)) return formatCount(Number(value));
  const text = writeExactJson(value);
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
