/** Adds messages of any role, written by the user, to a conversation without sending a request. */
import type { Message } from '../../gateway/wire.ts';
import {
  addPrompt,
  addTurn,
  changeLane,
  changeTurn,
  getNextTurnParent,
  getNextSeq,
  type Environment,
} from '../session/edit-session.ts';
import type { LaneId, SessionData, Turn, TurnId } from '../session/types.ts';

/** Adds a manual reply as another version of the answer. A turn without an answer receives the reply itself. */
export function addManualReply(
  data: SessionData,
  { newId }: Environment,
  turnId: TurnId,
  message: Message,
): SessionData {
  const turn = data.turns[turnId];
  if (!turn) return data;
  if (!turn.reply)
    return changeTurn(data, turnId, (storedTurn) => ({ ...storedTurn, reply: { kind: 'written', message } }));
  const { shownChoice: _, remark: __, ...baseFields } = turn;
  const id = newId();
  const version: Turn = {
    ...baseFields,
    id,
    seq: getNextSeq(data, id),
    reply: { kind: 'written', message },
  };
  const added = { ...data, turns: { ...data.turns, [version.id]: version } };
  return changeLane(added, turn.laneId, (lane) => ({ ...lane, tip: version.id }));
}

/**
 * Appends a message to these lanes without sending it. An assistant message becomes the reply to the last prompt if
 * that prompt has none; any other message becomes a prompt that can be run later.
 */
export function addMessage(
  data: SessionData,
  environment: Environment,
  laneIds: readonly LaneId[],
  message: Message,
): SessionData {
  const isAwaitingReply = (laneId: LaneId): boolean => {
    const turn = data.turns[data.lanes[laneId]?.tip ?? ''];
    const lastMessage = turn && data.prompts[turn.promptId]?.messages.at(-1);
    return turn !== undefined && turn.reply === undefined && lastMessage?.role !== 'assistant';
  };
  const answeredLaneIds = message.role === 'assistant' ? laneIds.filter(isAwaitingReply) : [];
  const repliedData = answeredLaneIds.reduce(
    (next, laneId) => addManualReply(next, environment, next.lanes[laneId]?.tip ?? '', message),
    data,
  );
  const otherLaneIds = laneIds.filter((laneId) => !answeredLaneIds.includes(laneId));
  if (otherLaneIds.length === 0) return repliedData;
  const addedPrompt = addPrompt(repliedData, environment, { messages: [message] });
  return otherLaneIds.reduce((next, laneId) => {
    const parent = getNextTurnParent(next, laneId);
    const turnInput = { promptId: addedPrompt.promptId, run: false, ...(parent ? { parent } : {}) };
    return addTurn(next, environment, laneId, turnInput).data;
  }, addedPrompt.data);
}
