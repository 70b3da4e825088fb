/** F6: from one part of the page to the next, and back to where one was in it. Elements say `data-region`. */
import { canHaveFocus, findFirstFocusable } from './focus-target.ts';

/** The element that F6 left last: the way back leads to it. */
let lastFocused: HTMLElement | undefined;

/**
 * What a region names as where one goes on (`data-region-home`). Where several stand beside each other, as the answers
 * to one prompt, the first of the last ones. An article takes the focus, but the Tab key does not stop there.
 */
function findRegionHome(region: HTMLElement): HTMLElement | undefined {
  const homeSelector = '[data-region-home]';
  const last = [...region.querySelectorAll(homeSelector)].findLast(canHaveFocus);
  if (!last) return region.matches(homeSelector) ? region : undefined;
  const siblingHomes = [...(last.parentElement?.children ?? [])].filter((sibling) =>
    sibling.matches(homeSelector),
  );
  const home = siblingHomes.find(canHaveFocus);
  if (home?.matches('article:not([tabindex])')) home.tabIndex = -1;
  return home;
}

function findRegionTarget(region: HTMLElement): HTMLElement {
  if (lastFocused && region.contains(lastFocused) && canHaveFocus(lastFocused)) return lastFocused;
  const home = findRegionHome(region) ?? findFirstFocusable(region);
  if (home) return home;
  region.tabIndex = -1;
  return region;
}

/** Moves the focus to the next region of the page, or with -1 to the one before; round at the ends. */
export function focusNextRegion(step: 1 | -1): void {
  const visibleRegions = [...document.querySelectorAll('[data-region]')].filter(canHaveFocus);
  const focused = document.activeElement;
  const currentIndex = visibleRegions.findIndex((region) => region.contains(focused));
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
  // From a whole message the way back leads to the newest one.
  const isInside = focused instanceof HTMLElement && !focused.matches('article, [data-region]');
  lastFocused = isInside ? focused : undefined;
  const isMessage = target.matches('article');
  target.focus({ preventScroll: isMessage });
  if (isMessage) target.scrollIntoView({ block: 'nearest' });
}
