import type { ComponentType } from 'react';

import { PlaygroundScreen } from '../features/playground/playground.tsx';
import type { Route } from '../state/route.ts';
import { buttonVariants } from '../ui/controls/button.tsx';
import { EmptyState, ScreenMain } from '../ui/display/empty-state.tsx';
import { lazyComponent, Loading } from '../ui/hooks/lazy-component.tsx';
import { answerCommands } from './commands/answer-commands.ts';
import type { Command } from './commands/command.ts';
import { labCommands } from './commands/lab-commands.ts';
import { sessionCommands } from './commands/session-commands.ts';
import { trialCommands } from './commands/trial-commands.ts';
import { voteCommands } from './commands/vote-commands.ts';

/** One screen of the app, with all its properties. */
export interface Screen {
  path: string;
  /** The screen has subpages below its path. */
  hasSubpages?: true;
  /** Title of the browser tab, and of the navigation link of a workspace. */
  title: string;
  View: ComponentType;
  /** Gives the screen a navigation link and a command with these keywords and keys. */
  workspace?: Pick<Command, 'id' | 'keywords' | 'keys' | 'bindings'>;
  /** Commands of this screen. */
  commands: readonly Command[];
}

/** Placeholder while the code of a screen loads on first visit. */
const lazyScreenOptions = {
  fallback: (
    <ScreenMain aria-busy>
      <Loading />
    </ScreenMain>
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
  // Only in `npm run dev`: the build drops this branch together with the gallery.
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

/** Shown for a URL without a screen. */
function UnknownScreen() {
  return (
    <EmptyState
      title="Page not found"
      texts={['Check the address. Your sessions are safe and listed in History.']}
    >
      <a className={buttonVariants({ variant: 'primary' })} href="/">
        Open Playground
      </a>
      <a className={buttonVariants()} href="/history">
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

/** Returns the screen of a route; `undefined` if there is none. */
export function findScreen(route: Route): Screen | undefined {
  if (route.screen === 'playground') return playgroundScreen;
  return screens.find(
    ({ path, hasSubpages }) => path === route.path || (hasSubpages && route.path.startsWith(`${path}/`)),
  );
}
