import type { ComponentProps, ReactNode } from 'react';

import { cn } from '../cn.ts';
import { CircleAlert } from '../icons.tsx';

/** Classes of the field border. */
export const edgedLook = cn(
  'rounded-2 border border-edge bg-raised aria-invalid:border-err aria-invalid:inset-ring aria-invalid:inset-ring-err',
);
/** A single line as wide as its content. */
export const oneLineLook = cn('field-sizing-content h-6 px-1.75 max-phone:h-9');
/** Shows only its placeholder until hovered, because it has no value. */
export const bareLook = cn(
  'border-transparent bg-transparent font-sans text-12 text-ink-3 placeholder:text-12 placeholder:text-ink-3',
  'hover:border-line-2 hover:bg-raised focus:border-edge focus:bg-raised max-phone:placeholder:text-[14px]',
  // Forced colours draw even a transparent border, so it takes the background colour.
  'forced-colors:border-[Canvas] forced-colors:hover:border-[ButtonBorder] forced-colors:focus:border-[ButtonBorder]',
);

const boxLook = cn('min-w-14 text-left max-phone:min-w-17.5', edgedLook, oneLineLook);
const textLook = cn('max-w-31 font-mono text-mono-12 max-phone:text-[16px]', boxLook);
/** Classes of a single-line field whose container sets its width. The text keeps its size on phones. */
export const lineLook = cn('[font:var(--m-12)]', boxLook);
/** The box of `areaLooks.area` without its font. */
export const areaBox = cn(
  'block field-sizing-content w-full resize-none px-2.25 py-1.25 wrap-anywhere',
  edgedLook,
);

/** Classes of multi-line fields that grow with their text. `bare` shows a right-aligned placeholder. */
export const areaLooks = {
  area: cn('font-mono text-mono-12', areaBox),
  bare: cn(
    'block field-sizing-content w-full resize-none overflow-hidden rounded-2 border py-1 text-right',
    'tracking-normal wrap-anywhere normal-nums [word-spacing:0.06em] focus:pr-1.75 focus:text-left',
    bareLook,
  ),
};

/** A single-line field for names, IDs and URLs. */
export function TextField({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={cn(textLook, className)} />;
}

interface RemarkProps extends Omit<ComponentProps<'p'>, 'className'> {
  /** Classes for the position, never for the appearance. */
  className?: string;
  children: ReactNode;
}

/** An error message below a field. */
export function FieldError({
  icon: hasIcon = true,
  className,
  children,
  ...rest
}: RemarkProps & { icon?: boolean }) {
  return (
    <p
      className={cn(
        'flex items-start gap-1.25 font-sans text-12 text-pretty text-err-ink normal-nums',
        className,
      )}
      {...rest}
    >
      {hasIcon && <CircleAlert className="mt-px icon-14" aria-hidden />}
      {children}
    </p>
  );
}

/** A hint below a field. */
export function Hint({ className, ...rest }: RemarkProps) {
  return <p className={cn('font-sans text-12 text-pretty text-ink-3 normal-nums', className)} {...rest} />;
}
