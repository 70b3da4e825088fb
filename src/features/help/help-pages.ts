/** The documentation as pages and sections, for the help. */
import { documentationPages } from '../../documentation/documentation-pages.ts';
import { toSlug, type HelpTarget } from '../../lib/help-link.ts';

export interface HelpPage {
  slug: string;
  title: string;
  sections: readonly HelpSection[];
}

export interface HelpSection {
  slug: string;
  heading: string;
  /** Markdown below the heading. */
  text: string;
}

/** All pages in reading order. */
export const helpPages: readonly HelpPage[] = documentationPages.map(parsePage);

function parsePage(markdown: string): HelpPage {
  const [head = '', ...parts] = markdown.split(/^## /m);
  const title = head.replace(/^# /, '').trim();
  const sections = parts.map((part): HelpSection => {
    const [heading = ''] = part.split('\n', 1);
    return { slug: toSlug(heading), heading, text: part.slice(heading.length).trim() };
  });
  return { slug: toSlug(title), title, sections };
}

/** Finds the page of a target; `undefined` if there is none. */
export function findHelpPage({ page }: HelpTarget): HelpPage | undefined {
  return helpPages.find(({ slug }) => slug === page);
}

/**
 * Finds the section of a target. A section number such as `2-4` finds the first section that has §2.4 in its heading or
 * text.
 */
export function findHelpSection(target: HelpTarget): HelpSection | undefined {
  const sections = findHelpPage(target)?.sections ?? [];
  const section = sections.find(({ slug }) => slug === target.section);
  if (section || !/^\d+(?:-\d+)*$/.test(target.section)) return section;
  const number = new RegExp(`§${target.section.replaceAll('-', '\\.')}(?![.\\d])`);
  return (
    sections.find(({ heading }) => number.test(heading)) ?? sections.find(({ text }) => number.test(text))
  );
}
