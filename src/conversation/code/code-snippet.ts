/** A request as code that sends the same body: to take it home, to a script or to a bug report. */
import type { ChatRequest } from '../../gateway/wire.ts';
import { buildCurlCode } from './code-curl.ts';
import { findCodeImages, type CodeImage } from './code-images.ts';
import { buildPythonCode } from './code-python.ts';
import { buildFetchCode, buildTypescriptCode } from './code-typescript.ts';

export type CodeLanguage = 'curl' | 'python' | 'typescript' | 'fetch';

export interface CodeSnippet {
  /** Ends with a line break. Reads GATEWAY_BASE_URL and GATEWAY_API_KEY; never holds either. */
  code: string;
  /** Files that must lie beside it. */
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

/** §2.1: the exact call. `mediaTypes`: of stored images, by hash. */
export function buildCodeSnippet(
  language: CodeLanguage,
  body: ChatRequest,
  mediaTypes?: ReadonlyMap<string, string>,
): CodeSnippet {
  return { code: writers[language](body, mediaTypes), images: findCodeImages(body.messages, mediaTypes) };
}
