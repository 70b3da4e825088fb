import type { ComponentProps } from 'react';

import { cn } from '../../../ui/cn.ts';

/** The box of the sidebar. It is there before what is in it has come, so that nothing moves for that. */
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
