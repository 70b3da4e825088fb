/** Which edge of the anchor the floating element lines up with; it opens below, or above where below has no room. */
export type Placement = 'start' | 'centre' | 'end';

const gapPx = 4;
const marginPx = 8;
let anchors = 0;

/**
 * Ties a shown popover to its anchor: by CSS anchor positioning, which follows scrolling, or by measured
 * coordinates in browsers without it.
 */
export function placeBeside(anchor: HTMLElement, floating: HTMLElement, placement: Placement): void {
  floating.dataset['place'] = placement;
  if (CSS.supports('position-area', 'bottom')) {
    const known = anchor.style.getPropertyValue('anchor-name');
    const name = known || `--anchor-${(anchors += 1)}`;
    anchor.style.setProperty('anchor-name', name);
    floating.style.setProperty('position-anchor', name);
    return;
  }
  const from = anchor.getBoundingClientRect();
  const { width, height } = floating.getBoundingClientRect();
  const wanted = { start: from.left, centre: from.left + (from.width - width) / 2, end: from.right - width }[
    placement
  ];
  const left = Math.max(marginPx, Math.min(wanted, window.innerWidth - width - marginPx));
  const below = from.bottom + gapPx;
  const fitsBelow = below + height <= window.innerHeight - marginPx;
  const top = fitsBelow ? below : Math.max(marginPx, from.top - gapPx - height);
  floating.style.left = `${left}px`;
  floating.style.top = `${top}px`;
}
