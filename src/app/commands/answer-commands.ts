/** Commands that send prompts or act on answers. */
import { getComparisonBlocker } from '../../conversation/comparison/comparison-blocker.ts';
import { getAnswerText } from '../../conversation/reply/run.ts';
import { getCandidate } from '../../conversation/session/candidates.ts';
import { getLatestTurns, getRun } from '../../conversation/session/turn-tree.ts';
import { openAttachmentPicker } from '../../features/composer/use-picked-files.ts';
import { editLastMessage } from '../../features/conversation/message/edit-last-message.ts';
import { getNoAnswerReason } from '../../features/session/session-menu-items.ts';
import { messageField, systemPrompt } from '../../features/workspace/playground-focus-targets.ts';
import { showParameter } from '../../features/workspace/use-parameters-open.ts';
import { pluralize } from '../../lib/format.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import { closeInspector, openInspector } from '../../state/runs/inspector-actions.ts';
import { setPanelOpen } from '../../state/sessions/view-store.ts';
import {
  getLiveRuns,
  notInPlaygroundReason,
  createSessionCommand,
  getVisibleSession,
  type Command,
} from './command.ts';

const loadCopyMarkdown = createPreloadableImport(
  () => import('../../features/session-files/copy-markdown.ts'),
);

export const answerCommands: readonly Command[] = [
  {
    id: 'toggle-inspector',
    label: 'Toggle inspector',
    group: 'Answers',
    keys: [['Mod', 'I']],
    bindings: ['$mod+KeyI'],
    keywords: 'open close show events stream request response headers',
    getDisabledReason: (context) => (getVisibleSession(context) ? undefined : notInPlaygroundReason),
    run: ({ inspector }) => {
      if (inspector.getState().isOpen) closeInspector(inspector);
      else inspector.setState({ isOpen: true });
    },
  },
  createSessionCommand({
    id: 'stop',
    label: 'Stop generating',
    group: 'Answers',
    getBlocker: (data) => (getLiveRuns(data).length === 0 ? 'Nothing is running' : undefined),
    getDescription: (context) => {
      const data = getVisibleSession(context);
      const liveCount = data ? getLiveRuns(data).length : 0;
      return liveCount > 0 ? pluralize(liveCount, 'answer') : undefined;
    },
    run: (_, context) => context.actions.stop(),
  }),
  createSessionCommand({
    id: 'run-again',
    label: 'Run again',
    group: 'Answers',
    keywords: 'repeat regenerate ask again',
    getDescription: () => 'reruns the last turn in all lanes with the current setup',
    getBlocker: (data) =>
      getLatestTurns(data).length === 0
        ? 'No messages yet'
        : getLiveRuns(data).length > 0
          ? 'An answer is still streaming'
          : undefined,
    run: (_, context) => context.actions.regenerateLastTurns(),
  }),
  createSessionCommand({
    id: 'edit-last',
    label: 'Edit the last message',
    group: 'Answers',
    getBlocker: (data) => (getLatestTurns(data).length === 0 ? 'No messages yet' : undefined),
    run: (_, context) => editLastMessage(context),
  }),
  createSessionCommand({
    id: 'copy-answers',
    label: 'Copy the last answer',
    group: 'Answers',
    keywords: 'clipboard markdown',
    getBlocker: getNoAnswerReason,
    getDescription: (context) => {
      const count = getVisibleSession(context)?.session.laneIds.length ?? 1;
      return count > 1 ? `from all ${count} lanes, in order` : undefined;
    },
    run: async (data, { announce }) => {
      const answers = getLatestTurns(data).map((turn) =>
        getAnswerText(getCandidate(getRun(data, turn), turn.shownChoice)),
      );
      const { copyMarkdown } = await loadCopyMarkdown();
      const isCopied = await copyMarkdown(answers.filter((text) => text !== '').join('\n\n---\n\n'));
      announce(isCopied ? 'Copied.' : 'The browser blocked copying.');
    },
  }),
  createSessionCommand({
    id: 'compare-texts',
    label: 'Compare texts',
    group: 'Answers',
    keywords: 'difference diff versions',
    getBlocker: getComparisonBlocker,
    run: (_, context) => setPanelOpen(context.view, 'text difference'),
  }),
  createSessionCommand({
    id: 'summary',
    label: 'Summary',
    group: 'Answers',
    keywords: 'table wins median speed tokens compare lanes',
    getBlocker: getNoAnswerReason,
    run: (_, context) => setPanelOpen(context.view, 'summary'),
  }),
  createSessionCommand({
    id: 'get-code',
    label: 'Get code',
    group: 'Answers',
    keywords: 'curl python typescript fetch request body',
    getDescription: () => 'the exact request as code',
    run: (_, context) => openInspector(context, 'request'),
  }),
  createSessionCommand({
    id: 'replay',
    label: 'Replay the last turn',
    group: 'Answers',
    keywords: 'recording tape play',
    getBlocker: getNoAnswerReason,
    getDescription: () => 'plays the recording, sends nothing',
    run: (data, context) => {
      const turns = getLatestTurns(data).filter((turn) => getRun(data, turn));
      context.inspector.setState({ replay: turns.map((turn) => turn.id) });
    },
  }),
  createSessionCommand({
    id: 'attach',
    label: 'Attach files',
    group: 'Answers',
    keywords: 'image picture text document vision',
    run: () => openAttachmentPicker(),
  }),
  createSessionCommand({
    id: 'write',
    label: 'Write a message',
    group: 'Answers',
    keys: [['Alt', 'Shift', 'M']],
    bindings: ['Alt+Shift+KeyM'],
    keywords: 'composer',
    run: () => void messageField.focus(),
  }),
  createSessionCommand({
    id: 'system',
    label: 'Write the system prompt',
    group: 'Answers',
    run: () => void systemPrompt.focus(),
  }),
  createSessionCommand({
    id: 'tools',
    label: 'Edit tools',
    group: 'Answers',
    keywords: 'functions json schema',
    run: (_, context) => {
      if (showParameter(context, 'tools')) setPanelOpen(context.view, 'editor of tools');
    },
  }),
];
