/**
 * Builds HTML files for reading. A file works offline and contains no scripts; its content security policy allows only
 * its stylesheet, and images and fonts that are embedded.
 */
import { sha256 } from '@noble/hashes/sha2.js';

import { escapeHtml } from '../text/safe-text.ts';
import { reportStyle } from './report-style.ts';

export interface ReportPage {
  title: string;
  /** Lines below the title, as safe HTML. */
  intro: readonly string[];
  /** Content of the page, as safe HTML. */
  main: string;
  /** Rules of this kind of report, in addition to those of all reports. */
  style?: string;
  /** `@font-face` rules with data URLs; without them, the system's fonts are used. */
  fontFaces?: string;
}

/** Returns the whole page as text. */
export function buildReportPage({ title, intro, main, style = '', fontFaces = '' }: ReportPage): string {
  const css = `${fontFaces}${reportStyle}${style}`;
  const policy = `default-src 'none'; style-src 'sha256-${computeHash(css)}'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Bench</title>
<style>${css}</style>
</head>
<body>
<header>
<h1 dir="auto">${escapeHtml(title)}</h1>
${intro.join('\n')}
</header>
<main>
${main}
</main>
</body>
</html>
`;
}

/** Returns the hash of a stylesheet as content security policies have it. */
function computeHash(css: string): string {
  return btoa(String.fromCharCode(...sha256(new TextEncoder().encode(css))));
}
