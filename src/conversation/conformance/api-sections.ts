/** Which paragraph of the shipped page on the API tells of a section that a finding names. */

/** The longest beginning of a section that is listed counts. */
const headings: Readonly<Record<string, string>> = {
  '§2.1': 'A chat request',
  '§2.2': 'Messages and roles',
  '§2.3': 'Sending an image',
  '§2.4': 'A whole answer',
  '§2.5': 'Streaming and server-sent events',
  '§2.6': 'Embeddings request',
  '§2.7': 'Embeddings request',
  '§2.8': 'List of models',
  '§4': 'Endpoints',
  '§5': 'Authentication',
  '§6': 'Streaming and server-sent events',
  '§6.4': 'Provider-specific fields',
  '§6.5': 'Usage and token counts',
  '§7': 'Error shape',
  '§8': 'Limits',
  '§9': 'Versioning',
};

/** The heading on the page; its first paragraph where the section is not known. */
export function apiHeadingOf(section: string): string {
  return headings[section] ?? headings[section.split('.')[0] ?? ''] ?? 'What the gateway does';
}

/** The paragraph under this heading of a page in markdown, with the heading. */
export function paragraphOf(page: string, heading: string): string {
  const [, ...parts] = page.split(/^## /m);
  const found = parts.find((part) => part.split('\n')[0]?.trim() === heading);
  return found === undefined ? page : `## ${found.trim()}`;
}
