/** Searches headings and paragraphs of the documentation. */
import type { HelpTarget } from '../../lib/help-link.ts';
import { markdownToPlainText } from '../../markdown/tree/markdown-plain-text.ts';
import { helpPages } from './help-pages.ts';

export interface HelpHit {
  target: HelpTarget;
  pageTitle: string;
  heading: string;
  /** Plain text around the first match; empty if only the heading matches. */
  excerpt: string;
}

interface Passage {
  target: HelpTarget;
  pageTitle: string;
  heading: string;
  /** Plain text of each paragraph, list, table and code block. */
  paragraphs: readonly string[];
}

const maxHits = 30;
const excerptChars = 140;
/** Common words of questions, which most sections contain. */
const ignoredTerms = new Set(
  'a an are can do does for how i in is it my of on the to what where why'.split(' '),
);

let passages: readonly Passage[] | undefined;

/** Splits a query into lower-case words, without those of a question. */
export function splitQuery(query: string): string[] {
  const words = query.toLowerCase().match(/[^\s?]+/g) ?? [];
  return words.filter((word) => !ignoredTerms.has(word));
}

/**
 * Returns the sections that contain every word of the query, at most one hit each. Sections with all words in their
 * heading come first, then those with all words in one paragraph.
 */
export function searchHelp(query: string): HelpHit[] {
  const words = splitQuery(query);
  if (words.length === 0) return [];
  passages ??= listPassages();
  return passages
    .flatMap((passage) => {
      const rank = rankPassage(passage, words);
      return rank === undefined ? [] : [{ rank, hit: createHit(passage, words) }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maxHits)
    .map(({ hit }) => hit);
}

function listPassages(): Passage[] {
  return helpPages.flatMap((page) =>
    page.sections.map(({ slug, heading, text }): Passage => {
      const plainText = markdownToPlainText(text);
      return {
        target: { page: page.slug, section: slug },
        pageTitle: page.title,
        heading: heading.replace(/ \(§.*\)$/, ''),
        paragraphs: plainText.split(/\n{2,}/),
      };
    }),
  );
}

function containsAll(text: string, words: readonly string[]): boolean {
  const lowerText = text.toLowerCase();
  return words.every((word) => lowerText.includes(word));
}

/** Returns the rank of a passage, lower is better; `undefined` without a match. */
function rankPassage(
  { heading, pageTitle, paragraphs }: Passage,
  words: readonly string[],
): number | undefined {
  if (heading.toLowerCase() === words.join(' ')) return 0;
  if (containsAll(heading, words)) return 1;
  const isInHeading = words.some((word) => heading.toLowerCase().includes(word));
  if (paragraphs.some((paragraph) => containsAll(paragraph, words))) return isInHeading ? 2 : 3;
  if (containsAll([pageTitle, heading, ...paragraphs].join('\n'), words)) return isInHeading ? 4 : 5;
  return undefined;
}

function createHit(passage: Passage, words: readonly string[]): HelpHit {
  const { target, pageTitle, heading, paragraphs } = passage;
  const paragraph =
    paragraphs.find((text) => containsAll(text, words)) ??
    paragraphs.find((text) => words.some((word) => text.toLowerCase().includes(word))) ??
    '';
  return { target, pageTitle, heading, excerpt: cutExcerpt(paragraph, words) };
}

/** Cuts the text around the first match at word boundaries. */
function cutExcerpt(paragraph: string, words: readonly string[]): string {
  const text = paragraph.replaceAll(/\s+/g, ' ').trim();
  if (text.length <= excerptChars) return text;
  const offsets = words.map((word) => text.toLowerCase().indexOf(word)).filter((offset) => offset >= 0);
  const from = Math.max(0, Math.min(...offsets, text.length) - excerptChars / 3);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const rest = text.slice(start, start + excerptChars);
  const end =
    start + rest.length >= text.length ? rest : `${rest.slice(0, Math.max(1, rest.lastIndexOf(' ')))}…`;
  return `${start > 0 ? '…' : ''}${end}`;
}
