/** Undo and redo for the composer's text and attachments. The browser's own undo ignores attachments. */
import type { Draft } from '../../conversation/session/draft.ts';

export type DraftContent = Pick<Draft, 'text' | 'pasted' | 'files' | 'images'>;

export interface DraftHistory {
  /** Records a change. Consecutive single characters typed, deleted or composed are merged into one step. */
  record: (before: DraftContent, after: DraftContent, isComposing: boolean) => void;
  /** Returns the content before the last step, or undefined if there is none. */
  undo: (current: DraftContent) => DraftContent | undefined;
  redo: (current: DraftContent) => DraftContent | undefined;
  clear: () => void;
}

/** A change of the text between two offsets. */
interface TextChange {
  offset: number;
  removedChars: number;
  insertedChars: number;
}

const maxSteps = 200;
/** Characters outside the Basic Multilingual Plane take two UTF-16 units. */
const maxCharUnits = 2;

export function createDraftHistory(): DraftHistory {
  let past: DraftContent[] = [];
  let future: DraftContent[] = [];
  /** Kind and end offset of the last single-character change, which the next one may continue. */
  let openStep: { kind: 'insert' | 'delete' | 'compose'; end: number } | undefined;

  let lastContent: DraftContent | undefined;

  /** Adds a step for a change made elsewhere. */
  const recordExternalChange = (current: DraftContent) => {
    if (!lastContent || isSameContent(lastContent, current)) return;
    openStep = undefined;
    future = [];
    past.push(lastContent);
  };
  const moveStep = (from: DraftContent[], to: DraftContent[], current: DraftContent) => {
    openStep = undefined;
    const next = from.pop();
    if (next) to.push(current);
    lastContent = next ?? current;
    return next;
  };
  return {
    record: (before, after, isComposing) => {
      if (isSameContent(before, after)) return;
      recordExternalChange(before);
      lastContent = after;
      const isTextChangeOnly = hasSameAttachments(before, after);
      const change = findTextChange(before.text, after.text);
      const kind = isTextChangeOnly ? getChangeKind(change, isComposing) : undefined;
      const { offset, removedChars, insertedChars } = change;
      const isContinuation =
        kind !== undefined && kind === openStep?.kind && offset + removedChars === openStep.end;
      openStep = kind && { kind, end: offset + insertedChars };
      future = [];
      if (isContinuation) return;
      past.push(before);
      past = past.slice(-maxSteps);
    },
    undo: (current) => {
      recordExternalChange(current);
      return moveStep(past, future, current);
    },
    redo: (current) => {
      recordExternalChange(current);
      return moveStep(future, past, current);
    },
    clear: () => {
      past = [];
      future = [];
      openStep = undefined;
      lastContent = undefined;
    },
  };
}

function isSameContent(a: DraftContent, b: DraftContent): boolean {
  return a.text === b.text && hasSameAttachments(a, b);
}

function hasSameAttachments(a: DraftContent, b: DraftContent): boolean {
  return a.pasted === b.pasted && a.files === b.files && a.images === b.images;
}

function getChangeKind({ removedChars, insertedChars }: TextChange, isComposing: boolean) {
  if (isComposing) return 'compose';
  if (removedChars === 0 && insertedChars <= maxCharUnits) return 'insert';
  return insertedChars === 0 && removedChars <= maxCharUnits ? 'delete' : undefined;
}

/** Returns the difference between two texts. `offset + insertedChars` is a caret position after the change. */
export function findTextChange(before: string, after: string): TextChange {
  const minLength = Math.min(before.length, after.length);
  let offset = 0;
  while (offset < minLength && before[offset] === after[offset]) offset += 1;
  let suffixLength = 0;
  while (suffixLength < minLength - offset && before.at(-1 - suffixLength) === after.at(-1 - suffixLength))
    suffixLength += 1;
  return {
    offset,
    removedChars: before.length - offset - suffixLength,
    insertedChars: after.length - offset - suffixLength,
  };
}
