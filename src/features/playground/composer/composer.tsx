import { useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';

import { hasLiveRun } from '../../../conversation/reply/run.ts';
import { buildContent, toImagePart } from '../../../conversation/request/message-images.ts';
import {
  shouldAttachPaste,
  removePastedText,
  joinPastedTexts,
} from '../../../conversation/request/pasted-text.ts';
import { estimateTokens } from '../../../conversation/request/request.ts';
import { isDeepEqual } from '../../../conversation/session/differences.ts';
import { emptyDraft, type DraftImage } from '../../../conversation/session/draft.ts';
import { isEmptySession } from '../../../conversation/session/edit-session.ts';
import { getLaneLetter } from '../../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { getSendBlocker } from '../../../gateway/http/gateway-state.ts';
import type { Message } from '../../../gateway/wire.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import { usePlayground, useSession, useSessionShallow, useView } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ignoreRepeatedPresses } from '../../../ui/controls/repeated-presses.ts';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { PartBoundary } from '../../../ui/display/boundary.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useAnnounce } from '../../../ui/display/live-region.tsx';
import { lazyView, Loading } from '../../../ui/hooks/lazy-component.tsx';
import { useMedia } from '../../../ui/hooks/use-media-query.ts';
import { ImagePlus, RotateCw } from '../../../ui/icons.tsx';
import { useGatewayState } from '../../health/use-gateway-setup.ts';
import { pastedFiles, pastedWords } from '../attachments/pasted-files.ts';
import { readImages } from '../attachments/read-images.ts';
import { usePageFileDrop } from '../attachments/use-page-file-drop.ts';
import { editLastMessage } from '../message/edit-last-message.ts';
import { authorName, messageField } from '../playground-focus-targets.ts';
import { usePendingResults, type PendingResults } from '../tools/use-pending-results.ts';
import { AddAs } from './add-message-menu.tsx';
import {
  barLook,
  bigLook,
  columnLook,
  columnRooms,
  droppingLook,
  endLook,
  fieldLook,
  fieldRooms,
  formLook,
  lineFormLook,
  remarkLook,
  restLook,
  rowBarLook,
  stopMarkLook,
  targetLook,
  targetsLook,
  warningLook,
  wrapLook,
  wrapRooms,
} from './composer-looks.ts';
import { ComposerTools } from './composer-tools.tsx';
import { ImportedFields } from './imported-fields.tsx';
import { useDraftHistory } from './use-draft-history.ts';
import { chooseImages, useChosenImages } from './use-picked-images.ts';
import { useWhenReady } from './use-when-ready.ts';

const ComposerTop = lazyView(
  'What goes with the message',
  async () => (await import('./composer-attachments.tsx')).ComposerTop,
  {
    // Whoever has added something sees that it is on its way.
    waiting: ({ images, pasted, isLinking }) =>
      (images.length > 0 || pasted.length > 0 || isLinking) && <Loading />,
    fetch: 'first',
  },
);

/** The message field and what goes with it. All of it is the session's draft until it is sent. */
export function Composer({ sessionId }: { sessionId: string }) {
  const playground = usePlayground();
  const { actions, drafts, images: stored, isTextOnly, session, view } = playground;
  const { text, images, pasted } = useStore(drafts.state, (state) => state[sessionId] ?? emptyDraft);
  const field = useRef<HTMLTextAreaElement>(null);
  const { changeDraft, clearHistory, undoByKey, compositionHandlers } = useDraftHistory(sessionId, field);
  const setText = (next: string) => changeDraft((known) => ({ ...known, text: next }));
  const changeImages = (edit: (images: readonly DraftImage[]) => readonly DraftImage[]) =>
    changeDraft((known) => ({ ...known, images: edit(known.images) }));
  const words = useMemo(() => joinPastedTexts(text, pasted), [text, pasted]);
  const announce = useAnnounce();
  const name = useView((state) => state.author);
  const [isLinking, setIsLinking] = useState(false);
  const [remark, setRemark] = useState('');
  const [tooLarge, setTooLarge] = useState<string>();
  const busy = useSession(hasLiveRun) ?? false;
  const canRunAgain = useSession((data) => data.session.laneIds.some((id) => data.lanes[id]?.tip)) ?? false;
  const targets = useTargets();
  const hasModel = useSession((data) => targets.every((id) => data.lanes[id]?.setup.model)) ?? false;
  const gateway = useGatewayState();
  const isFresh = useSession(isEmptySession) ?? false;
  const waitsFor = isFresh ? getSendBlocker(gateway, hasModel) : undefined;
  // Nothing goes out to a gateway that cannot be used; a model may still be on its way.
  const isOff = waitsFor !== undefined && gateway !== 'checking';
  const stopping = useRef<Promise<void>>(Promise.resolve());
  const [isStopping, setIsStopping] = useState(false);
  const [isTooEarly, setIsTooEarly] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const isLow = useMedia('(width >= 600px) and (height < 800px)');
  // In a low window it is one line until one writes, and grows over what is above it: nothing there moves.
  const [isOpen, setOpen] = useState(false);
  const showStop = busy && !isStopping;
  if (isTooEarly && !busy) setIsTooEarly(false);
  const pending = usePendingResults(targets);
  const isEmpty = words.trim() === '' && images.length === 0;
  const isNothing = isEmpty && !pending?.canSend;
  const isSaying =
    remark !== '' || pending !== undefined || (isTooEarly && showStop) || (isPending && !hasModel);
  const holdsMore = images.length > 0 || pasted.length > 0 || isLinking || isSaying || text.includes('{{');
  const room = !isLow ? 'own' : holdsMore ? 'all' : isOpen ? 'over' : 'line';
  const isLine = room === 'line';
  // The names of these buttons are their words, also where they have no room.
  const lineWords = isLine ? 'sr-only' : undefined;
  // On phones it is one row, and the rest unfolds under it. Results to send have long words on their button.
  const [isUnfolded, setUnfolded] = useState(false);
  const folded = isUnfolded ? undefined : 'max-phone:hidden';
  const isOneRow = !isUnfolded && !isSaying;
  const fieldRoom = isLine ? 'line' : isOneRow ? 'one row' : 'own';

  const attach = async (files: readonly File[]) => {
    const read = await readImages(files, stored);
    if (read.images.length > 0) changeImages((known) => [...known, ...read.images]);
    setRemark(read.problem ?? '');
  };
  const isDropping = usePageFileDrop((files) => void attach(files));
  useChosenImages((files) => void attach(files));
  const clear = () => {
    // Removes only what was sent: another tab may have stored more.
    changeDraft((known) => ({
      ...known,
      text: '',
      images: known.images.filter((image) => !images.some((sent) => isDeepEqual(sent, image))),
      pasted: pasted.reduce(removePastedText, known.pasted),
    }));
    setRemark('');
    clearHistory();
  };
  const editPasted = (chosen: string) => {
    changeDraft((known) => ({
      ...known,
      text: joinPastedTexts(text, [chosen]),
      pasted: removePastedText(known.pasted, chosen),
    }));
    field.current?.focus();
  };

  /** Asked when it is sent: what a model takes may have been marked since this was drawn. */
  const takesWordsOnly = () => {
    const lanes = getCurrentSession(session.getState())?.lanes;
    return targets.some((id) => isTextOnly(lanes?.[id]?.setup.model ?? ''));
  };

  const send = async () => {
    setIsTooEarly(false);
    if (isNothing || targets.length === 0) return;
    if (isOff) return announce(`Not sent. ${waitsFor}.`);
    if (tooLarge !== undefined) return announce(`Not sent. ${tooLarge}`);
    // The first model is offered when the list arrives: what was sent before that goes out then.
    setIsPending(!hasModel);
    if (!hasModel) return;
    if (words.trim() === '' && images.length > 0 && takesWordsOnly()) {
      setRemark('One lane accepts text only. Add some text.');
      return;
    }
    const content = buildContent(words, images.map(toImagePart));
    const author = name.trim() === '' ? {} : { name: name.trim() };
    const messages: Message[] = isEmpty ? [] : [{ role: 'user', content, ...author }];
    clear();
    setOpen(false);
    await stopping.current;
    if (pending?.canSend) await pending.send(messages);
    else await actions.sendPrompt({ messages }, targets);
  };

  useWhenReady(isPending && hasModel, () => void send());

  const stop = () => {
    setIsStopping(true);
    stopping.current = actions
      .stop()
      .catch(() => undefined)
      .finally(() => setIsStopping(false));
    field.current?.focus();
  };

  const sendByKey = () => {
    if (!showStop) void send();
    else if (!isEmpty) {
      setIsTooEarly(true);
      announce(tooEarly);
    }
  };

  return (
    <div className={classes(wrapLook, wrapRooms[room])}>
      <div className={classes(columnLook, columnRooms[room])}>
        {/* A form of its own: of a field in none, browsers go through the whole page at every key. It submits nothing. */}
        <form
          method="dialog"
          className={classes(formLook, isDropping ? droppingLook : restLook, isLine && lineFormLook)}
          data-region="composer"
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.contains(relatedTarget)) setOpen(false);
          }}
        >
          <ImportedFields targets={targets} />
          <ComposerTop
            words={words}
            pasted={pasted}
            onEditPasted={editPasted}
            onRemovePasted={(removed) =>
              changeDraft((known) => ({ ...known, pasted: removePastedText(known.pasted, removed) }))
            }
            images={images}
            onImages={changeImages}
            onTooLarge={setTooLarge}
            targets={targets}
            isLinking={isLinking}
            onLinked={() => setIsLinking(false)}
          />
          <TextArea
            ref={field}
            className={classes(fieldLook, fieldRooms[fieldRoom])}
            id="composer"
            data-region-home
            {...messageField.here}
            aria-label="Message"
            dir="auto"
            rows={1}
            autoFocus
            value={text}
            placeholder={
              pending
                ? 'Add a message to send with the results (optional)'
                : targets.length > 1
                  ? `Message ${targets.length} lanes`
                  : 'Write a message'
            }
            onText={(next) => {
              setText(next);
              setOpen(true);
            }}
            onFocus={() => setOpen(true)}
            onPaste={(event) => {
              const files = pastedFiles(event.clipboardData);
              const long = pastedWords(event.clipboardData);
              const isBeside = files.length === 0 && shouldAttachPaste(long);
              if (files.length === 0 && !isBeside) return;
              event.preventDefault();
              if (files.length > 0) void attach(files);
              else {
                changeDraft((known) => ({ ...known, pasted: [...known.pasted, long] }));
                announce('The long pasted text is attached to the message.');
              }
            }}
            {...compositionHandlers}
            onKeyDown={(event) => {
              if (undoByKey(event)) return;
              if (event.key === 'ArrowUp' && text === '') editLastMessage(playground);
              if (!sendsBy(event)) return;
              event.preventDefault();
              if (!event.repeat) sendByKey();
            }}
          />
          <div className={classes(barLook, isOneRow && rowBarLook, isLine ? 'contents' : 'flex')}>
            <PartBoundary name="The toolbar">
              <Button look="quiet" className={folded} onClick={chooseImages}>
                <ImagePlus className="icon-14" aria-hidden />
                <span className={lineWords}>Image</span>
              </Button>
              <ComposerTools
                name={name}
                onName={(author) => view.setState({ author })}
                onLink={() => setIsLinking(!isLinking)}
                isUnfolded={isUnfolded}
                onUnfold={setUnfolded}
                isOneRow={isOneRow}
              />
              <Targets className={classes(folded, isLine && 'order-2')} />
            </PartBoundary>
            {remark && <span className={warningLook}>{remark}</span>}
            {isTooEarly && showStop && <span className={warningLook}>{tooEarly}</span>}
            {isPending && !hasModel && (
              <span className={warningLook}>Pick a model. The message will then be sent.</span>
            )}
            {pending && !isEmpty && (
              <span className={classes(remarkLook, 'text-ink-3')}>{pendingRemark(pending)}</span>
            )}
            <span
              className={classes(
                endLook,
                isLine ? 'order-3 ml-2 flex-none gap-1' : 'flex-1 gap-2.5',
                isOneRow && 'max-phone:flex-none',
              )}
            >
              {!isEmpty && !isLine && <span className={folded}>{weightWords(words, images.length)}</span>}
              {canRunAgain && !busy && (
                <Button look="quiet" className={folded} onClick={() => void actions.regenerateLastTurns()}>
                  <RotateCw className="icon-14" aria-hidden />
                  <span className={lineWords}>Run again</span>
                </Button>
              )}
              {waitsFor !== undefined && !isPending && !isLine && (
                <span className={classes('text-12 text-ink-2', folded)}>{waitsFor}</span>
              )}
              {showStop ? (
                <Button
                  look="stop"
                  size="big"
                  className={classes(bigLook, 'max-phone:w-11')}
                  {...ignoreRepeatedPresses}
                  onClick={stop}
                >
                  <span className={stopMarkLook} aria-hidden />
                  <span className="max-phone:text-[0px]">Stop</span> <kbd key="Esc">Esc</kbd>
                </Button>
              ) : (
                <Button
                  look="ink"
                  size="big"
                  className={bigLook}
                  aria-disabled={
                    isNothing || !hasModel || targets.length === 0 || isOff || tooLarge !== undefined
                  }
                  title={waitsFor ?? tooLarge ?? sendRemark(isNothing, hasModel, targets.length)}
                  {...ignoreRepeatedPresses}
                  onClick={() => void send()}
                >
                  Send{pending?.canSend && !isEmpty && ` with ${pluralize(pending.count, 'result')}`}{' '}
                  <kbd>Enter</kbd>
                </Button>
              )}
              <span className={folded}>
                <AddAs
                  text={words}
                  images={images}
                  name={name}
                  targets={targets}
                  onAdded={clear}
                  onName={() => authorName.focus()}
                />
              </span>
            </span>
          </div>
        </form>
      </div>
    </div>
  );
}

/** What the message weighs. What an image costs in tokens, the model alone knows. */
function weightWords(words: string, imageCount: number): string {
  return [
    ...(words === '' ? [] : [`~${formatCount(estimateTokens(words))} tokens`]),
    ...(imageCount === 0 ? [] : [pluralize(imageCount, 'image')]),
  ].join(' + ');
}

const tooEarly = 'Not sent: an answer is still streaming. Stop it or wait.';

function sendRemark(isEmpty: boolean, hasModel: boolean, targets: number): string | undefined {
  if (targets === 0) return 'Choose a lane to send to first.';
  if (!hasModel) return 'Pick a model first.';
  return isEmpty ? 'Write a message first.' : undefined;
}

/** What becomes of the calls when this message is sent now. */
function pendingRemark({ canSend, missing }: PendingResults): string {
  if (canSend) return missing ?? '';
  return 'Calls without results are not sent.';
}

function sendsBy(event: React.KeyboardEvent): boolean {
  if (event.key !== 'Enter') return false;
  if (event.ctrlKey || event.metaKey) return true;
  const isTouch = matchMedia('(pointer: coarse) and (hover: none)').matches;
  return !event.shiftKey && !isTouch;
}

/** Which lanes the next message goes to, where there are several: one lettered checkbox a lane. */
function Targets({ className }: { className: string }) {
  const { view } = usePlayground();
  const laneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const notTo = useView((state) => state.notTo);
  if (laneIds.length < 2) return null;
  return (
    <span className={classes(targetsLook, className)} role="group" aria-label="Send to">
      To
      {laneIds.map((laneId, index) => {
        const letter = getLaneLetter(index);
        const isTarget = !notTo.includes(laneId);
        return (
          <label key={laneId} className={targetLook} title={`Lane ${letter}`}>
            <input
              type="checkbox"
              className="absolute inset-0 cursor-pointer opacity-0"
              aria-label={`To lane ${letter}`}
              checked={isTarget}
              onChange={() =>
                view.setState({ notTo: isTarget ? [...notTo, laneId] : notTo.filter((id) => id !== laneId) })
              }
            />
            <LaneTile letter={letter} off={!isTarget} />
          </label>
        );
      })}
    </span>
  );
}

/** The lanes that the next message goes to, in order: all but those that were unticked. */
export function useTargets(): LaneId[] {
  const laneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const notTo = useView((view) => view.notTo);
  return laneIds.length === 1 ? laneIds : laneIds.filter((laneId) => !notTo.includes(laneId));
}
