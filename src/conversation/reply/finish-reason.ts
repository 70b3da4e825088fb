/** Classifies finish reasons and error codes of providers beyond those of §2.4. */
import type { ErrorReport } from '../../gateway/errors/errors.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import type { Choice } from '../session/types.ts';

/** Meaning of a finish reason. `blocked`: a filter acted. `failed`: the provider could not finish. `other`: unknown. */
export type FinishKind = 'stop' | 'length' | 'tool_calls' | 'blocked' | 'failed' | 'other';

const normalReasons = ['stop', 'length', 'tool_calls'] as const;
const blockPattern =
  /safety|filter|block|recitation|prohibit|moderat|polic(?:y|ies)|guardrail|spii|sensitive|harm|toxic|violat|denylist|jailbreak|censor|copyright|(?:^|_)(?:refusal|risk)/;
const noFailurePattern = /(?:^|_)(?:no|without)_(?:error|failure)s?/g;

const failurePattern =
  /error|fail|abort|cancel|insufficient|exceed|timed?_?out|deadline|expired|network|connect|unavailable|overload|capacity|exhaust|malformed|unexpected|invalid|missing|exception|crash|interrupt|terminated|killed|shut_?down|preempt|evict|out_?of|(?:^|_)oom(?:_|$)|too_?(?:many|long)|rate_?limit|quota/;

/** Failures by pattern of the finish reason; the first match applies. */
const failures: readonly { pattern: RegExp; title: string; advice: string }[] = [
  {
    pattern: /tool|function|malformed|thought/,
    title: "The provider could not use the model's tool call",
    advice: 'Retry, or check the tools of this lane.',
  },
  {
    pattern: /rate_?limit|quota|too_?many/,
    title: 'The provider reached a limit',
    advice: 'Wait a moment, then retry.',
  },
  {
    pattern: /timed?_?out|deadline|expired/,
    title: 'The provider timed out',
    advice: 'Retry, or ask for a shorter answer.',
  },
  {
    pattern: /context|window|length|tokens?(?:_|$)|too_?long/,
    title: 'The conversation exceeds the context window',
    advice: 'Shorten the conversation or use a model with a larger context window.',
  },
  {
    pattern:
      /insufficient|resource|capacity|overload|unavailable|memory|(?:^|_)oom(?:_|$)|evict|preempt|exhaust/,
    title: 'The provider ran out of capacity',
    advice: 'Retry in a few seconds, or use another model.',
  },
  {
    pattern: /network|connect/,
    title: 'The provider lost its connection to the model',
    advice: 'Retry.',
  },
  {
    pattern: /abort|cancel|interrupt|terminated|killed|shut_?down/,
    title: 'The provider aborted the answer',
    advice: 'Retry.',
  },
];
const unknownFailure = {
  title: 'The provider failed while generating the answer',
  advice: 'Retry, or use another model.',
};
const maxReasonChars = 200;

const normalizeReason = (reason: string): string =>
  reason
    .slice(0, maxReasonChars)
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

/** Returns the kind of a finish reason, ignoring case and separators. */
export function classifyFinishReason(reason: string): FinishKind {
  const normalized = normalizeReason(reason);
  const normal = normalReasons.find((known) => known === normalized);
  if (normal !== undefined) return normal;
  if (blockPattern.test(normalized)) return 'blocked';
  return failurePattern.test(normalized.replaceAll(noFailurePattern, '')) ? 'failed' : 'other';
}

/** Returns true if the code or type of the error shows that a filter acted. */
export function isBlockedReport({ kind, code = '', type = '' }: ErrorReport): boolean {
  const canBeFilter = kind === 'invalid-request' || kind === 'forbidden' || kind === 'failed';
  return canBeFilter && [code, type].some((word) => blockPattern.test(normalizeReason(word)));
}

/** Returns title and advice for a failed answer, based on its finish reason. */
export function describeFailure(reason: string): { title: string; advice: string } {
  return failures.find(({ pattern }) => pattern.test(normalizeReason(reason))) ?? unknownFailure;
}

/** Returns an error report if the finish reason of the candidate means failure, otherwise `undefined`. */
export function getFailureReport(choice: Choice | undefined): ErrorReport | undefined {
  const reason = choice?.finishReason;
  if (reason === undefined || classifyFinishReason(reason) !== 'failed') return undefined;
  const message = `${describeFailure(reason).title}: ${sanitizeForSentence(reason)}`;
  return { source: 'provider', kind: 'failed', message, code: reason };
}
