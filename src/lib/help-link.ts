/** Links to the documentation inside the app, such as `#help=parameters/top-p`. */

/** Section of the documentation by the slugs of its page and heading; without a section, the whole page. */
export interface HelpTarget {
  page: string;
  section: string;
}

const hashPrefix = '#help=';
const linkPattern = /^#help=([\w-]+)\/([\w-]*)$/;

/** Returns the link to a section. `section` is its heading, or a section number of the API description such as "§2.4". */
export function getHelpLink(page: string, section = ''): string {
  return `${hashPrefix}${toSlug(page)}/${toSlug(section)}`;
}

/** Parses the hash of a link; `undefined` for any other hash. */
export function parseHelpLink(hash: string): HelpTarget | undefined {
  const [, page, section] = linkPattern.exec(hash) ?? [];
  return page === undefined || section === undefined ? undefined : { page, section };
}

/** Converts a title to lower-case words joined by hyphens: "Finish reasons (§3)" becomes "finish-reasons". */
export function toSlug(title: string): string {
  return title
    .replace(/ \(§.*\)$/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
