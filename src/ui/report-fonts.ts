import sansUrl from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?inline';
/** Embeds the type of the app in files for reading. Latin only; other scripts and bold code use what the reader has. */
import monoUrl from '@fontsource/commit-mono/files/commit-mono-latin-400-normal.woff2?inline';

/** `@font-face` rules with data URLs, 104 KB in all. */
export const reportFontFaces = [
  `@font-face{font-family:'Instrument Sans Variable';font-weight:400 700;src:url(${sansUrl}) format('woff2')}`,
  `@font-face{font-family:'Commit Mono';font-weight:400;src:url(${monoUrl}) format('woff2')}`,
].join('\n');
