/** Builds the strip of ticks: every answer in random order, ended, in flight or queued. */
import { isSent, type OpenTrialState } from '../../../state/trials/open-trial.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { endingCodes } from '../../../trials/ended-cells.ts';
import type { CellKey } from '../../../trials/trial.ts';

/** Kinds of ticks: answered, no answer, in flight, queued. */
export type ProgressTick = 'a' | 'x' | 'r' | 'w';

/** Maximum number of ticks; with more cells, each tick represents several cells. */
export const maxTicks = 700;

/** Priority of kinds if a tick stands for several cells. */
const tickPriority: readonly ProgressTick[] = ['a', 'w', 'x', 'r'];

export interface ProgressTicks {
  ticks: ProgressTick[];
  /** Number of answers per tick. */
  answersPerTick: number;
}

export function buildProgressTicks({
  trial,
  order,
  endedByColumn,
  liveCells,
}: Pick<OpenTrialState, 'trial' | 'order' | 'endedByColumn' | 'liveCells'>): ProgressTicks {
  const columns = trial.columns.flatMap(({ id, stopped }, columnIndex) =>
    stopped ? [] : [{ id, columnIndex }],
  );
  const liveCases = new Set([...liveCells.values()].map(({ caseId }) => caseId));
  const isRunning = (key: CellKey): boolean => isSent(liveCells.get(getCellId(key)));
  const count = order.length * columns.length * trial.repeats;
  const answersPerTick = Math.max(1, Math.ceil(count / maxTicks));
  const ticks: ProgressTick[] = [];
  let cellIndex = 0;
  for (const [row, caseId] of order.entries())
    for (let repeat = 1; repeat <= trial.repeats; repeat += 1)
      for (const { id: columnId, columnIndex } of columns) {
        const ending = endedByColumn[columnIndex]?.endings[row * trial.repeats + repeat - 1];
        let tick: ProgressTick = 'w';
        if (ending === endingCodes.answered) tick = 'a';
        else if (ending === endingCodes['no answer']) tick = 'x';
        else if (liveCases.has(caseId) && isRunning({ caseId, columnId, repeat })) tick = 'r';
        const tickIndex = Math.floor(cellIndex / answersPerTick);
        const existingTick = ticks[tickIndex];
        if (existingTick === undefined || tickPriority.indexOf(tick) > tickPriority.indexOf(existingTick))
          ticks[tickIndex] = tick;
        cellIndex += 1;
      }
  return { ticks, answersPerTick };
}

/** Builds one path with all ticks of a kind, for a viewBox with a width of 1 per tick. */
export function buildTickPath(ticks: readonly ProgressTick[], kind: ProgressTick, height: number): string {
  return ticks.map((tick, index) => (tick === kind ? `M${index + 0.5} ${14 - height}V14` : '')).join('');
}
