import { useRef, type ButtonHTMLAttributes, type ReactNode } from 'react';

import { Tooltip } from '../overlays/tooltip.tsx';
import { useTooltip } from '../overlays/use-tooltip.ts';

type HandledHere =
  | 'aria-label'
  | 'onPointerEnter'
  | 'onPointerLeave'
  | 'onPointerDown'
  | 'onFocus'
  | 'onBlur';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, HandledHere> {
  /** The accessible name, and the tooltip where `tip` is absent. */
  label: string;
  /** Other words for the tooltip, for example why it is disabled. */
  tip?: string;
  /** Shown in the tooltip. */
  shortcut?: string;
  /** Side length 24 or 28 px. */
  size?: 'small' | 'normal';
  /** The icon, with class `i` or `i s`. */
  children: ReactNode;
}

/** A button that is only an icon. Its name appears as a tooltip after 400 ms, on focus at once; Escape hides it. */
export function IconButton({
  label,
  tip,
  shortcut,
  size = 'normal',
  className = '',
  children,
  ...rest
}: IconButtonProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const tooltip = useTooltip();
  return (
    <>
      <button
        type="button"
        aria-label={label}
        {...rest}
        {...tooltip.anchorProps}
        ref={anchor}
        className={`ib${size === 'small' ? ' s' : ''} ${className}`}
      >
        {children}
      </button>
      <Tooltip anchor={anchor} tooltip={tooltip}>
        {tip ?? label}
        {shortcut && <kbd>{shortcut}</kbd>}
      </Tooltip>
    </>
  );
}
