import type { ReactNode } from 'react';

import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { getInspectedTurn } from '../../state/runs/inspector-store.ts';
import { useInspector, useSession, useSessionState, useViewShallow } from '../../state/use-playground.tsx';
import { SectionBoundary } from '../../ui/display/boundary.tsx';
import { lazyComponent, Loading } from '../../ui/hooks/lazy-component.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { Composer } from './composer/composer.tsx';
import { Conversation } from './conversation/conversation.tsx';
import { DifferencesStrip } from './differences-strip.tsx';
import { computeLaneColumns } from './lane/lane-columns.ts';
import { LaneHeader } from './lane/lane-header.tsx';
import { useLaneViewport } from './lane/use-lane-viewport.ts';
import { SessionBar } from './session-bar/session-bar.tsx';
import { SidebarFrame } from './setup/sidebar-frame.tsx';
import { useFrameDelayedValue } from './use-frame-delayed-value.ts';
import { useParametersOpen } from './use-parameters-open.ts';

import './playground.css';
import './phone/phone.css';

const LaneFooter = lazyComponent(
  ({ index }) => `The footer of lane ${getLaneLetter(index)}`,
  async () => (await import('./conversation/conversation-rows.tsx')).LaneFooter,
);
const RunAnnouncer = lazyComponent(
  'The announcements',
  async () => (await import('./conversation/conversation-rows.tsx')).RunAnnouncer,
  { fallback: null },
);

const LaneDividers = lazyComponent(
  'The lane dividers',
  async () => (await import('./lane/lane-dividers.tsx')).LaneDividers,
  { fallback: null, loadTiming: 'first' },
);
const Inspector = lazyComponent(
  'The inspector',
  async () => (await import('./inspector/inspector.tsx')).Inspector,
  {
    fallback: (
      <aside
        className="w-[clamp(520px,100vw-414px,866px)] border-l border-line-2 bg-raised max-tablet:w-[min(866px,calc(100vw-56px))] max-phone:hidden"
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
  async () => (await import('./parameters.tsx')).Parameters,
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
const Phone = lazyComponent('The lanes', async () => (await import('./phone/phone.tsx')).Phone, {
  // Reserves the space of the tabs.
  fallback: ({ laneIds }) =>
    laneIds.length > 1 && <div className="h-[45px] flex-none border-b border-line-2 bg-bench" aria-busy />,
});
const ReplayOverlay = lazyComponent(
  'The replay',
  async () => (await import('./replay/replay-overlay.tsx')).ReplayOverlay,
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
  const [areParametersOpen] = useParametersOpen();
  const widths = useViewShallow(({ fitsLanes, laneWidths, soloLane }) => ({
    fitsLanes,
    laneWidths,
    soloLane,
  }));
  if (missingId !== undefined) {
    return <MissingSession sessionId={missingId} />;
  }
  if (!laneIds || sessionId === undefined) return <main className="workspace" aria-busy />;
  const isSingleLaneVisible = laneIds.length === 1 || isPhone || inspectedLaneId !== undefined;
  const { columns, width } = isSingleLaneVisible
    ? { columns: 'minmax(0, 1fr)', width: '0px' }
    : computeLaneColumns(laneIds, widths);
  return (
    <div className="workspace-area">
      <main
        className={`workspace [--small-icon:44px] ${laneIds.length === 1 ? 'one-lane' : 'many-lanes'}`}
        key={sessionId}
        data-layout={laneIds.length === 1 ? 'one-lane' : 'many-lanes'}
        data-behind-sheet
        data-inspected={
          inspectedLaneId === undefined
            ? undefined
            : getLaneLetter(laneIds.indexOf(inspectedLaneId)).toLowerCase()
        }
      >
        {hasTurns && <RunAnnouncer />}
        <SessionBar />
        {isPhone && <Phone laneIds={laneIds} />}
        {!isSingleLaneVisible && <DifferencesStrip />}
        <div className="lane-frame">
          <LaneArea laneIds={laneIds}>
            <div
              className="lanes"
              style={{ '--lane-count': laneIds.length, '--lane-columns': columns, '--lanes-width': width }}
            >
              <div className="heads" data-region>
                {laneIds.map((laneId, index) => (
                  <SectionBoundary key={laneId} name={`The header of lane ${getLaneLetter(index)}`}>
                    <LaneHeader laneId={laneId} index={index} />
                  </SectionBoundary>
                ))}
                {!isSingleLaneVisible && <LaneDividers laneIds={laneIds} />}
              </div>
              <Conversation />
              <div className="lane-footers [&>p]:px-4 [&>p]:py-1.5">
                {hasTurns &&
                  laneIds.map((laneId, index) => <LaneFooter key={laneId} laneId={laneId} index={index} />)}
              </div>
            </div>
          </LaneArea>
        </div>
        <SectionBoundary name="The composer">
          <Composer sessionId={sessionId} />
        </SectionBoundary>
      </main>
      {isInspecting ? <Inspector /> : areParametersOpen && <Parameters />}
      {isReplaying && <ReplayOverlay />}
    </div>
  );
}

/** Horizontal scroller, used if the lanes are wider than the viewport. */
function LaneArea({ laneIds, children }: { laneIds: readonly LaneId[]; children: ReactNode }) {
  return (
    <div className="lane-area" ref={useLaneViewport(laneIds)}>
      {children}
    </div>
  );
}
