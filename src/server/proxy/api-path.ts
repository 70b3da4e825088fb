/** Finds the path of the API among several, by the first that returns a list of models. */
export interface ApiPath {
  /** Begins with `/`, or is empty: the routes of the API follow it. */
  current: () => string;
  /** Sends the request to each path until one responds as an API. Returns that response, else the first one. */
  ask: (send: (path: string) => Promise<Response>) => Promise<Response>;
}

export function createApiPath(paths: readonly [string, ...string[]]): ApiPath {
  let current: string | undefined = paths.length === 1 ? paths[0] : undefined;
  return {
    current: () => current ?? paths[0],
    ask: async (send) => {
      if (current !== undefined) return send(current);
      const [likeliest, ...others] = paths;
      const first = await send(likeliest);
      if (isAnswer(first)) {
        if (first.ok) current = likeliest;
        return first;
      }
      for (const path of others) {
        // A path that fails is no better than the first one.
        const next = await send(path).catch(() => undefined);
        if (next !== undefined && isAnswer(next)) {
          discard(first);
          if (next.ok) current = path;
          return next;
        }
        if (next !== undefined) discard(next);
      }
      return first;
    },
  };
}

/** False for web pages and redirects, which web servers return at any path. */
function isAnswer({ status, headers }: Response): boolean {
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) return false;
  return !/^\s*text\/html\b/i.test(headers.get('content-type') ?? '');
}

function discard(response: Response): void {
  void response.body?.cancel().catch(() => undefined);
}
