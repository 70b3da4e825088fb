import { cn } from '../../../ui/cn.ts';

/** card: beneath the start of an answer. compact: one line of all, under an answer. line: one line of the most telling ones. */
export type MetricsLook = 'columns' | 'card' | 'compact' | 'line' | 'unseen';

/** The figures in their order. */
export type MetricId = 'first' | 'speed' | 'tokens' | 'finish' | 'total' | 'cost';

export type MetricTone = 'plain' | 'none' | 'live' | 'bad';

const roomLook = cn('flex min-w-0 flex-1 flex-wrap items-center');
export const groupLooks: Record<MetricsLook, string> = {
  columns: roomLook,
  card: roomLook,
  compact: cn('mt-1.5 flex min-h-4.5 flex-wrap items-center'),
  line: roomLook,
  unseen: 'sr-only',
};

// Two rows from the start where it is narrow: what the numbers grow to would not fit into one.
const wrapsLook = cn('max-phone:@max-[350px]/lane-footer:flex-wrap');
const halfLook = cn('max-phone:@max-[350px]/lane-footer:flex-[1_0_42%]');

/** `hasOtherLanes`: other lanes stand beside this one. */
export function listLook(look: MetricsLook, hasOtherLanes: boolean): string {
  if (look === 'line') {
    return cn('flex min-w-0 gap-x-2 gap-y-0.5', hasOtherLanes && 'flex-[1_0_100%]', wrapsLook);
  }
  if (look === 'compact' || look === 'unseen') return cn('flex min-w-0 flex-wrap gap-x-3.5');
  if (look === 'card') return cn('flex min-w-0 flex-[1_0_100%] gap-y-0.5 max-[382px]:flex-wrap');
  if (!hasOtherLanes) {
    return cn('flex min-w-0 flex-wrap gap-y-0.5 max-phone:flex-[1_0_100%] max-phone:flex-nowrap', wrapsLook);
  }
  return cn(
    'flex min-w-0 flex-[1_0_100%] gap-y-0.5 phone:@max-[350px]/lane-footer:grid',
    'phone:@max-[350px]/lane-footer:grid-cols-[74fr_78fr_98fr] phone:@max-[350px]/lane-footer:gap-x-1.5',
    'phone:@max-[350px]/lane-footer:gap-y-1',
    wrapsLook,
  );
}

/** Columns keep their places while the numbers in them grow. What no longer fits goes to a second row. */
const columnClasses: Record<MetricId, string> = {
  first: cn('min-w-14.5 pr-2'),
  speed: cn('min-w-20 pr-2'),
  tokens: cn('min-w-25 pr-2'),
  finish: cn('min-w-21 pr-2'),
  total: cn('min-w-15'),
  cost: cn('min-w-15 max-phone:sr-only'),
};
/** Their parts of the room where it is shared out. */
const shareClasses: Record<MetricId, string> = {
  first: cn('[--share:56]'),
  speed: cn('[--share:78]'),
  tokens: cn('[--share:82]'),
  finish: cn('[--share:66]'),
  total: cn('[--share:42]'),
  cost: '',
};
const lineColumnClasses: Record<MetricId, string> = {
  first: cn('min-w-12.5 flex-none', halfLook),
  speed: cn('min-w-19 flex-none @max-[210px]/lane-footer:sr-only @max-[210px]/lane-footer:min-w-0', halfLook),
  tokens: cn('min-w-14 flex-none @max-[270px]/lane-footer:sr-only @max-[270px]/lane-footer:min-w-0'),
  // A long word is shortened: nothing of the line leaves it.
  finish: cn('min-w-0 @max-[360px]/lane-footer:sr-only'),
  total: 'sr-only',
  cost: 'sr-only',
};

export function columnLook(look: MetricsLook, hasOtherLanes: boolean, metricId: MetricId): string {
  const isFinish = metricId === 'finish';
  const isLast = metricId === 'total';
  const isFirstTwo = metricId === 'first' || metricId === 'speed';
  if (look === 'line') return lineColumnClasses[metricId];
  // Beside other lanes there is room for five figures.
  if (metricId === 'cost' && (hasOtherLanes || look === 'card')) return 'sr-only';
  if (look === 'compact' || look === 'unseen') return cn('flex flex-none items-baseline gap-1.25');
  if (look === 'columns' && !hasOtherLanes) {
    return cn(
      'flex-none max-phone:flex-[var(--share)_0_0]',
      columnClasses[metricId],
      shareClasses[metricId],
      isFinish ? 'max-phone:min-w-0' : 'max-phone:min-w-min',
      !isLast && 'max-phone:pr-1.5',
      isFirstTwo && halfLook,
    );
  }
  // The same figure stands at the same place in each lane. A long word at the end is shortened: a second row for it would
  // move the conversation when a lane finishes.
  return cn(
    'flex-[var(--share)_0_0]',
    shareClasses[metricId],
    isFinish ? 'min-w-0' : 'min-w-min',
    !isLast && 'pr-1.5 phone:@max-[350px]/lane-footer:pr-0',
    isFirstTwo && (look === 'card' ? 'max-[382px]:flex-[1_0_42%]' : halfLook),
  );
}

/** The look of the remarks below the metrics. */
export function remarkLook(look: MetricsLook): string {
  if (look === 'line' || look === 'unseen') return 'sr-only';
  return cn('min-w-0 flex-[1_0_100%] text-11 text-ink-3 normal-nums');
}

/** The look of the remark beside a metric; only a single lane has space for it. */
export function firstTokenRemarkLook(look: MetricsLook, hasOtherLanes: boolean): string {
  return look === 'columns' && !hasOtherLanes ? cn('font-450 text-ink-3 max-phone:sr-only') : 'sr-only';
}

/** The look of the name of a figure. */
export function nameLook(look: MetricsLook): string {
  if (look === 'line') return 'sr-only';
  return cn('text-11 whitespace-nowrap text-ink-3 normal-nums max-phone:text-[12px]');
}

const toneClasses: Record<MetricTone, string> = {
  plain: cn('font-550 text-ink'),
  none: cn('font-450 text-ink-3'),
  live: cn('font-550 text-needle-ink'),
  bad: cn('font-550 text-err-ink'),
};

export function figureLook(look: MetricsLook, metricId: MetricId, tone: MetricTone): string {
  const isFinish = metricId === 'finish';
  const textClasses = cn('whitespace-nowrap normal-nums', isFinish && 'overflow-hidden text-ellipsis');
  if (look === 'line') {
    return cn(textClasses, 'text-[12px]/4', toneClasses[tone], tone === 'none' && !isFinish && 'opacity-0');
  }
  if (look === 'compact' || look === 'unseen') return cn(textClasses, 'text-[12px]/4.5 font-450 text-ink-2');
  // As high with a unit, which is smaller, as without.
  return cn(textClasses, 'min-h-4.75 text-[13px]/4.5 max-phone:text-[14px]/5', toneClasses[tone]);
}

export function unitLook(look: MetricsLook): string {
  return cn(
    'font-450 text-ink-3 max-phone:text-[12px]',
    look === 'line' ? 'ml-px text-[11px]/4' : 'ml-0.75 text-[11px]/4.5',
  );
}
