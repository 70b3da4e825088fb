import type { ChatRequest } from '../../gateway/wire.ts';
import { imageComment } from './code-images.ts';
import { jsonStyle, literalOf } from './code-literal.ts';
import { codeRequestOf } from './code-request.ts';

/**
 * The request as a POSIX shell command. The body goes in on standard input: no quotes to escape, and no limit
 * on the length of an argument.
 */
export function curlCode(body: ChatRequest, mediaTypes?: ReadonlyMap<string, string>): string {
  const { fields, images, streams } = codeRequestOf(body, ({ number }) => `"$image_${number}"`, mediaTypes);
  const flags = streams ? '-sS --no-buffer' : '-sS';
  const hasImages = images.length > 0;
  // The shell looks into the body only where it contains a variable.
  const style = hasImages ? { ...jsonStyle, ...expandedStyle } : jsonStyle;
  const lines = [
    "# GATEWAY_BASE_URL: the gateway's origin, without /v1.",
    '# GATEWAY_API_KEY: its key.',
    ...images.flatMap((image) => [
      `# ${imageComment(image)}`,
      `image_${image.number}="data:${image.mediaType};base64,$(base64 < ${image.file} | tr -d '\\n')"`,
    ]),
    `curl ${flags} "$GATEWAY_BASE_URL/v1/chat/completions" \\`,
    '  -H "Authorization: Bearer $GATEWAY_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  --data-binary @- <<${hasImages ? 'JSON' : "'JSON'"}`,
    literalOf(Object.fromEntries(fields), style),
    'JSON',
  ];
  return `${lines.join('\n')}\n`;
}

const shown = (text: string) => text.replace(/[\\$`]/g, '\\$&');

/** In a here-document that the shell expands. */
const expandedStyle = {
  text: (text: string) => shown(jsonStyle.text(text)),
  key: (key: string) => shown(jsonStyle.key(key)),
  exact: shown,
};
