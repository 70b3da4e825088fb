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
import { getCurrentScore, isExcluded } from '../../../trials/checks/score-answer.ts';
import {
  countEnded,
  countEndedPrefix,
  createEndedCells,
  setEnded,
  type EndedCells,
} from '../../../trials/ended-cells.ts';
import {
  filterKnownTimes,
  computeLatencyQuantile,
  computeLatencyRatio,
  type LatencyQuantile,
} from '../../../trials/latency.ts';
import {
  createResultTable,
  getCellIndex,
  setResult,
  type CountInputs,
  type ResultTable,
} from '../../../trials/result-table.ts';
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
import type {
  Case,
  CaseId,
  Cell,
  CellKey,
  Check,
  CheckId,
  ColumnId,
  Result,
  Trial,
} from '../../../trials/trial.ts';
import {
  computeVerdictSteps,
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
}

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
}

export interface LatencyStats {
  median: LatencyQuantile;
  p90: LatencyQuantile;
  p95: LatencyQuantile;
  /** Duration relative to the baseline, computed case by case; absent for the baseline. */
  ratio?: { factor: number; interval: readonly [number, number] };
}

export interface Progress {
  /** Number of cases that the deciding check applies to; without one, of all cases. */
  cases: number;
  counted: number;
  /** Number of cells in columns that have not stopped. */
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
  /** Returns true if the row of a case counts: all of its cells and those of all earlier rows have ended. */
  isCounted: (caseId: CaseId) => boolean;
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
  let countedRows = 0;
  let cachedVerdict: { inputs: readonly unknown[]; verdict: Verdict } | undefined;
  /** Caches a plan that is expensive to compute and depends on few inputs. */
  let cachedPlan: { cacheKey: string; plan: TrialPlan } | undefined;
  let cachedPromptTokens: { inputs: readonly unknown[]; promptTokens: number[] } | undefined;
  /** Usage of each column's cells, and the cells that are included, by `getCellId`. */
  let usageByColumn = new Map<ColumnId, UsageSum>();
  let summedCells = new Map<string, Cell>();
  let cachedProblems: { inputs: readonly unknown[]; problems: CaseProblems } | undefined;
  /** Cached statistics of columns whose cells have not changed. */
  const columnStatsCache = new Map<ColumnId, { baseline: ColumnId; stats: ColumnStats }>();

  function getResult(
    { cases, marks }: TrialData,
    check: Check,
    key: CellKey,
    cell: Cell | undefined,
  ): Result | 'to come' | 'left out' {
    const values = cases.get(key.caseId)?.values ?? {};
    if (isExcluded(check, values)) return 'left out';
    return (cell && getCurrentScore(check, cell, values, marks.get(getCellId(key)))?.result) ?? 'to come';
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
    cachedVerdict = undefined;
    cachedProblems = undefined;
    cachedPromptTokens = undefined;
    columnStatsCache.clear();
    for (const check of trial.checks) {
      const table = tables.get(check.id);
      if (!table) continue;
      order.forEach((caseId, row) => {
        if (!isExcluded(check, data.cases.get(caseId)?.values ?? {})) return;
        for (let column = 0; column < table.columns; column += 1)
          for (let repeat = 1; repeat <= table.repeats; repeat += 1)
            setResult(table, { row, column, repeat }, 'left out');
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
      ...(groups ? { groups } : {}),
      ...(lateOrders.size > 0 ? { lateOrder: new Map(lateOrders) } : {}),
      ...(check.kind === 'marks' ? { markedAt } : {}),
    };
  }

  /** Returns the previous verdict if its inputs have not changed. */
  function* computeVerdict(data: TrialData): Steps<Verdict | undefined> {
    const { trial, cells } = data;
    const check = trial.checks.find(({ id }) => id === trial.decides);
    const table = check && tables.get(check.id);
    if (!table || (cells.size === 0 && !trial.plan)) return undefined;
    const family = (trial.plan?.columns.length ?? trial.columns.length) - 1;
    const stopped = trial.columns.map((column) => column.stopped !== undefined).join();
    const inputs = [table, check.kind, trial.margin, family, trial.baseline, trial.groupField, stopped];
    if (cachedVerdict && inputs.every((input, index) => input === cachedVerdict?.inputs[index]))
      return cachedVerdict.verdict;
    const countInputs = createCountInputs(data, table, check);
    const verdict = yield* computeVerdictSteps(countInputs, { margin: trial.margin, family }, tests);
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

  function getPlan(data: TrialData, { slots, getColumnContext, quotaBytes }: ResultContext): TrialPlan {
    const { trial } = data;
    const inputs = {
      slots,
      columns: trial.columns.map(({ setup }) => getColumnContext(setup)),
      // The cost is estimated for drafts only; afterwards, actual costs are known.
      promptTokens: trial.state.name === 'draft' ? getPromptTokens(data) : [],
      ...(quotaBytes === undefined ? {} : { quotaBytes }),
    };
    const limits = trial.columns.map(({ setup }) => getOutputLimit(buildRequestFields(setup.params)));
    const cacheKey = JSON.stringify([order.length, trial.repeats, limits, inputs]);
    if (cachedPlan?.cacheKey === cacheKey) return cachedPlan.plan;
    cachedPlan = { cacheKey, plan: estimatePlan(trial, inputs) };
    return cachedPlan.plan;
  }

  function getColumnStats(
    column: number,
    { columns, baseline }: Trial,
    endedColumns: readonly EndedCells[],
  ): ColumnStats {
    const id = columns[column]?.id ?? '';
    const cached = columnStatsCache.get(id);
    if (cached?.baseline === baseline) return cached.stats;
    const baselineIndex = columns.findIndex((candidate) => candidate.id === baseline);
    const stats = computeColumnStats(
      endedColumns[column] ?? createEndedCells(0),
      baselineIndex === column ? undefined : endedColumns[baselineIndex],
    );
    // Results are not cached if the tables were replaced while counting.
    if (endedColumns === endedByColumn) columnStatsCache.set(id, { baseline, stats });
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
    const byColumn = trial.columns.map(({ id }, index) =>
      computeUsageCost(getUsage(trial, id), prices[index]),
    );
    const retiredCosts = trial.retired.columns.map(({ id, setup }) =>
      computeUsageCost(getUsage(trial, id), getColumnContext(setup).price),
    );
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
    return {
      verdictContext: {
        trial,
        limits: trial.columns.map(({ setup }) => {
          const { gateway, perMinute } = context.getColumnContext(setup);
          return { gateway, perMinute };
        }),
        hasAnswers,
        hasNewUnits: hasNewUnits(trial, cases),
      },
      plan: getPlan(data, context),
      problems: getProblems(data),
      hasAnswers,
      costs: computeCosts(trial, context.getColumnContext),
      columnPrices: trial.columns.map(({ setup }) => context.getColumnContext(setup).price),
      unknownGateways: findUnknownGateways(trial.columns, context.isUnknownGateway),
    };
  }

  function* computeTotals(data: TrialData, context: ResultContext): Steps<ResultTotals> {
    const { trial, cells } = data;
    const [currentOrder, currentTables, endedColumns] = [order, new Map(tables), endedByColumn];
    const verdict = yield* computeVerdict(data);
    const columnStats: ColumnStats[] = [];
    for (const column of trial.columns.keys()) {
      yield;
      columnStats.push(getColumnStats(column, trial, endedColumns));
    }
    yield;
    const activeColumns = endedColumns.filter((_, column) => trial.columns[column]?.stopped === undefined);
    const endedCounts = activeColumns.map(countEnded);
    countedRows = Math.floor(
      countEndedPrefix(activeColumns, currentOrder.length * trial.repeats) / trial.repeats,
    );
    const remainingByColumn = trial.columns.map(({ stopped, setup }, column) => {
      const { gateway, perMinute, pastStats } = context.getColumnContext(setup);
      return {
        gateway,
        perMinute,
        requests: stopped ? 0 : currentOrder.length * trial.repeats - (columnStats[column]?.cells ?? 0),
        meanMs: computeMeanTime(endedColumns[column]) ?? pastStats?.meanMs,
      };
    });
    return {
      order: currentOrder,
      tables: currentTables,
      endedByColumn: endedColumns,
      verdict,
      ...getCommonTotals(data, context, cells.size > 0),
      columnStats,
      progress: {
        cases: verdict?.cases ?? currentOrder.length,
        counted: verdict?.counted ?? countedRows,
        cells: currentOrder.length * activeColumns.length * trial.repeats,
        ended: endedCounts.reduce((sum, count) => sum + count.ended, 0),
        inFlight: context.inFlight,
        missing: endedCounts.reduce((sum, count) => sum + count.missing, 0),
      },
      timeLeft: estimateTimeLeft(remainingByColumn, context.slots),
    };
  }

  function computeOutline(data: TrialData, context: ResultContext): ResultTotals {
    const emptyStats = computeColumnStats(createEndedCells(0), undefined);
    return {
      order,
      tables: new Map(),
      endedByColumn: [],
      verdict: undefined,
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
    isCounted: (caseId) => (rowIndexes.get(caseId) ?? countedRows) < countedRows,
  };
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

/** Groups the cases of a batch by the value of the group field; undefined if cases are independent. */
function getCaseGroups(
  { groupField, batches }: Trial,
  cases: ReadonlyMap<CaseId, Case>,
  order: readonly CaseId[],
): (string | undefined)[] | undefined {
  if (groupField === undefined) return undefined;
  const batchByCase = new Map(batches.flatMap(({ caseIds }, batch) => caseIds.map((id) => [id, batch])));
  return order.map((id) => {
    const value = getFieldValue(cases.get(id), groupField);
    return value === '' ? undefined : `${batchByCase.get(id) ?? 0}/${value}`;
  });
}

function getFieldValue(testCase: Case | undefined, field: string): string {
  return testCase && Object.hasOwn(testCase.values, field) ? (testCase.values[field] ?? '') : '';
}

/** Returns true if a group has cases in two batches; the later ones then form a new unit. */
function hasNewUnits({ groupField, batches }: Trial, cases: ReadonlyMap<CaseId, Case>): boolean {
  if (groupField === undefined || batches.length < 2) return false;
  const seenValues = new Set<string>();
  return batches.some(({ caseIds }) => {
    const batchValues = new Set(caseIds.map((id) => getFieldValue(cases.get(id), groupField)));
    batchValues.delete('');
    const hasSeenValue = [...batchValues].some((value) => seenValues.has(value));
    for (const value of batchValues) seenValues.add(value);
    return hasSeenValue;
  });
}

function computeMeanTime(column: EndedCells | undefined): number | undefined {
  const times = filterKnownTimes(column?.totalMs ?? new Float32Array());
  return times.length === 0 ? undefined : times.reduce((sum, ms) => sum + ms, 0) / times.length;
}

function computeColumnStats(column: EndedCells, baseline: EndedCells | undefined): ColumnStats {
  const { ended, missing } = countEnded(column);
  return {
    cells: ended,
    answered: ended - missing,
    missing,
    firstToken: computeLatencyStats(column.firstTokenMs, baseline?.firstTokenMs),
    total: computeLatencyStats(column.totalMs, baseline?.totalMs),
  };
}

function computeLatencyStats(
  columnTimes: Float32Array,
  baselineTimes: Float32Array | undefined,
): LatencyStats {
  const times = filterKnownTimes(columnTimes).toSorted();
  const ratio = baselineTimes && computeLatencyRatio(columnTimes, baselineTimes);
  return {
    median: computeLatencyQuantile(times, 0.5),
    p90: computeLatencyQuantile(times, 0.9),
    p95: computeLatencyQuantile(times, 0.95),
    ...(ratio ? { ratio } : {}),
  };
}
