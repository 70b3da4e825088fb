import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

import { moveFocusOnRemoval } from '../../ui/focus/use-focus-successor.ts';

/** Box of the sidebar, rendered before its content has loaded so that nothing moves. */
export function SidebarFrame({ className, ...rest }: ComponentProps<'aside'>) {
  return (
    <aside
      ref={moveFocusOnRemoval}
      className={clsx(
        'isolate flex min-h-0 w-full flex-none flex-col border-line bg-bench phone:w-83 phone:border-l print:hidden',
        'max-tablet:absolute max-tablet:inset-[0_0_0_auto] max-tablet:z-5 max-tablet:shadow-e-2',
        'flat:sticky flat:top-0 flat:h-dvh flat:self-start flat:max-tablet:fixed',
        className,
      )}
      {...rest}
    />
  );
}
