export interface ComboboxOption {
  /** Unique; typing exactly this text picks the option. */
  id: string;
  label: string;
  /** Heading above the options of this group while nothing is typed. */
  group?: string;
}

/**
 * Returns the options that contain every word of the query. Options that begin with the query come first; the given
 * order is kept otherwise.
 */
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

/** Returns the options for a typed text: matches, best first, then the text itself if it is not listed. */
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

/** A row of the list: an option or a group heading. `top` and `height` in px. */
export type OptionRow<Option> = { top: number; height: number } & (
  | { option: Option; index: number }
  | { heading: string }
);

const headingHeightPx = 28;
/** Height of the rule between the matches and the typed text. */
const rulePx = 5;

/** Returns the rows with their positions. A heading precedes each group; `typed` comes last. */
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

/** Returns the rows within one screen of the view, always including the active option, which must stay mounted. */
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
