import { getContentText } from '../../../conversation/request/request.ts';
import { getPathTo } from '../../../conversation/session/turn-tree.ts';
import type { SessionData } from '../../../conversation/session/types.ts';

/** Lists the texts of the prompts on the current path of the first lane. */
export function listSessionPrompts(data: SessionData): string[] {
  const lane = data.lanes[data.session.laneIds[0] ?? ''];
  if (lane?.tip === undefined) return [];
  return getPathTo(data, lane.tip).flatMap(({ promptId }) => {
    const text = (data.prompts[promptId]?.messages ?? [])
      .map(({ content }) => getContentText(content))
      .join('\n')
      .trim();
    return text === '' ? [] : [text];
  });
}
