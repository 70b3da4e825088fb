import { ImagePlus, RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';
import { isLive } from '../../../conversation/run.ts';
import type { ContentPart } from '../../../gateway/wire.ts';
import { formatCount } from '../../../lib/format.ts';
import { estimateTokens } from '../../../conversation/request.ts';
import { usePlayground, useSession } from '../../../state/react.tsx';
import { Button } from '../../../ui/button.tsx';
import { Attachments } from './attachments.tsx';
import { readImages, type AttachedImage } from './read-images.ts';
import { useDraft } from './use-draft.ts';
import { Targets } from './targets.tsx';
import { useTargets } from './use-targets.ts';
import { useWhenReady } from './use-when-ready.ts';

/** Where one writes. Its text lives here and on the disk; the session hears of it only when it is sent. */
export function Composer({ sessionId }: { sessionId: string }) {
  const { actions } = usePlayground();
  const [text, setText] = useDraft(sessionId);
  const [images, setImages] = useState<AttachedImage[]>([]);
  const [remark, setRemark] = useState('');
  const busy = useSession((data) => Object.values(data.runs).some(isLive)) ?? false;
  const canRunAgain = useSession((data) => data.session.laneIds.some((id) => data.lanes[id]?.tip)) ?? false;
  const targets = useTargets();
  const hasModel = useSession((data) => targets.every((id) => data.lanes[id]?.setup.model)) ?? false;
  const stopping = useRef<Promise<void>>(Promise.resolve());
  const [isStopping, setIsStopping] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const showStop = busy && !isStopping;
  const isEmpty = text.trim() === '' && images.length === 0;

  const attach = async (files: Iterable<File>) => {
    const read = await readImages([...files]);
    setImages((known) => [...known, ...read.images]);
    setRemark(read.problem ?? '');
  };

  const send = async () => {
    if (showStop || isEmpty || targets.length === 0) return;
    // The first model is offered when the list arrives: what was sent before that goes out then.
    setIsPending(!hasModel);
    if (!hasModel) return;
    const content = contentOf(text, images);
    setText('');
    setImages([]);
    setRemark('');
    await stopping.current;
    await actions.sendPrompt({ messages: [{ role: 'user', content }] }, targets);
  };

  useWhenReady(isPending && hasModel, () => void send());

  const stop = () => {
    setIsStopping(true);
    stopping.current = actions.stop().finally(() => setIsStopping(false));
    field.current?.focus();
  };

  return (
    <div className="cpw">
      <div className="col">
        <div
          className="cp"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            void attach(event.dataTransfer.files);
          }}
        >
          <Attachments images={images} onRemove={(id) => setImages((known) => known.filter((each) => each.id !== id))} />
          <textarea
            ref={field}
            className="cp-t"
            id="composer"
            aria-label="Message"
            dir="auto"
            rows={1}
            autoFocus
            value={text}
            placeholder="Write a message"
            onChange={(event) => setText(event.currentTarget.value)}
            onPaste={(event) => {
              if (event.clipboardData.files.length === 0) return;
              event.preventDefault();
              void attach(event.clipboardData.files);
            }}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing || event.keyCode === imeKeyCode) return;
              if (event.key === 'ArrowUp' && text === '') editLastPrompt(event.currentTarget);
              if (!sendsBy(event)) return;
              event.preventDefault();
              if (!event.repeat) void send();
            }}
          />
          <div className="cp-b">
            <ImageButton onFiles={(files) => void attach(files)} />
            <Targets />
            {remark && <span className="remark">{remark}</span>}
            {isPending && !hasModel && <span className="remark">Pick a model: it goes out then.</span>}
            <span className="r">
              {text !== '' && <span>~{formatCount(estimateTokens(text))} tokens</span>}
              {canRunAgain && !busy && (
                <Button look="quiet" onClick={() => void actions.runAgain()}>
                  <RotateCw className="i s" aria-hidden />
                  Run again
                </Button>
              )}
              {showStop ?
                <Button look="stop" size="big" onClick={stop}>
                  <span className="stop-mark" aria-hidden />
                  Stop <kbd>Esc</kbd>
                </Button>
              : <Button
                  look="ink"
                  size="big"
                  aria-disabled={isEmpty || !hasModel || targets.length === 0}
                  title={sendRemark(isEmpty, hasModel, targets.length)}
                  onClick={() => void send()}
                >
                  Send <kbd>Enter</kbd>
                </Button>
              }
            </span>
          </div>
        </div>
      </div>
    </div>
  );
}

/** Safari ends a composition before the key that ended it; only this code tells them apart. */
const imeKeyCode = 229;

function sendRemark(isEmpty: boolean, hasModel: boolean, targets: number): string | undefined {
  if (targets === 0) return 'Choose a lane to send to first.';
  if (!hasModel) return 'Pick a model first.';
  return isEmpty ? 'Write a message first.' : undefined;
}

function sendsBy(event: React.KeyboardEvent): boolean {
  if (event.key !== 'Enter') return false;
  if (event.ctrlKey || event.metaKey) return true;
  const isTouch = matchMedia('(pointer: coarse) and (hover: none)').matches;
  return !event.shiftKey && !isTouch;
}

/** The last prompt's own Edit button: the one way to edit, whoever asks for it. */
function editLastPrompt(field: HTMLElement): void {
  const bands = field.closest('main')?.querySelectorAll<HTMLElement>('article.band:not(.sys)');
  const edit = bands?.item(bands.length - 1)?.querySelector<HTMLButtonElement>('button[aria-label="Edit"]');
  edit?.click();
}

function contentOf(text: string, images: readonly AttachedImage[]): string | ContentPart[] {
  if (images.length === 0) return text;
  const parts = images.map((image): ContentPart => ({ type: 'image_url', image_url: { url: image.url } }));
  return text.trim() === '' ? parts : [{ type: 'text', text }, ...parts];
}

function ImageButton({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button look="quiet" onClick={() => input.current?.click()}>
        <ImagePlus className="i s" aria-hidden />
        Image
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
