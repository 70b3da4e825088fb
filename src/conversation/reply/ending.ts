/** Describes how a run ended: what happened, what was kept and what to do next. */
import type { ErrorReport } from '../../gateway/errors/errors.ts';
import type { FieldRefusal } from '../../gateway/errors/field-refusal.ts';
import { formatBytes, formatCount, formatSeconds, pluralize } from '../../lib/format.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import { candidatesOf } from '../session/candidates.ts';
import type { Run } from '../session/types.ts';
import { paramState, type Params } from '../setup/params.ts';
import { isFixable, listFieldRefusals, formatFieldName } from '../setup/refused-fields.ts';
import { classifyFinishReason, describeFailure, findPromptBlock, isBlockedReport } from './finish-reason.ts';
import { hasMedia, hasOutsideText, textOf } from './run.ts';
import { statusSentence } from './status-messages.ts';

/** Next actions. `raise`: retry with twice the token limit. `fix`: retry without the refused fields. */
export type Offer = 'again' | 'continue' | 'raise' | 'check-key' | 'fix';

export interface Ending {
  /** line: a quiet sentence under the answer; warn and err: cards. */
  tone: 'line' | 'warn' | 'err';
  title: string;
  text?: string;
  offers: Offer[];
  report?: ErrorReport;
  /** Statements of the error about request fields. */
  refusals?: FieldRefusal[];
  /** True if the provider failed although the stream ended normally. */
  isProviderFailure?: true;
}

/** Undefined where nothing needs saying: the answer is whole, or still under way. */
export function endingOf(run: Run): Ending | undefined {
  const { phase } = run;
  switch (phase.name) {
    case 'queued':
    case 'waiting':
    case 'streaming':
      return undefined;
    case 'complete':
      return completeEnding(run);
    case 'stopped':
      return run.deltas === 0
        ? { tone: 'line', title: 'You stopped it before the first token', offers: ['again'] }
        : { tone: 'line', title: `You stopped it after ${arrived(run)}`, offers: ['continue', 'again'] };
    case 'interrupted':
      return {
        tone: 'warn',
        title: 'Interrupted: the page was closed or reloaded',
        text: interruptedText(run),
        offers: run.deltas === 0 ? ['again'] : ['again', 'continue'],
      };
    case 'truncated':
      return truncatedEnding(run, phase.error);
    case 'failed':
      return failedEnding(run, phase.error);
  }
}

function interruptedText(run: Run): string {
  if (run.deltas > 0) return `${arrived(run)} received and kept.`;
  const isUnsent = run.sentAt === undefined && run.lastEventMs === undefined;
  return isUnsent ? 'It was still queued and was not sent.' : 'Nothing had been received yet.';
}

/** Of a broken stream the usage may be an early one, which says less than what is on screen. */
function arrived(run: Run): string {
  return pluralize(Math.max(run.usage?.completionTokens ?? 0, run.deltas), 'token');
}

function completeEnding(run: Run): Ending | undefined {
  const reasons = candidatesOf(run).map((index) => run.choices[index]?.finishReason);
  const badReason = reasons.find((each) => each !== undefined && isBadFinish(each));
  const reason = badReason ?? reasons.find((each) => each !== 'stop') ?? 'stop';
  const kind = classifyFinishReason(reason);
  const hasText = run.choices.some((choice) => textOf(choice).trim() !== '');
  const hasCalls = run.choices.some((choice) => choice.parts.some((part) => part.type === 'tool-call'));
  const hasAnswer = hasText || hasCalls || run.choices.some(hasMedia);
  const blockedPrompt = findPromptBlock(run);
  if (blockedPrompt !== undefined) return blockedEnding('prompt', blockedPrompt, '');
  if (kind === 'length') return lengthEnding(run, hasAnswer);
  if (kind === 'blocked') return blockedEnding('answer', reason, describeKeptText(run));
  if (kind === 'failed') return failureEnding(run, reason, hasText);
  const types = new Set(run.choices.flatMap(({ parts }) => parts.map(({ type }) => type)));
  if (!hasAnswer && types.has('thinking') && !types.has('refusal')) {
    return {
      tone: 'warn',
      title: 'No answer received',
      text: 'The model returned reasoning only. It is kept above.',
      offers: ['again'],
    };
  }
  if (run.choices.every((choice) => choice.finishReason === undefined)) {
    return { tone: 'line', title: 'Ended without a finish reason', offers: [] };
  }
  if (kind === 'other') {
    return {
      tone: 'line',
      title: `Ended with ${sanitizeForSentence(reason)}, reported by the provider`,
      offers: [],
    };
  }
  if (!hasAnswer && !run.choices.some((choice) => choice.parts.length > 0)) {
    return { tone: 'line', title: 'The model returned an empty answer', offers: ['again'] };
  }
  return undefined;
}

function isBadFinish(reason: string): boolean {
  const kind = classifyFinishReason(reason);
  return kind === 'blocked' || kind === 'failed';
}

function describeKeptText(run: Run): string {
  return run.deltas === 0 ? 'No text received. ' : `${arrived(run)} received and kept. `;
}

function blockedEnding(what: 'prompt' | 'answer', reason: string, kept: string): Ending {
  return {
    tone: 'warn',
    title: `The provider blocked this ${what}`,
    text: `Its reason: ${sanitizeForSentence(reason)}. ${kept}Reword the prompt or use another model.`,
    offers: ['again'],
  };
}

function failureEnding(run: Run, reason: string, hasText: boolean): Ending {
  const { title, advice } = describeFailure(reason);
  return {
    tone: 'warn',
    title,
    text: `Its reason: ${sanitizeForSentence(reason)}. ${describeKeptText(run)}${advice}`,
    offers: hasText ? ['continue', 'again'] : ['again'],
    isProviderFailure: true,
  };
}

function lengthEnding(run: Run, hasAnswer: boolean): Ending {
  const limit = findOutputLimit(run.setup.params);
  const title = limit ? `Cut off at ${limit.name} ${formatCount(limit.value)}` : 'Cut off at the token limit';
  if (!hasAnswer) {
    return {
      tone: 'warn',
      title,
      text: withoutAnswerWords(run),
      offers: limit ? ['raise', 'again'] : ['again'],
    };
  }
  const offers: Offer[] = limit ? ['raise', 'continue'] : ['continue'];
  return { tone: 'warn', title, text: 'The answer was cut short.', offers };
}

/** Finds the parameter that limits the output; the lower one if both are sent. */
export function findOutputLimit(
  params: Params,
): { name: 'max_tokens' | 'max_completion_tokens'; value: number } | undefined {
  const limits = (['max_tokens', 'max_completion_tokens'] as const).flatMap((name) => {
    const limit = paramState(params, name);
    return limit.state === 'sent' && typeof limit.value === 'number' ? [{ name, value: limit.value }] : [];
  });
  return limits.toSorted((one, other) => one.value - other.value)[0];
}

function withoutAnswerWords(run: Run): string {
  const types = new Set(run.choices.flatMap(({ parts }) => parts.map(({ type }) => type)));
  if (types.has('refusal')) return 'The model refused.';
  return types.has('thinking')
    ? 'No answer: thinking used the whole token limit.'
    : 'No answer: the limit was reached before any text.';
}

function truncatedEnding(run: Run, report: ErrorReport | undefined): Ending {
  const kept = run.deltas === 0 ? 'No text received.' : `${arrived(run)} received and kept.`;
  const offers: Offer[] = run.deltas === 0 ? ['again'] : ['again', 'continue'];
  if (!report) {
    return {
      tone: 'warn',
      title: 'The answer may be cut off',
      text: hasOutsideText(run)
        ? `The stream contained text outside any event. It is shown below. ${kept}`
        : `The stream ended without a finish reason or an end marker. ${kept}`,
      offers,
    };
  }
  if (report.kind === 'answer-too-large') {
    return { tone: 'warn', title: errorTitle(report), text: `${report.message} ${kept}`, offers, report };
  }
  const at = formatSeconds(run.endedMs ?? 0);
  if (report.kind === 'timeout') {
    return {
      tone: 'err',
      title: `No more data arrived, so Bench gave up at ${at}`,
      text: kept,
      offers,
      report,
    };
  }
  return {
    tone: 'err',
    title: `The connection dropped at ${at}`,
    text: `${kept} The model may have kept generating after the connection dropped.`,
    offers,
    report,
  };
}

function failedEnding(run: Run, report: ErrorReport | undefined): Ending {
  const error: ErrorReport = report ?? {
    source: 'app',
    kind: 'failed',
    message: 'Failed; no reason given.',
  };
  const refusals = listFieldRefusals(run);
  const offers: Offer[] = [
    ...(refusals.some(isFixable) ? ['fix' as const] : []),
    ...(error.kind === 'key-rejected' ? ['check-key' as const] : []),
    'again',
  ];
  const kept = run.deltas === 0 ? 'Your conversation is safe.' : `${arrived(run)} received and kept.`;
  return {
    tone: 'err',
    title: refusals.length > 0 ? refusalTitle(error, refusals) : errorTitle(error),
    text: `${errorAdvice(error)} ${kept}`.trim(),
    offers,
    report: error,
    refusals,
  };
}

function refusalTitle({ source }: ErrorReport, refusals: readonly FieldRefusal[]): string {
  const who = speakers[source];
  const [first, ...others] = refusals;
  if (first === undefined || others.length > 0)
    return `${who} did not accept ${pluralize(refusals.length, 'field')}`;
  const field = sanitizeForSentence(formatFieldName(first.field), 40);
  if (first.kind === 'missing') return `${who} requires ${field}`;
  return `${who} did not accept ${first.kind === 'value' ? `this value of ${field}` : field}`;
}

const shortestWaitMs = 1000;
const longestWaitMs = 8000;

/**
 * How long an error asks to wait before the next try, in milliseconds from its arrival; undefined where it does not.
 * Where a limit names no time, twice as long with each version that met it, with a part that differs from run to
 * run, so that lanes that were refused together do not come back together. `refusals`: versions that met it, this included.
 */
export function waitBeforeRetryMs(
  report: ErrorReport | undefined,
  runId: string,
  refusals: number,
): number | undefined {
  if (report?.retryAfterMs !== undefined || report?.kind !== 'rate-limited') return report?.retryAfterMs;
  const base = Math.min(longestWaitMs / 2, shortestWaitMs * 2 ** Math.max(0, refusals - 1));
  const spread =
    Array.from(runId).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1000, 0) / 1000;
  return Math.round(base * (1 + spread));
}

const speakers = {
  app: 'Bench',
  proxy: 'The Bench server',
  gateway: 'The gateway',
  provider: 'The provider',
  network: 'The network',
};

/** One sentence of what went wrong, by kind. */
export function errorTitle(report: ErrorReport): string {
  const who = speakers[report.source];
  if (isBlockedReport(report)) return `${who} blocked this prompt`;
  const byStatus = statusSentence(report, who);
  if (byStatus) return byStatus.title;
  switch (report.kind) {
    case 'key-rejected':
      return 'The gateway does not accept this key';
    case 'login-required':
      return 'Bench requires its password again';
    case 'forbidden':
      return `${who} rejected the request`;
    case 'not-found':
      return /\bmodel\b/i.test(
        `${report.type ?? ''} ${report.code ?? ''} ${report.message}`.replaceAll('_', ' '),
      )
        ? `${who} does not know this model`
        : `${who} found nothing at this address`;
    case 'invalid-request':
      return `${who} did not accept the request`;
    case 'too-large':
      return 'The request is too large';
    case 'rate-limited':
      return 'Rate limit reached';
    case 'overloaded':
      return `${who} is overloaded`;
    case 'unreachable':
      return 'The gateway cannot be reached';
    case 'unreadable':
      return "The gateway's answer could not be read";
    case 'redirected':
      return 'The gateway sent a redirect';
    case 'timeout':
      return 'The gateway did not respond in time';
    case 'connection-lost':
      return 'The connection was lost';
    case 'offline':
      return 'You are offline';
    case 'proxy-unreachable':
      return 'The Bench server is not responding';
    case 'no-answer':
      return 'The gateway sent an empty answer';
    case 'not-an-answer':
      return 'Unexpected response';
    case 'answer-too-large':
      return 'The answer is too long for Bench';
    case 'event-too-large':
      return 'One event of the stream was too large';
    default:
      return `${who} reported an error`;
  }
}

function errorAdvice(report: ErrorReport): string {
  if (isBlockedReport(report)) return 'Reword the prompt or use another model. Its message is below.';
  const byStatus = report.requestBytes === undefined ? statusSentence(report, '') : undefined;
  if (byStatus) return byStatus.advice;
  switch (report.kind) {
    case 'key-rejected':
      return 'It may be mistyped, expired or removed. It is set on the server, in GATEWAY_API_KEY.';
    case 'not-found':
      return 'Check the model ID and the base URL of the gateway.';
    case 'invalid-request':
      return 'Its message is below.';
    case 'too-large':
      return report.requestBytes === undefined
        ? ''
        : `It was ${formatBytes(report.requestBytes)}. Fewer or smaller images, or a shorter conversation, may pass.`;
    case 'rate-limited':
      return 'Nothing is sent again unless you ask.';
    case 'offline':
      return 'Your message is saved. Ask again when you are online.';
    case 'overloaded':
      return 'It rejected the request before sending any text, so nothing was lost.';
    case 'unreachable':
      return 'Check that it is running and that GATEWAY_BASE_URL is correct.';
    case 'redirected':
      return 'Bench never follows a redirect, so that the key stays with the gateway. Check GATEWAY_BASE_URL.';
    case 'proxy-unreachable':
      return 'Check that `npm start` is still running.';
    default:
      return '';
  }
}

/** True where a stream brought no usage, and the lane does not ask for it since a person said so. */
export function usageAdvice(run: Run, params: Params): boolean {
  const streamed = paramState(run.setup.params, 'stream');
  const asked = paramState(params, 'stream_options');
  const ended = run.phase.name === 'complete' && run.usage === undefined;
  if (params.stream_options?.byDefault === true) return false;
  return ended && streamed.state === 'sent' && streamed.value === true && asked.state !== 'sent';
}
