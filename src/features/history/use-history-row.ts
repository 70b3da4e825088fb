import { useRef, useState, type RefObject } from 'react';

interface RowActions {
  title: string;
  onRename: (title: string) => void;
  onRemove: () => void;
}

interface HistoryRow {
  row: RefObject<HTMLTableRowElement | null>;
  isRenaming: boolean;
  startRename: () => void;
  /** Without a title it keeps the one that it has. */
  endRename: (title?: string) => void;
  remove: () => void;
}

/** Renaming and removing a row, neither of which loses the focus. */
export function useHistoryRow({ title, onRename, onRemove }: RowActions): HistoryRow {
  const [isRenaming, setRenaming] = useState(false);
  const row = useRef<HTMLTableRowElement>(null);
  return {
    row,
    isRenaming,
    startRename: () => setRenaming(true),
    endRename: (next) => {
      setRenaming(false);
      if (next !== undefined && next !== title) onRename(next);
      requestAnimationFrame(() => row.current?.querySelector('a')?.focus());
    },
    remove: () => {
      // The row takes the focus with it: the next one gets it.
      const neighbour =
        findSiblingLink(row.current, 'nextElementSibling') ??
        findSiblingLink(row.current, 'previousElementSibling');
      neighbour?.focus();
      onRemove();
    },
  };
}

/** The link of the next row in this direction that has one: headings of days have none. */
function findSiblingLink(
  row: Element | null,
  side: 'nextElementSibling' | 'previousElementSibling',
): HTMLAnchorElement | undefined {
  for (let sibling = row?.[side]; sibling; sibling = sibling[side]) {
    const link = sibling.querySelector('a');
    if (link) return link;
  }
  return undefined;
}
