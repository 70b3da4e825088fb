import { writeExactJson } from '../../lib/exact-json.ts';
import { fieldsOf } from '../setup/params.ts';
/** What made an answer, where the lane's current setup would make another. */
import { isSame } from './differences.ts';
import type { Setup } from './types.ts';

export interface MadeWith {
  /** Where it differs from the lane's current one. */
  model?: string;
  /** Each as `temperature 0.2`, `seed not sent`, `another system prompt`. */
  facts: string[];
}

/** Undefined where the current setup is the same. */
export function madeWith(then: Setup, now: Setup): MadeWith | undefined {
  const [before, after] = [fieldsOf(then.params), fieldsOf(now.params)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const facts = names.flatMap((name) => {
    const value = Object.hasOwn(before, name) ? before[name] : undefined;
    const other = Object.hasOwn(after, name) ? after[name] : undefined;
    if (isSame(value, other)) return [];
    return [`${name} ${value === undefined ? 'not sent' : shortValue(name, value)}`];
  });
  if (then.system !== now.system || (then.system !== '' && then.systemRole !== now.systemRole))
    facts.push(then.system.trim() === '' ? 'no system prompt' : 'another system prompt');
  if (then.model !== now.model) return { model: then.model, facts };
  return facts.length > 0 ? { facts } : undefined;
}

function shortValue(name: string, value: unknown): string {
  if (name === 'tools' && Array.isArray(value)) return `with ${value.length}`;
  const text = typeof value === 'string' ? value : writeExactJson(value);
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
