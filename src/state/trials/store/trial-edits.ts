/** Edits of a trial that respect existing answers. trials/edit-trial.ts determines what is retired and when. */
import { isEqual } from 'es-toolkit';

import { dropImportedFields } from '../../../conversation/files/imported-fields.ts';
import type { Setup } from '../../../conversation/session/types.ts';
import { defaultParams, type ParamName } from '../../../conversation/setup/params.ts';
import type { Message } from '../../../gateway/wire.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import { runWhenIdle } from '../../../lib/steps.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { isTooLarge, createCaseIdAllocator, hashSentValues, findSentFields } from '../../../trials/cases.ts';
import { withCellMark } from '../../../trials/cell.ts';
import {
  changeMessages,
  countComparisons,
  editCase,
  withGroups,
  withMessages,
  withNewCases,
  withoutCase,
  withSetup,
} from '../../../trials/edit-trial.ts';
import { findNearDuplicatesStepwise } from '../../../trials/near-duplicates.ts';
import type { Budget } from '../../../trials/trial-cost.ts';
import {
  countCases,
  getCaseValue,
  trialLimits,
  type Case,
  type CaseId,
  type CellKey,
  type Check,
  type CheckId,
  type Column,
  type ColumnId,
  type Mark,
  type Trial,
} from '../../../trials/trial.ts';
import {
  buildCaseBlockWrite,
  buildAllCaseWrites,
  buildAllCellWrites,
  readStoredTrial,
} from '../repository/trial-records.ts';
import { hasAnswers } from '../results/trial-results.ts';
import type { TrialScores } from '../results/trial-scores.ts';
import type { TrialRunner } from '../runner/trial-runner.ts';
import type { TrialServices, TrialStore } from './trial-store.ts';

/** Fields that can be edited directly. */
export type TrialFields = Pick<
  Trial,
  'title' | 'margin' | 'baseline' | 'seed' | 'giveUpAfterMs' | 'stopWhenDecided'
>;

export interface NewCase {
  values: Record<string, string>;
  history?: Message[];
  line?: number;
}

export interface AddCasesResult {
  added: number;
  /** Cases that were omitted, because they equal a case of the trial that this one confirms. */
  duplicates: NewCase[];
  /** Limit that was exceeded; if set, no case was added. */
  reason?: string;
}

/** Edits of a trial. Edits that move cases wait until all cells are loaded, because cells are stored in whole blocks. */
export interface TrialEdits {
  /** Changes fields of the trial. A seed has no effect once there is a plan, because the order is fixed then. */
  edit: (change: Partial<TrialFields>) => void;
  /**
   * Sets the field that groups dependent cases; undefined treats cases as independent. Has no effect once there is a
   * plan, because the order of the cases depends on the groups.
   */
  setGroup: (field: string | undefined) => void;
  /** Sets the deciding check; undefined yields no verdict. */
  setDecidingCheck: (check: CheckId | undefined) => void;
  /** Sets the share of cases in which the baseline alone is expected to pass; undefined estimates it. */
  setReverseShare: (share: number | undefined) => void;
  /** Sets the budget; undefined removes it. Waiting requests are checked against it at once. */
  setBudget: (budget: Budget | undefined) => void;
  /**
   * Sets the prompt of all columns without a custom one. Returns false if there are answers; use `createNextVersion`
   * then.
   */
  setMessages: (messages: Message[]) => boolean;
  /** Sets whether timeouts and answers that were cut off are left out instead of counting as failed. */
  setTimeoutsLeftOut: (isLeftOut: boolean) => void;
  /**
   * Sets the repeats per case. After an increase, counting restarts at the first case, and a finished trial continues
   * on Resume.
   */
  setRepeats: (repeats: number) => void;

  addCases: (cases: readonly NewCase[], fields?: readonly string[]) => Promise<AddCasesResult>;
  editCase: (caseId: CaseId, change: NewCase) => Promise<void>;
  /** Removes imported opaque fields from the messages of cases and from the prompts. */
  dropImportedFields: () => void;
  removeCases: (caseIds: readonly CaseId[]) => void;
  /** Returns groups of cases whose sent texts are nearly the same, each led by its first case. */
  findSimilarCases: () => Promise<CaseId[][]>;
  /** Adds a field with the number of each of these groups, and groups the cases of a draft by it. */
  groupCases: (groups: readonly CaseId[][]) => void;
  /** Adds a field to all cases, initially empty. */
  addField: (name: string) => void;

  /** Adds a column and returns its ID. */
  addColumn: (setup?: Setup) => ColumnId;
  duplicateColumn: (columnId: ColumnId) => ColumnId | undefined;
  removeColumn: (columnId: ColumnId) => void;
  /** Adds a copy of this column for each value and keeps the original. Returns the new IDs. */
  addValueColumns: (columnId: ColumnId, param: ParamName, values: readonly string[]) => ColumnId[];
  /**
   * Adds the lanes of the current or a stored session as columns. If the trial has no prompt, the session's last prompt
   * is used.
   */
  addLaneColumns: (sessionId?: string) => Promise<ColumnId[]>;
  setSetup: (columnId: ColumnId, setup: Setup) => void;
  /** Sets a custom prompt of the column; undefined restores the trial's prompt. */
  setColumnPrompt: (columnId: ColumnId, messages: Message[] | undefined) => void;
  /** Sets the system prompt of all columns without copied answers. */
  setSystem: (system: string) => void;
  moveColumn: (columnId: ColumnId, index: number) => void;
  /** Restarts a stopped column after its cause was fixed. */
  restartColumn: (columnId: ColumnId) => void;

  /** Adds a check and returns its ID. The first check becomes the deciding one. */
  addCheck: (check: Omit<Check, 'id'>) => CheckId;
  editCheck: (check: Check) => void;
  removeCheck: (checkId: CheckId) => void;
  /** Sets or clears the mark of a cell. */
  setMark: (key: CellKey, mark: Mark['mark'] | undefined) => void;
}

export function createTrialEdits(
  store: TrialStore,
  scores: Pick<TrialScores, 'rescore'>,
  runner: Pick<TrialRunner, 'refillQueue'>,
  services: TrialServices,
): TrialEdits {
  const { records, recorder, send } = services;
  const { now, newId } = services.page;
  const { id: trialId } = store.getTrial();
  let confirmedCases: readonly Case[] | undefined;

  const hasColumnAnswers = (columnId: ColumnId): boolean =>
    !store.isComplete() || [...store.cells.values()].some((cell) => cell.columnId === columnId);
  const hasCaseAnswers = (caseId: CaseId): boolean =>
    [...store.cells.values()].some((cell) => cell.caseId === caseId);

  /** Updates the trial. `skipRecount`: the change does not affect any results. */
  function updateTrial(update: (trial: Trial) => Trial, skipRecount = false): void {
    const previous = store.getTrial();
    const trial = update(previous);
    if (trial === previous) return;
    store.setTrial({ ...trial, updatedAt: now() }, !skipRecount);
    if (!skipRecount) runner.refillQueue();
  }

  function updateColumns(update: (columns: readonly Column[]) => Column[]): void {
    updateTrial((trial) => ({ ...trial, columns: update(trial.columns) }));
  }

  /** Writes all blocks, since positions have changed. */
  function writeCases(): void {
    const trial = store.getTrial();
    store.write([
      ...buildAllCaseWrites(trial, store.cases),
      ...(store.cells.size > 0 && store.ownsCells() ? buildAllCellWrites(trial, store.cells) : []),
    ]);
  }

  /** Returns the cases of the trial that this one confirms; they must not be used again. */
  async function getConfirmedCases(): Promise<readonly Case[]> {
    const { follows } = store.getTrial();
    if (follows?.why !== 'confirm') return [];
    confirmedCases ??= [...((await readStoredTrial(records, follows.trialId))?.cases.values() ?? [])];
    return confirmedCases;
  }

  async function addCases(
    cases: readonly NewCase[],
    fields: readonly string[] = [],
  ): Promise<AddCasesResult> {
    await store.whenLoaded();
    const trial = store.getTrial();
    const reason = getLimitError(trial, cases, fields);
    if (reason !== undefined) return { added: 0, duplicates: [], reason };
    const sentFields = findSentFields(trial);
    const confirmedHashes = new Set<string>();
    for (const testCase of await getConfirmedCases())
      confirmedHashes.add(await hashSentValues(testCase, sentFields));
    const createCaseId = createCaseIdAllocator(sentFields, store.cases.keys());
    const duplicates: NewCase[] = [];
    const addedCases: Case[] = [];
    for (const testCase of cases) {
      if (confirmedHashes.size > 0 && confirmedHashes.has(await hashSentValues(testCase, sentFields))) {
        duplicates.push(testCase);
        continue;
      }
      addedCases.push({ id: await createCaseId(testCase), ...testCase });
    }
    for (const testCase of addedCases) store.cases.set(testCase.id, testCase);
    send({ trialId, cases: addedCases });
    updateTrial((current) => withNewCases(current, addedCases, { cases: store.cases, fields, at: now() }));
    writeCases();
    return { added: addedCases.length, duplicates };
  }

  function addColumns(columns: readonly Omit<Column, 'id'>[]): ColumnId[] {
    const remainingCapacity = trialLimits.columns - store.getTrial().columns.length;
    const { plan, columns: existingColumns } = store.getTrial();
    const firstComparison = countComparisons(store.getTrial());
    const newColumns = columns
      .slice(0, Math.max(0, remainingCapacity))
      .map(({ comparisons: _, savedAnswers: __, ...column }, index) => ({
        ...column,
        id: newId(),
        ...(plan?.rules === 2 && existingColumns.length > 0 ? { comparisons: firstComparison + index } : {}),
      }));
    if (newColumns.length < columns.length)
      store.addNotice(
        `A trial can have up to ${trialLimits.columns} columns. ${pluralize(columns.length - newColumns.length, 'column was', 'columns were')} left out.`,
        'problem',
      );
    if (newColumns.length === 0) return [];
    updateTrial((trial) => ({
      ...trial,
      columns: [...trial.columns, ...newColumns],
      baseline: trial.columns.length === 0 ? (newColumns[0]?.id ?? '') : trial.baseline,
    }));
    return newColumns.map(({ id }) => id);
  }

  function replaceColumn(columnId: ColumnId, edit: (column: Column) => Column): void {
    updateTrial((trial) => {
      const oldColumn = trial.columns.find(({ id }) => id === columnId);
      if (!oldColumn) return trial;
      // A setup with answers is retired together with its column; a changed prompt retires the column in the same way.
      const editedColumn = edit(oldColumn);
      if (isEqual(editedColumn.setup, oldColumn.setup) && isEqual(editedColumn.messages, oldColumn.messages))
        return trial;
      const nextTrial = withSetup(trial, columnId, editedColumn.setup, {
        newId,
        isAnswered: hasColumnAnswers(columnId),
      });
      const columnIndex = trial.columns.indexOf(oldColumn);
      return {
        ...nextTrial,
        columns: nextTrial.columns.map((column, index) => {
          if (index !== columnIndex) return column;
          const { messages: _, ...rest } = column;
          return editedColumn.messages ? { ...rest, messages: editedColumn.messages } : rest;
        }),
      };
    });
  }

  function removeCases(caseIds: readonly CaseId[]): void {
    updateTrial((trial) =>
      caseIds.reduce((next, caseId) => withoutCase(next, caseId, hasCaseAnswers(caseId)), trial),
    );
    store.removeUnlistedCases();
    writeCases();
  }

  function setMessages(messages: Message[]): boolean {
    if (hasAnswers({ trial: store.getTrial(), cells: store.cells })) return false;
    updateTrial((trial) => withMessages(trial, messages), true);
    return true;
  }

  return {
    edit: (fields) => {
      const { seed, title, ...others } = fields;
      updateTrial(
        (trial) => ({
          ...trial,
          ...others,
          ...(title === undefined ? {} : { title, titled: true as const }),
          // The order is based on the seed, so it stays fixed once there is a plan.
          ...(seed === undefined || trial.plan ? {} : { seed }),
        }),
        seed === undefined && fields.baseline === undefined,
      );
    },
    setGroup: (field) =>
      updateTrial((trial) => {
        if (trial.plan?.rules === 2) return trial;
        const { groupField: _, ...rest } = trial;
        return withGroups(field === undefined ? rest : { ...rest, groupField: field }, store.cases);
      }),
    setDecidingCheck: (check) => {
      updateTrial(({ decides: _, ...trial }) => (check === undefined ? trial : { ...trial, decides: check }));
      scores.rescore();
    },
    setReverseShare: (share) =>
      updateTrial(({ reverseShare: _, ...trial }) =>
        share === undefined ? trial : { ...trial, reverseShare: share },
      ),
    setBudget: (budget) => {
      updateTrial(({ budget: _, ...trial }) => (budget ? { ...trial, budget } : trial), true);
      runner.refillQueue();
    },
    setMessages,
    setTimeoutsLeftOut: (isLeftOut) =>
      updateTrial(({ leavesOutTimeouts: _, ...trial }) =>
        isLeftOut ? { ...trial, leavesOutTimeouts: true } : trial,
      ),
    setRepeats: (repeats) =>
      updateTrial((trial) => ({
        ...trial,
        repeats: Math.min(trialLimits.repeats, Math.max(1, Math.round(repeats))),
      })),

    addCases,
    editCase: async (caseId, values) => {
      await store.whenLoaded();
      const previousTrial = store.getTrial();
      const answeredCases = new Set([...store.cells.values()].map((cell) => cell.caseId));
      const currentCases = [...store.cases.values()];
      const editResult = await editCase(
        { trial: previousTrial, cases: currentCases },
        { id: caseId, ...values },
        { answeredCases, at: now() },
      );
      const changedCases = editResult.cases.filter((testCase) => store.cases.get(testCase.id) !== testCase);
      for (const testCase of changedCases) store.cases.set(testCase.id, testCase);
      send({ trialId, cases: changedCases });
      // Other changes made in the meantime are kept.
      const { batches, retired, valuesChanged } = editResult.trial;
      updateTrial((trial) =>
        withGroups(
          {
            ...trial,
            batches,
            retired: { ...trial.retired, caseIds: retired.caseIds },
            ...(valuesChanged ? { valuesChanged } : {}),
          },
          store.cases,
        ),
      );
      store.removeUnlistedCases();
      const blockWrite =
        batches === previousTrial.batches
          ? buildCaseBlockWrite(store.getTrial(), store.cases, caseId)
          : undefined;
      if (blockWrite) recorder.put(`cases ${caseId}`, blockWrite);
      else writeCases();
      scores.rescore();
    },
    dropImportedFields: () => {
      const changedCases = [...store.cases.values()].flatMap(({ history, ...each }) =>
        history ? [{ ...each, history: dropImportedFields(history) }] : [],
      );
      for (const testCase of changedCases) store.cases.set(testCase.id, testCase);
      send({ trialId, cases: changedCases });
      updateTrial((trial) => changeMessages(trial, dropImportedFields));
      writeCases();
    },
    removeCases: (caseIds) => {
      if (store.isComplete()) removeCases(caseIds);
      else
        store.whenLoaded().then(
          () => removeCases(caseIds),
          () => undefined,
        );
    },
    findSimilarCases: async () => {
      await store.whenLoaded();
      const trial = store.getTrial();
      const sentFields = findSentFields(trial);
      const textFields = sentFields.length > 0 ? sentFields : trial.fields;
      const ids = trial.batches.flatMap(({ caseIds }) => caseIds);
      const texts = ids.map((id) =>
        textFields.map((name) => getCaseValue(store.cases.get(id), name)).join('\n'),
      );
      const groups = await runWhenIdle(findNearDuplicatesStepwise(texts), services.page);
      return groups.map((indexes) => indexes.flatMap((index) => ids[index] ?? []));
    },
    groupCases: (groups) => {
      const { fields } = store.getTrial();
      let name = 'similar';
      while (fields.includes(name)) name = `${name} cases`;
      const groupedCases = groups.flatMap((caseIds, index) =>
        caseIds.flatMap((id): Case[] => {
          const testCase = store.cases.get(id);
          return testCase ? [{ ...testCase, values: { ...testCase.values, [name]: String(index + 1) } }] : [];
        }),
      );
      for (const testCase of groupedCases) store.cases.set(testCase.id, testCase);
      send({ trialId, cases: groupedCases });
      updateTrial((trial) =>
        withGroups({ ...trial, fields: [...trial.fields, name], groupField: name }, store.cases),
      );
      writeCases();
    },
    addField: (name) =>
      updateTrial((trial) =>
        trial.fields.includes(name) || trial.fields.length >= trialLimits.values
          ? trial
          : { ...trial, fields: [...trial.fields, name] },
      ),

    addColumn: (setup) => {
      const last = store.getTrial().columns.at(-1);
      return addColumns([{ setup: setup ?? last?.setup ?? services.getFirstSetup() }])[0] ?? '';
    },
    duplicateColumn: (columnId) => {
      const column = store.getTrial().columns.find(({ id }) => id === columnId);
      if (!column) return undefined;
      const { id: _, stopped: __, ...copy } = column;
      return addColumns([copy])[0];
    },
    removeColumn: (columnId) =>
      updateTrial((trial) => {
        const removedColumn = trial.columns.find(({ id }) => id === columnId);
        const columns = trial.columns.filter(({ id }) => id !== columnId);
        if (!removedColumn) return trial;
        return {
          ...trial,
          columns,
          baseline: trial.baseline === columnId ? (columns[0]?.id ?? '') : trial.baseline,
          ...(hasColumnAnswers(columnId)
            ? { retired: { ...trial.retired, columns: [...trial.retired.columns, removedColumn] } }
            : {}),
        };
      }),
    addValueColumns: (columnId, param, values) => {
      const column = store.getTrial().columns.find(({ id }) => id === columnId);
      if (!column) return [];
      const { id: _, stopped: __, ...copy } = column;
      return addColumns(
        values.map((value) => ({
          ...copy,
          setup: withParam(copy.setup, param, value),
          madeFrom: { param, value },
        })),
      );
    },
    addLaneColumns: async (sessionId) => {
      const { columns, messages } = await services.getLaneColumns(sessionId);
      if (store.getTrial().messages.every(({ content }) => content === '') && messages.length > 0)
        setMessages(messages);
      return addColumns(columns);
    },
    setSetup: (columnId, setup) => replaceColumn(columnId, (column) => ({ ...column, setup })),
    setColumnPrompt: (columnId, messages) =>
      replaceColumn(columnId, ({ messages: _, ...column }) => (messages ? { ...column, messages } : column)),
    setSystem: (system) => {
      for (const { id, savedAnswers } of store.getTrial().columns)
        if (!savedAnswers) replaceColumn(id, (column) => ({ ...column, setup: { ...column.setup, system } }));
    },
    moveColumn: (columnId, index) =>
      updateColumns((columns) => {
        const movedColumn = columns.find(({ id }) => id === columnId);
        const otherColumns = columns.filter(({ id }) => id !== columnId);
        return movedColumn
          ? [...otherColumns.slice(0, index), movedColumn, ...otherColumns.slice(index)]
          : otherColumns;
      }),
    restartColumn: (columnId) => {
      const restartedColumn = store.getTrial().columns.find(({ id }) => id === columnId);
      if (restartedColumn) services.getPace(restartedColumn.setup.gateway).resetRejections();
      updateColumns((columns) =>
        columns.map((column) => {
          if (column.id !== columnId) return column;
          const { stopped: _, ...rest } = column;
          return rest;
        }),
      );
    },

    addCheck: (check) => {
      const id = newId();
      if (store.getTrial().checks.length >= trialLimits.checks) {
        store.addNotice(`A trial can have up to ${trialLimits.checks} checks.`, 'problem');
        return '';
      }
      updateTrial((trial) => ({
        ...trial,
        checks: [...trial.checks, { ...check, id }],
        decides: trial.decides ?? id,
      }));
      scores.rescore();
      return id;
    },
    editCheck: (check) => {
      updateTrial((trial) => ({
        ...trial,
        checks: trial.checks.map((existing) => (existing.id === check.id ? check : existing)),
      }));
      scores.rescore();
    },
    removeCheck: (checkId) =>
      updateTrial(({ decides, ...trial }) => ({
        ...trial,
        checks: trial.checks.filter(({ id }) => id !== checkId),
        ...(decides === undefined || decides === checkId ? {} : { decides }),
      })),
    setMark: (key, mark) => {
      const cellId = getCellId(key);
      const existingMark = store.marks.get(cellId);
      const cellKey = { caseId: key.caseId, columnId: key.columnId, repeat: key.repeat };
      const [newMark] = withCellMark(existingMark ? [existingMark] : [], {
        trialId,
        key: cellKey,
        at: now(),
        ...(mark ? { mark } : {}),
      });
      if (newMark) {
        store.marks.set(cellId, newMark);
        recorder.put(`marks ${trialId} ${cellId}`, { store: 'marks', put: newMark });
      } else {
        store.marks.delete(cellId);
        recorder.put(`marks ${trialId} ${cellId}`, { store: 'marks', unmark: { trialId, ...cellKey } });
      }
      send({ trialId, marks: [{ name: cellId, ...(newMark ? { mark: newMark } : {}) }] });
      store.notifyCells([cellKey]);
    },
  };
}

function withParam(setup: Setup, param: ParamName, text: string): Setup {
  const params = { ...defaultParams, ...setup.params, [param]: { sent: true, text } };
  return { ...setup, params };
}

function getLimitError(
  trial: Trial,
  cases: readonly NewCase[],
  fields: readonly string[],
): string | undefined {
  const count = countCases(trial) + cases.length;
  if (count > trialLimits.cases)
    return `Too many cases: ${formatCount(count)}. The limit is ${formatCount(trialLimits.cases)}.`;
  const fieldNames = new Set([
    ...trial.fields,
    ...fields,
    ...cases.flatMap(({ values }) => Object.keys(values)),
  ]);
  if (fieldNames.size > trialLimits.values)
    return `Too many values per case: ${formatCount(fieldNames.size)}. The limit is ${formatCount(trialLimits.values)}.`;
  const tooLargeIndex = cases.findIndex((testCase) => isTooLarge(testCase));
  if (tooLargeIndex >= 0)
    return `Case ${cases[tooLargeIndex]?.line ?? count - cases.length + tooLargeIndex + 1} is larger than 100 KB.`;
  return undefined;
}
