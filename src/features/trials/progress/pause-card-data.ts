import { describeFix, listParamRefusals } from '../../../conversation/setup/refused-fields.ts';
import type { ErrorReport } from '../../../gateway/errors/errors.ts';
import type { FieldRefusal } from '../../../gateway/errors/field-refusal.ts';
import { formatCount, formatList, pluralize } from '../../../lib/format.ts';
import { formatCost } from '../../../lib/money.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import type { OpenTrialState } from '../../../state/trials/store/trial-store.ts';
/** Cards that explain why a trial, or one of its columns, is paused: what is kept and what to do next. */
import { countsTimeoutsAsFailed } from '../../../trials/checks/score-answer.ts';
import { getColumnLetter, type Column, type ColumnId, type Trial } from '../../../trials/trial.ts';
import { formatLongDuration } from '../format-duration.ts';
import { formatBudgetProblem } from '../format-problems.ts';

export type PauseCardAction =
  | {
      name:
        | 'resume'
        | 'leave'
        | 'run here'
        | 'export'
        | 'not now'
        | 'retry missing'
        | 'raise budget'
        | 'stop';
    }
  | { name: 'edit column' | 'restart column' | 'rename fields' | 'use as baseline'; columnId: ColumnId };

export interface PauseCardData {
  id: string;
  tone: 'warn' | 'err' | 'note';
  title: string;
  text: string;
  actions: PauseCardAction[];
}

const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

type PauseCardInputs = Pick<
  OpenTrialState,
  'trial' | 'progress' | 'runnerStatus' | 'timeLeft' | 'loading' | 'costs'
>;

/** Returns the current cards, the most urgent first. */
export function getPauseCards(state: PauseCardInputs): PauseCardData[] {
  // No cards while loading, because they state how many answers are kept.
  if (state.loading) return [];
  return [
    ...getRunnerCards(state),
    ...getPausedCards(state),
    ...getColumnCards(state),
    ...getMissingCards(state),
  ];
}

function getRunnerCards({ runnerStatus }: PauseCardInputs): PauseCardData[] {
  if (runnerStatus.name === 'another tab')
    return [
      {
        id: 'another tab',
        tone: 'note',
        title: 'Running in another tab.',
        text: 'Answers appear here as they arrive. Marks you make here are saved.',
        actions: [{ name: 'run here' }],
      },
    ];
  if (runnerStatus.name === 'counting down')
    return [
      {
        id: 'counting down',
        tone: 'note',
        title: 'Resuming…',
        text: 'It was running when you left the page.',
        actions: [{ name: 'resume' }, { name: 'not now' }],
      },
    ];
  return [];
}

function getPausedCards({ trial, progress, timeLeft, costs }: PauseCardInputs): PauseCardData[] {
  const { state } = trial;
  if (state.name !== 'paused') return [];
  const savedText = `Saved ${formatCount(progress.ended)} of ${pluralize(progress.cells, 'answer')}.`;
  const remaining = progress.cells - progress.ended;
  const remainingText =
    remaining > 0 ? ` ${pluralize(remaining, 'request')} left, ${formatLongDuration(timeLeft.ms)}.` : '';
  const reportText = state.report ? `${formatReport(state.report)} ` : '';
  const createCard = (card: Omit<PauseCardData, 'id'>): PauseCardData[] => [
    { id: `paused ${state.why} ${state.at}`, ...card },
  ];
  switch (state.why) {
    case 'person':
      return [];
    case 'closed':
      return createCard({
        tone: 'warn',
        title: `Bench was closed at ${timeFormat.format(state.at)}.`,
        text: `${savedText} Interrupted requests are retried.${remainingText}`,
        actions: [{ name: 'resume' }, { name: 'leave' }],
      });
    case 'refused':
      return createCard({
        tone: 'warn',
        title: 'The gateway rejected three requests in a row.',
        text: `${reportText}${savedText} None counts as failed.`,
        actions: [{ name: 'resume' }, { name: 'leave' }],
      });
    case 'key':
      return createCard({
        tone: 'err',
        title: 'The gateway rejected the key.',
        text: `${reportText}${savedText} Correct the key on the server, then resume.`,
        actions: [{ name: 'resume' }],
      });
    case 'offline':
      return createCard({
        tone: 'warn',
        title: 'This device is offline.',
        text: `${savedText} The trial resumes when you are back online.`,
        actions: [{ name: 'resume' }],
      });
    case 'storage':
      return createCard({
        tone: 'err',
        title: "This browser's storage is full.",
        text: `${savedText} Export this trial or delete older ones, then resume.`,
        actions: [{ name: 'export' }, { name: 'resume' }],
      });
    case 'columns stopped':
      return createCard({
        tone: 'err',
        title: 'All columns have stopped.',
        text: `${savedText} Edit or retry a column.`,
        actions: [],
      });
    case 'baseline stopped': {
      const candidate = trial.columns.find(({ stopped }) => stopped === undefined);
      return createCard({
        tone: 'err',
        title: 'The baseline has stopped.',
        text: `${savedText} Without it, no column can be compared. Retry it, or choose another baseline.`,
        actions: candidate ? [{ name: 'use as baseline', columnId: candidate.id }] : [],
      });
    }
    case 'budget':
      return createCard({
        tone: 'warn',
        title: 'The next request could pass the budget.',
        text: `${describeBudget(trial, state.nextCost, costs)} ${savedText}`,
        actions: [{ name: 'raise budget' }, { name: 'stop' }],
      });
  }
}

/** Describes what was spent, what remains and what the next request may cost. */
function describeBudget(
  { budget }: Pick<Trial, 'budget'>,
  nextCost: number | undefined,
  { total, budgetProblem }: OpenTrialState['costs'],
): string {
  if (budgetProblem) return formatBudgetProblem(budgetProblem);
  if (!budget) return 'The trial has no budget any more.';
  const { amount, currency } = budget;
  const spent = total?.amounts[currency] ?? 0;
  const nextText =
    nextCost === undefined ? '' : ` The next request may cost ${formatCost(nextCost, currency)}.`;
  return `Spent ${formatCost(spent, currency)} of ${formatCost(amount, currency)}, ${formatCost(Math.max(0, amount - spent), currency)} left.${nextText}`;
}

function getColumnCards({ trial }: PauseCardInputs): PauseCardData[] {
  return trial.columns.flatMap((column, index) => {
    if (!column.stopped) return [];
    const letter = getColumnLetter(index);
    const otherLetters = trial.columns.flatMap(({ stopped }, otherIndex) =>
      stopped ? [] : [getColumnLetter(otherIndex)],
    );
    const continuingText =
      otherLetters.length === 0 || column.id === trial.baseline || trial.state.name === 'finished'
        ? ''
        : ` ${formatList(otherLetters)} ${otherLetters.length === 1 ? 'continues' : 'continue'}.`;
    return [
      {
        id: `column ${column.id}`,
        tone: 'err' as const,
        title: formatStoppedTitle(column, letter),
        text: `${formatReport(column.stopped.report)}${continuingText} No more requests are sent for ${letter}.`,
        actions: [
          ...(listReplacements(column).length > 0
            ? [{ name: 'rename fields' as const, columnId: column.id }]
            : []),
          { name: 'edit column' as const, columnId: column.id },
          { name: 'restart column' as const, columnId: column.id },
        ],
      },
    ];
  });
}

/**
 * Returns a title such as "Column B does not support thinking_budget." if the rejection names a field that was sent.
 */
function formatStoppedTitle(column: Column, letter: string): string {
  const [first] = listColumnRefusals(column);
  if (first === undefined) return `Column ${letter} has stopped.`;
  const field = sanitizeForSentence(first.field, 40);
  if (first.kind === 'missing') return `Column ${letter} requires ${field}.`;
  const isValueRejected = first.kind === 'value' && !first.isFixed;
  return `Column ${letter} does not ${isValueRejected ? `accept this value of ${field}` : `support ${field}`}.`;
}

function listColumnRefusals({ setup, stopped }: Column): FieldRefusal[] {
  return stopped?.report ? listParamRefusals(stopped.report, setup.params) : [];
}

/** Lists fields that can be sent under a different name without changing what the column tests. */
export function listReplacements(column: Column): FieldRefusal[] {
  return listColumnRefusals(column).filter(({ kind }) => kind === 'replace');
}

function getMissingCards({ trial, progress }: PauseCardInputs): PauseCardData[] {
  if (trial.state.name !== 'finished' || progress.missing === 0) return [];
  return [
    {
      id: 'missing',
      tone: 'note',
      title: `${pluralize(progress.missing, 'answer is', 'answers are')} missing.`,
      text: `${countsTimeoutsAsFailed(trial) ? 'Timeouts and answers that were cut off count as failed, the others as missing.' : 'They count as missing.'} They are retried only on request.`,
      actions: [{ name: 'retry missing' }],
    },
  ];
}

function formatReport({ status, message }: ErrorReport): string {
  const quotedMessage = `“${sanitizeForSentence(message, 200)}”.`;
  return status === undefined ? quotedMessage : `${status}: ${quotedMessage}`;
}

/** Returns the label of an action's button. */
export function formatActionLabel(action: PauseCardAction, { trial, progress }: PauseCardInputs): string {
  const letter =
    'columnId' in action ? getColumnLetter(trial.columns.findIndex(({ id }) => id === action.columnId)) : '';
  switch (action.name) {
    case 'resume':
      return 'Resume';
    case 'leave':
      return 'Dismiss';
    case 'not now':
      return 'Not now';
    case 'run here':
      return 'Resume in this tab';
    case 'export':
      return 'Export as JSON Lines';
    case 'raise budget':
      return 'Raise the budget';
    case 'stop':
      return 'Stop';
    case 'retry missing':
      return `Retry ${pluralize(progress.missing, 'missing answer')}`;
    case 'rename fields': {
      const column = trial.columns.find(({ id }) => id === action.columnId);
      return describeFix(column ? listReplacements(column) : []);
    }
    case 'edit column':
      return `Edit column ${letter}`;
    case 'restart column':
      return `Retry column ${letter}`;
    case 'use as baseline':
      return `Use column ${letter} as baseline`;
  }
}
