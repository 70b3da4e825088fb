import { clsx } from 'clsx';
import { isEqual } from 'es-toolkit';
import { useMemo, useRef, useState, useEffect, useEffectEvent, type ReactNode } from 'react';
import { useStore } from 'zustand';

import { hasLiveRun } from '../../conversation/reply/run.ts';
import { buildContent, toImagePart } from '../../conversation/request/message-images.ts';
import {
  shouldAttachPaste,
  removePastedText,
  joinPastedTexts,
} from '../../conversation/request/pasted-text.ts';
import { estimateTokens, countNextImportedFields } from '../../conversation/request/request.ts';
import { emptyDraft, type DraftImage } from '../../conversation/session/draft.ts';
import { isEmptySession } from '../../conversation/session/edit-session.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { getSendBlocker } from '../../gateway/http/gateway-state.ts';
import type { Message } from '../../gateway/wire.ts';
import { formatCount, pluralize } from '../../lib/format.ts';
import {
  useSession,
  useSessionShallow,
  useView,
  useSessionServices,
  useAppServices,
} from '../../state/contexts.tsx';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/field.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { ignoreRepeatedPresses } from '../../ui/controls/repeated-presses.ts';
import { TextArea } from '../../ui/controls/text-area.tsx';
import { SectionBoundary } from '../../ui/display/boundary.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { getNextFocusAttributes } from '../../ui/focus/focus-target.ts';
import { lazyComponent, Loading } from '../../ui/hooks/lazy-component.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { ImagePlus, RotateCw, Link2 } from '../../ui/icons.tsx';
import { getPastedFiles, getPastedText } from '../attachments/pasted-files.ts';
import { readImages } from '../attachments/read-images.ts';
import { usePageFileDrop } from '../attachments/use-page-file-drop.ts';
import { editLastMessage } from '../conversation/message/edit-last-message.ts';
import { useGatewayState } from '../health/use-gateway-setup.ts';
import { useRequestRules } from '../models/use-request-rules.ts';
import { usePendingResults, type PendingResults } from '../tools/use-pending-results.ts';
import { authorName, messageField } from '../workspace/playground-focus-targets.ts';
import { AddMessageMenu } from './add-message-menu.tsx';
import { PhoneComposerMenu } from './phone-composer-menu.tsx';
import { useDraftHistory } from './use-draft-history.ts';
import { openImagePicker, usePickedImages } from './use-picked-images.ts';

const ComposerTop = lazyComponent(
  'Attachments',
  async () => (await import('./composer-attachments.tsx')).ComposerAttachments,
  {
    // Indicates that newly added attachments are being loaded.
    fallback: ({ images, pasted, isLinking }) =>
      (images.length > 0 || pasted.length > 0 || isLinking) && <Loading />,
    loadTiming: 'first',
  },
);

/** Message field with attachments. Its content is the session's draft until it is sent. */
export function Composer({ sessionId }: { sessionId: string }) {
  const { actions, drafts, images: imageStore, session, view } = useSessionServices();
  const { isTextOnly } = useAppServices();
  const { text, images, pasted } = useStore(drafts.state, (state) => state[sessionId] ?? emptyDraft);
  const field = useRef<HTMLTextAreaElement>(null);
  const { changeDraft, clearHistory, undoByKey, compositionHandlers } = useDraftHistory(sessionId, field);
  const setText = (next: string) => changeDraft((draft) => ({ ...draft, text: next }));
  const changeImages = (edit: (images: readonly DraftImage[]) => readonly DraftImage[]) =>
    changeDraft((draft) => ({ ...draft, images: edit(draft.images) }));
  const messageText = useMemo(() => joinPastedTexts(text, pasted), [text, pasted]);
  const announce = useAnnounce();
  const name = useView((state) => state.author);
  const [isLinking, setIsLinking] = useState(false);
  const [remark, setRemark] = useState('');
  const [tooLargeReason, setTooLargeReason] = useState<string>();
  const isBusy = useSession(hasLiveRun) ?? false;
  const canRunAgain = useSession((data) => data.session.laneIds.some((id) => data.lanes[id]?.tip)) ?? false;
  const targets = useTargetLanes();
  const hasModel = useSession((data) => targets.every((id) => data.lanes[id]?.setup.model)) ?? false;
  const gateway = useGatewayState();
  const isSessionEmpty = useSession(isEmptySession) ?? false;
  const disabledReason = isSessionEmpty ? getSendBlocker(gateway, hasModel) : undefined;
  // Disabled while the gateway is unusable, but not while the models are still loading.
  const isDisabled = disabledReason !== undefined && gateway !== 'checking';
  const pendingStop = useRef<Promise<void>>(Promise.resolve());
  const [isStopping, setIsStopping] = useState(false);
  const [isSendTooEarly, setIsSendTooEarly] = useState(false);
  const [isSendPending, setIsSendPending] = useState(false);
  const isLowWindow = useMediaQuery('(width >= 600px) and (height < 800px)');
  // In a short window the field has one line until it is used; then it overlays the content above, which does not move.
  const [isFieldOpen, setIsFieldOpen] = useState(false);
  const isStopVisible = isBusy && !isStopping;
  if (isSendTooEarly && !isBusy) setIsSendTooEarly(false);
  const pendingResults = usePendingResults(targets);
  const isEmpty = messageText.trim() === '' && images.length === 0;
  const hasNothingToSend = isEmpty && !pendingResults?.canSend;
  const hasRemark =
    remark !== '' ||
    pendingResults !== undefined ||
    (isSendTooEarly && isStopVisible) ||
    (isSendPending && !hasModel);
  const hasExtraContent =
    images.length > 0 || pasted.length > 0 || isLinking || hasRemark || text.includes('{{');
  const layout = !isLowWindow ? 'own' : hasExtraContent ? 'all' : isFieldOpen ? 'over' : 'line';
  const isCompact = layout === 'line';
  // On phones the composer is a single row that can be expanded. With pending tool results, the button is too long for
  // a single row.
  const [areToolsExpanded, setAreToolsExpanded] = useState(false);
  const isOneRow = !areToolsExpanded && !hasRemark;

  const attach = async (files: readonly File[]) => {
    const result = await readImages(files, imageStore);
    if (result.images.length > 0) changeImages((currentImages) => [...currentImages, ...result.images]);
    setRemark(result.problem ?? '');
  };
  const isDragOver = usePageFileDrop((files) => void attach(files));
  usePickedImages((files) => void attach(files));
  const clear = () => {
    // Removes only the sent content, because another tab may have stored more.
    changeDraft((currentDraft) => ({
      ...currentDraft,
      text: '',
      images: currentDraft.images.filter((image) => !images.some((sentImage) => isEqual(sentImage, image))),
      pasted: pasted.reduce(removePastedText, currentDraft.pasted),
    }));
    setRemark('');
    clearHistory();
  };
  const editPasted = (pastedText: string) => {
    changeDraft((draft) => ({
      ...draft,
      text: joinPastedTexts(text, [pastedText]),
      pasted: removePastedText(draft.pasted, pastedText),
    }));
    field.current?.focus();
  };

  /** Evaluated when sending, because the user may have marked a model's abilities since the last render. */
  const hasTextOnlyTarget = () => {
    const lanes = getCurrentSession(session.getState())?.lanes;
    return targets.some((id) => isTextOnly(lanes?.[id]?.setup.model ?? ''));
  };

  const send = async () => {
    setIsSendTooEarly(false);
    if (hasNothingToSend || targets.length === 0) return;
    if (isDisabled) return announce(`Not sent. ${disabledReason}.`);
    if (tooLargeReason !== undefined) return announce(`Not sent. ${tooLargeReason}`);
    // Until the model list with the default model has loaded, the message is kept; it is sent afterwards.
    setIsSendPending(!hasModel);
    if (!hasModel) return;
    if (messageText.trim() === '' && images.length > 0 && hasTextOnlyTarget()) {
      setRemark('The model of one lane accepts text only. Add some text.');
      return;
    }
    const content = buildContent(messageText, images.map(toImagePart));
    const authorField = name.trim() === '' ? {} : { name: name.trim() };
    const messages: Message[] = isEmpty ? [] : [{ role: 'user', content, ...authorField }];
    clear();
    setIsFieldOpen(false);
    await pendingStop.current;
    if (pendingResults?.canSend) await pendingResults.send(messages);
    else await actions.sendPrompt({ messages }, targets);
  };

  useWhenReady(isSendPending && hasModel, () => void send());

  const stop = () => {
    setIsStopping(true);
    pendingStop.current = actions
      .stop()
      .catch(() => undefined)
      .finally(() => setIsStopping(false));
    field.current?.focus();
  };

  const sendByKey = () => {
    if (!isStopVisible) void send();
    else if (!isEmpty) {
      setIsSendTooEarly(true);
      announce(stillStreamingText);
    }
  };

  return (
    <div
      className={clsx(
        'isolate border-t border-line bg-bench [anchor-name:--composer] flat:sticky flat:bottom-0 flat:left-0',
        layout === 'own' &&
          'pt-3 pb-4 in-data-[layout=many-lanes]:px-4 max-phone:px-3 max-phone:pt-2 max-phone:pb-3',
        layout === 'all' && 'relative z-4 py-1.5',
        (layout === 'over' || layout === 'line') && 'relative z-4 h-13 flat:h-11',
      )}
    >
      <div
        className={clsx(
          'in-data-[layout=one-lane]:mx-auto in-data-[layout=one-lane]:max-w-228',
          layout === 'own' && 'in-data-[layout=one-lane]:px-4 max-phone:px-0',
          layout === 'all' && 'px-3',
          (layout === 'over' || layout === 'line') && 'absolute inset-x-0 bottom-1.25 px-3 flat:bottom-0.75',
        )}
      >
        {/* Inside a form, because otherwise browsers scan the whole page on every key press in the field. Submitting
            has no effect. */}
        <form
          method="dialog"
          className={clsx(
            'relative rounded-4 border bg-raised max-phone:rounded-[14px]',
            isDragOver
              ? 'border-needle shadow-[inset_0_0_0_1px_var(--needle)]'
              : 'border-edge shadow-e-1 focus-within:border-ink focus-within:shadow-[inset_0_0_0_1px_var(--ink)]',
            isCompact && 'flex h-10 items-center px-1 flat:h-9',
          )}
          data-region="composer"
          {...getNextFocusAttributes(messageField)}
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.contains(relatedTarget)) setIsFieldOpen(false);
          }}
        >
          <ImportedFields targets={targets} />
          <ComposerTop
            messageText={messageText}
            pasted={pasted}
            onEditPasted={editPasted}
            onRemovePasted={(removedText) =>
              changeDraft((draft) => ({ ...draft, pasted: removePastedText(draft.pasted, removedText) }))
            }
            images={images}
            onImagesChange={changeImages}
            onTooLarge={setTooLargeReason}
            targets={targets}
            isLinking={isLinking}
            onLinkClose={() => setIsLinking(false)}
          />
          <TextArea
            ref={field}
            className={clsx(
              'block field-sizing-content min-h-9.5 resize-none text-[14px]/5.5 font-400 normal-nums outline-none',
              'max-phone:min-h-13 max-phone:text-[16px] max-phone:leading-6 max-phone:placeholder:truncate',
              isCompact
                ? 'order-1 max-h-9.5 w-0 flex-1 overflow-hidden p-2'
                : 'max-h-[40vh] w-full px-3.5 pt-2.5 pb-1 max-phone:py-3.5',
              // The buttons overlay a field in one row.
              !isCompact && (isOneRow ? 'max-phone:pr-30.5 max-phone:pl-12' : 'max-phone:px-3'),
            )}
            id="composer"
            data-region-home
            {...messageField.attributes}
            aria-label="Message"
            dir="auto"
            rows={1}
            autoFocus
            value={text}
            placeholder={
              pendingResults
                ? 'Add a message (optional)'
                : targets.length > 1
                  ? `Message ${targets.length} lanes`
                  : 'Write a message'
            }
            onText={(next) => {
              setText(next);
              setIsFieldOpen(true);
            }}
            onFocus={() => setIsFieldOpen(true)}
            onPaste={(event) => {
              const files = getPastedFiles(event.clipboardData);
              const pastedText = getPastedText(event.clipboardData);
              const shouldAttach = files.length === 0 && shouldAttachPaste(pastedText);
              if (files.length === 0 && !shouldAttach) return;
              event.preventDefault();
              if (files.length > 0) void attach(files);
              else {
                changeDraft((draft) => ({ ...draft, pasted: [...draft.pasted, pastedText] }));
                announce('Pasted text added as an attachment.');
              }
            }}
            {...compositionHandlers}
            onKeyDown={(event) => {
              if (undoByKey(event)) return;
              if (event.key === 'ArrowUp' && text === '') editLastMessage({ session, view });
              if (!isSendKey(event)) return;
              event.preventDefault();
              if (!event.repeat) sendByKey();
            }}
          />
          <div
            className={clsx(
              'flex-wrap items-center gap-0.5 py-1.5 pr-1.5 pl-2',
              'max-phone:gap-1 max-phone:p-1 max-phone:[&_kbd]:hidden',
              isOneRow && 'max-phone:pointer-events-none max-phone:absolute max-phone:inset-x-0',
              isOneRow && 'max-phone:bottom-0 max-phone:[&>*]:pointer-events-auto',
              isCompact ? 'contents' : 'flex',
            )}
          >
            <SectionBoundary name="The message toolbar">
              <Button
                variant="ghost"
                className={clsx(!areToolsExpanded && 'max-phone:hidden')}
                onClick={openImagePicker}
              >
                <ImagePlus className="icon-14" aria-hidden />
                {/* Labels stay accessible even where there is no space to show them. */}
                <span className={clsx(isCompact && 'sr-only')}>Image</span>
              </Button>
              <ComposerTools
                name={name}
                onNameChange={(author) => view.setState({ author })}
                onLink={() => setIsLinking(!isLinking)}
                isExpanded={areToolsExpanded}
                onExpandedChange={setAreToolsExpanded}
                isOneRow={isOneRow}
              />
              <TargetCheckboxes
                className={clsx(!areToolsExpanded && 'max-phone:hidden', isCompact && 'order-2')}
              />
            </SectionBoundary>
            {remark && <Remark isWarning>{remark}</Remark>}
            {isSendTooEarly && isStopVisible && <Remark isWarning>{stillStreamingText}</Remark>}
            {isSendPending && !hasModel && <Remark isWarning>Choose a model to send the message.</Remark>}
            {pendingResults && !isEmpty && <Remark>{describePendingResults(pendingResults)}</Remark>}
            {/* The content is right-aligned in a box of constant size, so that changes do not move other elements. */}
            <span
              className={clsx(
                'flex items-center justify-end text-12 text-ink-3 normal-nums max-phone:-order-1 max-phone:gap-1',
                isCompact ? 'order-3 ml-2 flex-none gap-1' : 'flex-1 gap-2.5',
                isOneRow && 'max-phone:flex-none',
              )}
            >
              {!isEmpty && !isCompact && (
                <span className={clsx(!areToolsExpanded && 'max-phone:hidden')}>
                  {describeMessageSize(messageText, images.length)}
                </span>
              )}
              {canRunAgain && !isBusy && (
                <Button
                  variant="ghost"
                  className={clsx(!areToolsExpanded && 'max-phone:hidden')}
                  onClick={() => void actions.regenerateLastTurns()}
                >
                  <RotateCw className="icon-14" aria-hidden />
                  <span className={clsx(isCompact && 'sr-only')}>Run again</span>
                </Button>
              )}
              {disabledReason !== undefined && !isSendPending && !isCompact && (
                <span className={clsx('text-12 text-ink-2', !areToolsExpanded && 'max-phone:hidden')}>
                  {disabledReason}
                </span>
              )}
              {isStopVisible ? (
                <Button
                  variant="stop"
                  size="big"
                  className="min-w-26 max-phone:w-11 max-phone:min-w-11 max-phone:rounded-[10px]"
                  {...ignoreRepeatedPresses}
                  onClick={stop}
                >
                  <span
                    className="size-2.5 flex-none rounded-[2px] bg-needle max-phone:size-3.5 max-phone:rounded-[3px]"
                    aria-hidden
                  />
                  <span className="max-phone:text-[0px]">Stop</span> <kbd key="Esc">Esc</kbd>
                </Button>
              ) : (
                <Button
                  variant="primary"
                  size="big"
                  className="min-w-26 aria-disabled:border-ink aria-disabled:bg-ink aria-disabled:font-550 aria-disabled:text-on-ink aria-disabled:opacity-55 max-phone:min-w-11 max-phone:rounded-[10px]"
                  // Not disabled, because a press announces the reason.
                  aria-disabled={
                    hasNothingToSend ||
                    !hasModel ||
                    targets.length === 0 ||
                    isDisabled ||
                    tooLargeReason !== undefined
                  }
                  title={
                    disabledReason ??
                    tooLargeReason ??
                    getSendHint(hasNothingToSend, hasModel, targets.length)
                  }
                  {...ignoreRepeatedPresses}
                  onClick={() => void send()}
                >
                  Send
                  {pendingResults?.canSend &&
                    !isEmpty &&
                    ` with ${pluralize(pendingResults.count, 'result')}`}{' '}
                  <kbd>Enter</kbd>
                </Button>
              )}
              <span className={clsx(!areToolsExpanded && 'max-phone:hidden')}>
                <AddMessageMenu
                  text={messageText}
                  images={images}
                  name={name}
                  targets={targets}
                  onAdded={clear}
                  onEditName={() => authorName.focus()}
                />
              </span>
            </span>
          </div>
        </form>
      </div>
    </div>
  );
}

/** Note beside the buttons; on phones in a row of its own. */
function Remark({ isWarning = false, children }: { isWarning?: boolean; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'max-phone:order-9 max-phone:flex-[1_0_100%] max-phone:px-2 max-phone:pb-1.5',
        isWarning ? 'text-12 text-warn-ink normal-nums' : 'text-ink-3',
      )}
    >
      {children}
    </span>
  );
}

/** Describes the estimated tokens, without images, whose cost depends on the model. */
function describeMessageSize(text: string, imageCount: number): string {
  return [
    ...(text === '' ? [] : [`~${formatCount(estimateTokens(text))} tokens`]),
    ...(imageCount === 0 ? [] : [pluralize(imageCount, 'image')]),
  ].join(' + ');
}

const stillStreamingText = 'Not sent: an answer is still streaming. Stop it or wait.';

function getSendHint(isEmpty: boolean, hasModel: boolean, targetCount: number): string | undefined {
  if (targetCount === 0) return 'Choose a lane first.';
  if (!hasModel) return 'Choose a model first.';
  return isEmpty ? 'Write a message first.' : undefined;
}

/** Describes how sending this message now affects tool calls without results. */
function describePendingResults({ canSend, missingText }: PendingResults): string {
  if (canSend) return missingText ?? '';
  return 'Tool calls without results are not sent.';
}

function isSendKey(event: React.KeyboardEvent): boolean {
  if (event.key !== 'Enter') return false;
  if (event.ctrlKey || event.metaKey) return true;
  const isTouch = matchMedia('(pointer: coarse) and (hover: none)').matches;
  return !event.shiftKey && !isTouch;
}

/** Lanes that receive the next message, if there are several: one lettered checkbox per lane. */
function TargetCheckboxes({ className }: { className: string }) {
  const { view } = useSessionServices();
  const laneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const notTo = useView((state) => state.notTo);
  if (laneIds.length < 2) return null;
  return (
    <span
      className={clsx(
        'ml-1 inline-flex items-center gap-1 border-l border-line-2 pl-3 text-12 text-ink-3 normal-nums',
        'max-phone:m-0 max-phone:border-0 max-phone:p-0',
        className,
      )}
      role="group"
      aria-label="Send to"
    >
      To
      {laneIds.map((laneId, index) => {
        const letter = getLaneLetter(index);
        const isTarget = !notTo.includes(laneId);
        return (
          <label
            key={laneId}
            className="relative inline-grid size-6 cursor-pointer place-items-center rounded-2 has-focus-visible:outline-2 has-focus-visible:outline-ink max-phone:size-11"
            title={`Lane ${letter}`}
          >
            <input
              type="checkbox"
              className="absolute inset-0 cursor-pointer opacity-0"
              aria-label={`To lane ${letter}`}
              checked={isTarget}
              onChange={() =>
                view.setState({ notTo: isTarget ? [...notTo, laneId] : notTo.filter((id) => id !== laneId) })
              }
            />
            <LaneTile letter={letter} isInactive={!isTarget} />
          </label>
        );
      })}
    </span>
  );
}

/** Returns the lanes that receive the next message, in order: all except deselected ones. */
export function useTargetLanes(): LaneId[] {
  const laneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const notTo = useView((view) => view.notTo);
  return laneIds.length === 1 ? laneIds : laneIds.filter((laneId) => !notTo.includes(laneId));
}

interface Props {
  name: string;
  onNameChange: (name: string) => void;
  onLink: () => void;
  /** True if the other tools are expanded below the single row that phones show. */
  isExpanded: boolean;
  onExpandedChange: (isExpanded: boolean) => void;
  isOneRow: boolean;
}

/**
 * Tools next to the Image button: an image by URL, and the author's name, whose field is opened from the menu next to
 * Send.
 */
function ComposerTools({ name, onNameChange, onLink, isExpanded, onExpandedChange, isOneRow }: Props) {
  return (
    <>
      <PhoneComposerMenu isOpen={isExpanded} onOpenChange={onExpandedChange} isOneRow={isOneRow} />
      <IconButton
        label="Link an image"
        tip="Add an image by URL"
        className={clsx(!isExpanded && 'max-phone:hidden')}
        onClick={onLink}
      >
        <Link2 className="icon-14" aria-hidden />
      </IconButton>
      <TextField
        variant="quiet"
        className={clsx(
          'max-phone:max-w-22.5',
          !isExpanded && 'max-phone:hidden',
          // Hidden while it is empty and not focused; a menu item focuses it.
          name === '' && [
            'not-focus:absolute not-focus:bottom-0 not-focus:left-3 not-focus:max-h-0.5 not-focus:w-6 not-focus:min-w-0',
            'not-focus:border-0 not-focus:p-0 not-focus:opacity-0',
          ],
        )}
        aria-label="Author name"
        {...authorName.attributes}
        tabIndex={name === '' ? -1 : 0}
        dir="auto"
        placeholder="name"
        title="Author name, sent as “name”"
        spellCheck={false}
        value={name}
        onInput={(event) => onNameChange(event.currentTarget.value)}
      />
    </>
  );
}

/** Note that the next request sends provider fields from an imported file, with a button to remove them. */
function ImportedFields({ targets }: { targets: readonly string[] }) {
  const isNew = useSession(({ session }) => session.importedFields === 'new') ?? false;
  return isNew && <NewFields targets={targets} />;
}

function NewFields({ targets }: { targets: readonly string[] }) {
  const { actions } = useSessionServices();
  const rules = useRequestRules();
  const count =
    useSession((data) =>
      targets.reduce((sum, id) => {
        const lane = data.lanes[id];
        return lane ? sum + countNextImportedFields(data, lane, rules) : sum;
      }, 0),
    ) ?? 0;
  if (count === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 px-3.5 pt-2 text-12 text-warn-ink" role="status">
      Also sends {pluralize(count, 'extra field')} from the imported file.
      <Button size="small" onClick={() => actions.omitImportedFields()}>
        Leave out
      </Button>
    </p>
  );
}

/** Calls `callback` once, as soon as `isReady` is true. */
function useWhenReady(isReady: boolean, callback: () => void): void {
  const onReady = useEffectEvent(callback);
  useEffect(() => {
    if (isReady) onReady();
  }, [isReady]);
}
