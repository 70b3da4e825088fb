/**
 * Moves between the regions of the page with F6 and returns to the last focused element. Elements declare
 * `data-region`.
 */
import { canHaveFocus, findFirstFocusable } from './focus-target.ts';

/** The element that was focused when F6 last left its region; focused again on return. */
let lastFocused: HTMLElement | undefined;

/** Returns whether the region is the innermost one around the element. */
function isInRegion(element: Element, region: Element): boolean {
  return element.closest('[data-region]') === region;
}

/**
 * Returns the element that a region declares as its start (`data-region-home`). If several are side by side, such as
 * the answers to one prompt, the first of the last group. An article can be focused without being a tab stop.
 */
function findRegionHome(region: HTMLElement): HTMLElement | undefined {
  const homeSelector = '[data-region-home]';
  const last = [...region.querySelectorAll(homeSelector)].findLast(
    (candidate) => isInRegion(candidate, region) && canHaveFocus(candidate),
  );
  if (!last) return region.matches(homeSelector) ? region : undefined;
  const siblingHomes = [...(last.parentElement?.children ?? [])].filter((sibling) =>
    sibling.matches(homeSelector),
  );
  const home = siblingHomes.find(canHaveFocus);
  if (home?.matches('article:not([tabindex])')) home.tabIndex = -1;
  return home;
}

function findRegionTarget(region: HTMLElement): HTMLElement {
  if (lastFocused && isInRegion(lastFocused, region) && canHaveFocus(lastFocused)) return lastFocused;
  const home = findRegionHome(region) ?? findFirstFocusable(region);
  if (home) return home;
  region.tabIndex = -1;
  return region;
}

/** Moves focus to the next region of the page, or with -1 to the previous one; wraps around at the ends. */
export function focusNextRegion(step: 1 | -1): void {
  const visibleRegions = [...document.querySelectorAll('[data-region]')].filter(canHaveFocus);
  const focused = document.activeElement;
  // The innermost one: a page with regions inside is a region too, for what is in none of them.
  const currentIndex = visibleRegions.findLastIndex((region) => region.contains(focused));
  const nextRegion =
    visibleRegions[
      currentIndex < 0
        ? step > 0
          ? 0
          : visibleRegions.length - 1
        : (currentIndex + step + visibleRegions.length) % visibleRegions.length
    ];
  if (!nextRegion) return;
  const target = findRegionTarget(nextRegion);
  // If a whole message has the focus, returning to the region leads to the newest message.
  const isInside = focused instanceof HTMLElement && !focused.matches('article, [data-region]');
  lastFocused = isInside ? focused : undefined;
  const isMessage = target.matches('article');
  target.focus({ preventScroll: isMessage });
  if (isMessage) target.scrollIntoView({ block: 'nearest' });
}
