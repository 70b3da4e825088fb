import { cn } from '../../../ui/cn.ts';

/** A row over the lanes, with what went to them. Sheets that hide those of other lanes know it by its class. */
export const bandLook = cn('message-band border-line bg-bench py-2.25 in-[.many-lanes]:py-0 max-phone:px-4');
/** With what was said. */
export const messageBandLook = cn(bandLook, 'border-b max-phone:py-3');
