import { isRecord } from '../../lib/json.ts';
import { toPlainName } from '../../lib/text/plain-name.ts';

/** Patterns for plain names. */
const placeName = /prompt|feedback|filter|safety|moderation|guardrail|block/;
const reasonName = /^(?:prompt)?block(?:ed)?reason$/;
const wordName = /^(?:reason|category|type|label)$/;
const messageName = /^(?:block(?:ed)?reason)?message$/;
const flagName = /^(?:is|was)?(?:blocked|filtered|flagged)$/;
/** Values of a reason that is not set. */
const noReason = /unspecified|^(?:none|null|ok|safe|no)$/i;
const maxDepth = 5;
const maxReasonChars = 300;

/**
 * Finds the reason of a provider for blocking the prompt: `promptFeedback.blockReason`, or a filter that reports that it
 * acted. Choices and errors are read elsewhere.
 */
export function findBlockReason(chunk: Record<string, unknown>): string | undefined {
  return findIn(chunk, { name: 'blocked', isPlace: false, depth: 0 })?.slice(0, maxReasonChars);
}

interface Place {
  name: string;
  /** True if its name or the name of an outer object is about filters, so that a flag in it counts. */
  isPlace: boolean;
  depth: number;
}

function findIn(record: Record<string, unknown>, { name, isPlace, depth }: Place): string | undefined {
  const fields = Object.entries(record);
  const findText = (pattern: RegExp) =>
    fields.flatMap(([key, value]) =>
      pattern.test(toPlainName(key)) && typeof value === 'string' && value.trim() !== ''
        ? [value.trim()]
        : [],
    )[0];
  const reason = findText(reasonName);
  if (reason !== undefined && !noReason.test(reason)) return withMessage(reason, findText(messageName));
  for (const [key, value] of fields) {
    if (depth >= maxDepth || typeof value !== 'object' || /^(?:choices|errors?)$/.test(key)) continue;
    const inner = { name: key, isPlace: isPlace || placeName.test(toPlainName(key)), depth: depth + 1 };
    for (const item of Array.isArray(value) ? value.slice(0, 50) : [value]) {
      const found = isRecord(item) ? findIn(item, inner) : undefined;
      if (found !== undefined) return found;
    }
  }
  const isMarked = fields.some(([key, value]) => value === true && flagName.test(toPlainName(key)));
  if (!isMarked || !(isPlace || depth === 0)) return undefined;
  return withMessage((isPlace ? findText(wordName) : undefined) ?? name, findText(messageName));
}

function withMessage(reason: string, message: string | undefined): string {
  return message === undefined || message === reason ? reason : `${reason}: ${message}`;
}
