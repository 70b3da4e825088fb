import type { ComponentProps } from 'react';

import { cn } from '../../../ui/cn.ts';

/** Box of the sidebar, rendered before its content has loaded so that nothing moves. */
export function SidebarFrame({ className, ...rest }: ComponentProps<'aside'>) {
  return (
    <aside
      className={cn(
        'isolate flex min-h-0 w-full flex-col border-line bg-bench phone:w-83 phone:border-l',
        className,
      )}
      {...rest}
    />
  );
}
