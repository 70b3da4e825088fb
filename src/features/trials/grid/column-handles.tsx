import { memo } from 'react';

import { ResizeHandle } from '../../../ui/controls/resize-handle.tsx';
import type { ColumnWidths } from './use-column-widths.ts';

interface ColumnHandlesProps {
  /** Visible grid columns. */
  columns: readonly number[];
  widths: ColumnWidths;
}

/** Handles over the header that resize the grid columns, except the first. With the keyboard, the grid does this. */
export const ColumnHandles = memo(function ColumnHandles({ columns, widths }: ColumnHandlesProps) {
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 grid grid-cols-(--columns)">
      {columns.slice(1).map((column) => (
        <div key={column} className="relative" style={{ gridColumn: column + 1 }}>
          <ResizeHandle
            title="Drag to resize. Double-click to fit."
            className="pointer-events-auto -right-1"
            getWidth={() => widths.getWidth(column)}
            onWidth={(width) => widths.setWidth(column, width)}
            onDoubleClick={() => widths.fit(column)}
          />
        </div>
      ))}
    </div>
  );
});
