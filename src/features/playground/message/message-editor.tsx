import { useId, useRef, useState, type KeyboardEvent } from 'react';

import { toMessageFields, parseMessageFields } from '../../../conversation/request/message-fields.ts';
import { toImagePart, type ImagePart } from '../../../conversation/request/message-images.ts';
import { isDeepEqual } from '../../../conversation/session/differences.ts';
import { withEdit, type DraftImage, type EditDraft } from '../../../conversation/session/draft.ts';
import type { Message } from '../../../gateway/wire.ts';
import { usePlayground, useSession } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { areaBox, areaLooks } from '../../../ui/controls/field.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { chooseFiles } from '../../../ui/display/open-file-dialog.ts';
import { focusNext } from '../../../ui/focus/focus-target.ts';
import { ImagePlus, Wrench } from '../../../ui/icons.tsx';
import { Attachments } from '../attachments/attachments.tsx';
import { pastedFiles } from '../attachments/pasted-files.ts';
import { readImages } from '../attachments/read-images.ts';
import { editButton } from '../playground-focus-targets.ts';
import { hostOf } from './use-stored-image.ts';

interface Props {
  message: Message;
  /** Of this message in its session: what is typed is kept under it until it is saved. */
  draftKey: string;
  /** A prompt can be run at once; an answer is what comes of running. */
  canRun?: boolean;
  note: string;
  onSave: (message: Message, run: boolean) => void;
  /** `from`: what had the focus when it opened, where that is still on screen. */
  onCancel: (from: EventTarget | undefined) => void;
}

const wordsLook = classes(
  areaBox,
  'max-h-[40vh] min-h-11 font-sans text-[14px]/5.5 font-450 tracking-normal normal-nums [word-spacing:0]',
);

/** Edits a message in place: its words, images, name, and where it has them its calls. Saving adds a version; until then what was typed stays, also when it is closed. */
export function MessageEditor({ message, draftKey, canRun = false, note, onSave, onCancel }: Props) {
  const { drafts, images: stored } = usePlayground();
  const sessionId = useSession((data) => data.session.id) ?? '';
  const [first] = useState(() => contentOf(message));
  const [content, setContent] = useState(() =>
    withKept(first, drafts.state.getState()[sessionId]?.edits[draftKey]),
  );
  /** Newer than what is drawn: images are read while one types. */
  const newest = useRef(content);
  const { fields, images } = content;
  const [hasCalls, setHasCalls] = useState(content.fields.toolCalls !== '');
  const [problem, setProblem] = useState('');
  const area = useRef<HTMLTextAreaElement>(null);
  const from = useRef<EventTarget>(undefined);
  const isPlaced = useRef(false);
  const problemId = useId();
  const takesImages = message.role !== 'tool';

  const show = (part: Partial<Content>) => {
    newest.current = { ...newest.current, ...part };
    setContent(newest.current);
  };
  const keep = (edit: EditDraft | undefined) =>
    drafts.change(sessionId, (draft) => withEdit(draft, draftKey, edit));
  const isChanged = !isDeepEqual(content, first);

  const change = (part: Partial<Content>) => {
    show(part);
    keep(isDeepEqual(newest.current, first) ? undefined : draftOf(newest.current, first));
    setProblem('');
  };
  const write = (words: Partial<Content['fields']>) =>
    change({ fields: { ...newest.current.fields, ...words } });
  const discard = () => {
    change(first);
    area.current?.focus();
  };
  const attach = async (files: readonly File[]) => {
    const read = await readImages(files, stored);
    change({ images: [...newest.current.images, ...read.images] });
    setProblem(read.problem ?? '');
  };
  const save = (run: boolean) => {
    const next = { ...fields, images: images.map(toImagePart) };
    // Untouched parts keep their order, which fields do not know.
    const written = isChanged ? parseMessageFields(next) : { ok: true as const, message };
    if (!written.ok) return setProblem(written.problem);
    keep(undefined);
    onSave(written.message, run);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onCancel(from.current);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      save(canRun);
    }
  };

  return (
    <div
      className="col-[2/-1] min-w-0 in-[.one-lane]:max-[760px]:col-[1/-1] max-phone:col-[1/-1]"
      {...focusNext(editButton)}
      onDragOver={(event) => takesImages && event.preventDefault()}
      onDrop={(event) => {
        if (!takesImages || event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        void attach([...event.dataTransfer.files]);
      }}
    >
      <div className="max-phone:[&_p]:text-[15px]/5.5 [&>*]:mx-0 [&>*]:mt-0 [&>*]:mb-2">
        <Attachments images={images} onChange={(edit) => change({ images: edit(newest.current.images) })} />
      </div>
      <TextArea
        ref={area}
        className={wordsLook}
        aria-label="Edit message"
        aria-describedby={problem === '' ? undefined : problemId}
        dir="auto"
        autoFocus
        value={fields.text}
        onFocus={(event) => {
          // Only as it opens: later the caret is where the person put it.
          if (isPlaced.current) return;
          isPlaced.current = true;
          from.current = event.relatedTarget ?? undefined;
          event.currentTarget.setSelectionRange(fields.text.length, fields.text.length);
        }}
        onText={(text) => write({ text })}
        onPaste={(event) => {
          const files = pastedFiles(event.clipboardData);
          if (!takesImages || files.length === 0) return;
          event.preventDefault();
          void attach(files);
        }}
        onKeyDown={onKeyDown}
      />
      {hasCalls && (
        <label className="mt-2 block">
          <span className="text-11 text-ink-3 normal-nums">Tool calls</span>
          <TextArea
            className={classes(areaLooks.area, 'max-h-[40vh]')}
            rows={3}
            spellCheck={false}
            placeholder='[{"id": "call_1", "type": "function", "function": {"name": "…", "arguments": "{}"}}]'
            value={fields.toolCalls}
            onText={(toolCalls) => write({ toolCalls })}
          />
        </label>
      )}
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1">
        <input
          className="quiet-field"
          aria-label="Author name"
          dir="auto"
          placeholder="name"
          title="Author name, sent as “name”"
          value={fields.name}
          onInput={(event) => write({ name: event.currentTarget.value })}
          onKeyDown={onKeyDown}
        />
        {message.role === 'tool' && (
          <input
            className="quiet-field"
            aria-label="tool_call_id"
            placeholder="tool_call_id"
            value={fields.toolCallId}
            onInput={(event) => write({ toolCallId: event.currentTarget.value })}
            onKeyDown={onKeyDown}
          />
        )}
        {takesImages && (
          <Button
            look="quiet"
            size="small"
            onClick={() => chooseFiles('image/*', (files) => void attach(files))}
          >
            <ImagePlus className="icon-14" aria-hidden />
            Add an image
          </Button>
        )}
        {message.role === 'assistant' && !hasCalls && (
          <Button look="quiet" size="small" onClick={() => setHasCalls(true)}>
            <Wrench className="icon-14" aria-hidden />
            Add tool calls
          </Button>
        )}
      </div>
      {problem !== '' && <p id={problemId}>{problem}</p>}
      <div className="mt-2 flex flex-wrap items-center gap-1.5">
        {canRun && (
          <Button look="ink" size="small" onClick={() => save(true)}>
            Save and run
          </Button>
        )}
        <Button look={canRun ? 'default' : 'ink'} size="small" onClick={() => save(false)}>
          Save
        </Button>
        <Button look="quiet" size="small" onClick={() => onCancel(from.current)}>
          Cancel
        </Button>
        {isChanged && (
          <Button look="quiet" size="small" title="Restore the saved message" onClick={discard}>
            Discard
          </Button>
        )}
        <span className="text-ink-3">{note}</span>
      </div>
    </div>
  );
}

interface Content {
  fields: ReturnType<typeof toMessageFields>;
  images: readonly DraftImage[];
}

function contentOf(message: Message): Content {
  const fields = toMessageFields(message);
  return { fields, images: fields.images.map(draftImageOf) };
}

/** The message with the unsaved changes of an earlier editor. */
function withKept(first: Content, kept: EditDraft | undefined): Content {
  if (!kept) return first;
  const { images = first.images, ...words } = kept;
  return { fields: { ...first.fields, ...words }, images };
}

/** The unsaved changes: the words, and the images if they differ from the message's. */
function draftOf({ fields, images }: Content, first: Content): EditDraft {
  const { text, name, toolCallId, toolCalls } = fields;
  const words = { text, name, toolCallId, toolCalls };
  return isDeepEqual(images, first.images) ? words : { ...words, images };
}

function draftImageOf({ image_url: { url, detail } }: ImagePart, index: number): DraftImage {
  const isHere = url.startsWith('bench-image:') || url.startsWith('data:');
  return {
    url,
    name: isHere ? `Image ${index + 1}` : hostOf(url),
    ...(detail === undefined ? {} : { detail }),
  };
}
