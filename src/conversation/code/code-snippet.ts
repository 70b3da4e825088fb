/** Formats a request as code that sends the same body, for use in a script or a bug report. */
import type { ChatRequest } from '../../gateway/wire.ts';
import { buildCurlCode } from './code-curl.ts';
import { findCodeImages, type CodeImage } from './code-images.ts';
import { buildPythonCode } from './code-python.ts';
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
