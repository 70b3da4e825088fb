/** As a filter it fits each of them. */
const every = ['.spec.ts'];

/**
 * Which browser tests a change can break: names of files of e2e, by how the path of the changed file begins. The
 * longest beginning counts.
 */
export const browserSpecs = {
  '': every,
};

const noBrowser = /\.test\.tsx?$|\.md$|^src\/testing\//;

/** The specs to run after a change of these files, as filters for Playwright. */
export function specsFor(files, table = browserSpecs) {
  const beginnings = Object.keys(table).toSorted((one, other) => other.length - one.length);
  const specs = files
    .filter((file) => !noBrowser.test(file))
    .flatMap((file) =>
      file.endsWith('.spec.ts') ? [file] : table[beginnings.find((start) => file.startsWith(start))],
    );
  return [...new Set(specs)];
}
