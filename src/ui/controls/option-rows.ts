export interface ComboboxOption {
  /** Unique; what is typed to name it exactly. */
  id: string;
  label: string;
  /** Options of one group stand together under this heading while nothing is typed. */
  group?: string;
}

/** Options that hold every word of the query, those that begin with it first; the given order otherwise. */
export function matchingOptions<Option extends ComboboxOption>(
  options: readonly Option[],
  query: string,
): Option[] {
  const wanted = query.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const begins: Option[] = [];
  const holds: Option[] = [];
  for (const option of options) {
    const id = option.id.toLowerCase();
    const text = `${id} ${option.label.toLowerCase()}`;
    if (!words.every((word) => text.includes(word))) continue;
    const isBeginning = id.startsWith(wanted) || id.includes(`/${wanted}`);
    (isBeginning ? begins : holds).push(option);
  }
  return [...begins, ...holds];
}

/** What the list offers for a typed text: what matches it, best first, and under that the text itself where it is not listed. */
export function optionsForQuery<Option extends ComboboxOption>(
  options: readonly Option[],
  query: string,
  filter: (options: readonly Option[], query: string) => readonly Option[],
  typedOption?: (text: string) => Option,
): { found: readonly Option[]; typed?: Option } {
  const text = query.trim();
  if (text === '') return { found: options };
  const found = filter(options, text);
  const exact = options.find((option) => option.id === text);
  if (exact) return { found: [exact, ...found.filter((option) => option.id !== text)] };
  return typedOption ? { found, typed: typedOption(text) } : { found };
}

/** A row of the list: an option, or the heading of a group. `top` and `height` in px. */
export type OptionRow<Option> = { top: number; height: number } & (
  | { option: Option; index: number }
  | { heading: string }
);

const headingHeightPx = 28;
/** Between the matches and the text as typed, for the rule. */
const rulePx = 5;

/** Rows with their places. Headings stand where the group changes, `typed` is the last one. */
export function computeRowLayout<Option extends ComboboxOption>(
  options: readonly Option[],
  optionHeightPx: number,
  withHeadings: boolean,
  typed?: Option,
): OptionRow<Option>[] {
  const rows: OptionRow<Option>[] = [];
  let top = 0;
  let group: string | undefined;
  options.forEach((option, index) => {
    if (withHeadings && option.group !== undefined && option.group !== group) {
      rows.push({ top, height: headingHeightPx, heading: option.group });
      top += headingHeightPx;
    }
    group = option.group;
    rows.push({ top, height: optionHeightPx, option, index });
    top += optionHeightPx;
  });
  if (typed) {
    if (options.length > 0) top += rulePx;
    rows.push({ top, height: optionHeightPx, option: typed, index: options.length });
  }
  return rows;
}

/** The rows within the view and a screenful around it, always with the active option, which must stay mounted. */
export function rowsInView<Option>(
  rows: readonly OptionRow<Option>[],
  view: { top: number; height: number },
  activeIndex: number,
): OptionRow<Option>[] {
  const from = view.top - view.height;
  const to = view.top + view.height * 2;
  return rows.filter(
    (row) => (row.top + row.height >= from && row.top <= to) || ('index' in row && row.index === activeIndex),
  );
}
