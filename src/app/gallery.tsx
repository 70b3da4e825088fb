import { useMemo, useState, type ReactNode } from 'react';
import { createStore } from 'zustand/vanilla';

import { newSession } from '../conversation/edit.ts';
import { firstParams, type Params } from '../conversation/params.ts';
import type { SessionData } from '../conversation/types.ts';
import { GatewayDetails } from '../features/health/gateway-details.tsx';
import type { Health } from '../features/health/use-health.ts';
import { EmptyConversation } from '../features/playground/lane/empty-conversation.tsx';
import { LaneFooter } from '../features/playground/lane/lane-footer.tsx';
import { LaneHeader } from '../features/playground/lane/lane-header.tsx';
import { TurnView } from '../features/playground/lane/turn-view.tsx';
import { ParameterSidebar } from '../features/playground/setup/parameter-sidebar.tsx';
import type { Playground } from '../state/playground.ts';
import { PlaygroundProvider, usePlayground } from '../state/react.tsx';
import type { SessionState } from '../state/session-store.ts';
import { OfflineBanner } from './banners.tsx';
import { laneStates, type LaneState } from './gallery-states.ts';

import '../features/playground/playground.css';
import '../features/playground/phone/phone.css';
import './gallery.css';

/** Every state of design.md §10 beside each other, drawn by the app's own parts. Nothing links here; a test walks it. */
export function Gallery() {
  const { environment } = usePlayground();
  const states = useMemo(() => laneStates(environment), [environment]);
  const empty = useMemo(
    () => newSession(environment, [{ model: 'demo/guide', system: '', params: firstParams }]),
    [environment],
  );
  return (
    <main className="screen gallery">
      <h1>States and details</h1>
      <div className="tiles">
        <Tile title="Empty" remark="first visit, no history">
          <Fixed data={empty}>
            <EmptyConversation />
          </Fixed>
        </Tile>
        <Tile title="No key" remark="demo gateway answers">
          <GatewayDetails {...demoHealth} />
        </Tile>
        <Tile title="Key rejected" remark="what the badge says">
          <GatewayDetails {...rejectedHealth} />
        </Tile>
        {states.map((state) => (
          <Tile key={state.title} title={state.title} remark={state.remark}>
            <Lane state={state} />
          </Tile>
        ))}
        <Tile title="Offline" remark="the browser has no network">
          <OfflineBanner />
        </Tile>
        <Tile title="Parameter rows" remark="unset, set, at default, wrong, differs">
          <Rows />
        </Tile>
      </div>
    </main>
  );
}

function Tile({ title, remark, children }: { title: string; remark: string; children: ReactNode }) {
  return (
    <section className="tile" aria-label={title}>
      <h2>
        {title} <small>{remark}</small>
      </h2>
      <div className="tile-b">{children}</div>
    </section>
  );
}

/** The app around one session that is not stored, and whose requests go nowhere. */
function Fixed({ data, state, children }: { data: SessionData; state?: LaneState; children: ReactNode }) {
  const playground = usePlayground();
  const [fixed] = useState(() => fixedPlayground(playground, data, state));
  return <PlaygroundProvider playground={fixed}>{children}</PlaygroundProvider>;
}

function fixedPlayground(
  playground: Playground,
  data: SessionData,
  state: LaneState | undefined,
): Playground {
  const session = createStore<SessionState>(() => ({
    currentId: data.session.id,
    open: { [data.session.id]: data },
    unreadable: [],
  }));
  const { queue, environment } = playground;
  const nextStartAt = state?.startsInMs === undefined ? undefined : environment.now() + state.startsInMs;
  return {
    ...playground,
    session,
    shownSession: session,
    queue: {
      ...queue,
      limit: () => 50,
      state: createStore(() => ({ sentAt: [], waiting: Object.keys(data.runs), open: 0, nextStartAt })),
    },
    traces: { push: () => undefined, of: () => state?.ticks },
  };
}

function Lane({ state }: { state: LaneState }) {
  const { data } = state;
  const laneId = data.session.laneIds[0] ?? '';
  const turnId = data.lanes[laneId]?.tip ?? '';
  return (
    <Fixed data={data} state={state}>
      <div className="workspace one-lane">
        <div className="heads">
          <LaneHeader laneId={laneId} index={0} />
        </div>
        <div className="turn">
          <TurnView turnId={turnId} laneIndex={0} number={1} />
        </div>
        <div className="feet">
          <LaneFooter laneId={laneId} index={0} />
        </div>
      </div>
    </Fixed>
  );
}

function Rows() {
  const set = (texts: Record<string, string>): Params => ({
    ...firstParams,
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { sent: true, text }])),
  });
  const [params, setParams] = useState(() =>
    set({ temperature: '0.2', top_p: '0.7', thinking_budget: '64' }),
  );
  const lanes = [
    { letter: 'A', params },
    { letter: 'B', params: set({ temperature: '0.7', top_p: '0.7', thinking_budget: '64' }) },
  ];
  return (
    <ParameterSidebar
      params={params}
      onChange={setParams}
      onClose={() => undefined}
      model="orrery/sextant-70b-think"
      lanes={lanes}
      inScope={['A', 'B']}
    />
  );
}

const reading = { status: 200, latencyMs: 84, body: '{"status":"ok"}', ok: true, noRoute: false, at: 0 };
const status = {
  name: 'gateway',
  host: '',
  keyConfigured: true,
  requestsPerMinute: 50,
  version: '1.0.0',
  demo: false,
};
const demoHealth: Health = {
  badge: { text: 'Demo gateway' },
  last: reading,
  status: { ...status, demo: true, keyConfigured: false },
  isChecking: false,
  checkNow: () => undefined,
};
const rejectedHealth: Health = {
  badge: { text: 'Key rejected' },
  last: { ...reading, status: 401, ok: false },
  status: { ...status, host: 'gateway.example' },
  isChecking: false,
  checkNow: () => undefined,
};
