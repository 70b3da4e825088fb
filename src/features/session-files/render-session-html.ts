import { buildSessionHtml, type HtmlExportOptions } from '../../conversation/files/html-export.ts';
import { parseImageHash } from '../../conversation/request/message-images.ts';
import type { SessionData } from '../../conversation/session/types.ts';
import { markdownToHtml } from '../../markdown/parse/markdown-to-html.ts';
import { reportFontFaces } from '../../ui/report-fonts.ts';

/**
 * Renders the session as one HTML page for reading; `images` are data URLs by hash. A separate module, because it loads
 * the Markdown parser and the fonts.
 */
export function renderSessionHtml(
  data: SessionData,
  images: Readonly<Record<string, string>>,
  options: Omit<HtmlExportOptions, 'renderMarkdown' | 'getImageDataUrl' | 'fontFaces'> = {},
): string {
  return buildSessionHtml(data, {
    ...options,
    renderMarkdown: markdownToHtml,
    getImageDataUrl: (url) => (url.startsWith('data:') ? url : images[parseImageHash(url) ?? '']),
    fontFaces: reportFontFaces,
  });
}
