import { useMemo } from 'react';

import { useTrialViewStore } from '../use-trial.ts';
import { computeFittedWidth, type FieldSize } from './field-sizes.ts';
import { clampFixedWidth, type GridLayout } from './grid-layout.ts';

const keyStepsPx: Record<string, number> = { ArrowLeft: -16, ArrowRight: 16 };

export interface ColumnWidths {
  getWidth: (column: number) => number;
  setWidth: (column: number, width: number) => void;
  /** Fits a field to its longest value; a second time, or on a column of the trial, restores the automatic width. */
  fit: (column: number) => void;
  /** Resizes a column with Shift+Left and Shift+Right, and fits it with Shift+Enter. Returns false for other keys. */
  resizeByKey: (column: number, key: string) => boolean;
}

/** Returns functions that set the widths of grid columns, by their index. */
export function useColumnWidths({ widths, keys }: GridLayout, fields: readonly FieldSize[]): ColumnWidths {
  const view = useTrialViewStore();
  return useMemo(() => {
    const getWidth = (column: number) => widths[column] ?? 0;
    const setWidth = (column: number, width: number | undefined) => {
      const key = keys[column - 1];
      if (key === undefined) return;
      view.setState(({ columnWidths: { [key]: _, ...otherWidths } }) => ({
        columnWidths: width === undefined ? otherWidths : { ...otherWidths, [key]: clampFixedWidth(width) },
      }));
    };
    const fit = (column: number) => {
      const field = fields[column - 1];
      const fittedWidth = field && computeFittedWidth(field);
      setWidth(column, fittedWidth === getWidth(column) ? undefined : fittedWidth);
    };
    const resizeByKey = (column: number, key: string) => {
      const step = keyStepsPx[key];
      if (step !== undefined) setWidth(column, getWidth(column) + step);
      else if (key === 'Enter') fit(column);
      else return false;
      return true;
    };
    return { getWidth, setWidth, fit, resizeByKey };
  }, [view, widths, keys, fields]);
}
