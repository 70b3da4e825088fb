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

/** Props of each `Positioner`: distances in px, and a layer above the page. */
export const positionerProps = {
  className: 'z-30',
  positionMethod: 'fixed',
  sideOffset: 4,
  collisionPadding: 8,
} as const;

/**
 * Returns the element in which the popup of a control is rendered: the dialog or popover around the control, since
 * the top layer covers the rest of the page and a modal dialog makes it inert, or else the body.
 */
export function findPortalContainer(control: Element | null): HTMLElement {
  return control?.closest<HTMLElement>('dialog, [popover]') ?? document.body;
}

/** Shows a positioner with `popover="manual"` above everything else. Pass it as its `ref`. */
export function showInTopLayer(positioner: HTMLElement | null): void {
  positioner?.showPopover();
}
