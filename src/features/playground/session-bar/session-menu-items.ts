/** What can be done with a session: its menu and the commands are made from this table. */
import { isEmptySession } from '../../../conversation/session/edit-session.ts';
import { getLatestTurns } from '../../../conversation/session/turn-tree.ts';
import type { SessionData } from '../../../conversation/session/types.ts';
import type { Playground } from '../../../state/create-playground.ts';
import { setOpenPanel } from '../../../state/sessions/view-store.ts';
import { saveSession, saveTapesOf } from '../files/session-file-actions.ts';

export interface SessionChoice {
  id: string;
  /** In the menu of the session. */
  label: string;
  /** Where it must be said that the session is meant. */
  words: string;
  /** What it gives, in the menu. */
  hint?: string;
  /** What is worth knowing before. */
  effect?: string;
  /** Further words that find it. */
  also?: string;
  startsGroup?: true;
  isRemoval?: true;
  /** Why it cannot be done now; undefined where it can. */
  blockedBy?: (data: SessionData) => string | undefined;
  run: (playground: Playground, data: SessionData) => void | Promise<void>;
}

/** Why nothing can be done with answers; undefined where a lane ends in one. */
export function withoutAnswer(data: SessionData): string | undefined {
  return getLatestTurns(data).some((turn) => turn.reply) ? undefined : 'No answers yet';
}

export const sessionChoices: readonly SessionChoice[] = [
  {
    id: 'duplicate-session',
    label: 'Duplicate',
    words: 'Duplicate the session',
    blockedBy: (data) => (isEmptySession(data) ? 'No messages yet' : undefined),
    run: ({ actions }, { session }) => actions.duplicateSession(session.id),
  },
  {
    id: 'save-html',
    label: 'Share answers',
    words: 'Share answers',
    hint: 'one HTML file',
    effect: 'one HTML file to read',
    also: 'file download save html page',
    startsGroup: true,
    run: (playground, { session }) => saveSession(playground, session.id, 'html'),
  },
  {
    id: 'share',
    label: 'Share setup',
    words: 'Share setup',
    hint: 'a link',
    effect: 'as a link without a key',
    also: 'link url',
    run: ({ view }) => setOpenPanel(view, 'share'),
  },
  {
    id: 'save-json',
    label: 'Export',
    words: 'Export the session',
    hint: 'JSON',
    effect: 'one JSON file that can be imported',
    also: 'file download save html page',
    startsGroup: true,
    run: (playground, { session }) => saveSession(playground, session.id, 'json'),
  },
  {
    id: 'save-md',
    label: 'Save as Markdown',
    words: 'Save as Markdown',
    also: 'file download save html page',
    run: (playground, { session }) => saveSession(playground, session.id, 'md'),
  },
  {
    id: 'save-tapes',
    label: 'Save recordings',
    words: 'Save recordings',
    hint: 'JSON Lines',
    effect: 'every recorded event as JSON Lines',
    also: 'tapes jsonl file',
    blockedBy: withoutAnswer,
    run: (playground, { session }) => saveTapesOf(playground, session.id),
  },
  {
    id: 'delete-session',
    label: 'Delete',
    words: 'Delete the session',
    effect: 'can be undone for 8 seconds',
    startsGroup: true,
    isRemoval: true,
    run: ({ actions }) => actions.deleteSession(),
  },
];
