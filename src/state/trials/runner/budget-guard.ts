/** Keeps a trial within its budget: reserves the estimated cost of every request in flight. */
import { getCellId } from '../../../trials/case-order.ts';
import { estimateCellCost, type CellRequest } from '../../../trials/trial-cost.ts';
import type { CellKey, ColumnId } from '../../../trials/trial.ts';
import type { TrialStore } from '../store/trial-store.ts';

/**
 * `wait`: the cell may fit once the actual costs of the requests in flight are known. `stop`: it does not fit even if
 * these cost nothing; `nextCost` is its estimate, or absent if the costs cannot be compared with the budget.
 */
export type BudgetDecision =
  | { name: 'send' }
  | { name: 'wait'; changed: Promise<void> }
  | { name: 'stop'; nextCost?: number };

export interface BudgetGuard {
  check: (key: CellKey, request: CellRequest) => BudgetDecision;
  /** Reserves the estimated cost of a cell that is sent now. */
  reserve: (key: CellKey, request: CellRequest) => void;
  /** Releases the reservation of a cell whose actual cost is known. */
  release: (key: CellKey) => void;
  /** Makes waiting cells check again. */
  notify: () => void;
}

/** Tolerance for sums of amounts, far below the cost of any request. */
const tolerance = 1e-12;

export function createBudgetGuard(
  store: Pick<TrialStore, 'getTrial' | 'getCosts' | 'getUsage' | 'getColumnContext'>,
): BudgetGuard {
  /** Estimated costs of requests in flight, by `getCellId`. */
  const reservations = new Map<string, { columnId: ColumnId; cost: number }>();
  let resolveChanged: () => void = () => undefined;
  const createChanged = () => new Promise<void>((resolve) => (resolveChanged = resolve));
  let changed = createChanged();

  /**
   * Returns true if another request of the column is in flight and none has been answered. The estimate of the first
   * request is the least certain, so the others wait for its actual cost.
   */
  function isFirstAnswerPending(key: CellKey): boolean {
    const { answers, reportedAnswers } = store.getUsage(key.columnId);
    return (
      answers + reportedAnswers === 0 &&
      [...reservations].some(
        ([cellId, { columnId }]) => columnId === key.columnId && cellId !== getCellId(key),
      )
    );
  }

  function estimate({ columnId }: CellKey, request: CellRequest): number | undefined {
    const column = store.getTrial().columns.find(({ id }) => id === columnId);
    const { price, pastStats } = column ? store.getColumnContext(column.setup) : {};
    return price && estimateCellCost(price, request, store.getUsage(columnId), pastStats?.tokensOut);
  }

  function notify(): void {
    resolveChanged();
    changed = createChanged();
  }

  return {
    notify,
    check: (key, request) => {
      const { budget } = store.getTrial();
      if (!budget) return { name: 'send' };
      const { total, budgetProblem } = store.getCosts();
      const nextCost = estimate(key, request);
      if (budgetProblem || nextCost === undefined) return { name: 'stop' };
      const otherReservations = [...reservations].filter(([cellId]) => cellId !== getCellId(key));
      const reserved = otherReservations.reduce((sum, [, { cost }]) => sum + cost, 0);
      const remaining = budget.amount + tolerance - (total?.amounts[budget.currency] ?? 0);
      if (reserved + nextCost <= remaining && !isFirstAnswerPending(key)) return { name: 'send' };
      return nextCost <= remaining && reserved > 0 ? { name: 'wait', changed } : { name: 'stop', nextCost };
    },
    reserve: (key, request) => {
      const cost = estimate(key, request);
      if (cost !== undefined) reservations.set(getCellId(key), { columnId: key.columnId, cost });
    },
    release: (key) => {
      if (reservations.delete(getCellId(key))) notify();
    },
  };
}
