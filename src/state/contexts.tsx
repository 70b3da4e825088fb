/** The only connection between the stores and React: a context per group of services, and hooks for parts of stores. */
import { createContext, use, useMemo, type Context, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';

import { isLive } from '../conversation/reply/run.ts';
import type { Lane, Run, SessionData, Turn } from '../conversation/session/types.ts';
import type { Preset } from '../conversation/setup/presets.ts';
import type { StreamingText } from '../lib/streaming-text.ts';
import type {
  AppServices,
  LibraryServices,
  Playground,
  RunServices,
  SessionServices,
} from './create-playground.ts';
import type { Find } from './find/find-store.ts';
import type { HistoryView } from './find/history-view.ts';
import type { LazyLab } from './lab/lazy-lab.ts';
import type { Notice } from './notices.ts';
import type { Prefs } from './prefs-store.ts';
import type { Route } from './route.ts';
import type { InspectorState } from './runs/inspector-store.ts';
import type { StorageProblem } from './runs/recorder.ts';
import type { QueueState } from './runs/run-queue.ts';
import { getCurrentSession, type SessionState } from './sessions/session-store.ts';
import { hasRunOnlyGrown } from './sessions/throttled-session.ts';
import type { View } from './sessions/view-store.ts';
import type { LazyTrials } from './trials/lazy-trials.ts';

const SessionContext = createContext<SessionServices | undefined>(undefined);
const RunContext = createContext<RunServices | undefined>(undefined);
const LibraryContext = createContext<LibraryServices | undefined>(undefined);
const AppContext = createContext<AppServices | undefined>(undefined);
const LabContext = createContext<LazyLab | undefined>(undefined);
const TrialsContext = createContext<LazyTrials | undefined>(undefined);

export function PlaygroundProvider({
  playground,
  children,
}: {
  playground: Playground;
  children: ReactNode;
}) {
  return (
    <AppContext value={playground}>
      <LibraryContext value={playground}>
        <RunContext value={playground}>
          <SessionContext value={playground}>
            <LabContext value={playground.lazyLab}>
              <TrialsContext value={playground.lazyTrials}>{children}</TrialsContext>
            </LabContext>
          </SessionContext>
        </RunContext>
      </LibraryContext>
    </AppContext>
  );
}

/** Provides the services around it with some of them replaced, such as the session by that of a replay. */
export function ReplacedServices({
  services,
  children,
}: {
  services: Partial<SessionServices & RunServices & AppServices>;
  children: ReactNode;
}) {
  const app = useAppServices();
  const runs = useRunServices();
  const session = useSessionServices();
  const [replacedApp, replacedRuns, replacedSession] = useMemo(
    () => [
      { ...app, ...services },
      { ...runs, ...services },
      { ...session, ...services },
    ],
    [app, runs, session, services],
  );
  return (
    <AppContext value={replacedApp}>
      <RunContext value={replacedRuns}>
        <SessionContext value={replacedSession}>{children}</SessionContext>
      </RunContext>
    </AppContext>
  );
}

function useRequired<T>(context: Context<T | undefined>): T {
  const value = use(context);
  if (value === undefined) throw new Error('A component that needs the playground is outside its provider');
  return value;
}

/** Returns the session on screen and everything that edits it. */
export function useSessionServices(): SessionServices {
  return useRequired(SessionContext);
}

/** Returns the requests in progress and what they have recorded. */
export function useRunServices(): RunServices {
  return useRequired(RunContext);
}

/** Returns the services of the data stored in this browser. */
export function useLibraryServices(): LibraryServices {
  return useRequired(LibraryContext);
}

/** Returns page, preferences, models and gateway. */
export function useAppServices(): AppServices {
  return useRequired(AppContext);
}

export function useLazyLab(): LazyLab {
  return useRequired(LabContext);
}

export function useLazyTrials(): LazyTrials {
  return useRequired(TrialsContext);
}

/**
 * Returns a part of the session state, compared by identity. Streaming runs are slightly delayed
 * (throttled-session.ts), unlike in `useStreamingText`.
 */
export function useSessionState<T>(selector: (state: SessionState) => T): T {
  return useStore(useSessionServices().renderedSession, selector);
}

/** Returns a part of the current session; `undefined` while none is open. */
export function useSession<T>(selector: (data: SessionData) => T): T | undefined {
  return useSessionState((state) => {
    const data = getCurrentSession(state);
    return data && selector(data);
  });
}

/** Like useSession, for selectors that create arrays or objects; results are compared shallowly. */
export function useSessionShallow<T>(selector: (data: SessionData) => T): T | undefined {
  return useSessionState(
    useShallow((state: SessionState) => {
      const data = getCurrentSession(state);
      return data && selector(data);
    }),
  );
}

/** Returns the current session. Streaming text causes no re-render, only the phases of runs do. */
export function useSessionByPhases(): SessionData | undefined {
  const { session: store } = useSessionServices();
  const parts = useSessionShallow(({ session, lanes, prompts, turns, runs }) => [
    session,
    lanes,
    prompts,
    turns,
    ...Object.values(runs).map((run) => run.phase.name),
  ]);
  return useMemo(() => parts && getCurrentSession(store.getState()), [parts, store]);
}

export function useLane(laneId: string): Lane | undefined {
  return useSession((data) => data.lanes[laneId]);
}

export function useTurn(turnId: string): Turn | undefined {
  return useSession((data) => data.turns[turnId]);
}

export function useRun(runId: string | undefined): Run | undefined {
  return useSession((data) => (runId === undefined ? undefined : data.runs[runId]));
}

/**
 * Returns a run for views that ignore growing text: the same object until something else changes. Runs for which
 * `shouldUpdate` returns true are always current.
 */
export function useStableRun(
  runId: string | undefined,
  shouldUpdate: (run: Run) => boolean = neverUpdate,
): Run | undefined {
  const select = useMemo(() => {
    let lastRun: Run | undefined;
    return (data: SessionData) => {
      const run = runId === undefined ? undefined : data.runs[runId];
      if (lastRun === undefined || run === undefined || shouldUpdate(run) || !hasRunOnlyGrown(lastRun, run))
        lastRun = run;
      return lastRun;
    };
  }, [runId, shouldUpdate]);
  return useSession(select);
}

const neverUpdate = () => false;

/** Returns the growing text of one part of a run, for a leaf component that draws it in every frame. */
export function useStreamingText(runId: string, choice: number, part: number): StreamingText {
  const { session } = useSessionServices();
  return useMemo(
    () => ({
      read: () => {
        const run = getCurrentSession(session.getState())?.runs[runId];
        // A replay shows another run with the same ID.
        const streamedPart = run && isLive(run) ? run.choices[choice]?.parts[part] : undefined;
        return streamedPart && 'text' in streamedPart ? streamedPart.text : undefined;
      },
      subscribe: (onGrow) => session.subscribe(onGrow),
    }),
    [session, runId, choice, part],
  );
}

export function usePrefs<T>(selector: (prefs: Prefs) => T): T {
  return useStore(useAppServices().prefs, selector);
}

/** Returns stored facts about models, parsed by `readLearnedAbilities` and `getFirstTokenMs`. */
export function useLearnedRecords(): Readonly<Record<string, unknown>> {
  return useStore(useAppServices().learnedModels.state);
}

export function useView<T>(selector: (view: View) => T): T {
  return useStore(useSessionServices().view, selector);
}

export function useFind<T>(selector: (find: Find) => T): T {
  return useStore(useSessionServices().find, selector);
}

export function useHistoryView<T>(selector: (view: HistoryView) => T): T {
  return useStore(useLibraryServices().historyView, selector);
}

/** Like useView, for selectors that create objects; results are compared shallowly. */
export function useViewShallow<T>(selector: (view: View) => T): T {
  return useStore(useSessionServices().view, useShallow(selector));
}

export function useInspector<T>(selector: (state: InspectorState) => T): T {
  return useStore(useRunServices().inspector, selector);
}

/** Selects from the queue of a gateway, by default of the first one. */
export function useQueue<T>(selector: (state: QueueState) => T, gatewayName?: string): T {
  return useStore(useRunServices().getQueue(gatewayName).state, selector);
}

export function useRoute(): Route {
  return useStore(useAppServices().router.state, (state) => state.route);
}

export function useNotice(): Notice | undefined {
  return useStore(useAppServices().notices, (state) => state.notice);
}

export function usePresets(): readonly Preset[] {
  return useStore(useLibraryServices().presets.state, (state) => state.presets);
}

export function useStorageProblem(): StorageProblem {
  return useStore(useRunServices().recorder.problem);
}
