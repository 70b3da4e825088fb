import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

import { cn } from '../cn.ts';

/** The scrolling area of a screen with one column of content. */
export function ScreenMain({ className, ...rest }: ComponentProps<'main'>) {
  return (
    <main
      className={cn(
        'min-h-0 [scrollbar-width:thin] [scrollbar-color:var(--line-2)_transparent] overflow-y-auto overscroll-contain bg-paper',
        className,
      )}
      {...rest}
    />
  );
}

interface EmptyStateProps {
  /** `part` is used within a screen that already has a title. */
  scope?: 'screen' | 'part';
  title: string;
  /** One sentence each. */
  texts: readonly string[];
  raw?: string;
  /** Actions the user can take next. */
  children?: ReactNode;
}

/** Explains why a screen or part is empty and what the user can do. */
export function EmptyState({ scope = 'screen', title, texts, raw, children }: EmptyStateProps) {
  const isScreen = scope === 'screen';
  const content = (
    <>
      {isScreen ? (
        <h1 className="text-22 tracking-[-0.012em] normal-nums">{title}</h1>
      ) : (
        <h2 className="text-18 tracking-[-0.008em]">{title}</h2>
      )}
      {texts.map((text) => (
        <p key={text} className="max-w-140 text-14 text-ink-2 normal-nums">
          {text}
        </p>
      ))}
      {raw !== undefined && (
        <pre className="max-w-full rounded-2 border border-line bg-bench px-3 py-2 font-mono text-mono-12 wrap-anywhere whitespace-pre-wrap">
          {raw}
        </pre>
      )}
      {children !== undefined && <div className="mt-3 flex flex-wrap items-center gap-1.5">{children}</div>}
    </>
  );
  const classes =
    'flex flex-col items-start justify-center gap-2.5 bg-paper px-[max(24px,calc(50%-280px))] py-6';
  if (!isScreen) return <div className={clsx(classes, 'min-h-3/5')}>{content}</div>;
  return (
    <ScreenMain className={classes} data-region>
      {content}
    </ScreenMain>
  );
}
