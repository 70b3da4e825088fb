import { mostLanes } from '../conversation/lanes.ts';
/** Every command of the app: the key bindings, the sheet of keys and the command field are made from this table. */
import { isLive, textOf } from '../conversation/run.ts';
import type { Run, SessionData, Turn } from '../conversation/types.ts';
import { toggleParameters } from '../features/playground/use-parameters-open.ts';
import { plural } from '../lib/format.ts';
import type { Theme } from '../state/prefs-store.ts';
import { copyText } from '../ui/copy-text.ts';
import { shownData, type Command, type CommandContext } from './command.ts';
import { labCommands } from './lab-commands.ts';
import { focusNextRegion } from './regions.ts';

const notInPlayground = 'Only in the playground';

/** A command of the open session: blocked on other screens, or for the reason given. */
function ofSession(
  command: Omit<Command, 'run' | 'blockedBy'> & {
    blockedBy?: (data: SessionData, context: CommandContext) => string | undefined;
    run: (data: SessionData, context: CommandContext) => void | Promise<void>;
  },
): Command {
  const { blockedBy, run, ...rest } = command;
  return {
    ...rest,
    blockedBy: (context) => {
      const data = shownData(context);
      return data ? blockedBy?.(data, context) : notInPlayground;
    },
    run: (context) => {
      const data = shownData(context);
      return data && run(data, context);
    },
  };
}

function latestTurns(data: SessionData): Turn[] {
  return data.session.laneIds.flatMap((id) => data.turns[data.lanes[id]?.tip ?? ''] ?? []);
}

function runOf(data: SessionData, turn: Turn | undefined): Run | undefined {
  return turn?.reply && 'runId' in turn.reply ? data.runs[turn.reply.runId] : undefined;
}

function liveRuns(data: SessionData): Run[] {
  return Object.values(data.runs).filter(isLive);
}

function hasAnswer(data: SessionData): string | undefined {
  return latestTurns(data).some((turn) => turn.reply) ? undefined : 'Nothing was answered yet';
}

/** The part of the page that does it is asked, so that there is one way of doing it. */
function press(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click();
}

function chooseFile(accept: string, onFile: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) onFile(file);
  });
  input.click();
}

function themeCommand(theme: Theme, words: string): Command {
  return {
    id: `theme-${theme}`,
    words,
    group: 'Screen',
    also: 'theme colours dark light',
    blockedBy: ({ playground }) => (playground.prefs.getState().theme === theme ? 'In use' : undefined),
    run: ({ playground }) => playground.prefs.setState({ theme }),
  };
}

export const commands: readonly Command[] = [
  {
    id: 'palette',
    words: 'Search or run a command',
    group: 'Screen',
    keys: [['Mod', 'K']],
    bindings: ['$mod+KeyK'],
    run: ({ pageState }) => pageState.setState({ open: 'palette' }),
  },
  {
    id: 'keys',
    words: 'List all keys',
    group: 'Screen',
    keys: [['?']],
    bindings: ['?', 'Shift+?'],
    isSingle: true,
    also: 'shortcuts keyboard help',
    run: ({ pageState }) => pageState.setState({ open: 'keys' }),
  },
  {
    id: 'settings',
    words: 'Open the settings',
    group: 'Screen',
    keys: [['Mod', ',']],
    bindings: ['$mod+Comma'],
    also: 'preferences density storage requests a minute erase read replies by sentence',
    run: ({ pageState }) => pageState.setState({ open: 'settings' }),
  },
  ofSession({
    id: 'present',
    words: 'Present',
    group: 'Screen',
    keys: [['Alt', 'Shift', 'P']],
    bindings: ['Alt+Shift+KeyP'],
    also: 'presentation stage demo full screen',
    blockedBy: (data) => (latestTurns(data).length === 0 ? 'Nothing was said yet' : undefined),
    effect: () => 'large type, without the controls',
    run: (_, { pageState }) => pageState.setState({ open: 'presentation' }),
  }),
  ofSession({
    id: 'toggle-parameters',
    words: 'Show or hide the parameters',
    group: 'Screen',
    keys: [['Mod', '\\']],
    bindings: ['$mod+(\\\\|Backslash)'],
    also: 'sidebar',
    run: (_, { playground }) => toggleParameters(playground),
  }),
  {
    id: 'toggle-inspector',
    words: 'Open or close the inspector',
    group: 'Answers',
    keys: [['Mod', 'I']],
    bindings: ['$mod+KeyI'],
    also: 'events stream request response headers',
    blockedBy: (context) => (shownData(context) ? undefined : notInPlayground),
    run: ({ playground }) => playground.inspector.setState(({ open }) => ({ open: !open })),
  },
  {
    id: 'next-region',
    words: 'Go to the next part of the page',
    group: 'Screen',
    keys: [['F6']],
    bindings: ['F6'],
    run: () => focusNextRegion(1),
  },
  {
    id: 'previous-region',
    words: 'Go to the part of the page before',
    group: 'Screen',
    keys: [['Shift', 'F6']],
    bindings: ['Shift+F6'],
    run: () => focusNextRegion(-1),
  },
  themeCommand('light', 'Use the light theme'),
  themeCommand('dark', 'Use the dark theme'),
  themeCommand('system', 'Use the theme of the system'),
  {
    id: 'density',
    words: 'Change the density',
    group: 'Screen',
    also: 'compact comfortable rows size',
    effect: ({ playground }) =>
      playground.prefs.getState().density === 'comfortable'
        ? 'to compact'
        : 'to comfortable: higher rows, larger replies',
    run: ({ playground }) =>
      playground.prefs.setState(({ density }) => ({
        density: density === 'comfortable' ? 'compact' : 'comfortable',
      })),
  },
  {
    id: 'read-by-sentence',
    words: 'Read replies by sentence',
    group: 'Screen',
    also: 'screen reader aloud announce',
    effect: ({ playground }) =>
      playground.prefs.getState().readBySentence ? 'turns it off' : 'turns it on, for screen readers',
    run: ({ playground, say }) => {
      playground.prefs.setState(({ readBySentence }) => ({ readBySentence: !readBySentence }));
      say(`Reading replies by sentence is ${playground.prefs.getState().readBySentence ? 'on' : 'off'}.`);
    },
  },

  ofSession({
    id: 'stop',
    words: 'Stop what runs',
    group: 'Answers',
    blockedBy: (data) => (liveRuns(data).length === 0 ? 'Nothing runs' : undefined),
    effect: (context) => {
      const data = shownData(context);
      const live = data ? liveRuns(data).length : 0;
      return live > 0 ? plural(live, 'answer') : undefined;
    },
    run: (_, { playground }) => playground.actions.stop(),
  }),
  ofSession({
    id: 'run-again',
    words: 'Run again',
    group: 'Answers',
    also: 'repeat regenerate ask again',
    effect: () => 'the last turn in all lanes, with the setup of now',
    blockedBy: (data) =>
      latestTurns(data).length === 0
        ? 'Nothing was said yet'
        : liveRuns(data).length > 0
          ? 'An answer is arriving'
          : undefined,
    run: (_, { playground }) => playground.actions.runAgain(),
  }),
  ofSession({
    id: 'edit-last',
    words: 'Edit the last message',
    group: 'Answers',
    blockedBy: (data) => (latestTurns(data).length === 0 ? 'Nothing was said yet' : undefined),
    run: () => {
      const bands = document.querySelectorAll<HTMLElement>('article.band[aria-label="User message"]');
      bands
        .item(bands.length - 1)
        ?.querySelector<HTMLElement>('button[aria-label="Edit"]')
        ?.click();
    },
  }),
  ofSession({
    id: 'copy-answers',
    words: 'Copy the last answer',
    group: 'Answers',
    also: 'clipboard markdown',
    blockedBy: hasAnswer,
    effect: (context) => {
      const count = shownData(context)?.session.laneIds.length ?? 1;
      return count > 1 ? `of ${count} lanes, one after the other` : undefined;
    },
    run: async (data, { say }) => {
      const answers = latestTurns(data).map((turn) =>
        textOf(runOf(data, turn)?.choices[turn.shownChoice ?? 0]),
      );
      const copied = await copyText(answers.filter((text) => text !== '').join('\n\n---\n\n'));
      say(copied ? 'Copied.' : 'The browser does not allow copying here.');
    },
  }),
  ofSession({
    id: 'compare-texts',
    words: 'Compare texts',
    group: 'Answers',
    also: 'difference diff',
    blockedBy: (data) => (data.session.laneIds.length < 2 ? 'There is one lane only' : hasAnswer(data)),
    run: () => press('.bar button[aria-label="Compare texts"]'),
  }),
  ofSession({
    id: 'get-code',
    words: 'Get code',
    group: 'Answers',
    also: 'curl python typescript fetch request body',
    effect: () => 'the exact request as code',
    run: (_, { playground }) =>
      playground.inspector.setState({ open: true, tab: 'request', turnId: undefined, picked: undefined }),
  }),
  ofSession({
    id: 'replay',
    words: 'Replay the last turn',
    group: 'Answers',
    also: 'recording tape play',
    blockedBy: hasAnswer,
    effect: () => 'from its recording, nothing is sent',
    run: (data, { playground }) => {
      const turns = latestTurns(data).filter((turn) => runOf(data, turn));
      playground.inspector.setState({ replay: turns.map((turn) => turn.id) });
    },
  }),
  ofSession({
    id: 'attach',
    words: 'Attach an image',
    group: 'Answers',
    also: 'picture file vision',
    run: () => press('.cp input[type=file]'),
  }),
  ofSession({
    id: 'write',
    words: 'Write a message',
    group: 'Answers',
    also: 'composer',
    run: () => document.querySelector<HTMLElement>('textarea[aria-label^="Message"]')?.focus(),
  }),
  ofSession({
    id: 'system',
    words: 'Write the system prompt',
    group: 'Answers',
    run: () => document.querySelector<HTMLElement>('textarea[aria-label^="System prompt"]')?.focus(),
  }),
  ofSession({
    id: 'tools',
    words: 'Edit tools',
    group: 'Answers',
    also: 'functions json schema',
    run: (_, { playground }) => {
      if (!document.querySelector('aside.side')) toggleParameters(playground);
      requestAnimationFrame(() => press('button[aria-label^="Edit tools"]'));
    },
  }),

  ofSession({
    id: 'add-lane',
    words: 'Add lane',
    group: 'Lanes',
    also: 'compare model column',
    blockedBy: (data) =>
      data.session.laneIds.length >= mostLanes ? `${mostLanes} lanes are the most` : undefined,
    effect: () => 'a copy of the last one',
    run: (_, { playground }) => playground.actions.addLane(),
  }),
  ofSession({
    id: 'hide-names',
    words: 'Hide or show the names of models',
    group: 'Lanes',
    also: 'blind',
    blockedBy: (data) => (data.session.laneIds.length < 2 ? 'There is one lane only' : undefined),
    run: (_, { playground }) =>
      playground.view.setState(({ namesHidden }) => ({ namesHidden: !namesHidden })),
  }),
  ofSession({
    id: 'reset-parameters',
    words: 'Reset all parameters',
    group: 'Lanes',
    effect: () => 'in all lanes, to a request with as few fields as can be',
    run: async (data, { playground }) => {
      const { firstParams } = await import('../conversation/params.ts');
      const before = data.session.laneIds.flatMap((id) => data.lanes[id] ?? []);
      playground.actions.changeSetups(data.session.laneIds, (setup) => ({ ...setup, params: firstParams }));
      const restore = () => {
        for (const lane of before) playground.actions.changeSetups([lane.id], () => lane.setup);
      };
      playground.actions.offerUndo('Reset all parameters.', restore, () => undefined);
    },
  }),

  {
    id: 'new-session',
    words: 'New session',
    group: 'Session',
    keys: [['Mod', 'Shift', 'O']],
    bindings: ['$mod+Shift+KeyO'],
    run: ({ playground }) => playground.actions.createSession(),
  },
  ofSession({
    id: 'duplicate-session',
    words: 'Duplicate the session',
    group: 'Session',
    blockedBy: (data) => (latestTurns(data).length === 0 ? 'Nothing was said yet' : undefined),
    run: async (data, { playground }) => {
      await playground.recorder.flush();
      const copy = await playground.library.duplicate(data.session.id);
      if (copy !== undefined) playground.router.go({ screen: 'playground', sessionId: copy });
    },
  }),
  ofSession({
    id: 'share',
    words: 'Share the setup',
    group: 'Session',
    also: 'link url',
    effect: () => 'as a link without a key',
    run: (_, { pageState }) => pageState.setState({ open: 'share' }),
  }),
  ...(['json', 'md', 'html'] as const).map((form) =>
    ofSession({
      id: `save-${form}`,
      words: { json: 'Export the session', md: 'Save as Markdown', html: 'Save as HTML page' }[form],
      group: 'Session',
      also: 'file download',
      ...(form === 'json' ? { effect: () => 'one JSON file that can be imported again' } : {}),
      run: async (data, { playground }) => {
        const { saveSession } = await import('../features/playground/save-session.ts');
        await saveSession(playground, data.session.id, form);
      },
    }),
  ),
  ofSession({
    id: 'save-tapes',
    words: 'Save tapes',
    group: 'Session',
    also: 'recording jsonl file',
    effect: () => 'every recorded event as JSON Lines',
    blockedBy: hasAnswer,
    run: async (data, { playground }) => {
      const { saveTapesOf } = await import('../features/playground/replay/save-tapes.ts');
      await saveTapesOf(playground, data.session.id);
    },
  }),
  {
    id: 'import',
    words: 'Import a file',
    group: 'Session',
    also: 'sessions tapes open json',
    run: ({ playground }) =>
      chooseFile('.json,.jsonl,application/json,application/jsonl', (file) => {
        void import('../features/playground/import-sessions.ts').then(({ importSessions }) =>
          importSessions(playground, file),
        );
      }),
  },
  ofSession({
    id: 'delete-session',
    words: 'Delete the session',
    group: 'Session',
    effect: () => 'can be undone for 8 seconds',
    run: (_, { playground }) => playground.actions.deleteSession(),
  }),

  {
    id: 'go-playground',
    words: 'Playground',
    group: 'Go to',
    blockedBy: ({ playground }) => onScreen(playground.router.route.getState().route.screen === 'playground'),
    run: ({ playground }) => {
      const sessionId = playground.session.getState().currentId;
      playground.router.go(
        sessionId === undefined ? { screen: 'playground' } : { screen: 'playground', sessionId },
      );
    },
  },
  {
    id: 'go-embeddings',
    words: 'Embeddings',
    group: 'Go to',
    also: 'vectors similarity texts',
    blockedBy: ({ playground }) => onScreen(playground.router.route.getState().route.screen === 'embeddings'),
    run: ({ playground }) => playground.router.go({ screen: 'embeddings' }),
  },
  {
    id: 'open-history',
    words: 'History',
    group: 'Go to',
    keys: [['Mod', 'Shift', 'H']],
    bindings: ['$mod+Shift+KeyH'],
    also: 'sessions search',
    blockedBy: ({ playground }) => onScreen(playground.router.route.getState().route.screen === 'history'),
    run: ({ playground }) => playground.router.go({ screen: 'history' }),
  },

  ...labCommands,
];

function onScreen(isShown: boolean): string | undefined {
  return isShown ? 'On screen' : undefined;
}
