import { buildPromptRows } from '../../../conversation/session/prompt-rows.ts';
import type { SessionServices } from '../../../state/create-playground.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import { setPanelOpen } from '../../../state/sessions/view-store.ts';

/** Opens the editor for the last user message, in all lanes that contain it. */
export function editLastMessage({ session, view }: Pick<SessionServices, 'session' | 'view'>): void {
  const data = getCurrentSession(session.getState());
  for (const { promptId } of data ? buildPromptRows(data).toReversed() : []) {
    const index = data?.prompts[promptId]?.messages.findLastIndex(({ role }) => role === 'user') ?? -1;
    if (index >= 0) return setPanelOpen(view, `editor of ${promptId} ${index}`);
  }
}
