import type { ComponentProps, ReactNode } from 'react';

import { cn } from '../cn.ts';

const tones = {
  plain: 'border-line-2 bg-raised',
  /** Style for a required action. */
  due: 'border-edge bg-raised',
  warn: 'border-[color-mix(in_oklab,var(--warn)_60%,var(--line))] bg-warn-wash',
  err: 'border-[color-mix(in_oklab,var(--err)_40%,var(--line))] bg-err-wash',
};

/** Classes of a card inside conversations and dialogs, for any element. */
export function cardLook(tone: keyof typeof tones = 'plain'): string {
  return cn('rounded-3 border', tones[tone]);
}

interface NoteCardProps extends Omit<ComponentProps<'div'>, 'className' | 'title'> {
  tone: 'warn' | 'err';
  /** An icon, with the class `icon-16`. */
  icon?: ReactNode;
  /** The heading. */
  title: ReactNode;
}

/** A note about a message: heading, sentence (`noteTextLook`) and a row of actions (`offersLook`). */
export function NoteCard({ tone, icon, title, children, ...rest }: NoteCardProps) {
  return (
    <div className={cn(cardLook(tone), 'mt-2.5 px-3.5 py-3 in-[.reply-cell]:first:mt-0')} {...rest}>
      <h3
        className={cn(
          'flex items-center gap-2 text-[14px]/5 font-600 normal-nums',
          tone === 'err' ? 'text-err-ink' : 'text-warn-ink',
        )}
      >
        {icon}
        {title}
      </h3>
      {children}
    </div>
  );
}

export const noteTextLook = cn('mt-1.5 text-[13px]/5 font-400 text-ink-2 normal-nums');
export const offersLook = cn('mt-3 flex flex-wrap items-center gap-1.5');

/** Classes of a button that expands what is below it. Its chevron turns down while open. */
export const foldLook = cn(
  'group/fold inline-flex h-6 items-center gap-1.5 rounded-2 font-sans text-12 text-ink-3',
  '[&_b]:font-550 [&_b]:text-ink-2 hover:[&_b]:text-ink',
  '[&_svg]:transition-transform [&_svg]:duration-(--d-2) [&_svg]:ease-(--ease-out) aria-expanded:[&_svg]:rotate-90',
);

/** Explains the adjacent marks and colours in a small wrapping row. Each entry is a `span`. */
export function Legend({ className, ...rest }: ComponentProps<'p'>) {
  return (
    <p
      className={cn(
        'flex flex-wrap gap-x-3.5 gap-y-0.5 font-sans text-11 text-ink-3 [&>*]:inline-flex [&>*]:items-center [&>*]:gap-1.25',
        className,
      )}
      {...rest}
    />
  );
}
