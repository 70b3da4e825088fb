/** Matches tool results to calls across lanes: by name and arguments, otherwise by name and order. */
import type { ToolCall } from '../../gateway/wire.ts';
import { parseExactJson, writeExactJson } from '../../lib/exact-json.ts';
import { isDeeperThan, maxJsonDepth, withSortedKeys } from '../../lib/json.ts';
import type { ToolResult } from '../session/types.ts';

/** Identity of a call across lanes: function name and arguments. */
export interface CallIdentity {
  name: string;
  /** Arguments as canonical JSON. */
  arguments: string;
  /** Index of the call, from 0, among the calls with this name in its answer. */
  ordinal: number;
  /** Index of the call, from 0, among the calls with this name and equal arguments. */
  repeat: number;
}

/** Maximum number of characters that are parsed and sorted, because identities are computed often. */
const maxSortedChars = 20_000;

/** Returns the identities of the calls of one answer. */
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

/** Returns a key that is equal for the same call in every lane, regardless of its ID and position. */
export function getCallKey({ name, arguments: text, repeat }: CallIdentity): string {
  // Long arguments are appended unescaped, because keys are computed often.
  if (text.length > maxSortedChars) return JSON.stringify([name, repeat]) + text;
  return JSON.stringify([name, text, repeat]);
}

/**
 * Normalizes argument JSON, so that key order and white space do not matter. JSON that is nested too deeply or longer
 * than 20,000 characters is only trimmed.
 */
export function canonicalizeArguments(text: string): string {
  if (text.length > maxSortedChars) return text.trim();
  const parsed = parseExactJson(text);
  if (!parsed.ok || isDeeperThan(maxJsonDepth, parsed.value)) return text.trim();
  return writeExactJson(withSortedKeys(parsed.value));
}

/**
 * Returns the result for each call, `undefined` if there is none. Each result is used for at most one call per lane.
 */
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
