import { clsx } from 'clsx';

const look = clsx(
  'before:size-3.25 before:flex-none before:[mask:var(--mark)_center/contain_no-repeat]',
  'forced-colors:before:bg-[CanvasText] forced-colors:before:forced-color-adjust-none',
);
const colors: Partial<Record<string, string>> = {
  failed: 'before:bg-err-ink',
  'no answer': 'before:bg-warn-ink',
  unchecked: 'before:invisible before:bg-ink-3',
  waiting: 'before:bg-line-2',
  stopped: 'before:bg-line-2',
  running: 'before:bg-needle',
};

/**
 * Returns the classes of the mark before an element with `data-mark`, whose shape is defined in trials.css. A
 * pseudo-element, because a grid of 10,000 rows must have few elements.
 */
export function markLook(mark: string): string {
  return clsx(look, colors[mark] ?? 'before:bg-ink-3');
}

/** Returns the background of a row, tinted if its columns disagree. */
export function getRowBackground(isTinted: boolean): string {
  return isTinted ? 'bg-[color-mix(in_oklab,var(--warn-wash)_62%,var(--paper))]' : 'bg-paper';
}
