import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** Box of the sidebar, rendered before its content has loaded so that nothing moves. */
export function SidebarFrame({ className, ...rest }: ComponentProps<'aside'>) {
  return (
    <aside
      className={clsx(
        'isolate flex min-h-0 w-full flex-col border-line bg-bench phone:w-83 phone:border-l',
        className,
      )}
      {...rest}
    />
  );
}
