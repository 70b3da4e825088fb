/** Commands for asking and for what was answered. */
import { getAnswerText } from '../../conversation/reply/run.ts';
import { getCandidate } from '../../conversation/session/candidates.ts';
import { getLatestTurns, getRun } from '../../conversation/session/turn-tree.ts';
import { chooseImages } from '../../features/playground/composer/use-picked-images.ts';
import { editLastMessage } from '../../features/playground/message/edit-last-message.ts';
import { messageField, systemPrompt } from '../../features/playground/playground-focus-targets.ts';
import { withoutAnswer } from '../../features/playground/session-bar/session-menu-items.ts';
import { showParameter } from '../../features/playground/use-parameters-open.ts';
import { pluralize } from '../../lib/format.ts';
import { preloadableImport } from '../../lib/lazy-import.ts';
import { closeInspector, openInspector } from '../../state/runs/inspector-actions.ts';
import { setOpenPanel } from '../../state/sessions/view-store.ts';
import { liveRuns, notInPlayground, ofSession, shownData, type Command } from './command.ts';

const loadCopying = preloadableImport(() => import('../../features/playground/files/copy-markdown.ts'));

export const answerCommands: readonly Command[] = [
  {
    id: 'toggle-inspector',
    words: 'Open or close the inspector',
    group: 'Answers',
    keys: [['Mod', 'I']],
    bindings: ['$mod+KeyI'],
    also: 'events stream request response headers',
    blockedBy: (context) => (shownData(context) ? undefined : notInPlayground),
    run: ({ playground: { inspector } }) => {
      if (inspector.getState().isOpen) closeInspector(inspector);
      else inspector.setState({ isOpen: true });
    },
  },
  ofSession({
    id: 'stop',
    words: 'Stop generating',
    group: 'Answers',
    blockedBy: (data) => (liveRuns(data).length === 0 ? 'Nothing is running' : undefined),
    effect: (context) => {
      const data = shownData(context);
      const live = data ? liveRuns(data).length : 0;
      return live > 0 ? pluralize(live, 'answer') : undefined;
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
      getLatestTurns(data).length === 0
        ? 'No messages yet'
        : liveRuns(data).length > 0
          ? 'An answer is still streaming'
          : undefined,
    run: (_, { playground }) => playground.actions.regenerateLastTurns(),
  }),
  ofSession({
    id: 'edit-last',
    words: 'Edit the last message',
    group: 'Answers',
    blockedBy: (data) => (getLatestTurns(data).length === 0 ? 'No messages yet' : undefined),
    run: (_, { playground }) => editLastMessage(playground),
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
      const answers = getLatestTurns(data).map((turn) =>
        getAnswerText(getCandidate(getRun(data, turn), turn.shownChoice)),
      );
      const { copyMarkdown } = await loadCopying();
      const copied = await copyMarkdown(answers.filter((text) => text !== '').join('\n\n---\n\n'));
      say(copied ? 'Copied.' : 'The browser does not allow copying here.');
    },
  }),
  ofSession({
    id: 'compare-texts',
    words: 'Compare texts',
    group: 'Answers',
    also: 'difference diff',
    blockedBy: (data) => (data.session.laneIds.length < 2 ? 'Only one lane' : withoutAnswer(data)),
    run: (_, { playground }) => setOpenPanel(playground.view, 'text difference'),
  }),
  ofSession({
    id: 'summary',
    words: 'Summary',
    group: 'Answers',
    also: 'table wins median speed tokens compare lanes',
    blockedBy: withoutAnswer,
    run: (_, { playground }) => setOpenPanel(playground.view, 'summary'),
  }),
  ofSession({
    id: 'get-code',
    words: 'Get code',
    group: 'Answers',
    also: 'curl python typescript fetch request body',
    effect: () => 'the exact request as code',
    run: (_, { playground }) => openInspector(playground, 'request'),
  }),
  ofSession({
    id: 'replay',
    words: 'Replay the last turn',
    group: 'Answers',
    also: 'recording tape play',
    blockedBy: withoutAnswer,
    effect: () => 'plays the recording; sends nothing',
    run: (data, { playground }) => {
      const turns = getLatestTurns(data).filter((turn) => getRun(data, turn));
      playground.inspector.setState({ replay: turns.map((turn) => turn.id) });
    },
  }),
  ofSession({
    id: 'attach',
    words: 'Attach an image',
    group: 'Answers',
    also: 'picture file vision',
    run: () => chooseImages(),
  }),
  ofSession({
    id: 'write',
    words: 'Write a message',
    group: 'Answers',
    keys: [['Alt', 'Shift', 'M']],
    bindings: ['Alt+Shift+KeyM'],
    also: 'composer',
    run: () => void messageField.focus(),
  }),
  ofSession({
    id: 'system',
    words: 'Write the system prompt',
    group: 'Answers',
    run: () => void systemPrompt.focus(),
  }),
  ofSession({
    id: 'tools',
    words: 'Edit tools',
    group: 'Answers',
    also: 'functions json schema',
    run: (_, { playground }) => {
      if (showParameter(playground, 'tools')) setOpenPanel(playground.view, 'editor of tools');
    },
  }),
];
