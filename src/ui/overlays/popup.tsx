import type { ComponentProps } from 'react';

import { cn } from '../cn.ts';

/** Marks what blocks the app's shortcuts while it is open (`is-overlay-open.ts`). */
export const overlayAttributes = { 'data-overlay': '' };

/** The box of a menu, a list of options or another popup. Pass it as `render` to the `Popup` part of Base UI. */
export function Popup({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      {...overlayAttributes}
      className={cn(
        'animate-rise rounded-3 border border-line-2 bg-raised text-left font-sans text-13 tracking-[0.004em]',
        'whitespace-normal text-ink normal-nums shadow-e-2 outline-none',
        className,
      )}
      {...props}
    />
  );
}

/**
 * Returns the props of the `Portal` of a control's popup: it is rendered in the dialog or popover around the control,
 * since a modal dialog makes the rest of the page inert, or else in the landmark, where screen readers expect it.
 */
export function getPortalProps(control: Element | null) {
  const container = control?.closest<HTMLElement>('dialog, [popover], header, main, nav, aside, footer');
  return { container: container ?? document.body, className: 'contents' };
}

/** Props of each `Positioner`: in the top layer, above everything else. Distances are in px. */
export const positionerProps = {
  ref: (positioner: HTMLElement | null) => positioner?.showPopover(),
  popover: 'manual',
  className: 'm-0 overflow-visible border-0 bg-transparent p-0',
  positionMethod: 'fixed',
  sideOffset: 4,
  collisionPadding: 8,
} as const;
