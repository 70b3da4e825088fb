import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { acceptsHtml, isPagePath } from '../guard/guard.ts';
import { getSecurityHeaders } from '../guard/security-headers.ts';
import { createErrorResponse } from '../proxy/error-response.ts';
import type { WebHandler } from '../web-handler.ts';

/**
 * A file of the build with its precompressed forms, read only at start, so a rebuild does not affect a running server.
 */
interface StaticFile {
  /** Policies for this file, chosen by its name. */
  securityHeaders: Readonly<Record<string, string>>;
  contentType: string;
  cacheControl: string;
  etag: string;
  uncompressed: Uint8Array<ArrayBuffer>;
  encoded: Record<'br' | 'gzip', Uint8Array<ArrayBuffer> | undefined>;
}

/**
 * Serves the build of the app: only files that existed at start, hashed files with an unlimited cache time, and
 * `index.html` for page URLs. Throws if the folder has no index.html.
 */
export function createStaticFileHandler(folder: string): WebHandler {
  const files = readFolder(folder);
  const index = files.get('/index.html');
  if (index === undefined) throw new Error(`No built app found in ${path.basename(folder)}.`);

  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return createErrorResponse({
        type: 'method_not_allowed',
        message: 'This address accepts GET only.',
        headers: { allow: 'GET, HEAD' },
      });
    }
    const { pathname } = new URL(request.url);
    const file = files.get(pathname);
    if (file !== undefined) return createFileResponse(file, request);
    const isPage = isPagePath(pathname) && acceptsHtml(request.headers.get('accept') ?? undefined);
    if (isPage) return createFileResponse(index, request);
    return createErrorResponse({ type: 'not_found', message: 'Nothing found at this address.' });
  };
}

function createFileResponse(file: StaticFile, request: Request): Response {
  const headers: Record<string, string> = {
    ...file.securityHeaders,
    'cache-control': file.cacheControl,
    'content-type': file.contentType,
    etag: file.etag,
    vary: 'accept-encoding',
  };
  const cachedTags = (request.headers.get('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (cachedTags.includes(file.etag)) return new Response(null, { status: 304, headers });
  const encoding = chooseEncoding(file, request.headers.get('accept-encoding') ?? '');
  const bytes = (encoding === undefined ? undefined : file.encoded[encoding]) ?? file.uncompressed;
  if (encoding !== undefined) headers['content-encoding'] = encoding;
  headers['content-length'] = String(bytes.byteLength);
  return new Response(bytes, { headers });
}

function chooseEncoding(file: StaticFile, acceptEncoding: string): 'br' | 'gzip' | undefined {
  const names = acceptEncoding
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const isAccepted = (name: string) =>
    names.some((part) => new RegExp(`^${name}(?:\\s*;(?!\\s*q=0(?:\\.0*)?$).*)?$`).test(part));
  if (file.encoded.br !== undefined && isAccepted('br')) return 'br';
  if (file.encoded.gzip !== undefined && isAccepted('gzip')) return 'gzip';
  return undefined;
}

function readFolder(folder: string): ReadonlyMap<string, StaticFile> {
  const names = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
      ),
  );
  const files = new Map<string, StaticFile>();
  for (const name of names) {
    const contentType = CONTENT_TYPES.get(path.extname(name));
    // Files without a known type are not part of the app: compressed forms, source maps, stray files.
    if (contentType === undefined || name.split('/').some((segment) => segment.startsWith('.'))) continue;
    const uncompressed = new Uint8Array(readFileSync(path.join(folder, name)));
    const readCompressed = (suffix: string) =>
      names.has(name + suffix) ? new Uint8Array(readFileSync(path.join(folder, name + suffix))) : undefined;
    files.set(`/${name}`, {
      securityHeaders: getSecurityHeaders(name),
      contentType,
      cacheControl: isHashed(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: `"${createHash('sha256').update(uncompressed).digest('base64url')}"`,
      uncompressed,
      encoded: { br: readCompressed('.br'), gzip: readCompressed('.gz') },
    });
  }
  return files;
}

/** Vite puts a content hash into every name under assets/. */
function isHashed(name: string): boolean {
  return /^assets\/.*-[\w-]{8}\.[a-z0-9]+$/i.test(name);
}

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.md', 'text/markdown; charset=utf-8'],
  ['.svg', 'image/svg+xml; charset=utf-8'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.webp', 'image/webp'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.woff', 'font/woff'],
  ['.wasm', 'application/wasm'],
]);
