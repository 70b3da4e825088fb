/** Renders the prompts and replies of the current session. */
import type { ReactNode } from 'react';

import { buildPromptRows } from '../conversation/session/prompt-rows.ts';
import { PromptBand } from '../features/conversation/message/prompt-band.tsx';
import { TurnView } from '../features/conversation/reply/turn-view.tsx';
import type { Playground } from '../state/create-playground.ts';
import { getCurrentSession } from '../state/sessions/session-store.ts';
import { getVisibleText, renderOnce } from './render-with-playground.tsx';

/** One prompt or reply as it is rendered now; the element is a copy that no longer changes. */
export interface RenderedMessage {
  element: HTMLElement;
  text: string;
  /** Value of `data-status`. */
  status: string | null;
}

/** Returns the visible replies, row by row and lane by lane. */
export function renderReplies(playground: Playground): RenderedMessage[] {
  const data = getCurrentSession(playground.session.getState());
  if (!data) return [];
  return buildPromptRows(data).flatMap((row) =>
    row.cells.map(({ laneId, turnId }) => {
      const laneIndex = data.session.laneIds.indexOf(laneId);
      return renderMessage(
        playground,
        <TurnView turnId={turnId} laneIndex={laneIndex} turnNumber={row.number} />,
      );
    }),
  );
}

/** Returns one of the visible replies, by default the last one. Throws if it is missing. */
export function renderReply(playground: Playground, index = -1): RenderedMessage {
  const reply = renderReplies(playground).at(index);
  if (!reply) throw new Error('The reply is missing');
  return reply;
}

/** Returns each prompt, in order. */
export function renderPrompts(playground: Playground): RenderedMessage[] {
  const data = getCurrentSession(playground.session.getState());
  if (!data) return [];
  const rows = buildPromptRows(data);
  return rows.map(({ promptId, cells }, index) => {
    const turnIds = cells.map((cell) => cell.turnId);
    const isLatest = index === rows.length - 1;
    return renderMessage(
      playground,
      <PromptBand promptId={promptId} turnIds={turnIds} isLatest={isLatest} />,
    );
  });
}

function renderMessage(playground: Playground, ui: ReactNode): RenderedMessage {
  const element = renderOnce(playground, ui);
  const status = element.firstElementChild?.getAttribute('data-status') ?? null;
  return { element, text: getVisibleText(element), status };
}
