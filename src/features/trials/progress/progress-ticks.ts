import { hasLeft, type OpenTrialState } from '../../../state/trials/open-trial.ts';
import { cellName } from '../../../trials/case-order.ts';
/** The strip of ticks: every answer in the drawn order, ended, under way or to come. */
import { endingCodes } from '../../../trials/ended-cells.ts';
import type { CellKey } from '../../../trials/trial.ts';

/** answered, no answer, under way, to come. */
export type Tick = 'a' | 'x' | 'r' | 'w';

/** More ticks than these run together: then one stands for several cells. */
export const mostTicks = 700;

/** Of several cells in one tick the one that should be seen. */
const loudness: readonly Tick[] = ['a', 'w', 'x', 'r'];

export interface Ticks {
  ticks: Tick[];
  /** How many answers one tick stands for. */
  each: number;
}

export function ticksOf({
  trial,
  order,
  ended,
  live,
}: Pick<OpenTrialState, 'trial' | 'order' | 'ended' | 'live'>): Ticks {
  const columns = trial.columns.flatMap(({ id, stopped }, place) => (stopped ? [] : [{ id, place }]));
  const liveCases = new Set([...live.values()].map(({ caseId }) => caseId));
  const isRunning = (key: CellKey): boolean => hasLeft(live.get(cellName(key)));
  const count = order.length * columns.length * trial.repeats;
  const each = Math.max(1, Math.ceil(count / mostTicks));
  const ticks: Tick[] = [];
  let at = 0;
  for (const [row, caseId] of order.entries())
    for (let repeat = 1; repeat <= trial.repeats; repeat += 1)
      for (const { id: columnId, place: column } of columns) {
        const ending = ended[column]?.endings[row * trial.repeats + repeat - 1];
        let own: Tick = 'w';
        if (ending === endingCodes.answered) own = 'a';
        else if (ending === endingCodes['no answer']) own = 'x';
        else if (liveCases.has(caseId) && isRunning({ caseId, columnId, repeat })) own = 'r';
        const place = Math.floor(at / each);
        const known = ticks[place];
        if (known === undefined || loudness.indexOf(own) > loudness.indexOf(known)) ticks[place] = own;
        at += 1;
      }
  return { ticks, each };
}

/** All ticks of a kind as one path, for a box of 1 per tick. */
export function tickPath(ticks: readonly Tick[], kind: Tick, height: number): string {
  return ticks.map((tick, index) => (tick === kind ? `M${index + 0.5} ${14 - height}V14` : '')).join('');
}
