import { useLayoutEffect, useState, type RefObject, type UIEvent } from 'react';

import { rowsInView, type OptionRow } from '../controls/option-rows.ts';

/** Assumed height in px of the list before it is measured. */
const firstViewPx = 400;

/** Returns the rows to mount in a long list, and scrolls to keep the active row visible. */
export function useWindowedList<Option>(
  list: RefObject<HTMLElement | null>,
  rows: readonly OptionRow<Option>[],
  activeIndex: number,
  open: boolean,
) {
  const [scrollTop, setScrollTop] = useState(0);
  const last = rows.at(-1);

  useLayoutEffect(() => {
    const element = list.current;
    const active = rows.find((row) => 'index' in row && row.index === activeIndex);
    if (!open || !element || !active) return;
    const isFirst = activeIndex === 0;
    if (active.top < element.scrollTop) element.scrollTop = isFirst ? 0 : active.top;
    else if (active.top + active.height > element.scrollTop + element.clientHeight - 8) {
      element.scrollTop = active.top + active.height - element.clientHeight + 8;
    }
  }, [list, rows, activeIndex, open]);

  return {
    mounted: open ? rowsInView(rows, { top: scrollTop, height: firstViewPx }, activeIndex) : [],
    totalHeight: last ? last.top + last.height : 0,
    onScroll: (event: UIEvent<HTMLElement>) => setScrollTop(event.currentTarget.scrollTop),
  };
}
