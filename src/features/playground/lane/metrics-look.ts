import { clsx } from 'clsx';

/**
 * Layouts of the metrics. card: below the start of an answer; compact: all on one line, below an answer; line: the most
 * important ones on one line.
 */
export type MetricsLook = 'columns' | 'card' | 'compact' | 'line' | 'unseen';

/** Metrics in display order. */
export type MetricId = 'first' | 'speed' | 'tokens' | 'finish' | 'total' | 'cost';

export type MetricTone = 'plain' | 'none' | 'live' | 'bad';

const roomLook = clsx('flex min-w-0 flex-1 flex-wrap items-center');
export const groupLooks: Record<MetricsLook, string> = {
  columns: roomLook,
  card: roomLook,
  compact: clsx('mt-1.5 flex min-h-4.5 flex-wrap items-center'),
  line: roomLook,
  unseen: 'sr-only',
};

// Narrow lanes have two rows from the start, because growing numbers would not fit into one.
const wrapsLook = clsx('max-phone:@max-[350px]/lane-footer:flex-wrap');
const halfLook = clsx('max-phone:@max-[350px]/lane-footer:flex-[1_0_42%]');

/** Returns the classes of the list. `hasOtherLanes` is true if other lanes are shown beside this one. */
export function listLook(look: MetricsLook, hasOtherLanes: boolean): string {
  if (look === 'line') {
    return clsx('flex min-w-0 gap-x-2 gap-y-0.5', hasOtherLanes && 'flex-[1_0_100%]', wrapsLook);
  }
  if (look === 'compact' || look === 'unseen') return clsx('flex min-w-0 flex-wrap gap-x-3.5');
  if (look === 'card') return clsx('flex min-w-0 flex-[1_0_100%] gap-y-0.5 max-[382px]:flex-wrap');
  if (!hasOtherLanes) {
    return clsx(
      'flex min-w-0 flex-wrap gap-y-0.5 max-phone:flex-[1_0_100%] max-phone:flex-nowrap',
      wrapsLook,
    );
  }
  return clsx(
    'flex min-w-0 flex-[1_0_100%] gap-y-0.5 phone:@max-[350px]/lane-footer:grid',
    'phone:@max-[350px]/lane-footer:grid-cols-[74fr_78fr_98fr] phone:@max-[350px]/lane-footer:gap-x-1.5',
    'phone:@max-[350px]/lane-footer:gap-y-1',
    wrapsLook,
  );
}

/**
 * Classes of the columns, whose positions stay the same while numbers grow. Columns that do not fit wrap to a second
 * row.
 */
const columnClasses: Record<MetricId, string> = {
  first: clsx('min-w-14.5 pr-2'),
  speed: clsx('min-w-20 pr-2'),
  tokens: clsx('min-w-25 pr-2'),
  finish: clsx('min-w-21 pr-2'),
  total: clsx('min-w-15'),
  cost: clsx('min-w-15 max-phone:sr-only'),
};
/** Shares of the width, used where it is distributed. */
const shareClasses: Record<MetricId, string> = {
  first: clsx('[--share:56]'),
  speed: clsx('[--share:78]'),
  tokens: clsx('[--share:82]'),
  finish: clsx('[--share:66]'),
  total: clsx('[--share:42]'),
  cost: '',
};
const lineColumnClasses: Record<MetricId, string> = {
  first: clsx('min-w-12.5 flex-none', halfLook),
  speed: clsx(
    'min-w-19 flex-none @max-[210px]/lane-footer:sr-only @max-[210px]/lane-footer:min-w-0',
    halfLook,
  ),
  tokens: clsx('min-w-14 flex-none @max-[270px]/lane-footer:sr-only @max-[270px]/lane-footer:min-w-0'),
  // Long values are truncated, so that nothing overflows the line.
  finish: clsx('min-w-0 @max-[360px]/lane-footer:sr-only'),
  total: 'sr-only',
  cost: 'sr-only',
};

export function columnLook(look: MetricsLook, hasOtherLanes: boolean, metricId: MetricId): string {
  const isFinish = metricId === 'finish';
  const isLast = metricId === 'total';
  const isFirstTwo = metricId === 'first' || metricId === 'speed';
  if (look === 'line') return lineColumnClasses[metricId];
  // With several lanes there is space for only five metrics.
  if (metricId === 'cost' && (hasOtherLanes || look === 'card')) return 'sr-only';
  if (look === 'compact' || look === 'unseen') return clsx('flex flex-none items-baseline gap-1.25');
  if (look === 'columns' && !hasOtherLanes) {
    return clsx(
      'flex-none max-phone:flex-[var(--share)_0_0]',
      columnClasses[metricId],
      shareClasses[metricId],
      isFinish ? 'max-phone:min-w-0' : 'max-phone:min-w-min',
      !isLast && 'max-phone:pr-1.5',
      isFirstTwo && halfLook,
    );
  }
  // Each metric has the same position in every lane. A long value at the end is truncated, because a second row would
  // move the conversation when a lane ends.
  return clsx(
    'flex-[var(--share)_0_0]',
    shareClasses[metricId],
    isFinish ? 'min-w-0' : 'min-w-min',
    !isLast && 'pr-1.5 phone:@max-[350px]/lane-footer:pr-0',
    isFirstTwo && (look === 'card' ? 'max-[382px]:flex-[1_0_42%]' : halfLook),
  );
}

/** Returns the classes of the remarks below the metrics. */
export function remarkLook(look: MetricsLook): string {
  if (look === 'line' || look === 'unseen') return 'sr-only';
  return clsx('min-w-0 flex-[1_0_100%] text-11 text-ink-3 normal-nums');
}

/** Returns the classes of the remark next to a metric. Only a lane without neighbours has space for it. */
export function firstTokenRemarkLook(look: MetricsLook, hasOtherLanes: boolean): string {
  return look === 'columns' && !hasOtherLanes ? clsx('font-450 text-ink-3 max-phone:sr-only') : 'sr-only';
}

/** Returns the classes of a metric's name. */
export function nameLook(look: MetricsLook): string {
  if (look === 'line') return 'sr-only';
  return clsx('text-11 whitespace-nowrap text-ink-3 normal-nums max-phone:text-[12px]');
}

const toneClasses: Record<MetricTone, string> = {
  plain: clsx('font-550 text-ink'),
  none: clsx('font-450 text-ink-3'),
  live: clsx('font-550 text-needle-ink'),
  bad: clsx('font-550 text-err-ink'),
};

export function figureLook(look: MetricsLook, metricId: MetricId, tone: MetricTone): string {
  const isFinish = metricId === 'finish';
  const textClasses = clsx('whitespace-nowrap normal-nums', isFinish && 'overflow-hidden text-ellipsis');
  if (look === 'line') {
    return clsx(textClasses, 'text-[12px]/4', toneClasses[tone], tone === 'none' && !isFinish && 'opacity-0');
  }
  if (look === 'compact' || look === 'unseen')
    return clsx(textClasses, 'text-[12px]/4.5 font-450 text-ink-2');
  // Fixed height, because units are smaller than numbers and not always present.
  return clsx(textClasses, 'min-h-4.75 text-[13px]/4.5 max-phone:text-[14px]/5', toneClasses[tone]);
}

export function unitLook(look: MetricsLook): string {
  return clsx(
    'font-450 text-ink-3 max-phone:text-[12px]',
    look === 'line' ? 'ml-0.5 text-[11px]/4' : 'ml-0.75 text-[11px]/4.5',
  );
}
