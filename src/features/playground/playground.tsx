import { clsx } from 'clsx';
import { useState, type ReactNode, type SyntheticEvent } from 'react';

import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import {
  useInspector,
  useSession,
  useSessionServices,
  useSessionState,
  useView,
  useViewShallow,
} from '../../state/contexts.tsx';
import { getInspectedTurn } from '../../state/runs/inspector-store.ts';
import { SectionBoundary } from '../../ui/display/boundary.tsx';
import { lazyComponent, Loading } from '../../ui/hooks/lazy-component.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { Composer } from '../composer/composer.tsx';
import { Conversation } from '../conversation/conversation.tsx';
import { computeLaneColumns } from '../lanes/lane-columns.ts';
import { LaneHeader } from '../lanes/lane-header.tsx';
import { useLaneViewport } from '../lanes/use-lane-viewport.ts';
import { SidebarFrame } from '../parameters/sidebar-frame.tsx';
import { SessionBar } from '../session/session-bar.tsx';
import { OnlyLaneContext } from '../workspace/only-lane-context.ts';
import { useFrameDelayedValue } from '../workspace/use-frame-delayed-value.ts';
import { useParametersOpen } from '../workspace/use-parameters-open.ts';
import { DifferencesStrip } from './differences-strip.tsx';

import './playground.css';

const LaneFooter = lazyComponent(
  ({ index }) => `The footer of lane ${getLaneLetter(index)}`,
  async () => (await import('../conversation/conversation-rows.tsx')).LaneFooter,
);
const EmptyLaneFooter = lazyComponent(
  ({ index }) => `The footer of lane ${getLaneLetter(index)}`,
  async () => (await import('../lanes/empty-lane-footer.tsx')).EmptyLaneFooter,
  { fallback: null },
);
const RunAnnouncer = lazyComponent(
  'The announcements',
  async () => (await import('../conversation/conversation-rows.tsx')).RunAnnouncer,
  { fallback: null },
);

const LaneDividers = lazyComponent(
  'The lane dividers',
  async () => (await import('../lanes/lane-dividers.tsx')).LaneDividers,
  { fallback: null, loadTiming: 'first' },
);
const Inspector = lazyComponent(
  'The inspector',
  async () => (await import('../inspector/inspector.tsx')).Inspector,
  {
    fallback: (
      <aside
        className="w-[clamp(520px,100vw-414px,866px)] flex-none border-l border-line-2 bg-raised max-tablet:absolute max-tablet:inset-[0_0_0_auto] max-tablet:z-5 max-tablet:w-[min(866px,calc(100vw-56px))] max-tablet:shadow-e-2 max-phone:hidden print:hidden"
        aria-busy
      >
        <Loading />
      </aside>
    ),
  },
);
const MissingSession = lazyComponent(
  'The session page',
  async () => (await import('./missing-session.tsx')).MissingSession,
  { loadTiming: 'on demand' },
);
const Parameters = lazyComponent(
  'The parameters',
  async () => (await import('../parameters/parameters.tsx')).Parameters,
  {
    // Reserves the space of the sidebar, so that nothing moves when the sidebar loads.
    fallback: (
      <SidebarFrame className="max-tablet:hidden" aria-busy>
        <Loading />
      </SidebarFrame>
    ),
    loadTiming: 'first',
  },
);
const Phone = lazyComponent('The lanes', async () => (await import('./phone.tsx')).Phone, {
  // Reserves the space of the tabs.
  fallback: ({ laneIds }) =>
    laneIds.length > 1 && <div className="h-[45px] flex-none border-b border-line-2 bg-bench" aria-busy />,
});
const ReplayOverlay = lazyComponent(
  'The replay',
  async () => (await import('../replay/replay-overlay.tsx')).ReplayOverlay,
);

/** Workspace: one conversation across its lanes, with the composer below and the parameters on the right. */
export function PlaygroundScreen() {
  const missingId = useSessionState((state) => state.missingId);
  const laneIds = useSession((data) => data.session.laneIds);
  const sessionId = useSession((data) => data.session.id);
  const hasTurns = useFrameDelayedValue(useSession((data) => Object.keys(data.turns).length > 0));
  const isInspecting = useInspector((state) => state.isOpen);
  const laneId = useInspector((state) => state.laneId);
  const isReplaying = useInspector((state) => state.replay !== undefined);
  const inspectedLaneId = useSession((data) =>
    isInspecting ? getInspectedTurn(data, { laneId }).laneId : undefined,
  );
  const isPhone = useMediaQuery('(width < 600px)');
  const [selectedLaneId, setSelectedLaneId] = useState<LaneId>();
  const { view } = useSessionServices();
  const addedLaneId = useView((state) => state.addedLaneId);
  const [areParametersOpen] = useParametersOpen();
  const widths = useViewShallow(({ fitsLanes, laneWidths, soloLane }) => ({
    fitsLanes,
    laneWidths,
    soloLane,
  }));
  if (missingId !== undefined) {
    return <MissingSession sessionId={missingId} />;
  }
  if (!laneIds || sessionId === undefined) return <main className="min-w-0 flex-1 bg-paper" aria-busy />;
  const addedLaneIndex = laneIds.findIndex((id) => id === addedLaneId);
  const noteFocusedLane = ({ target }: SyntheticEvent) => {
    const letter =
      target instanceof Element ? target.closest<HTMLElement>('[data-lane]')?.dataset['lane'] : undefined;
    const focusedLaneId = laneIds.find((_, index) => getLaneLetter(index) === letter);
    if (focusedLaneId !== undefined) view.setState({ focusedLaneId });
  };
  // Falls back to all lanes if the selected one was removed.
  const phoneLaneId = isPhone ? laneIds.find((id) => id === selectedLaneId) : undefined;
  const isSingleLaneVisible = laneIds.length === 1 || isPhone || inspectedLaneId !== undefined;
  const { columns, width } = isSingleLaneVisible
    ? { columns: 'minmax(0, 1fr)', width: '0px' }
    : computeLaneColumns(laneIds, widths);
  return (
    <div className="print-flow flex min-h-0 min-w-0 flex-1 max-tablet:relative flat:min-h-auto">
      <main
        className="print-flow flex min-h-0 min-w-0 flex-1 flex-col bg-paper [--small-icon:44px] flat:min-h-auto"
        key={sessionId}
        onFocus={noteFocusedLane}
        onPointerDown={noteFocusedLane}
        data-layout={laneIds.length === 1 ? 'one-lane' : 'many-lanes'}
        data-behind-sheet
        data-added-lane={addedLaneIndex < 0 ? undefined : getLaneLetter(addedLaneIndex)}
        onAnimationEnd={({ animationName }) =>
          animationName === 'lane-added' && view.setState({ addedLaneId: undefined })
        }
        data-inspected={
          inspectedLaneId === undefined
            ? undefined
            : getLaneLetter(laneIds.indexOf(inspectedLaneId)).toLowerCase()
        }
      >
        {hasTurns && <RunAnnouncer />}
        <SessionBar />
        {isPhone && <Phone laneIds={laneIds} activeLaneId={phoneLaneId} onShow={setSelectedLaneId} />}
        {!isSingleLaneVisible && <DifferencesStrip />}
        <OnlyLaneContext value={inspectedLaneId ?? phoneLaneId}>
          <LaneFrame laneIds={laneIds}>
            <div
              className={clsx(
                'print-flow relative grid h-full min-w-(--lanes-width) grid-rows-[auto_minmax(0,1fr)_auto]',
                // Two lanes fit side by side; more lanes are reached by scrolling.
                !isSingleLaneVisible &&
                  '@max-[860px]/lanes:min-w-[max(var(--lanes-width),calc(var(--lane-count)*50%))]',
                'flat:h-auto flat:min-h-full flat:grid-rows-[auto_minmax(auto,1fr)_auto]',
              )}
              style={{ '--lane-count': laneIds.length, '--lane-columns': columns, '--lanes-width': width }}
            >
              {/* Headers and metrics are stacking contexts, so that they are not repainted while an answer streams. */}
              <div
                className={clsx(
                  'relative isolate grid grid-cols-(--lane-columns) border-b border-line',
                  laneIds.length > 1 && 'phone:pr-[var(--scroll-bar,0)]',
                  'flat:sticky flat:top-0 flat:z-3 flat:bg-paper',
                  'print:break-after-avoid print:grid-cols-[repeat(auto-fit,minmax(min(100%,200px),1fr))]',
                  'print:[&_button]:hidden',
                )}
                data-region="lane-headers"
              >
                {laneIds.map((laneId, index) => (
                  <SectionBoundary key={laneId} name={`The header of lane ${getLaneLetter(index)}`}>
                    <LaneHeader laneId={laneId} index={index} />
                  </SectionBoundary>
                ))}
                {!isSingleLaneVisible && <LaneDividers laneIds={laneIds} />}
              </div>
              <Conversation />
              <div
                className={clsx(
                  'isolate grid grid-cols-(--lane-columns) border-t border-line bg-paper empty:border-t-0',
                  // Above the metrics, toasts cover no number.
                  'not-empty:[anchor-name:--lane-metrics]',
                  laneIds.length > 1 && 'phone:pr-[var(--scroll-bar,0)]',
                  'print:hidden flat:sticky flat:bottom-11 flat:z-3 [&>p]:px-4 [&>p]:py-1.5',
                )}
              >
                {laneIds.map((laneId, index) => {
                  const Footer = hasTurns ? LaneFooter : EmptyLaneFooter;
                  return <Footer key={laneId} laneId={laneId} index={index} />;
                })}
              </div>
            </div>
          </LaneFrame>
        </OnlyLaneContext>
        <SectionBoundary name="The composer">
          <Composer sessionId={sessionId} />
        </SectionBoundary>
      </main>
      {isInspecting ? <Inspector /> : areParametersOpen && <Parameters />}
      {isReplaying && <ReplayOverlay />}
    </div>
  );
}

/** Horizontal scroller, used if the lanes are wider than the viewport, with a shadow on a side with more lanes. */
function LaneFrame({ laneIds, children }: { laneIds: readonly LaneId[]; children: ReactNode }) {
  return (
    <div
      className={clsx(
        'print-flow relative min-h-0 flex-1 peer-data-all-lanes:hidden flat:grid flat:min-h-auto',
        'before:pointer-events-none before:absolute before:inset-y-0 before:left-0 before:z-4 before:w-7',
        'before:bg-linear-to-r before:from-ink/13 before:opacity-0 data-more-left:before:opacity-100',
        'after:pointer-events-none after:absolute after:inset-y-0 after:right-0 after:z-4 after:w-7',
        'after:bg-linear-to-l after:from-ink/13 after:opacity-0 data-more-right:after:opacity-100',
        'print:before:hidden print:after:hidden',
      )}
    >
      <div
        className="print-flow @container/lanes h-full overflow-x-auto overflow-y-hidden flat:[container-type:normal] flat:h-auto flat:overflow-visible"
        ref={useLaneViewport(laneIds)}
      >
        {children}
      </div>
    </div>
  );
}
