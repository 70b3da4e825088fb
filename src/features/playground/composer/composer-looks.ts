/**
 * Classes of the composer. In a short window it shows one line, two lines that overlay the content above, or all of its
 * parts.
 */
import { clsx } from 'clsx';

const lowRoom = clsx('relative z-4 h-13 flat:h-11');
const lowColumn = clsx('absolute inset-x-0 bottom-1.25 px-3 flat:bottom-0.75');

export const wrapLook = clsx(
  'isolate border-t border-line bg-bench [anchor-name:--composer] flat:sticky flat:bottom-0 flat:left-0',
);
export const wrapLayoutClasses = {
  own: clsx(
    'pt-3 pb-4 in-[.many-lanes]:px-4 in-[.one-lane]:max-[760px]:pt-2 in-[.one-lane]:max-[760px]:pb-3',
    'max-phone:px-3 max-phone:pt-2 max-phone:pb-3',
  ),
  all: clsx('relative z-4 py-1.5'),
  over: lowRoom,
  line: lowRoom,
};

export const columnLook = clsx('in-[.one-lane]:mx-auto in-[.one-lane]:max-w-228');
export const columnLayoutClasses = {
  own: clsx('in-[.one-lane]:px-4 max-phone:px-0'),
  all: 'px-3',
  over: lowColumn,
  line: lowColumn,
};

export const formLook = clsx('relative rounded-4 border bg-raised max-phone:rounded-[14px]');
export const restLook = clsx(
  'border-edge shadow-e-1 focus-within:border-ink focus-within:shadow-[inset_0_0_0_1px_var(--ink)]',
);
export const droppingLook = clsx('border-needle shadow-[inset_0_0_0_1px_var(--needle)]');
export const lineFormLook = clsx('flex h-10 items-center px-1 flat:h-9');

export const fieldLook = clsx(
  'block field-sizing-content min-h-9.5 resize-none text-[14px]/5.5 font-400 normal-nums outline-none',
  'max-[760px]:text-[16px] max-phone:min-h-13 max-phone:leading-6 max-phone:placeholder:truncate',
);
const ownField = clsx('max-h-[40vh] w-full px-3.5 pt-2.5 pb-1 max-phone:py-3.5');
export const fieldLayoutClasses = {
  own: clsx(ownField, 'max-phone:px-3'),
  // The buttons overlay the field.
  'one row': clsx(ownField, 'max-phone:pr-30.5 max-phone:pl-12'),
  line: clsx('order-1 max-h-9.5 w-0 flex-1 overflow-hidden p-2'),
};

export const barLook = clsx(
  'flex-wrap items-center gap-0.5 py-1.5 pr-1.5 pl-2 [&_*]:aria-disabled:opacity-55 max-[760px]:[&_kbd]:hidden',
  'max-phone:gap-1 max-phone:p-1',
);
export const rowBarLook = clsx(
  'max-phone:pointer-events-none max-phone:absolute max-phone:inset-x-0 max-phone:bottom-0',
  'max-phone:[&>*]:pointer-events-auto',
);

export const remarkLook = clsx('max-phone:order-9 max-phone:flex-[1_0_100%] max-phone:px-2 max-phone:pb-1.5');
export const warningLook = clsx(remarkLook, 'text-12 text-warn-ink normal-nums');

/** Right-aligned content in a box of constant size, so that changes do not move other elements. */
export const endLook = clsx(
  'flex items-center justify-end text-12 text-ink-3 normal-nums max-phone:-order-1 max-phone:gap-1',
);
export const bigLook = clsx('min-w-26 max-phone:min-w-11 max-phone:rounded-[10px]');
export const stopMarkLook = clsx(
  'size-2.5 flex-none rounded-[2px] bg-needle max-phone:size-3.5 max-phone:rounded-[3px]',
);

export const targetsLook = clsx(
  'ml-1 inline-flex items-center gap-1 border-l border-line-2 pl-3 text-12 text-ink-3 normal-nums',
  'max-phone:m-0 max-phone:border-0 max-phone:p-0',
);
export const targetLook = clsx(
  'relative inline-grid size-6 cursor-pointer place-items-center rounded-2 max-phone:size-11',
  'has-focus-visible:outline-2 has-focus-visible:outline-ink',
);
