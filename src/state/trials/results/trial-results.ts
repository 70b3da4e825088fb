/** Results of a trial: tables that are updated cell by cell, and the totals computed from them. */
import { getOutputLimit } from '../../../conversation/reply/cost-estimate.ts';
import { addCosts, type Cost, type ModelPrice } from '../../../conversation/reply/cost.ts';
import { getContentText } from '../../../conversation/request/request.ts';
import type { ModelChoice } from '../../../conversation/session/types.ts';
import { splitVariables } from '../../../conversation/session/variables.ts';
import { buildRequestFields } from '../../../conversation/setup/params.ts';
import type { Steps } from '../../../lib/steps.ts';
import { getCellId, getCaseOrder } from '../../../trials/case-order.ts';
import { findCaseProblems, type CaseProblems } from '../../../trials/cases.ts';
import {
  createNearMissFinder,
  sumNearMisses,
  type NearMisses,
  type NearMissSetting,
} from '../../../trials/checks/near-misses.ts';
import { getCountedResult, getCurrentScore, isExcluded } from '../../../trials/checks/score-answer.ts';
import {
  countEnded,
  countEndedPrefix,
  createEndedCells,
  endingCodes,
  setEnded,
  type EndedCells,
} from '../../../trials/ended-cells.ts';
import {
  computeLatencyQuantile,
  computeValueRatio,
  filterKnownValues,
  missingValue,
  type LatencyQuantile,
  type Ratio,
} from '../../../trials/latency.ts';
import {
  createResultTable,
  getCellIndex,
  setResult,
  type CountInputs,
  type ResultTable,
} from '../../../trials/result-table.ts';
import type { PairSum } from '../../../trials/statistics/planning.ts';
import {
  addUsage,
  computeUsageCost,
  createUsageSum,
  findBudgetProblem,
  toUsageSum,
  type BudgetProblem,
  type UsageSum,
} from '../../../trials/trial-cost.ts';
import { estimateTimeLeft, type TimeLeft } from '../../../trials/trial-pace.ts';
import { estimatePlan, type ColumnContext, type TrialPlan } from '../../../trials/trial-plan.ts';
import { findUnknownGateways, type UnknownGateway } from '../../../trials/trial-state.ts';
import {
  getCaseValue,
  getTrialRules,
  sendsRequests,
  type Case,
  type CaseId,
  type Cell,
  type CellKey,
  type Check,
  type CheckId,
  type Column,
  type ColumnId,
  type Result,
  type Trial,
} from '../../../trials/trial.ts';
import {
  computeVerdictSteps,
  getVerdictPlan,
  type SequentialTests,
  type Verdict,
  type VerdictContext,
} from '../../../trials/verdict.ts';
import type { TrialData } from '../repository/trial-records.ts';

/** Input from the page, in addition to the trial. */
export interface ResultContext {
  slots: number;
  inFlight: number;
  getColumnContext: (choice: ModelChoice) => ColumnContext;
  /** Returns true if the server does not have the gateway. */
  isUnknownGateway: (gateway: string) => boolean;
  quotaBytes: number | undefined;
  /** Pairs in earlier trials of this check. */
  getPastPairs: (check: Check) => PairSum | undefined;
}

/** Context for the results of a trial that is not open: without paces and prices. */
export const detachedContext: ResultContext = {
  slots: 1,
  inFlight: 0,
  getColumnContext: () => ({ gateway: '', perMinute: 0, pastStats: undefined, price: undefined }),
  isUnknownGateway: () => false,
  quotaBytes: undefined,
  getPastPairs: () => undefined,
};

/** Part of the state of an open trial that is computed from its records. */
export interface ResultTotals {
  /** Random order of the cases, without retired ones; the rows of all tables. */
  order: readonly CaseId[];
  /** Result of each check for each cell. Rows follow `order`, columns those of the trial. */
  tables: ReadonlyMap<CheckId, ResultTable>;
  /** Endings of the cells by column index; rows follow `order`. Empty until all cells are loaded. */
  endedByColumn: readonly EndedCells[];
  /** Undefined without a deciding check. */
  verdict: Verdict | undefined;
  /** Failed answers that would pass with other settings of the deciding check; `undefined` without any. */
  nearMisses: NearMisses | undefined;
  /** The trial and settings that the verdict was computed with. */
  verdictContext: VerdictContext;
  /** Statistics in column order. */
  columnStats: readonly ColumnStats[];
  plan: TrialPlan;
  problems: CaseProblems;
  progress: Progress;
  timeLeft: TimeLeft;
  costs: TrialCosts;
  /** Price of each column's model, in column order; undefined if it is unknown. */
  columnPrices: readonly (ModelPrice | undefined)[];
  unknownGateways: readonly UnknownGateway[];
  /** True if there are answers; prompts and cases already sent are then retired instead of changed. */
  hasAnswers: boolean;
}

/** Costs of everything sent so far, at current prices. */
export interface TrialCosts {
  /** Cost of each column, in column order; undefined without answers. */
  byColumn: readonly (Cost | undefined)[];
  /** Total cost, including retired columns and requests that are not in a cell; undefined without answers. */
  total: Cost | undefined;
  /** Reason why no budget can be kept, whether there is one or not. */
  budgetProblem: BudgetProblem | undefined;
}

export interface ColumnStats {
  /** Number of cells, without retired cases. */
  cells: number;
  answered: number;
  missing: number;
  firstToken: LatencyStats;
  total: LatencyStats;
  /** Output tokens and cost relative to the baseline; absent for the baseline and for too few cases. */
  tokensRatio?: Ratio;
  costRatio?: Ratio;
}

export interface LatencyStats {
  median: LatencyQuantile;
  p90: LatencyQuantile;
  p95: LatencyQuantile;
  /** Duration relative to the baseline, computed case by case; absent for the baseline. */
  ratio?: Ratio;
}

export interface Progress {
  /** Number of cases that the deciding check applies to; without one, of all cases. */
  cases: number;
  counted: number;
  /** Number of cells in columns that send requests. */
  cells: number;
  ended: number;
  /** Number of cells whose request was sent and has not ended. */
  inFlight: number;
  /** Number of cells that ended without an answer and can be retried. */
  missing: number;
}

export interface TrialResults {
  /** Rebuilds the tables after changes to cases, columns, repeats or checks. */
  rebuild: (data: TrialData) => void;
  /** Updates cells that have ended, were re-scored or were marked. */
  updateCells: (data: TrialData, keys: readonly CellKey[]) => void;
  /**
   * Returns true if the row of a cell counts in a comparison of its column: the cells of both columns in this row and
   * all earlier ones have ended.
   */
  isCounted: (key: Pick<CellKey, 'caseId' | 'columnId'>) => boolean;
  /** Returns the tokens of a column's cells and of its requests that are not in a cell. */
  getUsage: (trial: Trial, columnId: ColumnId) => UsageSum;
  computeCosts: (trial: Trial, getColumnContext: ResultContext['getColumnContext']) => TrialCosts;
  computeTotals: (data: TrialData, context: ResultContext) => Steps<ResultTotals>;
  /** Returns the part of the results that is available before all cells have been read, without totals. */
  computeOutline: (data: TrialData, context: ResultContext) => ResultTotals;
}

export function createTrialResults(): TrialResults {
  let order: CaseId[] = [];
  let rowIndexes = new Map<CaseId, number>();
  let columnIndexes = new Map<ColumnId, number>();
  let tables = new Map<CheckId, ResultTable>();
  let tests: SequentialTests = new Map();
  /** Endings by column index. */
  let endedByColumn: EndedCells[] = [];
  /** `Cell.countedAt` by index in the tables. */
  let lateOrders = new Map<number, number>();
  /** Number of first rows that are counted in a comparison of each column. */
  let countedRows = new Map<ColumnId, number>();
  let cachedVerdict: { inputs: readonly unknown[]; verdict: Verdict } | undefined;
  /** Caches a plan that is expensive to compute and depends on few inputs. */
  let cachedPlan: { cacheKey: string; plan: TrialPlan } | undefined;
  let cachedPromptTokens: { inputs: readonly unknown[]; promptTokens: number[] } | undefined;
  /** Usage of each column's cells, and the cells that are included, by `getCellId`. */
  let usageByColumn = new Map<ColumnId, UsageSum>();
  let summedCells = new Map<string, Cell>();
  let findNearMiss: ReturnType<typeof createNearMissFinder> | undefined;
  /** Settings with which failed answers of the deciding check would pass, by `getCellId`. */
  let nearMissSettings = new Map<string, readonly NearMissSetting[]>();
  let cachedProblems: { inputs: readonly unknown[]; problems: CaseProblems } | undefined;
  /** Cached statistics of columns whose cells have not changed. */
  const columnStatsCache = new Map<ColumnId, { cacheKey: string; stats: ColumnStats }>();

  function getResult(
    { trial, cases, marks }: TrialData,
    check: Check,
    key: CellKey,
    cell: Cell | undefined,
  ): Result | 'to come' | 'left out' {
    const values = cases.get(key.caseId)?.values ?? {};
    if (isExcluded(check, values)) return 'left out';
    const mark = marks.get(getCellId(key));
    const score = cell && getCurrentScore(check, cell, values, mark);
    return (cell && getCountedResult(trial, check, cell, score)) ?? 'to come';
  }

  function updateCells(data: TrialData, keys: Iterable<CellKey>): void {
    for (const key of keys) updateCell(data, key);
    // New objects with the same bytes, so that identity checks notice the change.
    for (const [id, table] of tables) tables.set(id, { ...table });
  }

  /** Replaces the previous usage of a cell, also in a retired case or column, by its current one. */
  function updateUsage(cellId: string, columnId: ColumnId, cell: Cell | undefined): void {
    const columnUsage = usageByColumn.get(columnId) ?? createUsageSum();
    usageByColumn.set(columnId, columnUsage);
    const previousCell = summedCells.get(cellId);
    if (previousCell) addUsage(columnUsage, toUsageSum(previousCell), -1);
    if (cell) addUsage(columnUsage, toUsageSum(cell));
    if (cell) summedCells.set(cellId, cell);
    else summedCells.delete(cellId);
  }

  function updateCell(data: TrialData, key: CellKey): void {
    const cellId = getCellId(key);
    const cell = data.cells.get(cellId);
    updateUsage(cellId, key.columnId, cell);
    // Statistics of all columns depend on the baseline.
    if (key.columnId === data.trial.baseline) columnStatsCache.clear();
    else columnStatsCache.delete(key.columnId);
    const row = rowIndexes.get(key.caseId);
    const column = columnIndexes.get(key.columnId);
    const { columns, repeats } = data.trial;
    if (row === undefined || column === undefined || key.repeat > repeats) return;
    const endedCells = endedByColumn[column];
    if (endedCells) setEnded(endedCells, row * repeats + key.repeat - 1, cell);
    const cellIndex = (row * columns.length + column) * repeats + key.repeat - 1;
    if (cell?.countedAt === undefined) lateOrders.delete(cellIndex);
    else lateOrders.set(cellIndex, cell.countedAt);
    const settings = cell && findNearMiss?.(cell, data.cases.get(key.caseId)?.values ?? {});
    if (settings && settings.length > 0) nearMissSettings.set(cellId, settings);
    else nearMissSettings.delete(cellId);
    for (const check of data.trial.checks) {
      const table = tables.get(check.id);
      if (table) setResult(table, { row, column, repeat: key.repeat }, getResult(data, check, key, cell));
    }
  }

  function rebuild(data: TrialData): void {
    const { trial } = data;
    order = getCaseOrder(trial);
    rowIndexes = new Map(order.map((id, row) => [id, row]));
    columnIndexes = new Map(trial.columns.map(({ id }, column) => [id, column]));
    tables = new Map(
      trial.checks.map((check) => [
        check.id,
        createResultTable(order.length, trial.columns.length, trial.repeats),
      ]),
    );
    endedByColumn = trial.columns.map(() => createEndedCells(order.length * trial.repeats));
    lateOrders = new Map();
    tests = new Map();
    usageByColumn = new Map();
    summedCells = new Map();
    // Trials of version 1 keep their rules, including those of the check.
    const decidingCheck = trial.checks.find(({ id }) => id === trial.decides);
    findNearMiss =
      decidingCheck && getTrialRules(trial) === 2 ? createNearMissFinder(decidingCheck) : undefined;
    nearMissSettings = new Map();
    cachedVerdict = undefined;
    cachedProblems = undefined;
    cachedPromptTokens = undefined;
    columnStatsCache.clear();
    for (const check of trial.checks) {
      const table = tables.get(check.id);
      if (!table) continue;
      order.forEach((caseId, row) => {
        const isLeftOut = isExcluded(check, data.cases.get(caseId)?.values ?? {});
        for (const [column, { savedAnswers }] of trial.columns.entries()) {
          if (!isLeftOut && !savedAnswers) continue;
          for (let repeat = 1; repeat <= table.repeats; repeat += 1)
            setResult(table, { row, column, repeat }, isLeftOut ? 'left out' : 'absent');
        }
      });
    }
    updateCells(data, data.cells.values());
  }

  /** Copies the inputs, because they may change while they are counted in slices. */
  function createCountInputs(
    { trial, cases, marks }: TrialData,
    sourceTable: ResultTable,
    check: Check,
  ): CountInputs {
    const table = { ...sourceTable, bytes: sourceTable.bytes.slice() };
    const markedAt = new Map<number, number>();
    if (check.kind === 'marks')
      for (const { key, at } of marks.values()) {
        const row = rowIndexes.get(key.caseId);
        const column = columnIndexes.get(key.columnId);
        if (row !== undefined && column !== undefined && key.repeat <= table.repeats)
          markedAt.set(getCellIndex(table, row, column, key.repeat), at);
      }
    const groups = getCaseGroups(trial, cases, order);
    return {
      table,
      stopped: trial.columns.map(({ stopped }) => stopped !== undefined),
      baseline: Math.max(0, columnIndexes.get(trial.baseline) ?? 0),
      ...(groups ? { groups, countsRatesByGroup: getTrialRules(trial) === 2 } : {}),
      ...(trial.plan?.rules === 2 ? { plannedRows: countPlannedRows(trial) } : {}),
      ...(lateOrders.size > 0 ? { lateOrder: new Map(lateOrders) } : {}),
      ...(check.kind === 'marks' ? { markedAt } : {}),
    };
  }

  /** Returns the previous verdict if its inputs have not changed. */
  function* computeVerdict(data: TrialData): Steps<Verdict | undefined> {
    const { trial } = data;
    const check = trial.checks.find(({ id }) => id === trial.decides);
    const table = check && tables.get(check.id);
    if (!table || !(trial.plan || hasAnswers(data))) return undefined;
    const stopped = trial.columns.map((column) => column.stopped !== undefined).join();
    const plan = getVerdictPlan(trial);
    const inputs = [table, check.kind, JSON.stringify(plan), trial.baseline, trial.groupField, stopped];
    if (cachedVerdict && inputs.every((input, index) => input === cachedVerdict?.inputs[index]))
      return cachedVerdict.verdict;
    const countInputs = createCountInputs(data, table, check);
    const verdict = yield* computeVerdictSteps(countInputs, plan, tests);
    cachedVerdict = { inputs, verdict };
    return verdict;
  }

  function getProblems({ trial, cases }: TrialData): CaseProblems {
    const { messages, columns, checks, decides, repeats, fields } = trial;
    const inputs = [messages, columns, checks, decides, repeats, fields];
    if (cachedProblems && inputs.every((input, index) => input === cachedProblems?.inputs[index]))
      return cachedProblems.problems;
    const newProblems = findCaseProblems(
      trial,
      order.flatMap((id) => cases.get(id) ?? []),
    );
    cachedProblems = { inputs, problems: newProblems };
    return newProblems;
  }

  /** Estimates the tokens of all prompts of each column, from their length. */
  function getPromptTokens({ trial, cases }: TrialData): number[] {
    const { messages, columns } = trial;
    const inputs = [messages, columns];
    if (cachedPromptTokens && inputs.every((input, index) => input === cachedPromptTokens?.inputs[index]))
      return cachedPromptTokens.promptTokens;
    const sentCases = order.flatMap((id) => cases.get(id) ?? []);
    // Most columns send the same texts.
    const tokensByTexts = new Map<string, number>();
    const promptTokens = columns.map(({ setup, messages: ownMessages = messages }) => {
      const texts = [setup.system, ...ownMessages.map(({ content }) => getContentText(content))];
      const key = JSON.stringify(texts);
      const tokens = tokensByTexts.get(key) ?? estimateCaseTokens(texts, sentCases);
      tokensByTexts.set(key, tokens);
      return tokens;
    });
    cachedPromptTokens = { inputs, promptTokens };
    return promptTokens;
  }

  function getPlan(
    data: TrialData,
    { slots, getColumnContext, quotaBytes, getPastPairs }: ResultContext,
    absentCases: readonly (readonly number[])[],
  ): TrialPlan {
    const { trial } = data;
    const check = trial.checks.find(({ id }) => id === trial.decides);
    const pastPairs = check && getPastPairs(check);
    const inputs = {
      slots,
      columns: trial.columns.map(({ setup }) => getColumnContext(setup)),
      // The cost is estimated for drafts only; afterwards, actual costs are known.
      promptTokens: trial.state.name === 'draft' ? getPromptTokens(data) : [],
      comparedCases:
        order.length - (absentCases[trial.columns.findIndex(({ id }) => id === trial.baseline)]?.length ?? 0),
      ...(quotaBytes === undefined ? {} : { quotaBytes }),
      ...(pastPairs ? { pastPairs } : {}),
    };
    const limits = trial.columns.map(({ setup }) => getOutputLimit(buildRequestFields(setup.params)));
    const cacheKey = JSON.stringify([
      order.length,
      trial.batches,
      trial.reverseShare,
      trial.repeats,
      limits,
      inputs,
    ]);
    if (cachedPlan?.cacheKey === cacheKey) return cachedPlan.plan;
    cachedPlan = { cacheKey, plan: estimatePlan(trial, inputs) };
    return cachedPlan.plan;
  }

  /** Returns the numbers of the cases without an answer in each column with copied answers. */
  function listAbsentCases({ columns, batches, repeats }: Trial): number[][] {
    if (columns.every(({ savedAnswers }) => !savedAnswers)) return columns.map(() => []);
    const numbers = new Map(
      batches.flatMap(({ caseIds }) => caseIds).map((id, index) => [id, index + 1] as const),
    );
    return columns.map(({ savedAnswers }, column) => {
      const endings = endedByColumn[column]?.endings;
      if (!savedAnswers || !endings) return [];
      const isAbsent = (row: number): boolean =>
        endings.subarray(row * repeats, (row + 1) * repeats).every((code) => code === endingCodes['to come']);
      return order
        .flatMap((id, row) => (isAbsent(row) ? (numbers.get(id) ?? []) : []))
        .toSorted((a, b) => a - b);
    });
  }

  function* getColumnStats(
    column: number,
    { columns, baseline, repeats }: Trial,
    endedColumns: readonly EndedCells[],
    getPrice: (column: number) => ModelPrice | undefined,
    getCosts: (column: number) => Steps<CellCosts>,
  ): Steps<ColumnStats> {
    const id = columns[column]?.id ?? '';
    const baselineIndex = columns.findIndex((candidate) => candidate.id === baseline);
    const prices = [column, baselineIndex].map(getPrice);
    const cacheKey = JSON.stringify([baseline, ...prices]);
    const cached = columnStatsCache.get(id);
    if (cached?.cacheKey === cacheKey) return cached.stats;
    const cells = endedColumns[column] ?? createEndedCells(0);
    const baselineCells = baselineIndex === column ? undefined : endedColumns[baselineIndex];
    const stats = computeColumnStats(cells, baselineCells, repeats);
    const costRatio =
      baselineCells && computeCostRatio(yield* getCosts(column), yield* getCosts(baselineIndex), repeats);
    if (costRatio) stats.costRatio = costRatio;
    // Results are not cached if the tables were replaced while counting.
    if (endedColumns === endedByColumn) columnStatsCache.set(id, { cacheKey, stats });
    return stats;
  }

  function getUsage({ discardedUsage = {} }: Trial, columnId: ColumnId): UsageSum {
    const usage = createUsageSum();
    addUsage(usage, usageByColumn.get(columnId));
    addUsage(usage, discardedUsage[columnId]);
    return usage;
  }

  function computeCosts(trial: Trial, getColumnContext: ResultContext['getColumnContext']): TrialCosts {
    const prices = trial.columns.map(({ setup }) => getColumnContext(setup).price);
    // Copied answers were paid for in another trial.
    const computeColumnCost = ({ id, savedAnswers, setup }: Column): Cost | undefined =>
      savedAnswers ? undefined : computeUsageCost(getUsage(trial, id), getColumnContext(setup).price);
    const byColumn = trial.columns.map(computeColumnCost);
    const retiredCosts = trial.retired.columns.map(computeColumnCost);
    const total = addCosts([...byColumn, ...retiredCosts].flatMap((cost) => cost ?? []));
    return { byColumn, total, budgetProblem: findBudgetProblem(trial, prices, total?.amounts) };
  }

  /** Returns the part of the results that does not depend on the verdict. */
  function getCommonTotals(
    data: TrialData,
    context: ResultContext,
    hasAnswers: boolean,
  ): Pick<
    ResultTotals,
    'verdictContext' | 'plan' | 'problems' | 'hasAnswers' | 'costs' | 'columnPrices' | 'unknownGateways'
  > {
    const { trial, cases } = data;
    const absentCases = listAbsentCases(trial);
    return {
      verdictContext: {
        trial,
        limits: trial.columns.map(({ setup }, column) => {
          const { gateway, perMinute, pastStats } = context.getColumnContext(setup);
          return { gateway, perMinute, meanMs: computeMeanTime(endedByColumn[column]) ?? pastStats?.meanMs };
        }),
        slots: context.slots,
        hasAnswers,
        hasNewUnits: hasNewUnits(trial, cases),
        absentCases,
      },
      plan: getPlan(data, context, absentCases),
      problems: getProblems(data),
      hasAnswers,
      costs: computeCosts(trial, context.getColumnContext),
      columnPrices: trial.columns.map(({ setup }) => context.getColumnContext(setup).price),
      unknownGateways: findUnknownGateways(trial.columns, context.isUnknownGateway),
    };
  }

  function* computeTotals(data: TrialData, context: ResultContext): Steps<ResultTotals> {
    const { trial } = data;
    const [currentOrder, currentTables, endedColumns] = [order, new Map(tables), endedByColumn];
    const verdict = yield* computeVerdict(data);
    const getPrice = (column: number) => {
      const setup = trial.columns[column]?.setup;
      return setup && context.getColumnContext(setup).price;
    };
    const costsByColumn = new Map<number, CellCosts>();
    // All columns are compared with the costs of the baseline.
    function* getCosts(column: number): Steps<CellCosts> {
      const costs =
        costsByColumn.get(column) ??
        (yield* computeCellCosts(endedColumns[column] ?? createEndedCells(0), getPrice(column)));
      costsByColumn.set(column, costs);
      return costs;
    }
    const columnStats: ColumnStats[] = [];
    for (const column of trial.columns.keys()) {
      yield;
      columnStats.push(yield* getColumnStats(column, trial, endedColumns, getPrice, getCosts));
    }
    yield;
    const activeColumns = endedColumns.filter((_, column) => isAsked(trial.columns[column]));
    const endedCounts = activeColumns.map(countEnded);
    const endedRows = endedColumns.map((cells, column) =>
      isAsked(trial.columns[column])
        ? Math.floor(countEndedPrefix(cells) / trial.repeats)
        : currentOrder.length,
    );
    countedRows = countRowsInComparisons(trial, endedRows);
    const remainingByColumn = trial.columns.map((trialColumn, column) => {
      const { gateway, perMinute, pastStats } = context.getColumnContext(trialColumn.setup);
      return {
        gateway,
        perMinute,
        requests: isAsked(trialColumn)
          ? currentOrder.length * trial.repeats - (columnStats[column]?.cells ?? 0)
          : 0,
        meanMs: computeMeanTime(endedColumns[column]) ?? pastStats?.meanMs,
      };
    });
    return {
      order: currentOrder,
      tables: currentTables,
      endedByColumn: endedColumns,
      verdict,
      nearMisses: sumNearMisses(nearMissSettings.values()),
      ...getCommonTotals(data, context, hasAnswers(data)),
      columnStats,
      progress: {
        cases: verdict?.cases ?? currentOrder.length,
        counted: verdict?.counted ?? Math.min(currentOrder.length, ...endedRows),
        cells: currentOrder.length * activeColumns.length * trial.repeats,
        ended: endedCounts.reduce((sum, count) => sum + count.ended, 0),
        inFlight: context.inFlight,
        missing: endedCounts.reduce((sum, count) => sum + count.missing, 0),
      },
      timeLeft: estimateTimeLeft(remainingByColumn, context.slots),
    };
  }

  function computeOutline(data: TrialData, context: ResultContext): ResultTotals {
    const emptyStats = computeColumnStats(createEndedCells(0), undefined, 1);
    return {
      order,
      tables: new Map(),
      endedByColumn: [],
      verdict: undefined,
      nearMisses: undefined,
      ...getCommonTotals(data, context, true),
      columnStats: data.trial.columns.map(() => emptyStats),
      progress: { cases: order.length, counted: 0, cells: 0, ended: 0, inFlight: 0, missing: 0 },
      timeLeft: { ms: 0, isLowerBound: true },
    };
  }

  return {
    rebuild,
    updateCells,
    getUsage,
    computeCosts,
    computeTotals,
    computeOutline,
    isCounted: ({ caseId, columnId }) => {
      const row = rowIndexes.get(caseId);
      return row !== undefined && row < (countedRows.get(columnId) ?? 0);
    },
  };
}

/** Returns true if the trial sends requests for the column. */
function isAsked(column: Trial['columns'][number] | undefined): boolean {
  return column !== undefined && sendsRequests(column);
}

/** Returns true if there are answers other than copied ones. */
export function hasAnswers({ trial, cells }: Pick<TrialData, 'trial' | 'cells'>): boolean {
  const columns = [...trial.columns, ...trial.retired.columns];
  const copiedColumns = new Set(columns.flatMap(({ id, savedAnswers }) => (savedAnswers ? [id] : [])));
  return copiedColumns.size === 0
    ? cells.size > 0
    : [...cells.values()].some(({ columnId }) => !copiedColumns.has(columnId));
}

/** Returns the number of first rows that are counted in a comparison of each column with the baseline. */
function countRowsInComparisons(
  { columns, baseline }: Trial,
  endedRows: readonly number[],
): Map<ColumnId, number> {
  const baselineIndex = columns.findIndex(({ id }) => id === baseline);
  const pairRows = endedRows.map((rows) => Math.min(rows, endedRows[baselineIndex] ?? 0));
  const otherRows = pairRows.filter((_, column) => column !== baselineIndex || columns.length === 1);
  return new Map(
    columns.map(({ id }, column) => [
      id,
      column === baselineIndex ? Math.max(0, ...otherRows) : (pairRows[column] ?? 0),
    ]),
  );
}

/** Estimates the tokens of these texts and the histories for all cases, without building the messages. */
function estimateCaseTokens(texts: readonly string[], cases: readonly Case[]): number {
  const templates = texts.map(splitVariables);
  return cases.reduce((sum, { values, history = [] }) => {
    const textChars = templates.map((pieces) =>
      pieces.reduce((chars, { text, name }) => chars + (getValue(values, name) ?? text).length, 0),
    );
    const historyChars = history.map(({ content }) => getContentText(content).length);
    return [...textChars, ...historyChars].reduce((tokens, chars) => tokens + Math.ceil(chars / 4), sum);
  }, 0);
}

function getValue(values: Case['values'], name: string | undefined): string | undefined {
  return name !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Counts the rows of the first batch, whose size was fixed by the plan. */
function countPlannedRows({ batches: [first], retired }: Trial): number {
  const retiredIds = new Set(retired.caseIds);
  return first?.caseIds.filter((id) => !retiredIds.has(id)).length ?? 0;
}

/** Groups the cases of a batch; undefined if cases are independent. Groups that the trial has fixed are not changed. */
function getCaseGroups(
  trial: Trial,
  cases: ReadonlyMap<CaseId, Case>,
  order: readonly CaseId[],
): (string | undefined)[] | undefined {
  const { groupField, batches } = trial;
  if (getTrialRules(trial) === 2) {
    if (batches.every(({ groups }) => groups === undefined)) return undefined;
    const groupByCase = new Map(
      batches.flatMap(({ caseIds, groups }, batch) =>
        caseIds.map((id, index) => [id, groups && `${batch}/${groups[index]}`]),
      ),
    );
    return order.map((id) => groupByCase.get(id));
  }
  if (groupField === undefined) return undefined;
  const batchByCase = new Map(batches.flatMap(({ caseIds }, batch) => caseIds.map((id) => [id, batch])));
  return order.map((id) => {
    const value = getCaseValue(cases.get(id), groupField);
    return value === '' ? undefined : `${batchByCase.get(id) ?? 0}/${value}`;
  });
}

/** Returns true if a group has cases in two batches; the later ones then form a new unit. */
function hasNewUnits({ groupField, batches }: Trial, cases: ReadonlyMap<CaseId, Case>): boolean {
  if (groupField === undefined || batches.length < 2) return false;
  const seenValues = new Set<string>();
  return batches.some(({ caseIds }) => {
    const batchValues = new Set(caseIds.map((id) => getCaseValue(cases.get(id), groupField)));
    batchValues.delete('');
    const hasSeenValue = [...batchValues].some((value) => seenValues.has(value));
    for (const value of batchValues) seenValues.add(value);
    return hasSeenValue;
  });
}

function computeMeanTime(column: EndedCells | undefined): number | undefined {
  const times = filterKnownValues(column?.totalMs ?? new Float32Array());
  return times.length === 0 ? undefined : times.reduce((sum, ms) => sum + ms, 0) / times.length;
}

function computeColumnStats(
  column: EndedCells,
  baseline: EndedCells | undefined,
  repeats: number,
): ColumnStats {
  const { ended, missing } = countEnded(column);
  const tokensRatio = baseline && computeValueRatio(column.tokensOut, baseline.tokensOut, repeats);
  return {
    cells: ended,
    answered: ended - missing,
    missing,
    firstToken: computeLatencyStats(column.firstTokenMs, baseline?.firstTokenMs, repeats),
    total: computeLatencyStats(column.totalMs, baseline?.totalMs, repeats),
    ...(tokensRatio ? { tokensRatio } : {}),
  };
}

function computeLatencyStats(
  times: Float32Array,
  baselineTimes: Float32Array | undefined,
  repeats: number,
): LatencyStats {
  const ratio = baselineTimes && computeValueRatio(times, baselineTimes, repeats);
  return {
    median: computeLatencyQuantile(times, repeats, 0.5),
    p90: computeLatencyQuantile(times, repeats, 0.9),
    p95: computeLatencyQuantile(times, repeats, 0.95),
    ...(ratio ? { ratio } : {}),
  };
}

/** Number of costs computed between two steps. */
const costsPerStep = 2000;

/** Costs of the cells of a column, with their currencies. */
interface CellCosts {
  amounts: Float64Array;
  currencies: ReadonlySet<string>;
}

function* computeCellCosts({ endings, usages }: EndedCells, price: ModelPrice | undefined): Steps<CellCosts> {
  const amounts = new Float64Array(endings.length).fill(missingValue);
  const currencies = new Set<string>();
  for (const [index, usage] of usages.entries()) {
    if (index % costsPerStep === 0) yield;
    // Without a price, only reported costs are known.
    if (!usage || (!price && usage.reportedAnswers === 0)) continue;
    for (const [currency, amount] of Object.entries(computeUsageCost(usage, price)?.amounts ?? {})) {
      currencies.add(currency);
      amounts[index] = amount;
    }
  }
  return { amounts, currencies };
}

/** Returns the column's costs relative to the baseline's; `undefined` if they are unknown or in several currencies. */
function computeCostRatio(column: CellCosts, baseline: CellCosts, repeats: number): Ratio | undefined {
  const currencies = new Set([...column.currencies, ...baseline.currencies]);
  return currencies.size === 1 ? computeValueRatio(column.amounts, baseline.amounts, repeats) : undefined;
}
