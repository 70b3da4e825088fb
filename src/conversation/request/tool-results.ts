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
const maxSortedChars = 20_000;

/** The calls of one answer with their place among calls of the same name. */
export function getCallIdentities(calls: readonly ToolCall[]): CallIdentity[] {
  const identities: CallIdentity[] = [];
  for (const { function: calledFunction } of calls) {
    const canonicalArguments = canonicalizeArguments(calledFunction.arguments);
    const sameNameCalls = identities.filter(({ name }) => name === calledFunction.name);
    const repeat = sameNameCalls.filter((identity) => identity.arguments === canonicalArguments).length;
    identities.push({
      name: calledFunction.name,
      arguments: canonicalArguments,
      ordinal: sameNameCalls.length,
      repeat,
    });
  }
  return identities;
}

/** The same text for the same call in every lane, whatever its id there and its place among other calls. */
export function getCallKey({ name, arguments: text, repeat }: CallIdentity): string {
  // What is long is not written out again each time that a part of the page asks for its key.
  if (text.length > maxSortedChars) return JSON.stringify([name, repeat]) + text;
  return JSON.stringify([name, text, repeat]);
}

/**
 * Arguments without the accidents of writing: key order and white space do not make another call. What nests too deep
 * to be sorted, or is longer than 20,000 letters, is compared as received.
 */
export function canonicalizeArguments(text: string): string {
  if (text.length > maxSortedChars) return text.trim();
  const parsed = parseExactJson(text);
  if (!parsed.ok || isDeeperThan(maxJsonDepth, parsed.value)) return text.trim();
  return writeExactJson(withSortedKeys(parsed.value));
}

/** The result that answers each call, in order; undefined where there is none. No result answers two calls of one lane. */
export function matchResults(
  calls: readonly ToolCall[],
  results: readonly ToolResult[],
): (ToolResult | undefined)[] {
  const identities = getCallIdentities(calls);
  const usedResults = new Set<ToolResult>();
  const markUsed = (match: ToolResult | undefined): ToolResult | undefined => {
    if (match) usedResults.add(match);
    return match;
  };
  const exactMatches = identities.map((identity) =>
    markUsed(
      results.find(
        (result) =>
          !usedResults.has(result) &&
          result.call.name === identity.name &&
          result.call.arguments === identity.arguments,
      ),
    ),
  );
  return identities.map(
    (identity, index) =>
      exactMatches[index] ??
      markUsed(
        results.find(
          (result) =>
            !usedResults.has(result) &&
            result.call.name === identity.name &&
            result.call.ordinal === identity.ordinal,
        ),
      ),
  );
}
