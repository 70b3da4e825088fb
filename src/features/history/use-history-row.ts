import { useState } from 'react';

interface RowActions {
  title: string;
  onRename: (title: string) => void;
}

interface HistoryRow {
  isRenaming: boolean;
  startRename: () => void;
  /** Ends the renaming; keeps the old title if none is given. */
  endRename: (title?: string) => void;
}

/** Renames a row in place. */
export function useHistoryRow({ title, onRename }: RowActions): HistoryRow {
  const [isRenaming, setRenaming] = useState(false);
  return {
    isRenaming,
    startRename: () => setRenaming(true),
    endRename: (next) => {
      setRenaming(false);
      if (next !== undefined && next !== title) onRename(next);
    },
  };
}
