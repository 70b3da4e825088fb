import { dropImportedFields } from '../../conversation/files/imported-fields.ts';
/** What a person changes of a trial, over what its answers allow: see trials/edit-trial.ts for what is retired, and when. */
import { isDeepEqual } from '../../conversation/session/differences.ts';
import type { Setup } from '../../conversation/session/types.ts';
import { defaultParams, type ParamName } from '../../conversation/setup/params.ts';
import { pluralize } from '../../lib/format.ts';
import type { Write } from '../../storage/record-store.ts';
import { cellName } from '../../trials/case-order.ts';
import { isTooLarge, newCaseIds, sentHash, sentNames } from '../../trials/cases.ts';
import { withMark } from '../../trials/cell.ts';
import { changeMessages, editCase, withCases, withoutCase, withSetup } from '../../trials/edit-trial.ts';
import {
  caseCount,
  limits,
  type Case,
  type CaseId,
  type Column,
  type ColumnId,
  type Trial,
} from '../../trials/trial.ts';
import type { TrialDesk } from './open-trial-store.ts';
import type { AddedCases, NewCase, OpenTrial } from './open-trial.ts';
import { caseBlockWrite, casesWrites, cellsWrites } from './trial-records.ts';

export type TrialEdits = Pick<
  OpenTrial,
  | 'edit'
  | 'setGroup'
  | 'setDecides'
  | 'setMessages'
  | 'setRepeats'
  | 'addCases'
  | 'editCase'
  | 'removeCases'
  | 'dropImportedFields'
  | 'addField'
  | 'addColumn'
  | 'duplicateColumn'
  | 'removeColumn'
  | 'addValues'
  | 'setSetup'
  | 'setWording'
  | 'setSystem'
  | 'moveColumn'
  | 'tryColumnAgain'
  | 'addCheck'
  | 'editCheck'
  | 'removeCheck'
  | 'mark'
> & {
  /** Columns made elsewhere, with as many as there is room for. */
  addColumns: (columns: readonly Omit<Column, 'id'>[]) => ColumnId[];
};

export interface TrialEditsParts {
  desk: TrialDesk;
  now: () => number;
  newId: () => string;
  put: (key: string, write: Write) => void;
  /** These belong together: all or nothing. */
  write: (writes: readonly Write[]) => void;
  /** Cells are stored by the tab that asks them, and by the one that edits where nobody asks. */
  storesCells: () => boolean;
  /** These were added or have other values; what the trial says of them follows. */
  casesChanged: (cases: readonly Case[]) => void;
  /** A new column where there is none to copy. */
  firstSetup: () => Setup;
  /** The cases that this one is to be confirmed without. */
  earlierCases: () => Promise<readonly Case[]>;
  /** Checks or expected values have changed: scores are made again. */
  rescore: () => void;
  /** Columns or cases have changed while the trial runs. */
  recheck: () => void;
  /** A mark was set or taken off. */
  marked: (name: string) => void;
}

export function createTrialEdits(parts: TrialEditsParts): TrialEdits {
  const { desk, now, newId, put } = parts;

  const hasAnswers = (columnId: ColumnId): boolean =>
    !desk.isWhole() || [...desk.cells.values()].some((cell) => cell.columnId === columnId);
  const isAnswered = (caseId: CaseId): boolean =>
    [...desk.cells.values()].some((cell) => cell.caseId === caseId);

  /** `isPlain`: nothing is counted from what has changed. */
  function change(edit: (trial: Trial) => Trial, isPlain = false): void {
    const before = desk.trial();
    const trial = edit(before);
    if (trial === before) return;
    desk.setTrial({ ...trial, updatedAt: now() }, !isPlain);
    if (!isPlain) parts.recheck();
  }

  function changeColumns(edit: (columns: readonly Column[]) => Column[]): void {
    change((trial) => ({ ...trial, columns: edit(trial.columns) }));
  }

  /** All blocks again: places have moved. */
  function writeCases(): void {
    const trial = desk.trial();
    parts.write([
      ...casesWrites(trial, desk.cases),
      ...(desk.cells.size > 0 && parts.storesCells() ? cellsWrites(trial, desk.cells) : []),
    ]);
  }

  async function addCases(cases: readonly NewCase[], fields: readonly string[] = []): Promise<AddedCases> {
    const trial = desk.trial();
    const reason = overLimits(trial, cases, fields);
    if (reason !== undefined) return { added: 0, refused: [], reason };
    const names = sentNames(trial);
    const known = new Set<string>();
    for (const each of await parts.earlierCases()) known.add(await sentHash(each, names));
    const caseIdOf = newCaseIds(names, desk.cases.keys());
    const refused: NewCase[] = [];
    const added: Case[] = [];
    for (const each of cases) {
      if (known.size > 0 && known.has(await sentHash(each, names))) {
        refused.push(each);
        continue;
      }
      added.push({ id: await caseIdOf(each), ...each });
    }
    for (const each of added) desk.cases.set(each.id, each);
    parts.casesChanged(added);
    change((now_) => {
      const known_ = new Set(now_.fields);
      const others = [...fields, ...added.flatMap(({ values }) => Object.keys(values))].filter(
        (name) => !known_.has(name) && known_.add(name),
      );
      const with_ = withCases(
        now_,
        added.map(({ id }) => id),
        now(),
      );
      return others.length === 0 ? with_ : { ...with_, fields: [...with_.fields, ...others] };
    });
    writeCases();
    return { added: added.length, refused };
  }

  function addColumns(columns: readonly Omit<Column, 'id'>[]): ColumnId[] {
    const room = limits.columns - desk.trial().columns.length;
    const made = columns.slice(0, Math.max(0, room)).map((column) => ({ ...column, id: newId() }));
    if (made.length < columns.length)
      desk.tell(
        `A trial takes up to ${limits.columns} columns. ${pluralize(columns.length - made.length, 'column')} left out.`,
        'problem',
      );
    if (made.length === 0) return [];
    change((trial) => ({
      ...trial,
      columns: [...trial.columns, ...made],
      baseline: trial.columns.length === 0 ? (made[0]?.id ?? '') : trial.baseline,
    }));
    return made.map(({ id }) => id);
  }

  function replaceColumn(columnId: ColumnId, edit: (column: Column) => Column): void {
    change((trial) => {
      const old = trial.columns.find(({ id }) => id === columnId);
      if (!old) return trial;
      // A setup that has answers is retired with its column; a wording retires the column in the same way.
      const edited = edit(old);
      if (isDeepEqual(edited.setup, old.setup) && isDeepEqual(edited.messages, old.messages)) return trial;
      const next = withSetup(trial, columnId, edited.setup, { newId, isAnswered: hasAnswers(columnId) });
      const place = trial.columns.indexOf(old);
      return {
        ...next,
        columns: next.columns.map((column, index) => {
          if (index !== place) return column;
          const { messages: _, ...rest } = column;
          return edited.messages ? { ...rest, messages: edited.messages } : rest;
        }),
      };
    });
  }

  return {
    addColumns,
    edit: (fields) => {
      const { seed, title, ...others } = fields;
      change(
        (trial) => ({
          ...trial,
          ...others,
          ...(title === undefined ? {} : { title, titled: true as const }),
          // The order was drawn with it.
          ...(seed === undefined || trial.plan ? {} : { seed }),
        }),
        seed === undefined && fields.baseline === undefined,
      );
    },
    setGroup: (field) =>
      change(({ groupField: _, ...trial }) =>
        field === undefined ? trial : { ...trial, groupField: field },
      ),
    setDecides: (check) => {
      change(({ decides: _, ...trial }) => (check === undefined ? trial : { ...trial, decides: check }));
      parts.rescore();
    },
    setMessages: (messages) => {
      if (desk.cells.size > 0) return false;
      change((trial) => ({ ...trial, messages }), true);
      return true;
    },
    setRepeats: (repeats) =>
      change((trial) => ({ ...trial, repeats: Math.min(limits.repeats, Math.max(1, Math.round(repeats))) })),

    addCases,
    editCase: async (caseId, values) => {
      const before = desk.trial();
      const answered = new Set([...desk.cells.values()].map((cell) => cell.caseId));
      const known = [...desk.cases.values()];
      const edited = await editCase(
        { trial: before, cases: known },
        { id: caseId, ...values },
        { answeredCases: answered, at: now() },
      );
      const changed = edited.cases.filter((each) => desk.cases.get(each.id) !== each);
      for (const each of changed) desk.cases.set(each.id, each);
      parts.casesChanged(changed);
      // What else has changed meanwhile stays.
      const { batches, retired, valuesChanged } = edited.trial;
      change((trial) => ({
        ...trial,
        batches,
        retired: { ...trial.retired, caseIds: retired.caseIds },
        ...(valuesChanged ? { valuesChanged } : {}),
      }));
      dropGone(desk.cases, desk.trial());
      const block = batches === before.batches ? caseBlockWrite(desk.trial(), desk.cases, caseId) : undefined;
      if (block) put(`cases ${caseId}`, block);
      else writeCases();
      parts.rescore();
    },
    dropImportedFields: () => {
      const changed = [...desk.cases.values()].flatMap(({ history, ...each }) =>
        history ? [{ ...each, history: dropImportedFields(history) }] : [],
      );
      for (const each of changed) desk.cases.set(each.id, each);
      parts.casesChanged(changed);
      change((trial) => changeMessages(trial, dropImportedFields));
      writeCases();
    },
    removeCases: (caseIds) => {
      change((trial) =>
        caseIds.reduce((next, caseId) => withoutCase(next, caseId, isAnswered(caseId)), trial),
      );
      dropGone(desk.cases, desk.trial());
      writeCases();
    },
    addField: (name) =>
      change((trial) =>
        trial.fields.includes(name) || trial.fields.length >= limits.values
          ? trial
          : { ...trial, fields: [...trial.fields, name] },
      ),

    addColumn: (setup) => {
      const last = desk.trial().columns.at(-1);
      return addColumns([{ setup: setup ?? last?.setup ?? parts.firstSetup() }])[0] ?? '';
    },
    duplicateColumn: (columnId) => {
      const column = desk.trial().columns.find(({ id }) => id === columnId);
      if (!column) return undefined;
      const { id: _, stopped: __, ...copy } = column;
      return addColumns([copy])[0];
    },
    removeColumn: (columnId) =>
      change((trial) => {
        const gone = trial.columns.find(({ id }) => id === columnId);
        const columns = trial.columns.filter(({ id }) => id !== columnId);
        if (!gone) return trial;
        return {
          ...trial,
          columns,
          baseline: trial.baseline === columnId ? (columns[0]?.id ?? '') : trial.baseline,
          ...(hasAnswers(columnId)
            ? { retired: { ...trial.retired, columns: [...trial.retired.columns, gone] } }
            : {}),
        };
      }),
    addValues: (columnId, param, values) => {
      const column = desk.trial().columns.find(({ id }) => id === columnId);
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
    setSetup: (columnId, setup) => replaceColumn(columnId, (column) => ({ ...column, setup })),
    setWording: (columnId, messages) =>
      replaceColumn(columnId, ({ messages: _, ...column }) => (messages ? { ...column, messages } : column)),
    setSystem: (system) => {
      for (const { id } of desk.trial().columns)
        replaceColumn(id, (column) => ({ ...column, setup: { ...column.setup, system } }));
    },
    moveColumn: (columnId, place) =>
      changeColumns((columns) => {
        const moved = columns.find(({ id }) => id === columnId);
        const others = columns.filter(({ id }) => id !== columnId);
        return moved ? [...others.slice(0, place), moved, ...others.slice(place)] : others;
      }),
    tryColumnAgain: (columnId) =>
      changeColumns((columns) =>
        columns.map((column) => {
          if (column.id !== columnId) return column;
          const { stopped: _, ...rest } = column;
          return rest;
        }),
      ),

    addCheck: (check) => {
      const id = newId();
      if (desk.trial().checks.length >= limits.checks) {
        desk.tell(`A trial takes up to ${limits.checks} checks.`, 'problem');
        return '';
      }
      change((trial) => ({
        ...trial,
        checks: [...trial.checks, { ...check, id }],
        decides: trial.decides ?? id,
      }));
      parts.rescore();
      return id;
    },
    editCheck: (check) => {
      change((trial) => ({
        ...trial,
        checks: trial.checks.map((known) => (known.id === check.id ? check : known)),
      }));
      parts.rescore();
    },
    removeCheck: (checkId) =>
      change(({ decides, ...trial }) => ({
        ...trial,
        checks: trial.checks.filter(({ id }) => id !== checkId),
        ...(decides === undefined || decides === checkId ? {} : { decides }),
      })),
    mark: (key, mark) => {
      const trialId = desk.trial().id;
      const name = cellName(key);
      const known = desk.marks.get(name);
      const plain = { caseId: key.caseId, columnId: key.columnId, repeat: key.repeat };
      const [made] = withMark(known ? [known] : [], {
        trialId,
        key: plain,
        at: now(),
        ...(mark ? { mark } : {}),
      });
      if (made) {
        desk.marks.set(name, made);
        put(`marks ${trialId} ${name}`, { store: 'marks', put: made });
      } else {
        desk.marks.delete(name);
        put(`marks ${trialId} ${name}`, { store: 'marks', unmark: { trialId, ...plain } });
      }
      parts.marked(name);
      desk.cellsChanged([plain]);
    },
  };
}

/** Forgets the cases that the trial does not list any more; retired ones are listed. */
export function dropGone(cases: Map<CaseId, Case>, { batches }: Pick<Trial, 'batches'>): void {
  const listed = new Set(batches.flatMap(({ caseIds }) => caseIds));
  for (const caseId of cases.keys()) if (!listed.has(caseId)) cases.delete(caseId);
}

function withParam(setup: Setup, param: ParamName, text: string): Setup {
  const params = { ...defaultParams, ...setup.params, [param]: { sent: true, text } };
  return { ...setup, params };
}

function overLimits(trial: Trial, cases: readonly NewCase[], fields: readonly string[]): string | undefined {
  const count = caseCount(trial) + cases.length;
  if (count > limits.cases)
    return `${pluralize(count, 'case')}: the limit is ${pluralize(limits.cases, 'case')}.`;
  const names = new Set([...trial.fields, ...fields, ...cases.flatMap(({ values }) => Object.keys(values))]);
  if (names.size > limits.values)
    return `${pluralize(names.size, 'value')}: the limit is ${pluralize(limits.values, 'value')}.`;
  const large = cases.findIndex((each) => isTooLarge(each));
  if (large >= 0)
    return `Case ${cases[large]?.line ?? count - cases.length + large + 1} is larger than 100 KB.`;
  return undefined;
}
