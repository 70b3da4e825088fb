import type { ChatRequest } from '../../gateway/wire.ts';
import { describeCodeImage } from './code-images.ts';
import { jsonStyle, formatLiteral } from './code-literal.ts';
import { buildCodeRequest } from './code-request.ts';

/**
 * Formats the request as a POSIX shell command. The body is passed on standard input, which avoids quoting and the
 * argument length limit.
 */
export function buildCurlCode(body: ChatRequest, mediaTypes?: ReadonlyMap<string, string>): string {
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
