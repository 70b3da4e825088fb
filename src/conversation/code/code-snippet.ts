/** Formats a request as code that sends the same body, for use in a script or a bug report. */
import type { ChatRequest } from '../../gateway/wire.ts';
import { findCodeImages, describeCodeImage, type CodeImage } from './code-images.ts';
import { jsonStyle, formatLiteral } from './code-literal.ts';
import { buildPythonCode } from './code-python.ts';
import { buildCodeRequest } from './code-request.ts';
import { buildFetchCode, buildTypescriptCode } from './code-typescript.ts';

export type CodeLanguage = 'curl' | 'python' | 'typescript' | 'fetch';

export interface CodeSnippet {
  /**
   * Program that ends with a line break. It reads GATEWAY_BASE_URL and GATEWAY_API_KEY and never contains their values.
   */
  code: string;
  /** Files that must be placed next to the program. */
  images: readonly CodeImage[];
}

const writers: Readonly<
  Record<CodeLanguage, (body: ChatRequest, mediaTypes?: ReadonlyMap<string, string>) => string>
> = {
  curl: buildCurlCode,
  python: buildPythonCode,
  typescript: buildTypescriptCode,
  fetch: buildFetchCode,
};

/** Returns code for exactly this call (§2.1). `mediaTypes` maps hashes of stored images to media types. */
export function buildCodeSnippet(
  language: CodeLanguage,
  body: ChatRequest,
  mediaTypes?: ReadonlyMap<string, string>,
): CodeSnippet {
  return { code: writers[language](body, mediaTypes), images: findCodeImages(body.messages, mediaTypes) };
}

/**
 * Formats the request as a POSIX shell command. The body is passed on standard input, which avoids quoting and the
 * argument length limit.
 */
function buildCurlCode(body: ChatRequest, mediaTypes?: ReadonlyMap<string, string>): string {
  const { fields, images, isStreaming } = buildCodeRequest(
    body,
    ({ number }) => `"$image_${number}"`,
    mediaTypes,
  );
  const flags = isStreaming ? '-sS --no-buffer' : '-sS';
  const hasImages = images.length > 0;
  // Without images the here-document is quoted, so the shell does not expand anything in the body.
  const style = hasImages ? { ...jsonStyle, ...expandedStyle } : jsonStyle;
  const lines = [
    "# GATEWAY_BASE_URL: the gateway's origin, without /v1.",
    '# GATEWAY_API_KEY: API key of the gateway.',
    ...images.flatMap((image) => [
      `# ${describeCodeImage(image)}`,
      `image_${image.number}="data:${image.mediaType};base64,$(base64 < ${image.file} | tr -d '\\n')"`,
    ]),
    `curl ${flags} "$GATEWAY_BASE_URL/v1/chat/completions" \\`,
    '  -H "Authorization: Bearer $GATEWAY_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  --data-binary @- <<${hasImages ? 'JSON' : "'JSON'"}`,
    formatLiteral(Object.fromEntries(fields), style),
    'JSON',
  ];
  return `${lines.join('\n')}\n`;
}

const escapeHeredoc = (text: string) => text.replace(/[\\$`]/g, '\\$&');

/** JSON style for an unquoted here-document, in which the shell expands variables. */
const expandedStyle = {
  text: (text: string) => escapeHeredoc(jsonStyle.text(text)),
  key: (key: string) => escapeHeredoc(jsonStyle.key(key)),
  exact: escapeHeredoc,
};
