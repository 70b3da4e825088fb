/** Actions on a session, used by its menu and by the commands. */
import { isEmptySession } from '../../conversation/session/edit-session.ts';
import { getLatestTurns } from '../../conversation/session/turn-tree.ts';
import type { SessionData } from '../../conversation/session/types.ts';
import type { SessionServices } from '../../state/create-playground.ts';
import { setPanelOpen } from '../../state/sessions/view-store.ts';
import {
  saveSessionFile,
  saveRecordings,
  type SessionFileServices,
} from '../session-files/session-file-actions.ts';

type SessionMenuServices = SessionFileServices & Pick<SessionServices, 'actions'>;

export interface SessionMenuItem {
  id: string;
  /** Label in the session's menu. */
  label: string;
  /** Label that names the session, used outside its menu. */
  fullLabel: string;
  /** Hint in the menu about the result. */
  hint?: string;
  /** Explanation to read before running the action. */
  description?: string;
  /** Additional search words. */
  keywords?: string;
  startsGroup?: true;
  isDestructive?: true;
  /** Returns why the action is disabled, or `undefined`. */
  getDisabledReason?: (data: SessionData) => string | undefined;
  run: (services: SessionMenuServices, data: SessionData) => void | Promise<void>;
}

/** Returns the reason if no lane ends with an answer to act on, otherwise `undefined`. */
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
    hint: 'One HTML file',
    description: 'as one HTML file',
    keywords: 'file download save html page',
    startsGroup: true,
    run: (services, { session }) => saveSessionFile(services, session.id, 'html'),
  },
  {
    id: 'share',
    label: 'Share setup',
    fullLabel: 'Share setup',
    hint: 'A link',
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
    run: (services, { session }) => saveSessionFile(services, session.id, 'json'),
  },
  {
    id: 'save-md',
    label: 'Save as Markdown',
    fullLabel: 'Save as Markdown',
    keywords: 'file download save html page',
    run: (services, { session }) => saveSessionFile(services, session.id, 'md'),
  },
  {
    id: 'save-tapes',
    label: 'Save recordings',
    fullLabel: 'Save recordings',
    hint: 'JSON Lines',
    description: 'every recorded event as JSON Lines',
    keywords: 'tapes jsonl file',
    getDisabledReason: getNoAnswerReason,
    run: (services, { session }) => saveRecordings(services, session.id),
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
