/** Finds the paths of an API in the path of a base URL, which may name a version, or be a whole endpoint that was pasted. */
import { withoutEnd } from './trim.ts';

export interface BasePath {
  /** Identifies the API at its origin: the path without `/v1` and without an endpoint at its end; empty or begins with `/`. */
  prefix: string;
  /** Paths that the routes of the API may follow, most likely first. Several where the text does not decide it. */
  apiPaths: readonly [string, ...string[]];
  /** An endpoint was cut off. */
  isEndpoint: boolean;
}

const endpoint =
  /\/(?:chat\/completions|completions|embeddings|models|responses|messages|rerank|moderations)$/i;
const version = /^v\d[\w.]{0,15}$/i;

/** Reads the path of a URL. */
export function readBasePath(pathname: string): BasePath {
  const given = withoutEnd(pathname, '/');
  // Health is at the origin, so it says nothing about the path of the API.
  const whole = withoutEnd(given.replace(/\/healthz$/i, ''), '/');
  const path = withoutEnd(whole.replace(endpoint, ''), '/');
  const isEndpoint = path.length < given.length;
  const isOfApi = path.length < whole.length;
  const segments = path.split('/');
  const endsInVersion = version.test(segments.at(-1) ?? '');
  const prefix = withoutEnd(path.replace(/\/v1$/, ''), '/');
  if (endsInVersion) return { prefix, apiPaths: [path], isEndpoint };
  // An address that is only an origin has the API under /v1 (§4).
  if (path === '' && !isOfApi) return { prefix, apiPaths: ['/v1'], isEndpoint };
  const isExact = isOfApi || segments.some((segment) => version.test(segment));
  const apiPaths: BasePath['apiPaths'] = isExact ? [path, `${path}/v1`] : [`${path}/v1`, path];
  return { prefix, apiPaths, isEndpoint };
}
