import { isLive } from '../../conversation/reply/run.ts';
import type { Run, SessionData } from '../../conversation/session/types.ts';
import type {
  AppServices,
  LibraryServices,
  RunServices,
  SessionServices,
} from '../../state/create-playground.ts';
import type { LazyLab } from '../../state/lab/lazy-lab.ts';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import type { LazyTrials } from '../../state/trials/lazy-trials.ts';
import type { PageStateStore } from '../page-state.ts';

/** State and effects available to a command. `announce` reaches screen readers only. */
export interface CommandContext extends SessionServices, RunServices, LibraryServices, AppServices {
  lazyLab: LazyLab;
  lazyTrials: LazyTrials;
  pageState: PageStateStore;
  announce: (sentence: string) => void;
}

/** An action of the user, whether triggered by key, button or palette. */
export interface Command {
  id: string;
  /** An imperative in sentence case without a full stop. */
  label: string;
  group: 'Session' | 'Answers' | 'Lanes' | 'Screen' | 'Go to' | 'Presets' | 'Embeddings' | 'Trials';
  /** Keys of an inner list are pressed together; `Mod` is Ctrl, or Cmd on a Mac. */
  keys?: readonly (readonly string[])[];
  /** Row in the list of shortcuts that stands for this command and similar ones; by default it has its own. */
  sharedShortcut?: { label: string; keys: readonly (readonly string[])[] };
  /** The same keys in the syntax of tinykeys. */
  bindings?: readonly string[];
  /** A single character key, ignored while typing in a field. */
  isSingleKey?: true;
  /** A focused text field uses these keys itself. */
  yieldsToFields?: true;
  /** The keys also work while an overlay is open. */
  worksOverOverlays?: true;
  /** If the command is disabled, the browser handles these keys. */
  yieldsToBrowser?: true;
  /** Additional search words. */
  keywords?: string;
  /** Describes the effect if the label does not cover it. */
  getDescription?: (context: CommandContext) => string | undefined;
  /** Returns why the command is disabled; `undefined` if it can run. */
  getDisabledReason?: (context: CommandContext) => string | undefined;
  run: (context: CommandContext) => void | Promise<void>;
}

/** Returns the session shown in the playground; `undefined` on other screens. */
export function getVisibleSession(context: CommandContext): SessionData | undefined {
  const { route } = context.router.state.getState();
  return route.screen === 'playground' ? getCurrentSession(context.session.getState()) : undefined;
}

export const notInPlaygroundReason = 'Only in the playground';

/** Creates a command for the open session, disabled on other screens or for the given reason. */
export function createSessionCommand(
  command: Omit<Command, 'run' | 'getDisabledReason'> & {
    getBlocker?: (data: SessionData, context: CommandContext) => string | undefined;
    run: (data: SessionData, context: CommandContext) => void | Promise<void>;
  },
): Command {
  const { getBlocker, run, ...rest } = command;
  return {
    ...rest,
    getDisabledReason: (context) => {
      const data = getVisibleSession(context);
      return data ? getBlocker?.(data, context) : notInPlaygroundReason;
    },
    run: (context) => {
      const data = getVisibleSession(context);
      return data && run(data, context);
    },
  };
}

export function getLiveRuns(data: SessionData): Run[] {
  return Object.values(data.runs).filter(isLive);
}
