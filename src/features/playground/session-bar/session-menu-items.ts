/** What can be done with a session: its menu and the commands are made from this table. */
import { isEmptySession } from '../../../conversation/session/edit-session.ts';
import { getLatestTurns } from '../../../conversation/session/turn-tree.ts';
import type { SessionData } from '../../../conversation/session/types.ts';
import type { Playground } from '../../../state/create-playground.ts';
import { setPanelOpen } from '../../../state/sessions/view-store.ts';
import { saveSessionFile, saveRecordings } from '../files/session-file-actions.ts';

export interface SessionMenuItem {
  id: string;
  /** In the menu of the session. */
  label: string;
  /** Where it must be said that the session is meant. */
  fullLabel: string;
  /** What it gives, in the menu. */
  hint?: string;
  /** What is worth knowing before. */
  description?: string;
  /** Further words that find it. */
  keywords?: string;
  startsGroup?: true;
  isDestructive?: true;
  /** Why it cannot be done now; undefined where it can. */
  getDisabledReason?: (data: SessionData) => string | undefined;
  run: (playground: Playground, data: SessionData) => void | Promise<void>;
}

/** Why nothing can be done with answers; undefined where a lane ends in one. */
export function getNoAnswerReason(data: SessionData): string | undefined {
  return getLatestTurns(data).some((turn) => turn.reply) ? undefined : 'No answers yet';
}

export const sessionMenuItems: readonly SessionMenuItem[] = [
  {
    id: 'duplicate-session',
    label: 'Duplicate',
    fullLabel: 'Duplicate session',
    getDisabledReason: (data) => (isEmptySession(data) ? 'No messages yet' : undefined),
    run: ({ actions }, { session }) => actions.duplicateSession(session.id),
  },
  {
    id: 'save-html',
    label: 'Share answers',
    fullLabel: 'Share answers',
    hint: 'one HTML file',
    description: 'as one HTML file',
    keywords: 'file download save html page',
    startsGroup: true,
    run: (playground, { session }) => saveSessionFile(playground, session.id, 'html'),
  },
  {
    id: 'share',
    label: 'Share setup',
    fullLabel: 'Share setup',
    hint: 'a link',
    description: 'as a link, without the key',
    keywords: 'link url',
    run: ({ view }) => setPanelOpen(view, 'share'),
  },
  {
    id: 'save-json',
    label: 'Export',
    fullLabel: 'Export session',
    hint: 'JSON',
    description: 'as one JSON file that can be imported',
    keywords: 'file download save html page',
    startsGroup: true,
    run: (playground, { session }) => saveSessionFile(playground, session.id, 'json'),
  },
  {
    id: 'save-md',
    label: 'Save as Markdown',
    fullLabel: 'Save as Markdown',
    keywords: 'file download save html page',
    run: (playground, { session }) => saveSessionFile(playground, session.id, 'md'),
  },
  {
    id: 'save-tapes',
    label: 'Save recordings',
    fullLabel: 'Save recordings',
    hint: 'JSON Lines',
    description: 'every recorded event as JSON Lines',
    keywords: 'tapes jsonl file',
    getDisabledReason: getNoAnswerReason,
    run: (playground, { session }) => saveRecordings(playground, session.id),
  },
  {
    id: 'delete-session',
    label: 'Delete',
    fullLabel: 'Delete session',
    description: 'can be undone for 8 seconds',
    startsGroup: true,
    isDestructive: true,
    run: ({ actions }) => actions.deleteSession(),
  },
];
