/**
 * What differs between the requests of the lanes, in words, computed over the bodies themselves: the
 * list is empty exactly when all bodies are equal.
 */
import type { ChatRequest, Message } from '../../gateway/wire.ts';
import { writeExactJson } from '../../lib/exact-json.ts';
import { pluralize } from '../../lib/format.ts';
import { isRecord } from '../../lib/json.ts';
import { textOfContent } from '../request/request.ts';

export interface Difference {
  /** `model`, `system prompt`, `histories`, or the field's own name. */
  what: string;
  /** Per body in order, short enough for a strip; of histories one for all of them. */
  values: string[];
}

export const notSent = 'not sent';

export function differencesOf(bodies: readonly ChatRequest[]): Difference[] {
  const [first, ...rest] = bodies;
  if (!first || rest.every((body) => isSame(first, body))) return [];
  const names = [...new Set(bodies.flatMap((body) => Object.keys(body)))].filter(
    (name) => name !== 'messages',
  );
  const fields = names.flatMap((name): Difference[] => {
    const values = bodies.map((body) => (Object.hasOwn(body, name) ? body[name] : undefined));
    return allSame(values) ? [] : [{ what: name, values: values.map((value) => shortValue(name, value)) }];
  });
  return [...fields, ...messageDifferences(bodies)];
}

/** Equal as JSON values: order of an object's keys does not matter, order of arrays does. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}

function allSame(values: readonly unknown[]): boolean {
  return values.every((value) => isSame(values[0], value));
}

function messageDifferences(bodies: readonly ChatRequest[]): Difference[] {
  const histories = bodies.map((body) => body.messages);
  if (allSame(histories)) return [];
  const systems = histories.map(leadingSystem);
  const rests = histories.map((messages, index) => messages.slice(systems[index] === undefined ? 0 : 1));
  const differences: Difference[] = [];
  if (!allSame(systems)) differences.push({ what: 'system prompt', values: systemWords(systems) });
  if (!allSame(rests)) {
    differences.push({ what: 'histories', values: [`differ from turn ${firstDifferentTurn(rests)} on`] });
  }
  return differences;
}

function leadingSystem(messages: readonly Message[]): Message | undefined {
  const [first] = messages;
  return first?.role === 'system' || first?.role === 'developer' ? first : undefined;
}

function systemWords(systems: readonly (Message | undefined)[]): string[] {
  const texts = systems.map((system) => (system ? textOfContent(system.content) : ''));
  const [first = ''] = texts;
  const areRolesAlike = allSame(systems.flatMap((system) => system?.role ?? []));
  return systems.map((system, index) => {
    if (!system) return notSent;
    const text = texts[index] ?? '';
    if (!areRolesAlike) return `as ${system.role}`;
    if (text.length <= 24 && !text.includes('\n')) return `“${text}”`;
    if (index === 0) return pluralize(text.split('\n').length, 'line');
    const changed = changedLines(first, text);
    return changed === 0 ? 'the same' : `${pluralize(changed, 'line')} differ${changed === 1 ? 's' : ''}`;
  });
}

function changedLines(one: string, other: string): number {
  const [first, second] = [one.split('\n'), other.split('\n')];
  const longest = Math.max(first.length, second.length);
  return Array.from({ length: longest }, (_, at) => first[at] !== second[at]).filter(Boolean).length;
}

/** Each answer that all of them have in common ends a turn. */
function firstDifferentTurn(all: readonly (readonly Message[])[]): number {
  const [first = []] = all;
  const common = first.findIndex((message, index) => all.some((other) => !isSame(other[index], message)));
  const shared = common < 0 ? first : first.slice(0, common);
  return shared.filter(({ role }) => role === 'assistant').length + 1;
}

function shortValue(name: string, value: unknown): string {
  if (value === undefined) return notSent;
  if (name === 'tools' && Array.isArray(value)) return pluralize(value.length, 'function');
  if (typeof value === 'string') return value;
  const text = writeExactJson(value);
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
