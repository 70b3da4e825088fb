/** F6: from one part of the page to the next, and back to where one was in it. Elements say `data-region`. */
import { canHaveFocus, firstIn } from './focus-target.ts';

/** The element that F6 left last: the way back leads to it. */
let lastLeft: HTMLElement | undefined;

/**
 * What a region names as where one goes on (`data-region-home`). Where several stand beside each other, as the answers
 * to one prompt, the first of the last ones. An article takes the focus, but the Tab key does not stop there.
 */
function homeOf(region: HTMLElement): HTMLElement | undefined {
  const homes = '[data-region-home]';
  const last = [...region.querySelectorAll(homes)].findLast(canHaveFocus);
  if (!last) return region.matches(homes) ? region : undefined;
  const beside = [...(last.parentElement?.children ?? [])].filter((each) => each.matches(homes));
  const home = beside.find(canHaveFocus);
  if (home?.matches('article:not([tabindex])')) home.tabIndex = -1;
  return home;
}

function targetIn(region: HTMLElement): HTMLElement {
  if (lastLeft && region.contains(lastLeft) && canHaveFocus(lastLeft)) return lastLeft;
  const home = homeOf(region) ?? firstIn(region);
  if (home) return home;
  region.tabIndex = -1;
  return region;
}

/** Moves the focus to the next region of the page, or with -1 to the one before; round at the ends. */
export function focusNextRegion(step: 1 | -1): void {
  const shown = [...document.querySelectorAll('[data-region]')].filter(canHaveFocus);
  const focused = document.activeElement;
  const from = shown.findIndex((region) => region.contains(focused));
  const next =
    shown[from < 0 ? (step > 0 ? 0 : shown.length - 1) : (from + step + shown.length) % shown.length];
  if (!next) return;
  const target = targetIn(next);
  // From a whole message the way back leads to the newest one.
  const isInside = focused instanceof HTMLElement && !focused.matches('article, [data-region]');
  lastLeft = isInside ? focused : undefined;
  const isMessage = target.matches('article');
  target.focus({ preventScroll: isMessage });
  if (isMessage) target.scrollIntoView({ block: 'nearest' });
}
