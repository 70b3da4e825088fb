import { isEqual } from 'es-toolkit';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useState, useRef, type RefObject } from 'react';
import { useStore } from 'zustand';

import { joinTextParts, withoutFile, type FilePart } from '../../conversation/request/message-files.ts';
import { joinPastedTexts, removePastedText } from '../../conversation/request/pasted-text.ts';
import { emptyDraft, type Draft, type DraftImage } from '../../conversation/session/draft.ts';
import { useSessionServices } from '../../state/contexts.tsx';
import { createDraftHistory, findTextChange, type DraftContent } from '../../state/drafts/draft-history.ts';
import { readCopiedMessage, useAttachFiles } from '../attachments/attach-files.ts';

export type ComposerDraft = ReturnType<typeof useComposerDraft>;

/** Returns the session's draft and its edits. Undo and redo in the message field restore its text and attachments. */
export function useComposerDraft(sessionId: string, field: RefObject<HTMLTextAreaElement | null>) {
  const { drafts } = useSessionServices();
  const attachFiles = useAttachFiles();
  const { text, files, images, pasted } = useStore(drafts.state, (state) => state[sessionId] ?? emptyDraft);
  const messageText = useMemo(() => joinPastedTexts(text, pasted), [text, pasted]);
  const sentText = useMemo(
    () => joinTextParts([{ type: 'text', text: messageText }, ...files]),
    [messageText, files],
  );
  const [problem, setProblem] = useState('');
  const [tooLargeReason, setTooLargeReason] = useState<string>();
  const [draftHistory] = useState(createDraftHistory);
  const isComposing = useRef(false);
  const caret = useRef<number>(undefined);

  const getContent = (): DraftContent => {
    const draft = drafts.state.getState()[sessionId] ?? emptyDraft;
    return { text: draft.text, pasted: draft.pasted, files: draft.files, images: draft.images };
  };
  const changeDraft = (edit: (draft: Draft) => Draft) => {
    const previousContent = getContent();
    drafts.change(sessionId, edit);
    draftHistory.record(previousContent, getContent(), isComposing.current);
  };
  const changeImages = (edit: (images: readonly DraftImage[]) => readonly DraftImage[]) =>
    changeDraft((draft) => ({ ...draft, images: edit(draft.images) }));
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
    text,
    files,
    images,
    pasted,
    attachmentCount: files.length + images.length + pasted.length,
    /** Text of the message with the pasted texts. */
    messageText,
    /** Text of the message with the pasted texts and the files. */
    sentText,
    isEmpty: sentText.trim() === '' && images.length === 0 && files.length === 0,
    /** Reason why files were not attached or the message was not sent; empty if there is none. */
    problem,
    setProblem,
    /** Reason why the attachments are too large for one request. */
    tooLargeReason,
    setTooLargeReason,
    focusField: () => field.current?.focus(),
    setText: (next: string) => changeDraft((draft) => ({ ...draft, text: next })),
    changeImages,
    attach: async (pickedFiles: readonly File[]) => {
      const result = await attachFiles(pickedFiles);
      if (result.files.length + result.images.length > 0)
        changeDraft((draft) => withAttachments(draft, result));
      setProblem(result.problem ?? '');
    },
    /** Inserts the text of a message that was copied in Bench at the caret, and adds its attachments. */
    pasteMessage: async (pastedText: string, html: string) => {
      const message = await readCopiedMessage(pastedText, html);
      const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {};
      caret.current = selectionStart + message.text.length;
      changeDraft((draft) => ({
        ...withAttachments(draft, message),
        text: draft.text.slice(0, selectionStart) + message.text + draft.text.slice(selectionEnd),
      }));
    },
    removeFile: (file: FilePart) =>
      changeDraft((draft) => ({ ...draft, files: withoutFile(draft.files, file) })),
    /** Moves the text of a file into the field. */
    insertFile: (file: FilePart, fileText: string) => {
      changeDraft((draft) => ({
        ...draft,
        text: joinPastedTexts(draft.text, [fileText]),
        files: withoutFile(draft.files, file),
      }));
      field.current?.focus();
    },
    addPasted: (pastedText: string) =>
      changeDraft((draft) => ({ ...draft, pasted: [...draft.pasted, pastedText] })),
    removePasted: (pastedText: string) =>
      changeDraft((draft) => ({ ...draft, pasted: removePastedText(draft.pasted, pastedText) })),
    /** Moves a pasted text into the field. */
    editPasted: (pastedText: string) => {
      changeDraft((draft) => ({
        ...draft,
        text: joinPastedTexts(text, [pastedText]),
        pasted: removePastedText(draft.pasted, pastedText),
      }));
      field.current?.focus();
    },
    /** Removes only the content shown, because another tab may have stored more. */
    clear: () => {
      changeDraft((draft) => ({
        ...draft,
        text: '',
        files: files.reduce(withoutFile, draft.files),
        images: draft.images.filter((image) => !images.some((sentImage) => isEqual(sentImage, image))),
        pasted: pasted.reduce(removePastedText, draft.pasted),
      }));
      setProblem('');
      draftHistory.clear();
    },
    /** Handles the undo and redo keys; returns true for these keys. */
    undoByKey: (event: React.KeyboardEvent): boolean => {
      const key = event.key.toLowerCase();
      const isUndo = key === 'z' && !event.shiftKey;
      const isRedo = (key === 'z' && event.shiftKey) || (key === 'y' && event.ctrlKey);
      if ((!event.ctrlKey && !event.metaKey) || event.altKey || (!isUndo && !isRedo)) return false;
      event.preventDefault();
      restore(isUndo ? 'undo' : 'redo');
      return true;
    },
    compositionHandlers: {
      onCompositionStart: () => (isComposing.current = true),
      onCompositionEnd: () => (isComposing.current = false),
    },
  };
}

function withAttachments(draft: Draft, { files, images }: Pick<Draft, 'files' | 'images'>): Draft {
  return { ...draft, files: [...draft.files, ...files], images: [...draft.images, ...images] };
}
