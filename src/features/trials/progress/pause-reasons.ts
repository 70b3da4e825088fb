import { describeFix, listParamRefusals } from '../../../conversation/setup/refused-fields.ts';
import type { ErrorReport } from '../../../gateway/errors/errors.ts';
import type { FieldRefusal } from '../../../gateway/errors/field-refusal.ts';
/** Why a trial does not go on, or goes on without a column: a card for each, with what is kept and what to do next. */
import { formatCount, formatList, pluralize } from '../../../lib/format.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import type { OpenTrialState } from '../../../state/trials/open-trial.ts';
import { durationWords } from '../../../trials/trial-pace.ts';
import { letterAt, type Column, type ColumnId } from '../../../trials/trial.ts';

export type ReasonOffer =
  | { name: 'go on' | 'leave' | 'run here' | 'export' | 'not now' | 'ask missing' }
  | { name: 'edit column' | 'try column' | 'rename fields'; columnId: ColumnId };

export interface Reason {
  id: string;
  tone: 'warn' | 'err' | 'note';
  title: string;
  text: string;
  offers: ReasonOffer[];
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

type ReasonFacts = Pick<OpenTrialState, 'trial' | 'progress' | 'asker' | 'timeLeft' | 'opening'>;

/** The cards of this moment, the most pressing first. */
export function reasonsOf(state: ReasonFacts): Reason[] {
  // They say how many answers are kept.
  if (state.opening) return [];
  return [...askerReasons(state), ...pauseReasons(state), ...columnReasons(state), ...missingReasons(state)];
}

function askerReasons({ asker }: ReasonFacts): Reason[] {
  if (asker.name === 'another tab')
    return [
      {
        id: 'another tab',
        tone: 'note',
        title: 'Running in another tab.',
        text: 'This tab shows every answer as it arrives. Marks made here are kept.',
        offers: [{ name: 'run here' }],
      },
    ];
  if (asker.name === 'counting down')
    return [
      {
        id: 'counting down',
        tone: 'note',
        title: 'The trial goes on in a moment.',
        text: 'It was running when the page was left.',
        offers: [{ name: 'go on' }, { name: 'not now' }],
      },
    ];
  return [];
}

function pauseReasons({ trial, progress, timeLeft }: ReasonFacts): Reason[] {
  const { state } = trial;
  if (state.name !== 'paused') return [];
  const kept = `${formatCount(progress.ended)} of ${pluralize(progress.cells, 'answer')}`;
  const left = progress.cells - progress.ended;
  const toCome = left > 0 ? ` ${pluralize(left, 'request')} to come, ${durationWords(timeLeft.ms)}.` : '';
  const said = state.report ? `${reportWords(state.report)} ` : '';
  const card = (reason: Omit<Reason, 'id'>): Reason[] => [{ id: `paused ${state.why}`, ...reason }];
  switch (state.why) {
    case 'person':
      return [];
    case 'closed':
      return card({
        tone: 'warn',
        title: `Bench was closed at ${clock.format(state.at)}.`,
        text: `${kept} are here. What was cut off is asked again.${toCome}`,
        offers: [{ name: 'go on' }, { name: 'leave' }],
      });
    case 'refused':
      return card({
        tone: 'warn',
        title: 'The gateway refused three times.',
        text: `${said}${kept} are kept, and none counts as failed.`,
        offers: [{ name: 'go on' }, { name: 'leave' }],
      });
    case 'key':
      return card({
        tone: 'err',
        title: 'The gateway rejected the key.',
        text: `${said}${kept} are kept. Correct the key on the server, then go on.`,
        offers: [{ name: 'go on' }],
      });
    case 'offline':
      return card({
        tone: 'warn',
        title: 'This device is offline.',
        text: `${kept} are kept. The trial goes on by itself when the network is back.`,
        offers: [{ name: 'go on' }],
      });
    case 'storage':
      return card({
        tone: 'err',
        title: 'This browser has no room for more answers.',
        text: `Paused after ${formatCount(progress.ended)} of ${formatCount(progress.cells)}. All that came is kept. Export the trial, or erase older ones in Settings.`,
        offers: [{ name: 'export' }, { name: 'go on' }],
      });
    case 'columns stopped':
      return card({
        tone: 'err',
        title: 'All columns have stopped.',
        text: `${kept} are kept. Edit a column, or try it again.`,
        offers: [],
      });
  }
}

function columnReasons({ trial }: ReasonFacts): Reason[] {
  return trial.columns.flatMap((column, index) => {
    if (!column.stopped) return [];
    const letter = letterAt(index);
    const others = trial.columns.flatMap(({ stopped }, place) => (stopped ? [] : [letterAt(place)]));
    const goOn =
      others.length === 0 ? '' : ` ${formatList(others)} ${others.length === 1 ? 'goes' : 'go'} on.`;
    return [
      {
        id: `column ${column.id}`,
        tone: 'err' as const,
        title: stoppedTitle(column, letter),
        text: `${reportWords(column.stopped.report)}${goOn} Nothing more is sent for ${letter}.`,
        offers: [
          ...(listReplacements(column).length > 0
            ? [{ name: 'rename fields' as const, columnId: column.id }]
            : []),
          { name: 'edit column' as const, columnId: column.id },
          { name: 'try column' as const, columnId: column.id },
        ],
      },
    ];
  });
}

/** "Column B does not support thinking_budget." if the refusal names a field that was sent. */
function stoppedTitle(column: Column, letter: string): string {
  const [first] = listColumnRefusals(column);
  if (first === undefined) return `Column ${letter} has stopped.`;
  const field = sanitizeForSentence(first.field, 40);
  if (first.kind === 'missing') return `Column ${letter} requires ${field}.`;
  const isValue = first.kind === 'value' && !first.isFixed;
  return `Column ${letter} does not ${isValue ? `accept this value of ${field}` : `support ${field}`}.`;
}

function listColumnRefusals({ setup, stopped }: Column): FieldRefusal[] {
  return stopped?.report ? listParamRefusals(stopped.report, setup.params) : [];
}

/** Lists fields that can be sent under other names without changing what the column tests. */
export function listReplacements(column: Column): FieldRefusal[] {
  return listColumnRefusals(column).filter(({ kind }) => kind === 'replace');
}

function missingReasons({ trial, progress }: ReasonFacts): Reason[] {
  if (trial.state.name !== 'finished' || progress.missing === 0) return [];
  return [
    {
      id: 'missing',
      tone: 'note',
      title: `${pluralize(progress.missing, 'answer is', 'answers are')} missing.`,
      text: 'They count as no answer, never as failed, and are not asked again unless you say so.',
      offers: [{ name: 'ask missing' }],
    },
  ];
}

function reportWords({ status, message }: ErrorReport): string {
  const words = `“${sanitizeForSentence(message, 200)}”.`;
  return status === undefined ? words : `${status}: ${words}`;
}

/** What the button of an offer says. */
export function offerWords(offer: ReasonOffer, { trial, progress }: ReasonFacts): string {
  const letter =
    'columnId' in offer ? letterAt(trial.columns.findIndex(({ id }) => id === offer.columnId)) : '';
  switch (offer.name) {
    case 'go on':
      return 'Go on';
    case 'leave':
      return 'Leave it';
    case 'not now':
      return 'Not now';
    case 'run here':
      return 'Run it here';
    case 'export':
      return 'Export as JSON Lines';
    case 'ask missing':
      return `Ask the ${formatCount(progress.missing)} missing again`;
    case 'rename fields': {
      const column = trial.columns.find(({ id }) => id === offer.columnId);
      return describeFix(column ? listReplacements(column) : []);
    }
    case 'edit column':
      return `Edit column ${letter}`;
    case 'try column':
      return `Try ${letter} again`;
  }
}
