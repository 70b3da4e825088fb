import { cva } from 'class-variance-authority';
import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

import { cn } from '../cn.ts';
import { ButtonElement } from '../controls/button-element.tsx';

/** Classes of a card inside conversations and dialogs. `due` marks a required action. */
export const cardVariants = cva('rounded-3 border', {
  variants: {
    tone: {
      plain: 'border-line-2 bg-raised',
      due: 'border-edge bg-raised',
      warn: 'border-[color-mix(in_oklab,var(--warn)_60%,var(--line))] bg-warn-wash',
      // Red only at one edge, because several errors are often side by side.
      err: 'border-l-3 border-line-2 border-l-err bg-raised',
    },
  },
  defaultVariants: { tone: 'plain' },
});

interface NoteCardProps extends Omit<ComponentProps<'div'>, 'className' | 'title'> {
  tone: 'warn' | 'err';
  /** An icon, with the class `icon-16`. */
  icon?: ReactNode;
  /** The heading. */
  title: ReactNode;
}

/** A note about a message: a heading, `NoteText` and `NoteActions`. */
export function NoteCard({ tone, icon, title, children, ...rest }: NoteCardProps) {
  return (
    <div className={clsx(cardVariants({ tone }), 'mt-2.5 px-3.5 py-3 in-[.reply-cell]:first:mt-0')} {...rest}>
      <h3
        className={clsx(
          'flex items-center gap-2 text-[14px]/5 font-600 normal-nums',
          tone === 'err' ? 'text-ink [&_svg]:text-err-ink' : 'text-warn-ink',
        )}
      >
        {icon}
        {title}
      </h3>
      {children}
    </div>
  );
}

/** A sentence in a `NoteCard`. */
export function NoteText({ className, ...rest }: ComponentProps<'p'>) {
  return <p className={cn('mt-1.5 text-[13px]/5 font-400 text-ink-2 normal-nums', className)} {...rest} />;
}

/** The row of buttons in a `NoteCard`. */
export function NoteActions(props: { children: ReactNode }) {
  return <div className="mt-3 flex flex-wrap items-center gap-1.5" {...props} />;
}

/** A button that expands what is below it. Its chevron turns down while open. */
export function DisclosureButton({ className, ...rest }: ComponentProps<'button'>) {
  return (
    <ButtonElement
      type="button"
      className={cn(
        'group/disclosure inline-flex h-6 items-center gap-1.5 rounded-2 font-sans text-12 text-ink-3',
        '[&_b]:font-550 [&_b]:text-ink-2 hover:[&_b]:text-ink',
        '[&_svg]:transition-transform [&_svg]:duration-(--d-2) [&_svg]:ease-(--ease-out) aria-expanded:[&_svg]:rotate-90',
        className,
      )}
      {...rest}
    />
  );
}

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
