import { useMemo, useState, type ReactNode } from 'react';
import { createStore } from 'zustand/vanilla';

import { createEmptySession } from '../../conversation/session/edit-session.ts';
import type { SessionData } from '../../conversation/session/types.ts';
import { defaultParams, type Params } from '../../conversation/setup/params.ts';
import { EmptyConversation } from '../../features/conversation/empty-conversation.tsx';
import { PromptBand } from '../../features/conversation/message/prompt-band.tsx';
import { TurnView } from '../../features/conversation/reply/turn-view.tsx';
import { GatewayDetails } from '../../features/health/gateway-details.tsx';
import type { Health } from '../../features/health/use-health.ts';
import { LaneFooter } from '../../features/lanes/lane-footer.tsx';
import { LaneHeader } from '../../features/lanes/lane-header.tsx';
import { ParameterSidebar } from '../../features/parameters/parameter-sidebar.tsx';
import { ReplacedServices, useAppServices, useRunServices } from '../../state/contexts.tsx';
import type { AppServices, RunServices, SessionServices } from '../../state/create-playground.ts';
import type { SessionState } from '../../state/sessions/session-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { Copy } from '../../ui/late-icons.tsx';
import { OfflineBanner } from '../banners.tsx';
import { RefreshingModels, RemovedModel } from './gallery-models.tsx';
import { createBranchedSession, createLaneStates, type LaneState } from './gallery-states.ts';

import '../../features/playground/playground.css';
import './gallery.css';

/** Shows every lane state side by side, rendered by the app's own components. Not linked anywhere; a test opens it. */
export function Gallery() {
  const { environment } = useAppServices();
  const laneStates = useMemo(() => createLaneStates(environment), [environment]);
  const emptySession = useMemo(
    () => createEmptySession(environment, [{ model: 'demo/guide', system: '', params: defaultParams }]),
    [environment],
  );
  const branchedSession = useMemo(() => createBranchedSession(environment), [environment]);
  return (
    <main className="min-h-0 overflow-y-auto overscroll-contain bg-bench p-5">
      <h1 className="pb-4 text-22">States and details</h1>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(440px,100%),1fr))] items-start gap-4">
        <Tile title="Empty" remark="first visit, no history">
          <StaticSession data={emptySession}>
            <EmptyConversation />
          </StaticSession>
        </Tile>
        <Tile title="No key" remark="demo gateway in use">
          <GatewayDetails {...demoHealth} onCheck={() => undefined} />
        </Tile>
        <Tile title="Key rejected" remark="details of the health badge">
          <GatewayDetails {...rejectedHealth} onCheck={() => undefined} />
        </Tile>
        <Tile title="Model picker" remark="a new list is loading">
          <RefreshingModels />
        </Tile>
        <Tile title="Unlisted model" remark="used before, no longer listed">
          <RemovedModel index={laneStates.length} />
        </Tile>
        {laneStates.map((state, index) => (
          <Tile key={state.title} title={state.title} remark={state.description}>
            <Lane state={state} index={index} />
          </Tile>
        ))}
        <Tile title="Offline" remark="the browser has no network">
          <OfflineBanner />
        </Tile>
        <Tile title="Parameter rows" remark="not sent, set, default, invalid, different">
          <SampleParameters />
        </Tile>
        <Tile title="Branches" remark="edit, branch, regenerate">
          <StaticSession data={branchedSession}>
            <Versions data={branchedSession} />
          </StaticSession>
        </Tile>
        <Tile title="Focus" remark="2 px ink ring: press Tab">
          <FocusableControls />
        </Tile>
      </div>
    </main>
  );
}

function Tile({ title, remark, children }: { title: string; remark: string; children: ReactNode }) {
  return (
    <section
      className="gallery-tile min-w-0 overflow-hidden rounded-3 border border-line-2 bg-paper"
      aria-label={title}
    >
      <h2 className="border-b border-line bg-bench px-3.5 py-1.75 text-13 font-600">
        {title} <small className="ml-1.5 text-12 text-ink-3">{remark}</small>
      </h2>
      <div className="gallery-part">{children}</div>
    </section>
  );
}

/** Renders the app around a session that is not stored and sends no requests. */
function StaticSession({
  data,
  state,
  children,
}: {
  data: SessionData;
  state?: LaneState;
  children: ReactNode;
}) {
  const { getQueue } = useRunServices();
  const { environment } = useAppServices();
  const [services] = useState(() => createStaticServices({ getQueue, environment }, data, state));
  return <ReplacedServices services={services}>{children}</ReplacedServices>;
}

function createStaticServices(
  { getQueue, environment }: Pick<RunServices, 'getQueue'> & Pick<AppServices, 'environment'>,
  data: SessionData,
  state: LaneState | undefined,
): Partial<SessionServices & RunServices> {
  const session = createStore<SessionState>(() => ({
    currentId: data.session.id,
    open: { [data.session.id]: data },
    unreadable: [],
  }));
  const nextStartAt = state?.startsInMs === undefined ? undefined : environment.now() + state.startsInMs;
  const queue = {
    ...getQueue(),
    getLimit: () => 50,
    state: createStore(() => ({ sentAt: [], waiting: Object.keys(data.runs), inFlight: 0, nextStartAt })),
  };
  return {
    session,
    renderedSession: session,
    getQueue: () => queue,
    traces: { push: () => undefined, get: () => state?.ticks },
  };
}

/** Each letter is used once, so that regions have unique names. */
function Lane({ state, index }: { state: LaneState; index: number }) {
  const { data } = state;
  const laneId = data.session.laneIds[0] ?? '';
  const turnId = data.lanes[laneId]?.tip ?? '';
  return (
    <StaticSession data={data} state={state}>
      <div className="bg-paper" data-layout="one-lane">
        <div className="isolate grid border-b border-line">
          <LaneHeader laneId={laneId} index={index} />
        </div>
        <div className="grid">
          <TurnView turnId={turnId} laneIndex={index} turnNumber={1} />
        </div>
        <div className="isolate grid border-t border-line bg-paper">
          <LaneFooter laneId={laneId} index={index} />
        </div>
      </div>
    </StaticSession>
  );
}

/** Shows the prompt of the only lane with its versions. */
function Versions({ data }: { data: SessionData }) {
  const turn = data.turns[data.lanes[data.session.laneIds[0] ?? '']?.tip ?? ''];
  if (!turn) return null;
  return (
    <div className="bg-paper" data-layout="one-lane">
      <PromptBand promptId={turn.promptId} turnIds={[turn.id]} isLatest />
    </div>
  );
}

/** Shows one of each focusable control. */
function FocusableControls() {
  const [text, setText] = useState('0.7');
  const [isSent, setIsSent] = useState(true);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button>Retry lane C</Button>
      <IconButton label="Copy the answer">
        <Copy className="icon-14" aria-hidden />
      </IconButton>
      <NumberField
        label="A number"
        text={text}
        onChange={setText}
        onUnset={() => setText('')}
        startText="0.7"
        step={0.1}
        min={0}
        max={2}
      />
      <Checkbox label="Send a number" checked={isSent} onChange={setIsSent} />
      <Button variant="primary" size="big">
        Run <kbd>Enter</kbd>
      </Button>
    </div>
  );
}

function SampleParameters() {
  const createParams = (texts: Record<string, string>): Params => ({
    ...defaultParams,
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { sent: true, text }])),
  });
  const [params, setParams] = useState(() =>
    createParams({ temperature: '0.2', top_p: '0.7', thinking_budget: '64' }),
  );
  const lanes = [
    { letter: 'A', params },
    { letter: 'B', params: createParams({ temperature: '0.7', top_p: '0.7', thinking_budget: '64' }) },
  ];
  return (
    <ParameterSidebar
      params={params}
      onEdit={setParams}
      onReset={() => setParams(defaultParams)}
      onClose={() => undefined}
      model="orrery/sextant-70b-think"
      lanes={lanes}
      scopeLetters={['A', 'B']}
    />
  );
}

const healthReading = {
  status: 200,
  latencyMs: 84,
  body: '{"status":"ok"}',
  ok: true,
  hasNoRoute: false,
  checkedAt: 0,
  gatewayId: '',
};
const gatewayStatus = {
  id: '',
  name: 'default',
  label: 'gateway.example',
  host: '',
  address: '',
  keyConfigured: true,
  requestsPerMinute: 50,
  demo: false,
};
const demoHealth: Health = {
  badge: { text: 'Demo gateway' },
  lastReading: healthReading,
  status: { ...gatewayStatus, demo: true, keyConfigured: false },
  isChecking: false,
  checkNow: () => undefined,
};
const rejectedHealth: Health = {
  badge: { text: 'Key rejected' },
  lastReading: { ...healthReading, status: 401, ok: false },
  status: { ...gatewayStatus, host: 'gateway.example' },
  isChecking: false,
  checkNow: () => undefined,
};
