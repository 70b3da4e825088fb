export interface ComboboxOption {
  /** Unique. */
  id: string;
  label: string;
  /** Typing exactly this text picks the option; by default the ID. */
  typedText?: string;
  /** Heading above the options of this group. */
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
  const isExact = ({ id, typedText = id }: Option) => typedText === text;
  const matches = found.filter(isExact);
  const exact = matches.length > 0 ? matches : options.filter(isExact);
  if (exact.length > 0) return { found: [...exact, ...found.filter((option) => !isExact(option))] };
  return typedOption ? { found, typed: typedOption(text) } : { found };
}
