/** Describes how a run ended: what happened, what was kept and what to do next. */
import type { ErrorReport } from '../../gateway/errors/errors.ts';
import type { FieldRefusal } from '../../gateway/errors/field-refusal.ts';
import { formatBytes, formatCount, formatSeconds, pluralize } from '../../lib/format.ts';
import { nameVariables } from '../../lib/gateway-variables.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import { listCandidateIndexes } from '../session/candidates.ts';
import type { Run } from '../session/types.ts';
import { findOutputLimit } from '../setup/output-limit.ts';
import { getParamState, type Params } from '../setup/params.ts';
import { isFixable, listFieldRefusals, formatFieldName } from '../setup/refused-fields.ts';
import { classifyFinishReason, describeFailure, isBlockedReport } from './finish-reason.ts';
import { findPromptBlock, hasMedia, hasOutsideText, getAnswerText } from './run.ts';
import { describeStatus } from './status-messages.ts';

/** Next actions. `raise`: retry with twice the token limit. `fix`: retry without the rejected fields. */
export type EndingAction = 'again' | 'continue' | 'raise' | 'check-key' | 'choose-model' | 'fix';

export interface Ending {
  /** Display form: `line` is a quiet sentence under the answer, `warn` and `err` are cards. */
  tone: 'line' | 'warn' | 'err';
  title: string;
  text?: string;
  actions: EndingAction[];
  report?: ErrorReport;
  /** Rejected fields named in the error. */
  refusals?: FieldRefusal[];
}

/** Returns `undefined` if there is nothing to report: the answer is complete or still running. */
export function getEnding(run: Run): Ending | undefined {
  const { phase } = run;
  switch (phase.name) {
    case 'queued':
    case 'waiting':
    case 'streaming':
      return undefined;
    case 'complete':
      return getCompleteEnding(run);
    case 'stopped':
      return run.deltas === 0
        ? { tone: 'line', title: 'Stopped before the first token', actions: ['again'] }
        : {
            tone: 'line',
            title: `Stopped after ${pluralize(countReceivedTokens(run), 'token')}`,
            actions: ['continue', 'again'],
          };
    case 'interrupted':
      return {
        tone: 'warn',
        title: 'Interrupted by closing or reloading the page',
        text: describeInterruption(run),
        actions: run.deltas === 0 ? ['again'] : ['again', 'continue'],
      };
    case 'truncated':
      return createTruncatedEnding(run, phase.error);
    case 'failed':
      return createFailedEnding(run, phase.error);
  }
}

function describeInterruption(run: Run): string {
  if (run.deltas > 0) return describeSavedTokens(run);
  const isUnsent = run.sentAt === undefined && run.lastEventMs === undefined;
  return isUnsent ? 'It was still queued and was not sent.' : 'Nothing was received.';
}

function describeSavedTokens(run: Run): string {
  return `${pluralize(countReceivedTokens(run), 'token was', 'tokens were')} saved.`;
}

/** Counts deltas as well, because the usage of a broken stream may be an early, lower value. */
function countReceivedTokens(run: Run): number {
  return Math.max(run.usage?.completionTokens ?? 0, run.deltas);
}

function getCompleteEnding(run: Run): Ending | undefined {
  const reasons = listCandidateIndexes(run).map((index) => run.choices[index]?.finishReason);
  const badReason = reasons.find((finishReason) => finishReason !== undefined && isBadFinish(finishReason));
  const reason = badReason ?? reasons.find((finishReason) => finishReason !== 'stop') ?? 'stop';
  const kind = classifyFinishReason(reason);
  const hasText = run.choices.some((choice) => getAnswerText(choice).trim() !== '');
  const hasCalls = run.choices.some((choice) => choice.parts.some((part) => part.type === 'tool-call'));
  const hasAnswer = hasText || hasCalls || run.choices.some(hasMedia);
  const blockedPrompt = findPromptBlock(run);
  if (blockedPrompt !== undefined) return createBlockedEnding('prompt', blockedPrompt, '');
  if (kind === 'length') return createLengthEnding(run, hasAnswer);
  if (kind === 'blocked') return createBlockedEnding('answer', reason, describeKeptText(run));
  if (kind === 'failed') return createProviderFailureEnding(run, reason, hasText);
  const types = new Set(run.choices.flatMap(({ parts }) => parts.map(({ type }) => type)));
  if (!hasAnswer && types.has('thinking') && !types.has('refusal')) {
    return {
      tone: 'warn',
      title: 'No answer received',
      text: 'The model returned only the reasoning shown above.',
      actions: ['again'],
    };
  }
  if (run.choices.every((choice) => choice.finishReason === undefined)) {
    return { tone: 'line', title: 'Ended without a finish reason', actions: [] };
  }
  if (kind === 'other') {
    return {
      tone: 'line',
      title: `Ended with finish reason ${sanitizeForSentence(reason)}`,
      actions: [],
    };
  }
  if (!hasAnswer && !run.choices.some((choice) => choice.parts.length > 0)) {
    return { tone: 'line', title: 'The model returned an empty answer', actions: ['again'] };
  }
  return undefined;
}

function isBadFinish(reason: string): boolean {
  const kind = classifyFinishReason(reason);
  return kind === 'blocked' || kind === 'failed';
}

function describeKeptText(run: Run): string {
  return run.deltas === 0 ? 'No text received. ' : `${describeSavedTokens(run)} `;
}

function createBlockedEnding(subject: 'prompt' | 'answer', reason: string, keptText: string): Ending {
  return {
    tone: 'warn',
    title: `The provider blocked this ${subject}`,
    text: `Reason: ${sanitizeForSentence(reason)}. ${keptText}Reword the prompt or use another model.`,
    actions: ['again'],
  };
}

function createProviderFailureEnding(run: Run, reason: string, hasText: boolean): Ending {
  const { title, advice } = describeFailure(reason);
  return {
    tone: 'warn',
    title,
    text: `Reason: ${sanitizeForSentence(reason)}. ${describeKeptText(run)}${advice}`,
    actions: hasText ? ['continue', 'again'] : ['again'],
  };
}

function createLengthEnding(run: Run, hasAnswer: boolean): Ending {
  const limit = findOutputLimit(run.setup.params);
  const title = limit ? `Cut off at ${limit.name} ${formatCount(limit.value)}` : 'Cut off at the token limit';
  if (!hasAnswer) {
    return {
      tone: 'warn',
      title,
      text: describeMissingAnswer(run),
      actions: limit ? ['raise', 'again'] : ['again'],
    };
  }
  const actions: EndingAction[] = limit ? ['raise', 'continue'] : ['continue'];
  return { tone: 'warn', title, text: 'The answer is incomplete.', actions };
}

function describeMissingAnswer(run: Run): string {
  const types = new Set(run.choices.flatMap(({ parts }) => parts.map(({ type }) => type)));
  if (types.has('refusal')) return 'The model refused.';
  return types.has('thinking')
    ? 'No answer: reasoning used up the token limit.'
    : 'No answer: the limit was reached before any text.';
}

function createTruncatedEnding(run: Run, report: ErrorReport | undefined): Ending {
  const keptText = run.deltas === 0 ? 'No text received.' : describeSavedTokens(run);
  const actions: EndingAction[] = run.deltas === 0 ? ['again'] : ['again', 'continue'];
  if (!report) {
    return {
      tone: 'warn',
      title: 'The answer may be incomplete',
      text: hasOutsideText(run)
        ? `The stream contained text outside any event. It is shown below. ${keptText}`
        : `The stream ended without a finish reason or end marker. ${keptText}`,
      actions,
    };
  }
  if (report.kind === 'answer-too-large') {
    return {
      tone: 'warn',
      title: getErrorTitle(report),
      text: `${report.message} ${keptText}`,
      actions,
      report,
    };
  }
  const endTime = formatSeconds(run.endedMs ?? 0);
  if (report.kind === 'timeout') {
    return {
      tone: 'err',
      title: `Timed out at ${endTime}: no more data arrived`,
      text: keptText,
      actions,
      report,
    };
  }
  return {
    tone: 'err',
    title: `The connection dropped after ${endTime}`,
    text: `${keptText} The model may have continued generating.`,
    actions,
    report,
  };
}

function createFailedEnding(run: Run, report: ErrorReport | undefined): Ending {
  const error: ErrorReport = report ?? {
    source: 'app',
    kind: 'failed',
    message: 'The request failed without a reason.',
  };
  const refusals = listFieldRefusals(run);
  const actions: EndingAction[] = [
    ...(refusals.some(isFixable) ? ['fix' as const] : []),
    ...(error.kind === 'key-rejected' ? ['check-key' as const] : []),
    ...(error.kind === 'unknown-gateway' ? ['choose-model' as const] : []),
    'again',
  ];
  const keptText = run.deltas === 0 ? 'Your conversation was kept.' : describeSavedTokens(run);
  return {
    tone: 'err',
    title: refusals.length > 0 ? formatRefusalTitle(error, refusals) : getErrorTitle(error),
    text: `${nameVariables(getErrorAdvice(error), run.gateway)} ${keptText}`.trim(),
    actions,
    report: error,
    refusals,
  };
}

function formatRefusalTitle({ source }: ErrorReport, refusals: readonly FieldRefusal[]): string {
  const sourceLabel = sourceLabels[source];
  const [first, ...others] = refusals;
  if (first === undefined || others.length > 0)
    return `${sourceLabel} rejected ${pluralize(refusals.length, 'field')}`;
  const field = sanitizeForSentence(formatFieldName(first.field), 40);
  if (first.kind === 'missing') return `${sourceLabel} requires ${field}`;
  return `${sourceLabel} rejected ${first.kind === 'value' ? `this value of ${field}` : field}`;
}

const minRetryDelayMs = 1000;
const maxRetryDelayMs = 8000;

/**
 * Returns the delay before the next retry in ms from the error's arrival, `undefined` if the error sets none. For rate
 * limits without a time the delay doubles per rejected version (`rejectionCount`, including this one), plus a spread
 * per run so that lanes do not retry at the same moment.
 */
export function getRetryDelayMs(
  report: ErrorReport | undefined,
  runId: string,
  rejectionCount: number,
): number | undefined {
  if (report?.retryAfterMs !== undefined || report?.kind !== 'rate-limited') return report?.retryAfterMs;
  const baseDelayMs = Math.min(maxRetryDelayMs / 2, minRetryDelayMs * 2 ** Math.max(0, rejectionCount - 1));
  const spread = Array.from(runId).reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1000, 0) / 1000;
  return Math.round(baseDelayMs * (1 + spread));
}

const sourceLabels = {
  app: 'Bench',
  proxy: 'The Bench server',
  gateway: 'The gateway',
  provider: 'The provider',
  network: 'A server in between',
};

/** Returns a short title for the error. */
export function getErrorTitle(report: ErrorReport): string {
  const sourceLabel = sourceLabels[report.source];
  if (isBlockedReport(report)) return `${sourceLabel} blocked this prompt`;
  const statusMessage = describeStatus(report, sourceLabel);
  if (statusMessage) return statusMessage.title;
  switch (report.kind) {
    case 'key-rejected':
      return 'The gateway rejected the key';
    case 'login-required':
      return 'Log in to Bench again';
    case 'forbidden':
      return `${sourceLabel} denied access`;
    case 'not-found':
      return /\bmodel\b/i.test(
        `${report.type ?? ''} ${report.code ?? ''} ${report.message}`.replaceAll('_', ' '),
      )
        ? `${sourceLabel} does not have this model`
        : 'Nothing found at this address';
    case 'invalid-request':
      return `${sourceLabel} rejected the request`;
    case 'too-large':
      return 'The request is too large';
    case 'rate-limited':
      return 'Rate limit reached';
    case 'overloaded':
      return `${sourceLabel} is overloaded`;
    case 'unreachable':
      return 'Could not reach the gateway';
    case 'unreadable':
      return "Could not read the gateway's response";
    case 'redirected':
      return 'The gateway returned a redirect';
    case 'timeout':
      return 'The gateway did not respond in time';
    case 'connection-lost':
      return 'The connection was lost';
    case 'unknown-gateway':
      return 'This server has no such gateway';
    case 'offline':
      return 'You are offline';
    case 'proxy-unreachable':
      return 'The Bench server is not responding';
    case 'no-answer':
      return 'The gateway returned an empty answer';
    case 'not-an-answer':
      return 'Unexpected response';
    case 'answer-too-large':
      return 'The answer is too large';
    case 'event-too-large':
      return 'One event of the stream was too large';
    default:
      return `${sourceLabel} reported an error`;
  }
}

function getErrorAdvice(report: ErrorReport): string {
  if (isBlockedReport(report)) return 'Reword the prompt or use another model. See the error message below.';
  const statusMessage = report.requestBytes === undefined ? describeStatus(report, '') : undefined;
  if (statusMessage) return statusMessage.advice;
  switch (report.kind) {
    case 'key-rejected':
      return 'It may be mistyped, expired or revoked. Check GATEWAY_API_KEY on the server.';
    case 'not-found':
      return 'Check the model ID and the base URL of the gateway.';
    case 'invalid-request':
      return 'See the error message below.';
    case 'too-large':
      return report.requestBytes === undefined
        ? ''
        : `It was ${formatBytes(report.requestBytes)}. Use fewer or smaller images, or shorten the conversation.`;
    case 'rate-limited':
      return 'Bench does not retry automatically.';
    case 'offline':
      return 'Your message is saved. Retry when you are back online.';
    case 'overloaded':
      return 'The request was rejected before any text was returned.';
    case 'unreachable':
      return 'Check that it is running and that GATEWAY_BASE_URL is correct.';
    case 'redirected':
      return 'Bench never follows redirects, so the key is sent only to the gateway. Check GATEWAY_BASE_URL.';
    case 'proxy-unreachable':
      return 'Check that `npm start` is still running.';
    default:
      return '';
  }
}

/** Returns true if a complete stream reported no usage and the parameters, as set by the user, do not request it. */
export function shouldSuggestUsage(run: Run, params: Params): boolean {
  const streamParam = getParamState(run.setup.params, 'stream');
  const usageParam = getParamState(params, 'stream_options');
  const isUsageMissing = run.phase.name === 'complete' && run.usage === undefined;
  if (params.stream_options?.byDefault === true) return false;
  return (
    isUsageMissing &&
    streamParam.state === 'sent' &&
    streamParam.value === true &&
    usageParam.state !== 'sent'
  );
}
