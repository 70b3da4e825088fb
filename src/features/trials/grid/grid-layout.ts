/** Where the columns of the grid stand: the number of the case, its values, then the columns of the trial. */

export interface GridLayout {
  /** Widths in px. */
  widths: number[];
  /** Left edges, and the right edge of the last. */
  edges: number[];
  /** How many columns stand before those of the trial. */
  before: number;
}

const numberPx = 60;
const firstFieldPx = 300;
const fieldPx = 104;
const leastColumnPx = 208;
const narrowFieldPx = 220;

/** The columns of a grid of this width. All values are there; what does not fit is scrolled to. */
export function gridLayout(width: number, fields: number, columns: number): GridLayout {
  const isNarrow = width < numberPx + firstFieldPx + (fields - 1) * fieldPx + columns * leastColumnPx;
  const values = Array.from({ length: fields }, (_, index) =>
    index === 0 ? (isNarrow ? narrowFieldPx : firstFieldPx) : fieldPx,
  );
  const taken = values.reduce((sum, each) => sum + each, numberPx);
  const own = columns === 0 ? 0 : Math.max(leastColumnPx, Math.floor((width - taken) / columns));
  const widths = [numberPx, ...values, ...Array.from({ length: columns }, () => own)];
  const edges = [0];
  for (const each of widths) edges.push((edges.at(-1) ?? 0) + each);
  return { widths, edges, before: 1 + fields };
}

/** Which columns are in view between these two edges; the first always, since it stays. */
export function columnsInView({ edges, widths }: GridLayout, left: number, width: number): number[] {
  return widths.flatMap((own, index) => {
    const from = edges[index] ?? 0;
    return index === 0 || (from + own > left && from < left + width) ? [index] : [];
  });
}

/** The scrolled edge at which a column is in view beside the one that stays; the same where it is already. */
export function leftToShow(
  { edges, widths }: GridLayout,
  column: number,
  left: number,
  width: number,
): number {
  const from = edges[column] ?? 0;
  const own = widths[column] ?? 0;
  if (column === 0) return left;
  if (from - numberPx < left) return Math.max(0, from - numberPx);
  return from + own > left + width ? from + own - width : left;
}

const moves: Record<string, readonly [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Where a key leads from a cell; undefined where it leads nowhere. `page` is how many rows are in view. */
export function cellAfterKey(
  from: { row: number; column: number },
  { key, isCtrl }: { key: string; isCtrl: boolean },
  size: { rows: number; columns: number; page: number },
): { row: number; column: number } | undefined {
  const row = (at: number) => Math.max(0, Math.min(size.rows - 1, at));
  const column = (at: number) => Math.max(0, Math.min(size.columns - 1, at));
  if (size.rows === 0) return undefined;
  const move = isCtrl ? undefined : moves[key];
  if (move) return { row: row(from.row + move[0]), column: column(from.column + move[1]) };
  switch (key) {
    case 'PageUp':
      return { ...from, row: row(from.row - size.page) };
    case 'PageDown':
      return { ...from, row: row(from.row + size.page) };
    case 'Home':
      return { row: isCtrl ? 0 : from.row, column: 0 };
    case 'End':
      return { row: isCtrl ? size.rows - 1 : from.row, column: size.columns - 1 };
    default:
      return undefined;
  }
}
