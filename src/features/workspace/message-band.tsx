import { clsx } from 'clsx';
import type { ComponentProps, HTMLAttributes } from 'react';

import { useSession } from '../../state/contexts.tsx';
import { getNextFocusAttributes } from '../../ui/focus/focus-target.ts';
import { moveFocusOnRemoval } from '../../ui/focus/use-focus-successor.ts';
import { anyMessage, messageField } from './playground-focus-targets.ts';

interface MessageBandProps extends HTMLAttributes<HTMLElement> {
  /** Element of the band; several messages in a band are articles themselves. */
  as?: 'article' | 'div';
}

/** Row across the lanes that share a message. */
export function MessageBand({ as: Element = 'article', className, ...rest }: MessageBandProps) {
  return (
    <Element
      ref={moveFocusOnRemoval}
      {...getNextFocusAttributes(anyMessage, messageField)}
      className={clsx(
        'message-band border-line bg-bench max-phone:px-4 phone:in-data-[layout=one-lane]:py-2.25',
        'print:break-after-avoid',
        className,
      )}
      {...rest}
    />
  );
}

/** Columns of a band: label, content and buttons. In the column of one of several lanes there is no space for buttons. */
export function BandColumns({
  isInColumn = false,
  className,
  ...rest
}: ComponentProps<'div'> & { isInColumn?: boolean }) {
  const isOneLane = useSession((data) => data.session.laneIds.length === 1) ?? true;
  return (
    <div
      className={clsx(
        'lane-column grid grid-cols-[36px_minmax(0,1fr)_auto] phone:gap-x-2',
        '[&>span:first-child]:text-[13px]/5.5 [&>span:first-child]:font-500 [&>span:first-child]:text-ink-3',
        'phone:[&>span:first-child]:text-[12px]/5.5',
        isOneLane
          ? 'phone:mx-auto phone:w-full phone:max-w-228 phone:grid-cols-[64px_minmax(0,1fr)_52px] phone:px-4'
          : 'phone:py-1.75 phone:pr-2.5 phone:pl-4',
        !isOneLane && isInColumn && 'phone:grid-cols-[24px_minmax(0,1fr)]',
        // The band is as wide as the window and stays in it, wherever the lanes are scrolled.
        !isOneLane &&
          !isInColumn && [
            'phone:w-[var(--viewport-width,100%)] phone:translate-x-[var(--viewport-left,0px)]',
            'phone:grid-cols-[64px_minmax(0,1fr)_auto] print:w-auto print:translate-none',
          ],
        'print:max-w-none',
        className,
      )}
      {...rest}
    />
  );
}
