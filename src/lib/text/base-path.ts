/** Finds the paths of an API in the path of a base URL, which may name a version, or be a whole endpoint that was pasted. */
import { trimEndChars } from './trim.ts';

export interface BasePath {
  /** Identifies the API at its origin: the path without `/v1` and without an endpoint at its end; empty or begins with `/`. */
  prefix: string;
  /** Paths that the routes of the API may follow, most likely first. Several where the text does not decide it. */
  apiPaths: readonly [string, ...string[]];
  /** An endpoint was cut off. */
  isEndpointRemoved: boolean;
}

const endpointPattern =
  /\/(?:chat\/completions|completions|embeddings|models|responses|messages|rerank|moderations)$/i;
const versionPattern = /^v\d[\w.]{0,15}$/i;

/** Reads the path of a URL. */
export function readBasePath(pathname: string): BasePath {
  const trimmedPath = trimEndChars(pathname, '/');
  // Health is at the origin, so it says nothing about the path of the API.
  const fullPath = trimEndChars(trimmedPath.replace(/\/healthz$/i, ''), '/');
  const path = trimEndChars(fullPath.replace(endpointPattern, ''), '/');
  const isEndpointRemoved = path.length < trimmedPath.length;
  const hasEndpoint = path.length < fullPath.length;
  const segments = path.split('/');
  const hasVersion = versionPattern.test(segments.at(-1) ?? '');
  const prefix = trimEndChars(path.replace(/\/v1$/, ''), '/');
  if (hasVersion) return { prefix, apiPaths: [path], isEndpointRemoved };
  // An address that is only an origin has the API under /v1 (§4).
  if (path === '' && !hasEndpoint) return { prefix, apiPaths: ['/v1'], isEndpointRemoved };
  const isExact = hasEndpoint || segments.some((segment) => versionPattern.test(segment));
  const apiPaths: BasePath['apiPaths'] = isExact ? [path, `${path}/v1`] : [`${path}/v1`, path];
  return { prefix, apiPaths, isEndpointRemoved };
}
