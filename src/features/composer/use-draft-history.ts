import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';

import { emptyDraft, type Draft } from '../../conversation/session/draft.ts';
import { useSessionServices } from '../../state/contexts.tsx';
import { createDraftHistory, findTextChange, type DraftContent } from '../../state/drafts/draft-history.ts';

/** Changes the session's draft so that undo and redo in the message field restore its text and its attachments. */
export function useDraftHistory(sessionId: string, field: RefObject<HTMLTextAreaElement | null>) {
  const { drafts } = useSessionServices();
  const [draftHistory] = useState(createDraftHistory);
  const isComposing = useRef(false);
  const caret = useRef<number>(undefined);

  const getContent = (): DraftContent => {
    const { text, pasted, images } = drafts.state.getState()[sessionId] ?? emptyDraft;
    return { text, pasted, images };
  };
  const changeDraft = (edit: (draft: Draft) => Draft) => {
    const previousContent = getContent();
    drafts.change(sessionId, edit);
    draftHistory.record(previousContent, getContent(), isComposing.current);
  };
  const restore = (direction: 'undo' | 'redo') => {
    const currentContent = getContent();
    const restoredContent = draftHistory[direction](currentContent);
    if (!restoredContent) return;
    const { offset, insertedChars } = findTextChange(currentContent.text, restoredContent.text);
    caret.current = offset + insertedChars;
    drafts.change(sessionId, (current) => ({ ...current, ...restoredContent }));
  };
  useLayoutEffect(() => {
    if (caret.current === undefined) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });

  // Handles undo and redo from browser menus.
  const onBeforeInput = useEffectEvent((event: InputEvent) => {
    const [, direction] = /^history(Undo|Redo)$/.exec(event.inputType) ?? [];
    if (direction === undefined || event.target !== field.current) return;
    event.preventDefault();
    restore(direction === 'Undo' ? 'undo' : 'redo');
  });
  useEffect(() => {
    const handleBeforeInput = (event: InputEvent) => onBeforeInput(event);
    document.addEventListener('beforeinput', handleBeforeInput);
    return () => document.removeEventListener('beforeinput', handleBeforeInput);
  }, []);

  return {
    changeDraft,
    clearHistory: draftHistory.clear,
    /** Handles the undo and redo keys; returns true for these keys. */
    undoByKey: (event: KeyboardEvent): boolean => {
      const key = event.key.toLowerCase();
      const isUndo = key === 'z' && !event.shiftKey;
      const isRedo = (key === 'z' && event.shiftKey) || (key === 'y' && event.ctrlKey);
      if ((!event.ctrlKey && !event.metaKey) || event.altKey || (!isUndo && !isRedo)) return false;
      event.preventDefault();
      restore(isUndo ? 'undo' : 'redo');
      return true;
    },
    compositionHandlers: {
      onCompositionStart: () => {
        isComposing.current = true;
      },
      onCompositionEnd: () => {
        isComposing.current = false;
      },
    },
  };
}
