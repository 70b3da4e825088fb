import { findImageUrls, withImageUrls } from '../../../conversation/request/message-images.ts';
import type { DraftImage } from '../../../conversation/session/draft.ts';
import { getLanePath, getRun } from '../../../conversation/session/turn-tree.ts';
import type { PromptId, SessionData, Turn, TurnId } from '../../../conversation/session/types.ts';
import type { Message } from '../../../gateway/wire.ts';
import { useSession, useSessionServices } from '../../../state/contexts.tsx';
import { ScaleDown } from '../attachments/scale-down.tsx';

/** Scales down the images of a message that was too large and retries the message in every affected lane. */
export function ScaleImages({ turn: { promptId } }: { turn: Turn }) {
  const { actions } = useSessionServices();
  const messages = useSession((data) => data.prompts[promptId]?.messages) ?? noMessages;
  const turnIds = useSession((data) => listTooLargeTurns(data, promptId).join(' ')) ?? '';
  const images = findImageUrls(messages).map((url): DraftImage => ({ url, name: 'The image' }));
  return (
    <ScaleDown
      images={images}
      onScaled={(scaled) => {
        const urls = new Map([...scaled].map(([url, image]) => [url, image.url]));
        void actions.editPrompt(turnIds.split(' '), withImageUrls(messages, urls), true);
      }}
    />
  );
}

const noMessages: readonly Message[] = [];

/** Lists the visible turns of this prompt whose request was too large. */
function listTooLargeTurns(data: SessionData, promptId: PromptId): TurnId[] {
  return data.session.laneIds.flatMap((laneId) => {
    const lane = data.lanes[laneId];
    const turn = lane && getLanePath(data, lane).find((candidate) => candidate.promptId === promptId);
    if (!turn) return [];
    const phase = getRun(data, turn)?.phase;
    return phase?.name === 'failed' && phase.error?.kind === 'too-large' ? turn.id : [];
  });
}
