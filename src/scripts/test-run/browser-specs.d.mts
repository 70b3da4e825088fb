export const browserSpecs: Readonly<Record<string, readonly string[]>>;
export function specsFor(
  files: readonly string[],
  table?: Readonly<Record<string, readonly string[]>>,
): string[];
