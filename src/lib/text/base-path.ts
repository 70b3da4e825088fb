/** Finds the API paths for a base URL, which may include a version or be a complete endpoint. */
import { trimEndChars } from './trim.ts';

export interface BasePath {
  /**
   * Identity of the API at its origin: the path without `/v1` and without a trailing endpoint, empty or with a leading
   * `/`.
   */
  prefix: string;
  /** Possible parent paths of the API routes, most likely first; several if the URL is ambiguous. */
  apiPaths: readonly [string, ...string[]];
  /** True if an endpoint was removed. */
  isEndpointRemoved: boolean;
}

const endpointPattern =
  /\/(?:chat\/completions|completions|embeddings|models|responses|messages|rerank|moderations)$/i;
const versionPattern = /^v\d[\w.]{0,15}$/i;

/** Parses the path of a URL. */
export function readBasePath(pathname: string): BasePath {
  const trimmedPath = trimEndChars(pathname, '/');
  // The health endpoint is at the origin, so it gives no hint about the API path.
  const fullPath = trimEndChars(trimmedPath.replace(/\/healthz$/i, ''), '/');
  const path = trimEndChars(fullPath.replace(endpointPattern, ''), '/');
  const isEndpointRemoved = path.length < trimmedPath.length;
  const hasEndpoint = path.length < fullPath.length;
  const segments = path.split('/');
  const hasVersion = versionPattern.test(segments.at(-1) ?? '');
  const prefix = trimEndChars(path.replace(/\/v1$/, ''), '/');
  if (hasVersion) return { prefix, apiPaths: [path], isEndpointRemoved };
  // A base URL without a path has the API under /v1 (§4).
  if (path === '' && !hasEndpoint) return { prefix, apiPaths: ['/v1'], isEndpointRemoved };
  const isExact = hasEndpoint || segments.some((segment) => versionPattern.test(segment));
  const apiPaths: BasePath['apiPaths'] = isExact ? [path, `${path}/v1`] : [`${path}/v1`, path];
  return { prefix, apiPaths, isEndpointRemoved };
}
