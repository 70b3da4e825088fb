import { isLive } from '../../conversation/reply/run.ts';
import type { Run, SessionData } from '../../conversation/session/types.ts';
import type { Playground } from '../../state/create-playground.ts';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import type { PageStateStore } from '../page-state.ts';

/** State and effects available to a command. `announce` reaches assistive technology only. */
export interface CommandContext {
  playground: Playground;
  pageState: PageStateStore;
  announce: (sentence: string) => void;
}

/** Something that a person can do with the app, whichever way it is asked for. */
export interface Command {
  id: string;
  /** An order in sentence case, without a full stop. */
  label: string;
  group: 'Session' | 'Answers' | 'Lanes' | 'Screen' | 'Go to' | 'Presets' | 'Embeddings' | 'Trials';
  /** Each inner list is pressed together; `Mod` is Ctrl, on a Mac Cmd. */
  keys?: readonly (readonly string[])[];
  /** The same as tinykeys reads them. */
  bindings?: readonly string[];
  /** A single key, which types where one can type. */
  isSingleKey?: true;
  /** A text field with the focus has a use of its own for the keys. */
  yieldsToFields?: true;
  /** The browser has a use of its own for the keys, where it cannot run. */
  yieldsToBrowser?: true;
  /** Further words that find it. */
  keywords?: string;
  /** What it will do, where its words do not say all of it. */
  getDescription?: (context: CommandContext) => string | undefined;
  /** Why it cannot run now; undefined where it can. */
  getDisabledReason?: (context: CommandContext) => string | undefined;
  run: (context: CommandContext) => void | Promise<void>;
}

/** The session that the playground shows; undefined on other screens, where nothing of it is seen. */
export function getVisibleSession({ playground }: CommandContext): SessionData | undefined {
  const { route } = playground.router.state.getState();
  return route.screen === 'playground' ? getCurrentSession(playground.session.getState()) : undefined;
}

export const notInPlaygroundReason = 'Only in the playground';

/** A command of the open session: blocked on other screens, or for the reason given. */
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
