import { clsx } from 'clsx';
import {
  useMemo,
  useRef,
  useState,
  useEffect,
  type HTMLAttributes,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react';

import { buildRequest } from '../../conversation/request/request.ts';
import { getLaneLetter, getRun } from '../../conversation/session/turn-tree.ts';
import type { LaneId, Run, SessionData, Turn } from '../../conversation/session/types.ts';
import { findInitialEvent, type TraceEvent } from '../../conversation/trace/trace-events.ts';
import { readRequestBody, getEntryTime } from '../../gateway/stream/tape.ts';
import { getHelpLink } from '../../lib/help-link.ts';
import {
  useInspector,
  useSession,
  useRunServices,
  useSessionServices,
  useAppServices,
} from '../../state/contexts.tsx';
import { reportFailure } from '../../state/notices.ts';
import { closeInspector } from '../../state/runs/inspector-actions.ts';
import {
  getInspectedTurn,
  getSiblingRuns,
  type SiblingRun,
  type InspectorState,
  type InspectorTab,
} from '../../state/runs/inspector-store.ts';
import { listOpaqueTapeFields } from '../../state/runs/restore-opaque-fields.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton, iconButtonVariants } from '../../ui/controls/icon-button.tsx';
import { segmentedVariants, segmentVariants } from '../../ui/controls/segmented.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../../ui/controls/tabs.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useReturnFocus } from '../../ui/focus/use-return-focus.ts';
import { X } from '../../ui/icons.tsx';
import { Copy, Play } from '../../ui/late-icons.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { useTape } from '../lanes/trace/use-tape.ts';
import { useRequestRules } from '../models/use-request-rules.ts';
import { saveRecordings, useSessionFileServices } from '../session-files/session-file-actions.ts';
import { inspectorTab, openInspectorButton } from '../workspace/playground-focus-targets.ts';
import { CopyReport } from './copy-report.tsx';
import { EventsTab } from './events/events-tab.tsx';
import { Timeline } from './events/timeline.tsx';
import { HiddenNames, useHiddenNames } from './hidden-names.tsx';
import { PanelEmptyState } from './panel-layout.tsx';
import { RequestTab } from './request-tab.tsx';
import { ResponseTab } from './response-tab.tsx';

/** Requests, responses and events of one answer, beside the conversation. */
export function Inspector() {
  const { inspector } = useRunServices();
  const { restoreOpaqueFields } = useSessionServices();
  const tab = useInspector((state) => state.tab);
  const chosenLaneId = useInspector((state) => state.laneId);
  const chosenTurnId = useInspector((state) => state.turnId);
  const data = useSession((session) => session);
  const drawer = useRef<HTMLElement>(null);
  useInspectorFocus(drawer);
  const resizeHandleProps = useDrawerResizeHandle(drawer);
  const requestRules = useRequestRules();
  if (!data) return null;
  const { laneId, turn } = getInspectedTurn(data, { laneId: chosenLaneId, turnId: chosenTurnId });
  const run = getRun(data, turn);
  const letter = getLaneLetter(Math.max(0, data.session.laneIds.indexOf(laneId)));
  const requestId = run?.returnedRequestId ?? run?.requestId;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      return closeInspector(inspector);
    }
    // On the tabs, Up and Down move the focus to the event list.
    const list = drawer.current?.querySelector<HTMLElement>('[role=treegrid]');
    if (!list || !/^Arrow(?:Up|Down)$/.test(event.key) || !isTab(event.target)) return;
    event.preventDefault();
    list.focus();
    list.dispatchEvent(new window.KeyboardEvent('keydown', { key: event.key, bubbles: true }));
  };
  return (
    <Tabs
      value={tab}
      onValueChange={(next: InspectorTab) => inspector.setState({ tab: next })}
      render={
        <aside
          className={clsx(
            `lane-${letter.toLowerCase()}`,
            '@container relative z-1 flex min-h-0 w-[var(--drawer,clamp(520px,100vw-414px,866px))] min-w-0 flex-none flex-col',
            'print:hidden flat:sticky flat:top-0 flat:h-dvh flat:self-start flat:max-tablet:fixed',
            'border-l border-line-2 bg-raised shadow-e-2 max-tablet:w-[min(var(--drawer,866px),calc(100vw-56px))]',
            'max-phone:fixed max-phone:inset-0 max-phone:z-20 max-phone:w-screen max-phone:border-0',
          )}
          aria-label="Inspector"
          data-region="inspector"
          data-help={getHelpLink('Bench', 'Inspect an answer')}
          ref={drawer}
          onKeyDown={onKeyDown}
        />
      }
    >
      {/* The handle over the edge of the drawer, with a line on hover. */}
      <div
        className={clsx(
          'absolute inset-y-0 -left-1 z-2 w-2 cursor-ew-resize touch-none -outline-offset-3 max-phone:hidden',
          'hover:before:absolute hover:before:inset-y-0 hover:before:left-0.75 hover:before:w-0.5 hover:before:bg-edge',
        )}
        {...resizeHandleProps}
      />
      <header
        className={clsx(
          'flex h-11 min-w-0 flex-none items-center gap-2 border-b border-line pr-3 pl-5',
          'max-phone:h-auto max-phone:flex-wrap max-phone:pt-1.5 max-phone:pr-2 max-phone:pb-2 max-phone:pl-3.5',
        )}
      >
        <h2 className="font-sans text-[14px] leading-5 font-600">Inspector</h2>
        <LaneTile letter={letter} />
        {requestId !== undefined && (
          <span className="ml-1 inline-flex min-w-0 items-center gap-1 font-mono text-mono-11 whitespace-nowrap text-ink-3 @max-[700px]:hidden">
            <span className="max-w-52.5 truncate">{requestId}</span>
            <IconButton label="Copy request ID" size="small" onClick={() => void copyText(requestId)}>
              <Copy className="icon-14" aria-hidden />
            </IconButton>
          </span>
        )}
        <span className="min-w-0 flex-1" />
        {turn && run && <RecordingActions data={data} turn={turn} run={run} />}
        <InspectorTabs tab={tab} />
        <IconButton label="Close inspector" shortcut="Esc" onClick={() => closeInspector(inspector)}>
          <X className="icon-16" aria-hidden />
        </IconButton>
      </header>
      {run && turn ? (
        <InspectedRun
          key={run.id}
          run={run}
          tab={tab}
          siblingRuns={getSiblingRuns(data, turn).filter((sibling) => sibling.laneId !== laneId)}
          laneIds={data.session.laneIds}
          buildUnsentRequest={() => buildRequest(data, run.setup, turn.id, requestRules)}
          onSendFields={() => void restoreOpaqueFields(turn.id)}
        />
      ) : (
        <UnsentLane data={data} laneId={laneId} tab={tab} />
      )}
    </Tabs>
  );
}

function isTab(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.role === 'tab';
}

/** Buttons that copy a report, and replay and save the recording. */
function RecordingActions({ data, turn, run }: { data: SessionData; turn: Turn; run: Run }) {
  const fileServices = useSessionFileServices();
  const { inspector } = useRunServices();
  const { notices } = useAppServices();
  const siblingTurnIds = getSiblingRuns(data, turn).map(({ turnId }) => turnId);
  return (
    <>
      <CopyReport run={run} isIcon />
      <Button size="small" onClick={() => inspector.setState({ replay: [turn.id] })}>
        <Play className="icon-14" aria-hidden />
        Replay
      </Button>
      <Menu
        label="Recording"
        className={iconButtonVariants({ size: 'small' })}
        items={[
          ...(siblingTurnIds.length > 1
            ? [
                {
                  label: `Replay this turn in ${siblingTurnIds.length} lanes`,
                  onPick: () => inspector.setState({ replay: siblingTurnIds }),
                },
              ]
            : []),
          {
            label: 'Save this recording',
            hint: 'JSON Lines',
            onPick: () => reportFailure(notices, saveRecordings(fileServices, data.session.id, [turn.id])),
          },
          ...(siblingTurnIds.length > 1
            ? [
                {
                  label: 'Save the recordings of this turn',
                  onPick: () =>
                    reportFailure(notices, saveRecordings(fileServices, data.session.id, siblingTurnIds)),
                },
              ]
            : []),
          {
            label: 'Save all recordings of this session',
            onPick: () => reportFailure(notices, saveRecordings(fileServices, data.session.id)),
          },
        ]}
      />
    </>
  );
}

interface InspectedRunProps {
  run: Run;
  tab: InspectorTab;
  /** Answers of other lanes to the same prompt. */
  siblingRuns: readonly SiblingRun[];
  laneIds: readonly LaneId[];
  buildUnsentRequest: () => ReturnType<typeof buildRequest>;
  onSendFields: () => void;
}

function InspectedRun({
  run,
  tab,
  siblingRuns,
  laneIds,
  buildUnsentRequest,
  onSendFields,
}: InspectedRunProps) {
  const { inspector } = useRunServices();
  const selectedEvent = useInspector((state) => state.selectedEvent);
  const [areNamesHidden, showNames] = useHiddenNames();
  const feed = useTape(run);
  const { count, isLoaded } = feed.state.getState();
  const list = feed.getTraceList();
  // The list grows in place, so its length is the dependency.
  const event = useMemo(
    () => (count > 0 ? findSelectedEvent(list.events, selectedEvent, run) : undefined),
    [list, count, selectedEvent, run],
  );
  const requestEntry = feed.entries[0];
  const responseEntry = feed.entries.find((entry) => 'status' in entry);
  const isEmpty = isLoaded && count === 0;
  const opaqueTapeFields = useMemo(
    () => (tab === 'request' && isLoaded && count > 0 ? listOpaqueTapeFields(run, feed.entries) : []),
    [tab, isLoaded, count, run, feed.entries],
  );
  return (
    <>
      <Timeline
        run={run}
        ticks={list.ticks}
        count={count}
        headersMs={responseEntry && getEntryTime(responseEntry)}
        siblingRuns={siblingRuns}
        laneIds={laneIds}
        selectedMs={tab === 'events' ? event?.atMs : undefined}
        onPick={(atMs) => inspector.setState({ selectedEvent: { atMs }, tab: 'events' })}
      />
      <TabPanel value={tab} className="grid min-h-0 min-w-0 flex-1">
        {isEmpty && (
          <PanelEmptyState>No recording of this answer. Answers are recorded as they stream.</PanelEmptyState>
        )}
        {areNamesHidden && tab !== 'response' && !(isEmpty && tab === 'events') && (
          <HiddenNames onShow={showNames} />
        )}
        {tab === 'events' && !isEmpty && !areNamesHidden && <EventsTab run={run} feed={feed} event={event} />}
        {tab === 'request' && !areNamesHidden && (
          <RequestTab
            body={
              requestEntry && 'request' in requestEntry ? readRequestBody(requestEntry) : buildUnsentRequest()
            }
            requestId={run.requestId}
            gatewayName={run.setup.gateway}
            opaqueTapeFields={opaqueTapeFields}
            onSendFields={onSendFields}
          />
        )}
        {tab === 'response' && !isEmpty && (
          <ResponseTab run={run} feed={feed} areNamesHidden={areNamesHidden} onShowNames={showNames} />
        )}
      </TabPanel>
    </>
  );
}

/**
 * Returns the event with the selected number or the last event before the selected time. Without a selection, the
 * error of a failed answer or the first event.
 */
function findSelectedEvent(
  events: readonly TraceEvent[],
  selection: InspectorState['selectedEvent'],
  run: Run,
): TraceEvent | undefined {
  if (!selection) return findInitialEvent(events, run);
  if ('number' in selection) return events[selection.number - 1] ?? events[0];
  return events.findLast(({ atMs }) => atMs <= selection.atMs) ?? events[0];
}

interface UnsentLaneProps {
  data: SessionData;
  laneId: string;
  tab: InspectorTab;
}

/** Inspector for a lane without messages. */
export function UnsentLane({ data, laneId, tab }: UnsentLaneProps) {
  const lane = data.lanes[laneId];
  const requestRules = useRequestRules();
  const [areNamesHidden, showNames] = useHiddenNames();
  return (
    <TabPanel value={tab} className="grid min-h-0 min-w-0 flex-1 grid-rows-[auto_minmax(0,1fr)]">
      <PanelEmptyState>
        {tab === 'request'
          ? 'No request sent in this lane yet. Your first message will be added to this body.'
          : 'No request sent in this lane yet. Send a message to see its events here.'}
      </PanelEmptyState>
      {tab === 'request' && areNamesHidden && <HiddenNames onShow={showNames} />}
      {tab === 'request' && lane && !areNamesHidden && (
        <RequestTab
          body={buildRequest(data, lane.setup, lane.tip, requestRules)}
          requestId={undefined}
          gatewayName={lane.setup.gateway}
        />
      )}
    </TabPanel>
  );
}

const inspectorTabs: readonly { value: InspectorTab; label: string }[] = [
  { value: 'events', label: 'Events' },
  { value: 'request', label: 'Request and code' },
  { value: 'response', label: 'Response' },
];

function InspectorTabs({ tab }: { tab: InspectorTab }) {
  return (
    <TabList className={clsx(segmentedVariants(), 'max-phone:order-9 max-phone:w-full')} aria-label="Views">
      {inspectorTabs.map(({ value, label }) => (
        <Tab
          key={value}
          value={value}
          className={segmentVariants()}
          {...(value === tab ? inspectorTab.attributes : {})}
        >
          {label}
        </Tab>
      ))}
    </TabList>
  );
}

const minWidthPx = 520;
const stepPx = 32;
/** Minimum width of the conversation beside the drawer, in px. */
const minConversationPx = 320;

/** Returns the props of a handle that resizes the drawer by pointer and arrow keys. */
function useDrawerResizeHandle(drawer: RefObject<HTMLElement | null>): HTMLAttributes<HTMLDivElement> {
  const [width, setWidth] = useState<number>();
  const getMaxWidth = () => Math.max(minWidthPx, window.innerWidth - minConversationPx);
  const resize = (px: number) => {
    const nextWidth = Math.round(Math.max(minWidthPx, Math.min(getMaxWidth(), px)));
    drawer.current?.style.setProperty('--drawer', `${nextWidth}px`);
    setWidth(nextWidth);
  };
  const getWidth = () => drawer.current?.getBoundingClientRect().width ?? minWidthPx;
  return {
    role: 'separator',
    tabIndex: 0,
    'aria-label': 'Inspector width',
    'aria-orientation': 'vertical',
    'aria-valuemin': minWidthPx,
    'aria-valuemax': getMaxWidth(),
    'aria-valuenow': Math.min(getMaxWidth(), width ?? 866),
    onPointerDown: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      event.preventDefault();
    },
    onPointerMove: (event: PointerEvent) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(window.innerWidth - event.clientX);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = { ArrowLeft: stepPx, ArrowRight: -stepPx }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      resize(getWidth() + step);
    },
  };
}

/** Moves the focus into the inspector when it opens, and back when it closes with the focus inside. */
function useInspectorFocus(drawer: RefObject<HTMLElement | null>): void {
  useReturnFocus(drawer, openInspectorButton);
  // Waits a frame, until the tabs know their positions: none becomes a tab stop while one of them has the focus.
  useEffect(() => {
    const frame = requestAnimationFrame(() => inspectorTab.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
}
