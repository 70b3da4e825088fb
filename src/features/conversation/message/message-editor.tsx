import { isEqual } from 'es-toolkit';
import { useId, useRef, useState, type KeyboardEvent } from 'react';

import { toMessageFields, parseMessageFields } from '../../../conversation/request/message-fields.ts';
import { withoutFile, type FilePart } from '../../../conversation/request/message-files.ts';
import { toImagePart, type ImagePart } from '../../../conversation/request/message-images.ts';
import { joinPastedTexts } from '../../../conversation/request/pasted-text.ts';
import { withEdit, type DraftImage, type EditDraft } from '../../../conversation/session/draft.ts';
import type { Message } from '../../../gateway/wire.ts';
import { useSession, useSessionServices } from '../../../state/contexts.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/field.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { openFileDialog } from '../../../ui/display/open-file-dialog.ts';
import { getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { moveFocusOnRemoval } from '../../../ui/focus/use-focus-successor.ts';
import { Paperclip, Wrench } from '../../../ui/icons.tsx';
import { useAttachFiles } from '../../attachments/attach-files.ts';
import { AttachedFiles } from '../../attachments/attached-files.tsx';
import { Attachments } from '../../attachments/attachments.tsx';
import { getPastedFiles } from '../../attachments/pasted-files.ts';
import { getHost } from '../../attachments/use-stored-image.ts';
import { editButton } from '../../workspace/playground-focus-targets.ts';

interface Props {
  message: Message;
  /** Key of this message in its session, under which the unsaved changes are stored. */
  draftKey: string;
  /** True for prompts, which can be run after editing; answers cannot. */
  canRun?: boolean;
  note: string;
  onSave: (message: Message, shouldRun: boolean) => void;
  /** Called on cancel. `previousFocus`: element focused before the editor opened, if it still exists. */
  onCancel: (previousFocus: EventTarget | undefined) => void;
}

/**
 * Edits a message in place: text, files, images, name and any tool calls. Saving adds a version; unsaved changes survive
 * closing the editor.
 */
export function MessageEditor({ message, draftKey, canRun = false, note, onSave, onCancel }: Props) {
  const { drafts } = useSessionServices();
  const attachFiles = useAttachFiles();
  const sessionId = useSession((data) => data.session.id) ?? '';
  const [savedContent] = useState(() => toEditorContent(message));
  const [content, setContent] = useState(() =>
    withDraft(savedContent, drafts.state.getState()[sessionId]?.edits[draftKey]),
  );
  /** More recent than the rendered state, because images may finish loading while the user types. */
  const latestContent = useRef(content);
  const { fields, files, images } = content;
  const [hasCallsField, setHasCallsField] = useState(content.fields.toolCalls !== '');
  const [problem, setProblem] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const previousFocus = useRef<EventTarget>(undefined);
  const isCaretPlaced = useRef(false);
  const problemId = useId();
  const supportsAttachments = message.role !== 'tool';

  const updateContent = (patch: Partial<EditorContent>) => {
    latestContent.current = { ...latestContent.current, ...patch };
    setContent(latestContent.current);
  };
  const saveDraft = (edit: EditDraft | undefined) =>
    drafts.change(sessionId, (draft) => withEdit(draft, draftKey, edit));
  const isChanged = !isEqual(content, savedContent);

  const change = (patch: Partial<EditorContent>) => {
    updateContent(patch);
    saveDraft(
      isEqual(latestContent.current, savedContent)
        ? undefined
        : createEditDraft(latestContent.current, savedContent),
    );
    setProblem('');
  };
  const changeFields = (fieldPatch: Partial<EditorContent['fields']>) =>
    change({ fields: { ...latestContent.current.fields, ...fieldPatch } });
  const discard = () => {
    change(savedContent);
    area.current?.focus();
  };
  const attach = async (pickedFiles: readonly File[]) => {
    const result = await attachFiles(pickedFiles);
    change({
      files: [...latestContent.current.files, ...result.files],
      images: [...latestContent.current.images, ...result.images],
    });
    setProblem(result.problem ?? '');
  };
  const removeFile = (file: FilePart) => change({ files: withoutFile(latestContent.current.files, file) });
  const save = (shouldRun: boolean) => {
    const nextFields = { ...fields, files, images: images.map(toImagePart) };
    // If nothing was changed, the message is used as it is, because the fields do not preserve the order of its parts.
    const result = isChanged ? parseMessageFields(nextFields) : { ok: true as const, message };
    if (!result.ok) return setProblem(result.problem);
    saveDraft(undefined);
    onSave(result.message, shouldRun);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onCancel(previousFocus.current);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      save(canRun);
    }
  };

  return (
    <div
      ref={moveFocusOnRemoval}
      className="col-[2/-1] min-w-0 max-phone:col-[1/-1]"
      {...getNextFocusAttributes(editButton)}
      onDragOver={(event) => supportsAttachments && event.preventDefault()}
      onDrop={(event) => {
        if (!supportsAttachments || event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        void attach([...event.dataTransfer.files]);
      }}
    >
      <div className="max-phone:[&_p]:text-[15px]/5.5 [&>*]:mx-0 [&>*]:mt-0 [&>*]:mb-2">
        <AttachedFiles
          files={files}
          onInsert={(file, insertedText) => {
            removeFile(file);
            changeFields({ text: joinPastedTexts(latestContent.current.fields.text, [insertedText]) });
          }}
          onRemove={removeFile}
        />
        <Attachments
          images={images}
          onChange={(edit) => change({ images: edit(latestContent.current.images) })}
        />
      </div>
      <TextArea
        ref={area}
        variant="prose"
        className="max-h-[40vh] min-h-11 text-[14px]/5.5 font-450"
        aria-label="Edit message"
        aria-describedby={problem === '' ? undefined : problemId}
        dir="auto"
        autoFocus
        value={fields.text}
        onFocus={(event) => {
          // Only on opening; later, the caret stays where the user put it.
          if (isCaretPlaced.current) return;
          isCaretPlaced.current = true;
          previousFocus.current = event.relatedTarget ?? undefined;
          event.currentTarget.setSelectionRange(fields.text.length, fields.text.length);
        }}
        onText={(text) => changeFields({ text })}
        onPaste={(event) => {
          const pastedFiles = getPastedFiles(event.clipboardData);
          if (!supportsAttachments || pastedFiles.length === 0) return;
          event.preventDefault();
          void attach(pastedFiles);
        }}
        onKeyDown={onKeyDown}
      />
      {hasCallsField && (
        <label className="mt-2 block">
          <span className="text-11 text-ink-3 normal-nums">Tool calls</span>
          <TextArea
            variant="code"
            className="max-h-[40vh]"
            rows={3}
            spellCheck={false}
            placeholder='[{"id": "call_1", "type": "function", "function": {"name": "…", "arguments": "{}"}}]'
            value={fields.toolCalls}
            onText={(toolCalls) => changeFields({ toolCalls })}
          />
        </label>
      )}
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1">
        <TextField
          variant="quiet"
          aria-label="Author name"
          dir="auto"
          placeholder="name"
          title="Author name, sent as “name”"
          value={fields.name}
          onInput={(event) => changeFields({ name: event.currentTarget.value })}
          onKeyDown={onKeyDown}
        />
        {message.role === 'tool' && (
          <TextField
            variant="quiet"
            aria-label="tool_call_id"
            placeholder="tool_call_id"
            value={fields.toolCallId}
            onInput={(event) => changeFields({ toolCallId: event.currentTarget.value })}
            onKeyDown={onKeyDown}
          />
        )}
        {supportsAttachments && (
          <Button
            variant="ghost"
            size="small"
            onClick={() => openFileDialog('', (picked) => void attach(picked))}
          >
            <Paperclip className="icon-14" aria-hidden />
            Add files
          </Button>
        )}
        {message.role === 'assistant' && !hasCallsField && (
          <Button variant="ghost" size="small" onClick={() => setHasCallsField(true)}>
            <Wrench className="icon-14" aria-hidden />
            Add tool calls
          </Button>
        )}
      </div>
      {problem !== '' && <p id={problemId}>{problem}</p>}
      <div className="mt-2 flex flex-wrap items-center gap-1.5">
        {canRun && (
          <Button variant="primary" size="small" onClick={() => save(true)}>
            Save and run
          </Button>
        )}
        <Button variant={canRun ? 'default' : 'primary'} size="small" onClick={() => save(false)}>
          Save
        </Button>
        <Button variant="ghost" size="small" onClick={() => onCancel(previousFocus.current)}>
          Cancel
        </Button>
        {isChanged && (
          <Button variant="ghost" size="small" title="Restore the saved message" onClick={discard}>
            Discard
          </Button>
        )}
        <span className="text-ink-3">{note}</span>
      </div>
    </div>
  );
}

interface EditorContent {
  fields: ReturnType<typeof toMessageFields>;
  files: readonly FilePart[];
  images: readonly DraftImage[];
}

function toEditorContent(message: Message): EditorContent {
  const fields = toMessageFields(message);
  return { fields, files: fields.files, images: fields.images.map(toDraftImage) };
}

/** Returns the message with unsaved changes from an earlier editor. */
function withDraft(savedContent: EditorContent, draft: EditDraft | undefined): EditorContent {
  if (!draft) return savedContent;
  const { files = savedContent.files, images = savedContent.images, ...draftFields } = draft;
  return { fields: { ...savedContent.fields, ...draftFields }, files, images };
}

/** Returns the unsaved changes: the text, and the attachments that differ from the message. */
function createEditDraft({ fields, files, images }: EditorContent, savedContent: EditorContent): EditDraft {
  const { text, name, toolCallId, toolCalls } = fields;
  const draftFields = { text, name, toolCallId, toolCalls };
  return {
    ...draftFields,
    ...(isEqual(files, savedContent.files) ? {} : { files }),
    ...(isEqual(images, savedContent.images) ? {} : { images }),
  };
}

function toDraftImage({ image_url: { url, detail } }: ImagePart, index: number): DraftImage {
  const isLocal = url.startsWith('bench-image:') || url.startsWith('data:');
  return {
    url,
    name: isLocal ? `Image ${index + 1}` : getHost(url),
    ...(detail === undefined ? {} : { detail }),
  };
}
