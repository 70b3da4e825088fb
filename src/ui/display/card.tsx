import type { ComponentProps } from 'react';

import { classes } from '../classes.ts';

const tones = {
  plain: 'border-line-2 bg-raised',
  /** It waits for something to be done. */
  due: 'border-edge bg-raised',
  warn: 'border-[color-mix(in_oklab,var(--warn)_60%,var(--line))] bg-warn-wash',
  err: 'border-[color-mix(in_oklab,var(--err)_40%,var(--line))] bg-err-wash',
};

/** The look of a card inside transcripts and dialogs, for any element. */
export function cardLook(tone: keyof typeof tones = 'plain'): string {
  return classes('rounded-3 border', tones[tone]);
}

/** The look of a button that folds what is below it. Its icon, a chevron to the right, turns down while it is open. */
export const foldLook = classes(
  'group/fold inline-flex h-6 items-center gap-1.5 rounded-2 font-sans text-12 text-ink-3',
  '[&_b]:font-550 [&_b]:text-ink-2 hover:[&_b]:text-ink',
  '[&_svg]:transition-transform [&_svg]:duration-(--d-2) [&_svg]:ease-(--ease-out) aria-expanded:[&_svg]:rotate-90',
);

/** What the marks and colours beside it mean: small, in a row that wraps. Each entry is a `span`. */
export function Legend({ className, ...rest }: ComponentProps<'p'>) {
  return (
    <p
      className={classes(
        'flex flex-wrap gap-x-3.5 gap-y-0.5 font-sans text-11 text-ink-3 *:inline-flex *:items-center *:gap-1.25',
        className,
      )}
      {...rest}
    />
  );
}
