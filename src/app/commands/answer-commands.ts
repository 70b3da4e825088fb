import { textOf } from '../../conversation/reply/run.ts';
/** Commands for asking and for what was answered. */
import { candidateOf } from '../../conversation/session/candidates.ts';
import { toggleParameters } from '../../features/playground/use-parameters-open.ts';
import { plural } from '../../lib/format.ts';
import { copyText } from '../../ui/display/copy-text.ts';
import {
  latestTurns,
  liveRuns,
  notInPlayground,
  ofSession,
  runOf,
  shownData,
  withoutAnswer,
  type Command,
} from './command.ts';

/** The part of the page that does it is asked, so that there is one way of doing it. */
function press(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click();
}

export const answerCommands: readonly Command[] = [
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
  ofSession({
    id: 'stop',
    words: 'Stop generating',
    group: 'Answers',
    blockedBy: (data) => (liveRuns(data).length === 0 ? 'Nothing is running' : undefined),
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
    effect: () => 'reruns the last turn in all lanes with the current setup',
    blockedBy: (data) =>
      latestTurns(data).length === 0
        ? 'No messages yet'
        : liveRuns(data).length > 0
          ? 'An answer is still streaming'
          : undefined,
    run: (_, { playground }) => playground.actions.runAgain(),
  }),
  ofSession({
    id: 'edit-last',
    words: 'Edit the last message',
    group: 'Answers',
    blockedBy: (data) => (latestTurns(data).length === 0 ? 'No messages yet' : undefined),
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
    blockedBy: withoutAnswer,
    effect: (context) => {
      const count = shownData(context)?.session.laneIds.length ?? 1;
      return count > 1 ? `from all ${count} lanes, in order` : undefined;
    },
    run: async (data, { say }) => {
      const answers = latestTurns(data).map((turn) =>
        textOf(candidateOf(runOf(data, turn), turn.shownChoice)),
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
    blockedBy: (data) => (data.session.laneIds.length < 2 ? 'Only one lane' : withoutAnswer(data)),
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
    blockedBy: withoutAnswer,
    effect: () => 'plays the recording; sends nothing',
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
];
