/** Undo and redo for the composer: its text and its attachments, which the browser's undo ignores. */
import type { Draft } from '../../conversation/session/draft.ts';

export type DraftContent = Pick<Draft, 'text' | 'pasted' | 'images'>;

export interface DraftHistory {
  /** Records a change. Text that is typed or deleted letter by letter, or composed, is one step. */
  record: (before: DraftContent, after: DraftContent, isComposing: boolean) => void;
  /** Returns the content before the last step, or undefined where there is none. */
  undo: (now: DraftContent) => DraftContent | undefined;
  redo: (now: DraftContent) => DraftContent | undefined;
  clear: () => void;
}

/** A change of the text between two offsets. */
interface TextChange {
  from: number;
  removed: number;
  inserted: number;
}

const maxSteps = 200;
/** Characters outside the first plane have two units. */
const maxLetterUnits = 2;

export function createDraftHistory(): DraftHistory {
  let past: DraftContent[] = [];
  let future: DraftContent[] = [];
  /** The kind and the end of the last change of letters, which the next one can continue. */
  let run: { kind: 'insert' | 'delete' | 'compose'; end: number } | undefined;

  let last: DraftContent | undefined;

  /** Adds a step for a change made elsewhere. */
  const catchUp = (now: DraftContent) => {
    if (!last || isSameContent(last, now)) return;
    run = undefined;
    future = [];
    past.push(last);
  };
  const move = (from: DraftContent[], to: DraftContent[], now: DraftContent) => {
    run = undefined;
    const next = from.pop();
    if (next) to.push(now);
    last = next ?? now;
    return next;
  };
  return {
    record: (before, after, isComposing) => {
      if (isSameContent(before, after)) return;
      catchUp(before);
      last = after;
      const isTextOnly = before.pasted === after.pasted && before.images === after.images;
      const change = findTextChange(before.text, after.text);
      const kind = isTextOnly ? getChangeKind(change, isComposing) : undefined;
      const { from, removed, inserted } = change;
      const continues = kind !== undefined && kind === run?.kind && from + removed === run.end;
      run = kind && { kind, end: from + inserted };
      future = [];
      if (continues) return;
      past.push(before);
      past = past.slice(-maxSteps);
    },
    undo: (now) => {
      catchUp(now);
      return move(past, future, now);
    },
    redo: (now) => {
      catchUp(now);
      return move(future, past, now);
    },
    clear: () => {
      past = [];
      future = [];
      run = undefined;
      last = undefined;
    },
  };
}

function isSameContent(one: DraftContent, other: DraftContent): boolean {
  return one.text === other.text && one.pasted === other.pasted && one.images === other.images;
}

function getChangeKind({ removed, inserted }: TextChange, isComposing: boolean) {
  if (isComposing) return 'compose';
  if (removed === 0 && inserted <= maxLetterUnits) return 'insert';
  return inserted === 0 && removed <= maxLetterUnits ? 'delete' : undefined;
}

/** Returns where two texts differ; `from + inserted` is a place for the caret after the change. */
export function findTextChange(before: string, after: string): TextChange {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let tail = 0;
  while (tail < shorter - from && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from, removed: before.length - from - tail, inserted: after.length - from - tail };
}
