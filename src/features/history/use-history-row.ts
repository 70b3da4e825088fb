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
  /** Ends the renaming; keeps the old title if none is given. */
  endRename: (title?: string) => void;
  remove: () => void;
}

/** Renames and removes a row without losing the focus. */
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
      // Removing the row would lose the focus, so it is moved to a neighbouring row.
      const neighbour =
        findSiblingLink(row.current, 'nextElementSibling') ??
        findSiblingLink(row.current, 'previousElementSibling');
      neighbour?.focus();
      onRemove();
    },
  };
}

/** Returns the link of the nearest row in this direction that has one; day headings have no link. */
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
