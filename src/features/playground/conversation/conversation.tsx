import { clsx } from 'clsx';
import { useMemo, useRef } from 'react';

import { buildPromptRows } from '../../../conversation/session/prompt-rows.ts';
import { getLaneLetter } from '../../../conversation/session/turn-tree.ts';
import type { LaneId, Setup } from '../../../conversation/session/types.ts';
import { withSystemRole } from '../../../conversation/setup/setup.ts';
import { useFind, usePlayground, useSessionShallow, useView } from '../../../state/use-playground.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Select, type SelectOption } from '../../../ui/controls/select.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { lazyComponent } from '../../../ui/hooks/lazy-component.tsx';
import { useMediaQuery } from '../../../ui/hooks/use-media-query.ts';
import { ArrowDown } from '../../../ui/icons.tsx';
import { systemPrompt } from '../playground-focus-targets.ts';
import { useIsUndoVisible } from '../undo.tsx';
import { useFrameDelayedValue } from '../use-frame-delayed-value.ts';
import { bandLook } from './band-look.ts';
import { EmptyConversation } from './empty-conversation.tsx';
import { pageScrollQuery } from './scroll-view.ts';
import { ScrollAnchorContext, useScrollAnchor } from './use-scroll-anchor.ts';
import { useStickToBottom } from './use-stick-to-bottom.ts';
import { useTurnInView } from './use-turn-in-view.ts';

import './conversation.css';

const ConversationRows = lazyComponent(
  'The conversation',
  async () => (await import('./conversation-rows.tsx')).ConversationRows,
  { loadTiming: 'first' },
);

const FindScroller = lazyComponent(
  'Search results',
  async () => (await import('../find/find-scroller.ts')).FindScroller,
  { fallback: null, loadTiming: 'first' },
);
const FindBar = lazyComponent('Find in session', async () => (await import('../find/find-bar.tsx')).FindBar);

const newestLook = clsx(
  'newest absolute bottom-3 left-1/2 -translate-x-1/2 shadow-e-2 data-above-undo:bottom-15 phone:z-1',
  'flat:sticky flat:left-auto flat:translate-none flat:self-end flat:justify-self-center',
  'flat:not-data-above-undo:bottom-18.5',
);
const systemFieldLook = clsx(
  'field-sizing-content max-h-44 w-full resize-none text-13/5.5 font-400 text-ink-2 normal-nums',
  'outline-offset-4',
  // The focus ring lies within the band, next to the text.
  'max-phone:-mx-2 max-phone:min-h-11 max-phone:w-[calc(100%+16px)] max-phone:px-2 max-phone:py-2.75',
  'max-phone:text-[16px]/5.5 max-phone:-outline-offset-2',
);

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
  const { isAtEnd, scrollToEnd } = useStickToBottom(scroller, newestSeq, isFlat);
  const observeReply = useScrollAnchor(scroller, isAtEnd, isFlat);
  useTurnInView(scroller, isAtEnd, isFlat);
  const isFinding = useFind(
    (find) => find.sessionId !== undefined && find.sessionId === sessionData?.session.id,
  );
  const laneIds = sessionData?.session.laneIds ?? [];
  const isUndoVisible = useIsUndoVisible();
  const scrollToNewest = () => {
    scrollToEnd();
    // The button disappears, so the focus moves to the conversation.
    scroller.current?.focus({ preventScroll: true });
  };
  return (
    <div className="scroll-area" data-at-end={isAtEnd}>
      <FindScroller scroller={scroller} isFlat={isFlat} />
      {isFinding && <FindBar scroller={scroller} isFlat={isFlat} />}
      <section
        className="scroll"
        aria-label="Conversation"
        tabIndex={-1}
        data-region
        data-region-home
        ref={scroller}
      >
        <div className="scroll-content">
          {rows.length > 0 && (
            <div className="rules" aria-hidden>
              {laneIds.map((laneId) => (
                <i key={laneId} />
              ))}
            </div>
          )}
          <SystemBand />
          {rows.length === 0 ? (
            <EmptyConversation />
          ) : (
            <ScrollAnchorContext value={observeReply}>
              <ConversationRows rows={rows} laneIds={laneIds} />
            </ScrollAnchorContext>
          )}
        </div>
      </section>
      {!isAtEnd && (
        <Button
          className={newestLook}
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
      <div className="system-band" data-empty={isEmpty || undefined}>
        <SystemField
          laneIds={lanes.map((lane) => lane.id)}
          system={texts[0] ?? ''}
          role={firstLane?.setup.systemRole}
        />
      </div>
    );
  }
  return (
    <div className="system-band band-split border-b border-line bg-bench" data-empty={isEmpty || undefined}>
      {lanes.map((lane, index) => (
        <SystemField
          key={lane.id}
          laneIds={[lane.id]}
          system={lane.setup.system}
          role={lane.setup.systemRole}
          letter={getLaneLetter(index)}
        />
      ))}
    </div>
  );
}

function SystemField({
  laneIds,
  system,
  role,
  letter,
}: {
  laneIds: readonly LaneId[];
  system: string;
  role: Setup['systemRole'];
  letter?: string;
}) {
  const { actions } = usePlayground();
  const isSent = system.trim() !== '';
  // In a short window, a button in the lane header opens the system prompt.
  const isLowWindow = useMediaQuery('(width >= 600px) and (height < 800px)');
  return (
    <div
      className={clsx(bandLook, 'max-phone:py-0', letter === undefined && 'border-b')}
      {...(isSent ? { role: 'article', 'aria-label': 'System message' } : {})}
    >
      <div className="lane-column max-phone:grid-cols-[56px_minmax(0,1fr)]">
        <span className="max-phone:pt-2.75">
          {letter === undefined ? 'System' : <LaneTile letter={letter} />}
        </span>
        <div className="flex min-w-0 items-start gap-2 max-phone:flex-col max-phone:gap-0">
          <TextArea
            aria-label={letter === undefined ? 'System prompt' : `System prompt, lane ${letter}`}
            className={systemFieldLook}
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
      </div>
    </div>
  );
}

const systemRoles: readonly SelectOption<'system' | 'developer'>[] = [
  { value: 'system', label: 'system' },
  { value: 'developer', label: 'developer', note: 'newer models' },
];
