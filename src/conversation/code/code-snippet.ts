/** Formats a request as code that sends the same body, for use in a script or a bug report. */
import type { ChatRequest } from '../../gateway/wire.ts';
import { findCodeFiles, describeCodeFile, getDataPrefix, type CodeFile } from './code-files.ts';
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
  files: readonly CodeFile[];
}

const writers: Readonly<
  Record<CodeLanguage, (body: ChatRequest, mediaTypes?: ReadonlyMap<string, string>) => string>
> = {
  curl: buildCurlCode,
  python: buildPythonCode,
  typescript: buildTypescriptCode,
  fetch: buildFetchCode,
};

/** Returns code for exactly this call (§2.1). `mediaTypes` maps hashes of stored files to media types. */
export function buildCodeSnippet(
  language: CodeLanguage,
  body: ChatRequest,
  mediaTypes?: ReadonlyMap<string, string>,
): CodeSnippet {
  return { code: writers[language](body, mediaTypes), files: findCodeFiles(body.messages, mediaTypes) };
}

/**
 * Formats the request as a POSIX shell command. The body is passed on standard input, which avoids quoting and the
 * argument length limit.
 */
function buildCurlCode(body: ChatRequest, mediaTypes?: ReadonlyMap<string, string>): string {
  const { fields, files, isStreaming } = buildCodeRequest(
    body,
    ({ kind, number }) => `"$${kind}_${number}"`,
    mediaTypes,
  );
  const flags = isStreaming ? '-sS --no-buffer' : '-sS';
  const hasFiles = files.length > 0;
  // Without files the here-document is quoted, so the shell does not expand anything in the body.
  const style = hasFiles ? { ...jsonStyle, ...expandedStyle } : jsonStyle;
  const lines = [
    "# GATEWAY_BASE_URL: the gateway's origin, without /v1.",
    '# GATEWAY_API_KEY: API key of the gateway.',
    ...files.flatMap((file) => [
      `# ${describeCodeFile(file)}`,
      `${file.kind}_${file.number}="${getDataPrefix(file)}$(base64 < ${file.file} | tr -d '\\n')"`,
    ]),
    `curl ${flags} "$GATEWAY_BASE_URL/v1/chat/completions" \\`,
    '  -H "Authorization: Bearer $GATEWAY_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  --data-binary @- <<${hasFiles ? 'JSON' : "'JSON'"}`,
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
