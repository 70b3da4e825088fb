/**
 * Edge of the anchor with which the floating element is aligned. The element opens below the anchor, or above it if
 * there is no room below.
 */
export type Placement = 'start' | 'centre' | 'end';

const gapPx = 4;
const marginPx = 8;
let anchorCount = 0;

/**
 * Attaches an open popover to its anchor by CSS anchor positioning, which follows scrolling. Browsers without it get
 * measured coordinates.
 */
export function anchorPopover(anchor: HTMLElement, floating: HTMLElement, placement: Placement): void {
  floating.dataset['place'] = placement;
  if (CSS.supports('position-area', 'bottom')) {
    const existingName = anchor.style.getPropertyValue('anchor-name');
    const anchorName = existingName || `--anchor-${(anchorCount += 1)}`;
    anchor.style.setProperty('anchor-name', anchorName);
    floating.style.setProperty('position-anchor', anchorName);
    return;
  }
  const anchorBox = anchor.getBoundingClientRect();
  const { width, height } = floating.getBoundingClientRect();
  const preferredLeft = {
    start: anchorBox.left,
    centre: anchorBox.left + (anchorBox.width - width) / 2,
    end: anchorBox.right - width,
  }[placement];
  const left = Math.max(marginPx, Math.min(preferredLeft, window.innerWidth - width - marginPx));
  const topBelow = anchorBox.bottom + gapPx;
  const fitsBelow = topBelow + height <= window.innerHeight - marginPx;
  const top = fitsBelow ? topBelow : Math.max(marginPx, anchorBox.top - gapPx - height);
  floating.style.left = `${left}px`;
  floating.style.top = `${top}px`;
}
