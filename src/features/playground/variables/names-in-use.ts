import { textOfContent } from '../../../conversation/request/request.ts';
import { pathOf } from '../../../conversation/session/tree.ts';
import type { LaneId, SessionData } from '../../../conversation/session/types.ts';
import { variablesIn } from '../../../conversation/session/variables.ts';

/** The {{names}} that these lanes' next requests fill: in their system prompts and in what was said on their paths. */
export function namesInUse(data: SessionData, laneIds: readonly LaneId[]): string[] {
  const texts = laneIds.flatMap((laneId) => {
    const lane = data.lanes[laneId];
    if (!lane) return [];
    const messages = pathOf(data, lane).flatMap((turn) => data.prompts[turn.promptId]?.messages ?? []);
    const filled = messages.filter(({ role }) => role === 'user' || role === 'system');
    return [lane.setup.system, ...filled.map((message) => textOfContent(message.content))];
  });
  return variablesIn(texts.filter((text) => text.includes('{{')));
}
