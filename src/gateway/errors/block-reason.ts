import { isRecord } from '../../lib/json.ts';
import { toPlainName } from '../../lib/text/plain-name.ts';

/** Patterns for plain names. */
const filterName = /prompt|feedback|filter|safety|moderation|guardrail|block/;
const reasonName = /^(?:prompt)?block(?:ed)?reason$/;
const labelName = /^(?:reason|category|type|label)$/;
const messageName = /^(?:block(?:ed)?reason)?message$/;
const flagName = /^(?:is|was)?(?:blocked|filtered|flagged)$/;
/** Values that mean that no reason is set. */
const emptyReason = /unspecified|^(?:none|null|ok|safe|no)$/i;
const maxDepth = 5;
const maxReasonChars = 300;

/**
 * Finds a provider's reason for blocking the prompt: `promptFeedback.blockReason`, or a filter that reports an action.
 * Choices and errors are read elsewhere.
 */
export function findBlockReason(chunk: Record<string, unknown>): string | undefined {
  return findReason(chunk, { name: 'blocked', isFilter: false, depth: 0 })?.slice(0, maxReasonChars);
}

interface SearchContext {
  name: string;
  /** True if the name or an enclosing name refers to filters, so that a flag inside counts. */
  isFilter: boolean;
  depth: number;
}

function findReason(
  record: Record<string, unknown>,
  { name, isFilter, depth }: SearchContext,
): string | undefined {
  const fields = Object.entries(record);
  const findText = (pattern: RegExp) =>
    fields.flatMap(([key, value]) =>
      pattern.test(toPlainName(key)) && typeof value === 'string' && value.trim() !== ''
        ? [value.trim()]
        : [],
    )[0];
  const reason = findText(reasonName);
  if (reason !== undefined && !emptyReason.test(reason)) return withMessage(reason, findText(messageName));
  for (const [key, value] of fields) {
    if (depth >= maxDepth || typeof value !== 'object' || /^(?:choices|errors?)$/.test(key)) continue;
    const innerContext = {
      name: key,
      isFilter: isFilter || filterName.test(toPlainName(key)),
      depth: depth + 1,
    };
    for (const item of Array.isArray(value) ? value.slice(0, 50) : [value]) {
      const innerReason = isRecord(item) ? findReason(item, innerContext) : undefined;
      if (innerReason !== undefined) return innerReason;
    }
  }
  const isFlagged = fields.some(([key, value]) => value === true && flagName.test(toPlainName(key)));
  if (!isFlagged || !(isFilter || depth === 0)) return undefined;
  return withMessage((isFilter ? findText(labelName) : undefined) ?? name, findText(messageName));
}

function withMessage(reason: string, message: string | undefined): string {
  return message === undefined || message === reason ? reason : `${reason}: ${message}`;
}
