import type { ReactNode } from 'react';

import { cn } from '../cn.ts';

/** The box of a screen that is one column of content. */
export const screenLook = cn(
  'min-h-0 [scrollbar-width:thin] [scrollbar-color:var(--line-2)_transparent] overflow-y-auto overscroll-contain bg-paper',
);
/** The box of what stands where there is nothing to show. */
export const blankLook = cn(
  'flex flex-col items-start justify-center gap-2.5 bg-paper px-[max(24px,calc(50%-280px))] py-6',
);
const titleLook = cn('text-22 tracking-[-0.012em] normal-nums');
const textLook = cn('max-w-140 text-14 text-ink-2 normal-nums');

interface EmptyStateProps {
  /** `part`: in a screen that has a title of its own. */
  scope?: 'screen' | 'part';
  title: string;
  /** A sentence each. */
  texts: readonly string[];
  /** Raw data. */
  raw?: string;
  /** What can be done next. */
  children?: ReactNode;
}

/** Why there is nothing to show here, and what can be done. */
export function EmptyState({ scope = 'screen', title, texts, raw, children }: EmptyStateProps) {
  const isScreen = scope === 'screen';
  const content = (
    <>
      {isScreen ? (
        <h1 className={titleLook}>{title}</h1>
      ) : (
        <h2 className="text-18 tracking-[-0.008em]">{title}</h2>
      )}
      {texts.map((text) => (
        <p key={text} className={textLook}>
          {text}
        </p>
      ))}
      {raw !== undefined && <pre className={rawLook}>{raw}</pre>}
      {children !== undefined && <div className="mt-3 flex flex-wrap items-center gap-1.5">{children}</div>}
    </>
  );
  if (!isScreen) return <div className={cn('min-h-3/5', blankLook)}>{content}</div>;
  return (
    <main className={cn(screenLook, blankLook)} data-region>
      {content}
    </main>
  );
}

const rawLook = cn(
  'max-w-full rounded-2 border border-line bg-bench px-3 py-2 font-mono text-mono-12 wrap-anywhere whitespace-pre-wrap',
);
