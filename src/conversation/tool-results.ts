/** One result for every lane that made the same call: matched by name and arguments, else by name and order. */
import type { ToolCall } from '../gateway/wire.ts';
import { parseJson, type Json } from '../lib/json.ts';
import type { ToolResult } from './types.ts';

/** A call as a person sees it over all lanes: what was called with what, and the how-many-th of that name. */
export interface CallIdentity {
  name: string;
  arguments: string;
  ordinal: number;
}

/** The calls of one answer with their place among calls of the same name. */
export function identitiesOf(calls: readonly ToolCall[]): CallIdentity[] {
  return calls.map((call, index) => ({
    name: call.function.name,
    arguments: canonicalArguments(call.function.arguments),
    ordinal: calls.slice(0, index).filter((earlier) => earlier.function.name === call.function.name).length,
  }));
}

/** Arguments without the accidents of writing: key order and white space do not make another call. */
export function canonicalArguments(text: string): string {
  const reading = parseJson(text);
  return reading.ok ? JSON.stringify(sorted(reading.value)) : text.trim();
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [key, sorted(inner)]);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The result that answers each call, in order; undefined where there is none. No result answers two calls of one lane. */
export function resultsFor(calls: readonly ToolCall[], results: readonly ToolResult[]): (ToolResult | undefined)[] {
  const identities = identitiesOf(calls);
  const used = new Set<ToolResult>();
  const take = (found: ToolResult | undefined): ToolResult | undefined => {
    if (found) used.add(found);
    return found;
  };
  const exact = identities.map((identity) =>
    take(
      results.find(
        (result) =>
          !used.has(result) && result.call.name === identity.name && result.call.arguments === identity.arguments,
      ),
    ),
  );
  return identities.map(
    (identity, index) =>
      exact[index] ??
      take(
        results.find(
          (result) =>
            !used.has(result) && result.call.name === identity.name && result.call.ordinal === identity.ordinal,
        ),
      ),
  );
}
