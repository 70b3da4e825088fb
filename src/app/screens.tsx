import type { ComponentType } from 'react';

import { PlaygroundScreen } from '../features/playground/playground.tsx';
import type { Route } from '../state/route.ts';
import { buttonLook } from '../ui/controls/button.tsx';
import { EmptyState, screenLook } from '../ui/display/empty-state.tsx';
import { lazyComponent, Loading } from '../ui/hooks/lazy-component.tsx';
import { answerCommands } from './commands/answer-commands.ts';
import type { Command } from './commands/command.ts';
import { labCommands } from './commands/lab-commands.ts';
import { sessionCommands } from './commands/session-commands.ts';
import { trialCommands } from './commands/trial-commands.ts';
import { voteCommands } from './commands/vote-commands.ts';

/** One screen of the app: all that the app knows of it. */
export interface Screen {
  path: string;
  /** It has pages of its own beneath its path. */
  hasSubpages?: true;
  /** In the browser's tab, and in the navigation where it is a workspace. */
  title: string;
  View: ComponentType;
  /** It has a link in the navigation and a command, which these words and keys find as well. */
  workspace?: Pick<Command, 'id' | 'keywords' | 'keys' | 'bindings'>;
  /** What can be done there. */
  commands: readonly Command[];
}

/** Until the code of a screen is here. It is fetched when someone goes there. */
const lazyScreenOptions = {
  fallback: (
    <main className={screenLook} aria-busy>
      <Loading />
    </main>
  ),
  loadTiming: 'on demand',
} as const;

export const playgroundScreen: Screen = {
  path: '/',
  title: 'Playground',
  View: PlaygroundScreen,
  workspace: { id: 'go-playground' },
  commands: [...answerCommands, ...voteCommands, ...sessionCommands],
};

export const screens: readonly Screen[] = [
  playgroundScreen,
  {
    path: '/trials',
    hasSubpages: true,
    title: 'Trials',
    View: lazyComponent(
      'The trials screen',
      async () => (await import('../features/trials/trials-screen.tsx')).TrialsScreen,
      lazyScreenOptions,
    ),
    workspace: { id: 'go-trials', keywords: 'evaluate cases columns verdict' },
    commands: trialCommands,
  },
  {
    path: '/embeddings',
    title: 'Embeddings',
    View: lazyComponent(
      'The embeddings lab',
      async () => (await import('../features/embeddings/embeddings-screen.tsx')).EmbeddingsScreen,
      lazyScreenOptions,
    ),
    workspace: { id: 'go-embeddings', keywords: 'vectors similarity texts' },
    commands: labCommands,
  },
  {
    path: '/history',
    title: 'History',
    View: lazyComponent(
      'The history screen',
      async () => (await import('../features/history/history-screen.tsx')).HistoryScreen,
      lazyScreenOptions,
    ),
    workspace: {
      id: 'open-history',
      keys: [['Mod', 'Shift', 'H']],
      bindings: ['$mod+Shift+KeyH'],
      keywords: 'sessions search',
    },
    commands: [],
  },
  // Only `npm run dev` has it: the build drops the branch, and the gallery with it.
  ...(import.meta.env.DEV
    ? [
        {
          path: '/gallery',
          title: 'Gallery',
          View: lazyComponent(
            'The gallery',
            async () => (await import('./gallery/gallery.tsx')).Gallery,
            lazyScreenOptions,
          ),
          commands: [],
        },
      ]
    : []),
];

/** An address without a screen of the app. */
function UnknownScreen() {
  return (
    <EmptyState
      title="Page not found"
      texts={['Check the address. Your sessions are safe and listed in History.']}
    >
      <a className={buttonLook({ look: 'ink' })} href="/">
        Open Playground
      </a>
      <a className={buttonLook()} href="/history">
        Open History
      </a>
    </EmptyState>
  );
}

export const notFoundScreen: Screen = {
  path: '',
  title: 'Not found',
  View: UnknownScreen,
  commands: [],
};

/** The screen of a route; undefined where there is none. */
export function findScreen(route: Route): Screen | undefined {
  if (route.screen === 'playground') return playgroundScreen;
  return screens.find(
    ({ path, hasSubpages }) => path === route.path || (hasSubpages && route.path.startsWith(`${path}/`)),
  );
}
