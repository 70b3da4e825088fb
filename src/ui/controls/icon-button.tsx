import { cva } from 'class-variance-authority';
import type { ButtonHTMLAttributes, ReactNode } from 'react';

import { cn } from '../cn.ts';
import { ButtonElement } from './button-element.tsx';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  /** Accessible name, and the tooltip if `tip` is absent. */
  label: string;
  /** Different text for the tooltip, for example the disabled reason. */
  tip?: string;
  /** Shortcut shown in the tooltip. */
  shortcut?: string;
  /** Side length: 24 or 28 px; on phones `--small-icon` (36 px by default) or 44 px. */
  size?: 'small' | 'normal';
  /** The icon, with class `icon-16` or `icon-14`. */
  children: ReactNode;
}

/**
 * Classes of an icon button, also for menu triggers and labels. The sides are 24 or 28 px; on phones `--small-icon`
 * (36 px by default) or 44 px.
 */
export const iconButtonVariants = cva(
  [
    'inline-grid flex-none place-items-center rounded-2 transition-[color,background-color,border-color] duration-(--d-1)',
    'hover:bg-hover aria-disabled:bg-transparent aria-disabled:text-ink-3 aria-disabled:opacity-55',
    'aria-expanded:bg-hover aria-pressed:bg-hover',
  ],
  {
    variants: {
      size: {
        // Small icons are close together, so an outer focus ring would cover the next one.
        small: 'size-6 text-ink-3 focus-visible:-outline-offset-2 max-phone:size-(--small-icon,36px)',
        normal:
          'size-7 text-ink-2 hover:text-ink aria-expanded:text-ink aria-pressed:text-ink max-phone:size-11',
      },
    },
    defaultVariants: { size: 'normal' },
  },
);

/**
 * A button that shows only an icon. Its name appears as a tooltip on focus or after 400 ms of hovering; Escape hides
 * it.
 */
export function IconButton({
  label,
  tip,
  shortcut,
  size = 'normal',
  className,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <ButtonElement
      type="button"
      aria-label={label}
      data-tooltip={tip ?? label}
      data-tooltip-shortcut={shortcut}
      {...rest}
      className={cn(iconButtonVariants({ size }), className)}
    >
      {children}
    </ButtonElement>
  );
}
