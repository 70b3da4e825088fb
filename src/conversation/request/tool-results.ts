/** One result for every lane that made the same call: matched by name and arguments, else by name and order. */
import type { ToolCall } from '../../gateway/wire.ts';
import { parseExactJson, writeExactJson } from '../../lib/exact-json.ts';
import { isDeeperThan, maxJsonDepth, withSortedKeys } from '../../lib/json.ts';
import type { ToolResult } from '../session/types.ts';

/** A call as a person sees it over all lanes: what was called with what. */
export interface CallIdentity {
  name: string;
  /** In canonical form. */
  arguments: string;
  /** The how-many-th call of that name in its answer, from 0. */
  ordinal: number;
  /** The how-many-th call of that name with these very arguments, from 0. */
  repeat: number;
}

/** Longer ones would be read and sorted wherever a part of the page asks which calls wait. */
const mostSortedLetters = 20_000;

/** The calls of one answer with their place among calls of the same name. */
export function identitiesOf(calls: readonly ToolCall[]): CallIdentity[] {
  const identities: CallIdentity[] = [];
  for (const { function: called } of calls) {
    const canonical = canonicalArguments(called.arguments);
    const before = identities.filter(({ name }) => name === called.name);
    const repeat = before.filter((one) => one.arguments === canonical).length;
    identities.push({ name: called.name, arguments: canonical, ordinal: before.length, repeat });
  }
  return identities;
}

/** The same text for the same call in every lane, whatever its id there and its place among other calls. */
export function callKey({ name, arguments: text, repeat }: CallIdentity): string {
  // What is long is not written out again each time that a part of the page asks for its key.
  if (text.length > mostSortedLetters) return JSON.stringify([name, repeat]) + text;
  return JSON.stringify([name, text, repeat]);
}

/**
 * Arguments without the accidents of writing: key order and white space do not make another call. What nests too deep
 * to be sorted, or is longer than 20,000 letters, is compared as received.
 */
export function canonicalArguments(text: string): string {
  if (text.length > mostSortedLetters) return text.trim();
  const reading = parseExactJson(text);
  if (!reading.ok || isDeeperThan(maxJsonDepth, reading.value)) return text.trim();
  return writeExactJson(withSortedKeys(reading.value));
}

/** The result that answers each call, in order; undefined where there is none. No result answers two calls of one lane. */
export function resultsFor(
  calls: readonly ToolCall[],
  results: readonly ToolResult[],
): (ToolResult | undefined)[] {
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
          !used.has(result) &&
          result.call.name === identity.name &&
          result.call.arguments === identity.arguments,
      ),
    ),
  );
  return identities.map(
    (identity, index) =>
      exact[index] ??
      take(
        results.find(
          (result) =>
            !used.has(result) &&
            result.call.name === identity.name &&
            result.call.ordinal === identity.ordinal,
        ),
      ),
  );
}
