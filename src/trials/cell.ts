/** The life of a cell, and what its run makes of it. */
import {
  classifyFinishReason,
  getFailureReport,
  findPromptBlock,
  isBlockedReport,
} from '../conversation/reply/finish-reason.ts';
import { computeMetrics } from '../conversation/reply/metrics.ts';
import { describeMedia, isLive, getAnswerText } from '../conversation/reply/run.ts';
import { getCandidate } from '../conversation/session/candidates.ts';
import type { Run } from '../conversation/session/types.ts';
import type { ErrorReport } from '../gateway/errors/errors.ts';
import { cellName } from './case-order.ts';
import type { Cell, CellKey, Mark, NoAnswer } from './trial.ts';

/** Asked for → in line → waiting → streaming → ended. `again`: it goes back into the line, as if it had not been asked. */
export type CellLife =
  | { name: 'asked for' | 'in line' | 'waiting' | 'streaming' | 'again' }
  | { name: 'ended'; outcome: 'answered' }
  | { name: 'ended'; outcome: 'no answer'; why: NoAnswer };

/** Where a cell is by its run; without one it is yet to be asked. */
export function cellLife(run: Run | undefined): CellLife {
  if (!run) return { name: 'asked for' };
  const { phase } = run;
  switch (phase.name) {
    case 'queued':
      return { name: 'in line' };
    case 'waiting':
    case 'streaming':
      return { name: phase.name };
    case 'complete': {
      const why = findMissingReason(run);
      return why ? { name: 'ended', outcome: 'no answer', why } : { name: 'ended', outcome: 'answered' };
    }
    // Nobody's answer was bad: a person stopped it, or the page died.
    case 'stopped':
    case 'interrupted':
      return { name: 'again' };
    case 'failed':
    case 'truncated': {
      const { error } = phase;
      if (error && (isPaced(error) || (phase.name === 'failed' && wasNotAsked(error))))
        return { name: 'again' };
      if (error?.kind === 'timeout') return { name: 'ended', outcome: 'no answer', why: 'timed out' };
      if (error && isBlockedReport(error)) return { name: 'ended', outcome: 'no answer', why: 'filtered' };
      return { name: 'ended', outcome: 'no answer', why: phase.name === 'failed' ? 'failed' : 'cut' };
    }
  }
}

/** Returns why a run that ended normally has no answer, by the reason of its provider. */
function findMissingReason(run: Run): NoAnswer | undefined {
  if (findPromptBlock(run) !== undefined) return 'filtered';
  const kind = classifyFinishReason(getCandidate(run, 0)?.finishReason ?? 'stop');
  if (kind === 'blocked') return 'filtered';
  return kind === 'failed' ? 'failed' : undefined;
}

/** Returns the error of a run that ended without an answer, also of one whose finish reason is the error. */
export function getCellError(run: Run): ErrorReport | undefined {
  const error = 'error' in run.phase ? run.phase.error : undefined;
  return error ?? (run.phase.name === 'complete' ? getFailureReport(getCandidate(run, 0)) : undefined);
}

/** Refused for the pace, however it came: that says nothing of the column. */
function isPaced({ kind, status }: ErrorReport): boolean {
  return status === 429 || kind === 'rate-limited';
}

/** It never reached the gateway. */
function wasNotAsked({ kind }: ErrorReport): boolean {
  return kind === 'offline' || kind === 'login-required';
}

const headLetters = 120;

/** The text that a check looks at: the first candidate's, without reasoning. */
export function answerText(run: Run): string {
  return getAnswerText(getCandidate(run, 0));
}

/** The cell of a run that has ended with an outcome; undefined for any other. Scores are made apart. */
export function cellOf(run: Run, key: CellKey, tries: number): Cell | undefined {
  const life = cellLife(run);
  if (life.name !== 'ended' || isLive(run)) return undefined;
  const text = answerText(run);
  const shown = text.trim() === '' ? describeMedia(getCandidate(run, 0)) || text : text;
  const { tokensIn, tokensOut } = computeMetrics(run);
  const finishReason = getCandidate(run, 0)?.finishReason;
  return {
    caseId: key.caseId,
    columnId: key.columnId,
    repeat: key.repeat,
    runId: run.id,
    tries,
    outcome: life.outcome,
    ...(life.outcome === 'no answer' ? { why: life.why } : {}),
    head: Array.from(shown.slice(0, 2 * headLetters))
      .slice(0, headLetters)
      .join(''),
    answerHash: shortHash(text),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(run.firstTokenMs === undefined ? {} : { firstTokenMs: run.firstTokenMs }),
    ...(run.endedMs === undefined ? {} : { totalMs: run.endedMs }),
    tokensIn,
    tokensOut,
    scores: {},
  };
}

/** 8 hexadecimal digits (FNV-1a of the UTF-16 units): to tell texts apart, not to vouch for them. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

const setupErrors = new Set([400, 404, 422]);

/**
 * Whether a column stops (a wrong setup): its first two outcomes are the same 400, 404 or 422, or any five in
 * a row fail alike. `endings` are the errors of its outcomes in order; undefined where it answered.
 */
export function stoppingReport(endings: readonly (ErrorReport | undefined)[]): ErrorReport | undefined {
  const [first, second] = endings;
  if (first && second && setupErrors.has(first.status ?? 0) && areAlike(first, second)) return second;
  const last = endings.slice(-5);
  const [fifth] = last;
  if (last.length < 5 || !fifth) return undefined;
  return last.every((report) => report !== undefined && areAlike(report, fifth)) ? last.at(-1) : undefined;
}

function areAlike(one: ErrorReport, other: ErrorReport): boolean {
  return one.status === other.status && one.kind === other.kind && one.message === other.message;
}

/**
 * The marks after a person has marked a cell; without a mark it has none. A mark that is changed keeps its time: cases
 * count in the order in which they were first marked.
 */
export function withMark(
  marks: readonly Mark[],
  { trialId, key, mark, at }: Omit<Mark, 'mark'> & { mark?: Mark['mark'] },
): Mark[] {
  const isIt = (other: Mark): boolean => other.trialId === trialId && cellName(other.key) === cellName(key);
  const known = marks.find(isIt);
  if (mark === undefined) return marks.filter((other) => !isIt(other));
  if (known) return marks.map((other) => (other === known ? { ...known, mark } : other));
  return [...marks, { trialId, key, mark, at }];
}
