/** Life cycle of a cell, and the record built from its run. */
import {
  classifyFinishReason,
  getFailureReport,
  isBlockedReport,
} from '../conversation/reply/finish-reason.ts';
import { computeMetrics, type Metrics } from '../conversation/reply/metrics.ts';
import { describeMedia, findPromptBlock, isLive, getAnswerText } from '../conversation/reply/run.ts';
import { getCandidate } from '../conversation/session/candidates.ts';
import type { Run } from '../conversation/session/types.ts';
import type { ErrorReport } from '../gateway/errors/errors.ts';
import { getCellId } from './case-order.ts';
import type { AnswerUsage } from './trial-cost.ts';
import type { Cell, CellKey, LiveCell, Mark, NoAnswerReason } from './trial.ts';

/** Stages of a cell, from its creation to its ending. `again` returns it to the queue as if it had never run. */
export type CellStatus =
  | { name: 'asked for' | 'in line' | 'waiting' | 'streaming' | 'again' }
  | { name: 'ended'; outcome: 'answered' }
  | { name: 'ended'; outcome: 'no answer'; reason: NoAnswerReason };

/** Returns the status of a cell from its run; without a run, the cell has yet to run. */
export function getCellStatus(run: Run | undefined): CellStatus {
  if (!run) return { name: 'asked for' };
  const { phase } = run;
  switch (phase.name) {
    case 'queued':
      return { name: 'in line' };
    case 'waiting':
    case 'streaming':
      return { name: phase.name };
    case 'complete': {
      const reason = findMissingReason(run);
      return reason
        ? { name: 'ended', outcome: 'no answer', reason }
        : { name: 'ended', outcome: 'answered' };
    }
    // Stopped by the user or interrupted because the page closed; neither is the model's fault.
    case 'stopped':
    case 'interrupted':
      return { name: 'again' };
    case 'failed':
    case 'truncated': {
      const { error } = phase;
      if (error && (isRateLimited(error) || (phase.name === 'failed' && wasNotSent(error))))
        return { name: 'again' };
      if (error?.kind === 'timeout') return { name: 'ended', outcome: 'no answer', reason: 'timed out' };
      if (error && isBlockedReport(error)) return { name: 'ended', outcome: 'no answer', reason: 'filtered' };
      if (phase.name === 'failed') return { name: 'ended', outcome: 'no answer', reason: 'failed' };
      // A gateway that ends an answer early may do so because of the model, a lost connection has other causes.
      return { name: 'ended', outcome: 'no answer', reason: error?.source === 'network' ? 'lost' : 'cut' };
    }
  }
}

/** Returns true if the request of the cell was sent, not only queued. */
export function isSent(cell: LiveCell | undefined): boolean {
  return cell !== undefined && cell.status !== 'in line';
}

/** Returns the reason why a run that ended normally has no answer, from the provider's finish reason. */
function findMissingReason(run: Run): NoAnswerReason | undefined {
  if (findPromptBlock(run) !== undefined) return 'filtered';
  const kind = classifyFinishReason(getCandidate(run, 0)?.finishReason ?? 'stop');
  if (kind === 'blocked') return 'filtered';
  return kind === 'failed' ? 'failed' : undefined;
}

/** Returns the error of a run without an answer, including errors reported as a finish reason. */
export function getCellError(run: Run): ErrorReport | undefined {
  const error = 'error' in run.phase ? run.phase.error : undefined;
  return error ?? (run.phase.name === 'complete' ? getFailureReport(getCandidate(run, 0)) : undefined);
}

/** Rate limits, however they are reported, are not the fault of the column. */
function isRateLimited({ kind, status }: ErrorReport): boolean {
  return status === 429 || kind === 'rate-limited';
}

/** True if the request never reached the gateway. */
function wasNotSent({ kind }: ErrorReport): boolean {
  return kind === 'offline' || kind === 'login-required';
}

/** Maximum number of characters in the head of a cell. */
export const maxHeadChars = 120;

/** Returns the text that checks evaluate: the first candidate's text, without reasoning. */
export function getCheckedText(run: Run): string {
  return getAnswerText(getCandidate(run, 0));
}

/** Returns the cell of a run that ended with an outcome, otherwise `undefined`. Scores are added separately. */
export function buildCell(run: Run, key: CellKey, tries: number): Cell | undefined {
  const cellStatus = getCellStatus(run);
  if (cellStatus.name !== 'ended' || isLive(run)) return undefined;
  const text = getCheckedText(run);
  const headText = text.trim() === '' ? describeMedia(getCandidate(run, 0)) || text : text;
  const metrics = computeMetrics(run);
  const finishReason = getCandidate(run, 0)?.finishReason;
  return {
    caseId: key.caseId,
    columnId: key.columnId,
    repeat: key.repeat,
    runId: run.id,
    tries,
    outcome: cellStatus.outcome,
    ...(cellStatus.outcome === 'no answer' ? { why: cellStatus.reason } : {}),
    head: Array.from(headText.slice(0, 2 * maxHeadChars))
      .slice(0, maxHeadChars)
      .join(''),
    answerHash: computeShortHash(text),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(run.firstTokenMs === undefined ? {} : { firstTokenMs: run.firstTokenMs }),
    ...(run.endedMs === undefined ? {} : { totalMs: run.endedMs }),
    ...pickUsage(metrics),
    scores: {},
  };
}

/** Returns the metrics that the cost of an answer is computed from. */
export function pickUsage(metrics: Metrics): AnswerUsage {
  const { tokensIn, tokensOut, cachedTokens, isCachedExtra, reasoningTokens, costUsd } = metrics;
  return {
    tokensIn,
    tokensOut,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(isCachedExtra ? { isCachedExtra } : {}),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

/** Returns 8 hexadecimal digits (FNV-1a over the UTF-16 units). Distinguishes texts but is not secure. */
export function computeShortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

const setupErrors = new Set([400, 404, 422]);

/**
 * Returns the error that stops a column because its setup is wrong: its first two outcomes are the same 400, 404 or
 * 422, or its last five outcomes are the same error. `errors` is in the order of the outcomes, with `undefined` for
 * answers.
 */
export function getStopReport(errors: readonly (ErrorReport | undefined)[]): ErrorReport | undefined {
  const [first, second] = errors;
  if (first && second && setupErrors.has(first.status ?? 0) && areSameErrors(first, second)) return second;
  const lastFive = errors.slice(-5);
  const [reference] = lastFive;
  if (lastFive.length < 5 || !reference) return undefined;
  return lastFive.every((report) => report !== undefined && areSameErrors(report, reference))
    ? lastFive.at(-1)
    : undefined;
}

function areSameErrors(a: ErrorReport, b: ErrorReport): boolean {
  return a.status === b.status && a.kind === b.kind && a.message === b.message;
}

/**
 * Returns the marks after a cell was marked, or unmarked if `mark` is absent. A changed mark keeps its time, since
 * cases count in the order in which they were first marked.
 */
export function withCellMark(
  marks: readonly Mark[],
  { trialId, key, mark, at }: Omit<Mark, 'mark'> & { mark?: Mark['mark'] },
): Mark[] {
  const isSameCell = (storedMark: Mark): boolean =>
    storedMark.trialId === trialId && getCellId(storedMark.key) === getCellId(key);
  const existingMark = marks.find(isSameCell);
  if (mark === undefined) return marks.filter((storedMark) => !isSameCell(storedMark));
  if (existingMark)
    return marks.map((storedMark) => (storedMark === existingMark ? { ...existingMark, mark } : storedMark));
  return [...marks, { trialId, key, mark, at }];
}
