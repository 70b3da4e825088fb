import { clsx } from 'clsx';
import { use, useMemo, useRef, type ComponentProps } from 'react';

import { buildPromptRows } from '../../conversation/session/prompt-rows.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId, Setup } from '../../conversation/session/types.ts';
import { withSystemRole } from '../../conversation/setup/setup.ts';
import { useFind, useSessionShallow, useView, useSessionServices } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Select, type SelectOption } from '../../ui/controls/select.tsx';
import { TextArea } from '../../ui/controls/text-area.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { lazyComponent } from '../../ui/hooks/lazy-component.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { ArrowDown } from '../../ui/icons.tsx';
import { BandColumns, MessageBand } from '../workspace/message-band.tsx';
import { OnlyLaneContext, useIsLaneHidden } from '../workspace/only-lane-context.ts';
import { systemPrompt } from '../workspace/playground-focus-targets.ts';
import { pageScrollQuery } from '../workspace/scroll-view.ts';
import { useIsUndoVisible } from '../workspace/undo.tsx';
import { useFrameDelayedValue } from '../workspace/use-frame-delayed-value.ts';
import { EmptyConversation } from './empty-conversation.tsx';
import { ScrollAnchorContext, useReadingPosition } from './use-reading-position.ts';

const ConversationRows = lazyComponent(
  'The conversation',
  async () => (await import('./conversation-rows.tsx')).ConversationRows,
  { loadTiming: 'first' },
);

const FindBar = lazyComponent('Find in session', async () => (await import('../find/find-bar.tsx')).FindBar);

/** All turns of all lanes in one scroll container: prompts as bands, with the replies below in their lanes. */
export function Conversation() {
  const sessionData = useSessionShallow(({ session, lanes, prompts, turns }) => ({
    session,
    lanes,
    prompts,
    turns,
  }));
  const latestContent = useMemo(
    () => ({
      sessionId: sessionData?.session.id,
      rows: sessionData ? buildPromptRows({ ...sessionData, runs: {} }) : [],
    }),
    [sessionData],
  );
  // A sent message appears one frame after the field is cleared, so that the user can continue typing immediately.
  const delayedContent = useFrameDelayedValue(latestContent);
  const { rows } = delayedContent.sessionId === latestContent.sessionId ? delayedContent : latestContent;
  // Switching versions shows other prompts, but their sequence numbers are never higher than the newest one.
  const newestSeq = useMemo(
    () => Object.values(sessionData?.prompts ?? {}).reduce((max, { seq }) => Math.max(max, seq), 0),
    [sessionData?.prompts],
  );
  const scroller = useRef<HTMLElement>(null);
  const isFlat = useMediaQuery(pageScrollQuery);
  const { isAtEnd, scrollToEnd, observeReply } = useReadingPosition(scroller, newestSeq, isFlat);
  const isFinding = useFind(
    (find) => find.sessionId !== undefined && find.sessionId === sessionData?.session.id,
  );
  const laneIds = sessionData?.session.laneIds ?? [];
  const onlyLaneId = use(OnlyLaneContext);
  const hasRules = rows.length > 0 && laneIds.length > 1 && onlyLaneId === undefined;
  const isUndoVisible = useIsUndoVisible();
  const scrollToNewest = () => {
    scrollToEnd();
    // The button disappears, so the focus moves to the conversation.
    scroller.current?.focus({ preventScroll: true });
  };
  return (
    <div className="print-flow relative flex min-h-0 min-w-0 flex-col flat:grid">
      {isFinding && <FindBar scroller={scroller} isFlat={isFlat} />}
      <section
        className={clsx(
          'print-flow relative min-h-0 flex-1 scroll-p-2 overflow-y-auto overscroll-contain -outline-offset-2',
          // Promoted to a layer, so that scrolling does not repaint; the opaque background keeps its text sharp.
          'bg-paper will-change-scroll phone:scroll-pb-13',
          // Insets of the visible part of the conversation within the scroller, and its height.
          '[--view-bottom:0px] [--view-height:100%] [--view-top:0px]',
          'flat:static flat:overflow-visible flat:will-change-auto flat:[grid-area:2/1]',
          'flat:[--view-bottom:70px] flat:[--view-height:calc(100dvh-106px)] flat:[--view-top:36px]',
        )}
        aria-label="Conversation"
        tabIndex={-1}
        data-region="conversation"
        data-region-home
        ref={scroller}
      >
        {/* The lines between the lanes extend down to the metrics and scroll with the text. They are below it because of
            the DOM order. Other solutions (below a transparent scroller, or in a stacking context shared with the text)
            made each frame of a stream slower. */}
        <div
          className={clsx(
            laneIds.length > 1 && 'phone:relative phone:min-h-full',
            hasRules && 'phone:[&>:not(i)]:relative',
          )}
        >
          {hasRules && (
            <i
              className="absolute inset-0 grid grid-cols-(--lane-columns) max-phone:hidden print:hidden"
              aria-hidden
            >
              {laneIds.map((laneId) => (
                <i key={laneId} className="border-line not-first:border-l" />
              ))}
            </i>
          )}
          <SystemBand />
          {rows.length === 0 ? (
            <EmptyConversation />
          ) : (
            <ScrollAnchorContext value={observeReply}>
              <ConversationRows
                rows={rows}
                laneIds={laneIds}
                scroller={scroller}
                isAtEnd={isAtEnd}
                isFlat={isFlat}
              />
            </ScrollAnchorContext>
          )}
        </div>
      </section>
      {/* The last lines fade out. */}
      {!isAtEnd && (
        <i
          className="pointer-events-none absolute inset-x-0 bottom-0 h-13 bg-[linear-gradient(transparent,var(--paper)_58%)] max-phone:hidden print:hidden flat:sticky flat:bottom-17.5 flat:self-end flat:[grid-area:2/1]"
          aria-hidden
        />
      )}
      {!isAtEnd && (
        <Button
          className={clsx(
            'absolute bottom-3 left-1/2 -translate-x-1/2 shadow-e-2 data-above-undo:bottom-15 phone:z-1',
            'phone:not-data-above-undo:border-transparent phone:not-data-above-undo:font-550',
            'phone:not-data-above-undo:text-ink-2 phone:not-data-above-undo:not-hover:bg-transparent',
            'flat:sticky flat:left-auto flat:translate-none flat:self-end flat:justify-self-center',
            'print:hidden flat:[grid-area:2/1] flat:not-data-above-undo:bottom-18.5',
          )}
          data-above-undo={isUndoVisible || undefined}
          size="small"
          onClick={scrollToNewest}
        >
          <ArrowDown className="icon-14" aria-hidden />
          <span>
            Newest<span aria-hidden>, turn {rows.length}</span>
          </span>
        </Button>
      )}
    </div>
  );
}

/**
 * System prompt, edited in place: one field across all lanes that share it, or one per lane. It is sent first, and only
 * if it is not empty.
 */
function SystemBand() {
  const lanes =
    useSessionShallow((data) => data.session.laneIds.flatMap((laneId) => data.lanes[laneId] ?? [])) ?? [];
  const scope = useView((view) => view.scope);
  const texts = lanes.map((lane) => lane.setup.system);
  const [firstLane] = lanes;
  const isShared =
    lanes.every(
      ({ setup }) =>
        setup.system === firstLane?.setup.system && setup.systemRole === firstLane.setup.systemRole,
    ) && scope === undefined;
  const isEmpty = texts.every((text) => text === '');
  if (isShared) {
    return (
      <SystemBox isEmpty={isEmpty}>
        <SystemField
          laneIds={lanes.map((lane) => lane.id)}
          system={texts[0] ?? ''}
          role={firstLane?.setup.systemRole}
        />
      </SystemBox>
    );
  }
  return (
    <SystemBox
      isEmpty={isEmpty}
      className="grid grid-cols-(--lane-columns) border-b border-line bg-bench print:grid-cols-[repeat(auto-fit,minmax(min(100%,200px),1fr))]"
    >
      {lanes.map((lane, index) => (
        <SystemField
          key={lane.id}
          index={index}
          laneIds={[lane.id]}
          system={lane.setup.system}
          role={lane.setup.systemRole}
        />
      ))}
    </SystemBox>
  );
}

/**
 * Box of the system prompts. In a low window an empty one takes up no space; a button in the lane header opens it. It
 * is not printed.
 */
function SystemBox({ isEmpty, className, ...rest }: ComponentProps<'div'> & { isEmpty: boolean }) {
  return (
    <div
      className={clsx(
        className,
        isEmpty && [
          'low:not-focus-within:absolute low:not-focus-within:inset-x-0 low:not-focus-within:top-0',
          'low:not-focus-within:z-1 low:not-focus-within:h-0.5 low:not-focus-within:overflow-hidden',
          'print:hidden low:not-focus-within:opacity-0',
        ],
      )}
      {...rest}
    />
  );
}

function SystemField({
  laneIds,
  system,
  role,
  index,
}: {
  laneIds: readonly LaneId[];
  system: string;
  role: Setup['systemRole'];
  /** Position of the only lane that has the prompt. */
  index?: number;
}) {
  const { actions } = useSessionServices();
  const letter = index === undefined ? undefined : getLaneLetter(index);
  const onlyLaneId = use(OnlyLaneContext);
  const isHidden = useIsLaneHidden(laneIds[0]);
  const isSent = system.trim() !== '';
  // In a short window, a button in the lane header opens the system prompt.
  const isLowWindow = useMediaQuery('(width >= 600px) and (height < 800px)');
  return (
    <MessageBand
      as="div"
      className={clsx(
        index === undefined && 'border-b',
        index !== undefined && index > 0 && onlyLaneId === undefined && 'phone:border-l',
        index !== undefined && isHidden && 'hidden',
      )}
      {...(isSent ? { role: 'article', 'aria-label': 'System message' } : {})}
    >
      <BandColumns isInColumn={index !== undefined} className="max-phone:grid-cols-[56px_minmax(0,1fr)]">
        <span className="max-phone:pt-2.75">
          {letter === undefined ? 'System' : <LaneTile letter={letter} />}
        </span>
        <div className="flex min-w-0 items-start gap-2 max-phone:flex-col max-phone:gap-0">
          <TextArea
            aria-label={letter === undefined ? 'System prompt' : `System prompt, lane ${letter}`}
            className={clsx(
              'field-sizing-content max-h-44 w-full resize-none text-13/5.5 font-400 text-ink-2 normal-nums',
              'outline-offset-4 print:max-h-none',
              // The focus ring lies within the band, next to the text.
              'max-phone:-mx-2 max-phone:min-h-11 max-phone:w-[calc(100%+16px)] max-phone:px-2 max-phone:py-2.75',
              'max-phone:text-[16px]/5.5 max-phone:-outline-offset-2',
            )}
            dir="auto"
            rows={1}
            tabIndex={isLowWindow && system === '' ? -1 : 0}
            value={system}
            {...systemPrompt.attributes}
            placeholder="Add a system prompt"
            onText={(next) => actions.changeSetups(laneIds, (setup) => ({ ...setup, system: next }))}
          />
          {isSent && (
            <span className="flex-none">
              <Select
                label={letter === undefined ? 'System prompt role' : `System prompt role, lane ${letter}`}
                value={role}
                options={systemRoles}
                placeholder="as system"
                onChange={(next) =>
                  actions.changeSetups(laneIds, (setup) =>
                    withSystemRole(setup, next === 'developer' ? next : undefined),
                  )
                }
              />
            </span>
          )}
        </div>
        <span />
      </BandColumns>
    </MessageBand>
  );
}

const systemRoles: readonly SelectOption<'system' | 'developer'>[] = [
  { value: 'system', label: 'system' },
  { value: 'developer', label: 'developer', note: 'newer models' },
];
