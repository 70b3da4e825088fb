/** A request as code that sends the same body: to take it home, to a script or to a bug report. */
import type { ChatRequest } from '../../gateway/wire.ts';
import { curlCode } from './code-curl.ts';
import { codeImagesOf, type CodeImage } from './code-images.ts';
import { pythonCode } from './code-python.ts';
import { fetchCode, typescriptCode } from './code-typescript.ts';

export type CodeLanguage = 'curl' | 'python' | 'typescript' | 'fetch';

export interface CodeSnippet {
  /** Ends with a line break. Reads GATEWAY_BASE_URL and GATEWAY_API_KEY; never holds either. */
  code: string;
  /** Files that must lie beside it. */
  images: readonly CodeImage[];
}

const writers: Readonly<
  Record<CodeLanguage, (body: ChatRequest, types?: ReadonlyMap<string, string>) => string>
> = {
  curl: curlCode,
  python: pythonCode,
  typescript: typescriptCode,
  fetch: fetchCode,
};

/** §2.1: the exact call. `mediaTypes`: of stored images, by hash. */
export function codeSnippet(
  language: CodeLanguage,
  body: ChatRequest,
  mediaTypes?: ReadonlyMap<string, string>,
): CodeSnippet {
  return { code: writers[language](body, mediaTypes), images: codeImagesOf(body.messages, mediaTypes) };
}
