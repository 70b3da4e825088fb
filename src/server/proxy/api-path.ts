/** Finds the path of the API among several: the first that returns a model list. */
export interface ApiPath {
  /** Empty, or begins with `/`; the API routes follow it. */
  getCurrent: () => string;
  /** Sends the request to each path until an API responds. Returns that response, otherwise the first one. */
  sendToApi: (send: (path: string) => Promise<Response>) => Promise<Response>;
}

export function createApiPath(paths: readonly [string, ...string[]]): ApiPath {
  let chosenPath: string | undefined = paths.length === 1 ? paths[0] : undefined;
  return {
    getCurrent: () => chosenPath ?? paths[0],
    sendToApi: async (send) => {
      if (chosenPath !== undefined) return send(chosenPath);
      const [firstPath, ...others] = paths;
      const firstResponse = await send(firstPath);
      if (isApiResponse(firstResponse)) {
        if (firstResponse.ok) chosenPath = firstPath;
        return firstResponse;
      }
      for (const path of others) {
        // A path that fails is not a better choice than the first one.
        const nextResponse = await send(path).catch(() => undefined);
        if (nextResponse !== undefined && isApiResponse(nextResponse)) {
          discard(firstResponse);
          if (nextResponse.ok) chosenPath = path;
          return nextResponse;
        }
        if (nextResponse !== undefined) discard(nextResponse);
      }
      return firstResponse;
    },
  };
}

/** Returns false for web pages and redirects, which web servers return for any path. */
function isApiResponse({ status, headers }: Response): boolean {
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) return false;
  return !/^\s*text\/html\b/i.test(headers.get('content-type') ?? '');
}

function discard(response: Response): void {
  void response.body?.cancel().catch(() => undefined);
}
