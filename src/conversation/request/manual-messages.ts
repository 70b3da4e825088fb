/** Messages that a person writes into a conversation, of any role, without anything being sent. */
import type { Message } from '../../gateway/wire.ts';
import {
  addPrompt,
  addTurn,
  changeLane,
  changeTurn,
  endOfLane,
  nextSeq,
  type Environment,
} from '../session/edit-session.ts';
import type { LaneId, SessionData, Turn, TurnId } from '../session/types.ts';

/** Another version of the answer, written by hand. A turn that waits to be run takes it as its answer. */
export function writeReply(
  data: SessionData,
  { newId }: Environment,
  turnId: TurnId,
  written: Message,
): SessionData {
  const turn = data.turns[turnId];
  if (!turn) return data;
  if (!turn.reply)
    return changeTurn(data, turnId, (known) => ({ ...known, reply: { kind: 'written', message: written } }));
  const { shownChoice: _, remark: __, ...place } = turn;
  const id = newId();
  const version: Turn = {
    ...place,
    id,
    seq: nextSeq(data, id),
    reply: { kind: 'written', message: written },
  };
  const added = { ...data, turns: { ...data.turns, [version.id]: version } };
  return changeLane(added, turn.laneId, (lane) => ({ ...lane, tip: version.id }));
}

/**
 * A message at the end of these lanes, kept without being sent. What the assistant says answers the last
 * prompt where that has no answer yet; everything else is a prompt that waits to be run.
 */
export function addMessage(
  data: SessionData,
  environment: Environment,
  laneIds: readonly LaneId[],
  message: Message,
): SessionData {
  const isOpen = (laneId: LaneId): boolean => {
    const turn = data.turns[data.lanes[laneId]?.tip ?? ''];
    const last = turn && data.prompts[turn.promptId]?.messages.at(-1);
    return turn !== undefined && turn.reply === undefined && last?.role !== 'assistant';
  };
  const answered = message.role === 'assistant' ? laneIds.filter(isOpen) : [];
  const replied = answered.reduce(
    (next, laneId) => writeReply(next, environment, next.lanes[laneId]?.tip ?? '', message),
    data,
  );
  const others = laneIds.filter((laneId) => !answered.includes(laneId));
  if (others.length === 0) return replied;
  const prompted = addPrompt(replied, environment, { messages: [message] });
  return others.reduce((next, laneId) => {
    const parent = endOfLane(next, laneId);
    const where = { promptId: prompted.promptId, run: false, ...(parent ? { parent } : {}) };
    return addTurn(next, environment, laneId, where).data;
  }, prompted.data);
}
