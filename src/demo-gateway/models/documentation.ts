/** The project's own documentation: the source of demo/guide's answers and of demo/sampler's word counts. */
import { documentationPages } from '../../documentation/documentation-pages.ts';

/** A section: the text under a second-level heading. */
export interface Passage {
  /** Title of the page, from its first-level heading. */
  page: string;
  heading: string;
  body: string;
}

let passages: readonly Passage[] | undefined;

/** Returns all sections of all pages in reading order. Parsed once. */
export function getPassages(): readonly Passage[] {
  passages ??= documentationPages.flatMap(parsePassages);
  return passages;
}

/** Returns a section's text without fenced code blocks. */
export function withoutCode(body: string): string {
  let isCode = false;
  return body
    .split('\n')
    .filter((line) => {
      const isFence = line.startsWith('```');
      if (isFence) isCode = !isCode;
      return !isFence && !isCode;
    })
    .join('\n');
}

function parsePassages(markdown: string): Passage[] {
  // Section numbers such as (§2.1) are references for the code and are removed from answers.
  const [title = '', ...sections] = markdown.replaceAll(/ \(§[^)]*\)/g, '').split(/^## /m);
  const page = title.replace(/^# /, '').trim();
  return sections.map((section) => {
    const end = section.indexOf('\n');
    return { page, heading: section.slice(0, end).trim(), body: section.slice(end).trim() };
  });
}
