import { clsx } from 'clsx';
import { use, useMemo, useRef } from 'react';

import { buildPromptRows } from '../../conversation/session/prompt-rows.ts';
import { useFind, useSessionShallow } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { lazyComponent } from '../../ui/hooks/lazy-component.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { ArrowDown } from '../../ui/icons.tsx';
import { OnlyLaneContext } from '../workspace/only-lane-context.ts';
import { pageScrollQuery } from '../workspace/scroll-view.ts';
import { useIsToastVisible } from '../workspace/toasts.tsx';
import { useFrameDelayedValue } from '../workspace/use-frame-delayed-value.ts';
import { EmptyConversation } from './empty-conversation.tsx';
import { SystemBand } from './system-band.tsx';
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
  const isToastVisible = useIsToastVisible();
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
          'scroll-pb-13 bg-paper will-change-scroll',
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
            'absolute bottom-3 left-1/2 -translate-x-1/2 shadow-e-2 data-above-toasts:bottom-15 phone:z-1',
            'phone:not-data-above-toasts:border-transparent phone:not-data-above-toasts:font-550',
            'phone:not-data-above-toasts:text-ink-2 phone:not-data-above-toasts:not-hover:bg-transparent',
            'flat:sticky flat:left-auto flat:translate-none flat:self-end flat:justify-self-center',
            'print:hidden flat:[grid-area:2/1] flat:not-data-above-toasts:bottom-18.5',
          )}
          data-above-toasts={isToastVisible || undefined}
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
