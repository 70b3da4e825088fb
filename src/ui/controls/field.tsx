import { CircleAlert } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

import { classes } from '../classes.ts';

const edged = classes(
  'rounded-2 border border-edge bg-raised aria-invalid:border-err aria-invalid:inset-ring aria-invalid:inset-ring-err',
);
const oneLine = classes(
  'field-sizing-content h-6 max-w-31 min-w-14 px-1.75 max-phone:h-9 max-phone:min-w-17.5 max-phone:text-[16px]',
);
/** Only its placeholder until it is pointed at: it has no value. */
const bare = classes(
  'border-transparent bg-transparent font-sans text-12 text-ink-3 placeholder:text-12 placeholder:text-ink-3',
  'hover:border-line-2 hover:bg-raised focus:border-edge focus:bg-raised max-phone:placeholder:text-[14px]',
  // Where the system chooses the colours, a border without one is drawn.
  'forced-colors:border-[Canvas] forced-colors:hover:border-[ButtonBorder] forced-colors:focus:border-[ButtonBorder]',
);

/** The look of a field of one line. number: its figures stand at the right. bare: a number that is not set. */
export const fieldLooks = {
  text: classes('nf tx text-left font-mono text-mono-12', edged, oneLine),
  number: classes('nf text-right font-sans text-[13px] leading-none font-550', edged, oneLine),
  bare: classes(
    'nf bare field-sizing-content h-6 max-w-47.5 min-w-16 rounded-2 border pr-0 pl-1.75 text-right',
    'hover:pr-1.75 focus:pr-1.75 max-phone:h-9 max-phone:min-w-17.5 max-phone:text-[16px]',
    bare,
  ),
};

/** The look of a field of several lines: as tall as its text. */
export const areaLooks = {
  area: classes(
    'area block field-sizing-content w-full resize-none px-2.25 py-1.25 font-mono text-mono-12 wrap-anywhere',
    edged,
  ),
  bare: classes(
    'area bare block field-sizing-content w-full resize-none rounded-2 border py-1.25 pr-0 pl-2.25 wrap-anywhere',
    'hover:pr-1.75 focus:pr-1.75',
    bare,
  ),
};

/** A field of one line for names, ids and addresses. */
export function TextField({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={classes(fieldLooks.text, className)} />;
}

interface RemarkProps extends Omit<ComponentProps<'p'>, 'className'> {
  /** Where it stands, never how it looks. */
  className?: string;
  children: ReactNode;
}

/** A sentence under a field that says what is wrong with it. */
export function FieldError({ icon = true, className, children, ...rest }: RemarkProps & { icon?: boolean }) {
  return (
    <p
      className={classes(
        'er flex items-start gap-1.25 font-sans text-12 text-pretty text-err-ink',
        className,
      )}
      {...rest}
    >
      {icon && <CircleAlert className="mt-px icon-14" aria-hidden />}
      {children}
    </p>
  );
}

/** A sentence under a field that says what is worth knowing. */
export function Hint({ className, ...rest }: RemarkProps) {
  return <p className={classes('hint font-sans text-12 text-pretty text-ink-3', className)} {...rest} />;
}
