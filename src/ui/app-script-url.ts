declare global {
  interface Window {
    readonly trustedTypes?: {
      // The value is a TrustedScriptURL; the DOM's own types take it where they say string.
      createPolicy(
        name: string,
        rules: { createScriptURL(url: string): string },
      ): { createScriptURL(url: string): string };
    };
  }
}

/** The page's one Trusted Types policy (the content security policy names it): scripts of our own origin only. */
const policy = window.trustedTypes?.createPolicy('app', {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin)
      throw new TypeError('Not a script of this app');
    return url;
  },
});

/** A script address of ours in the form that a Worker takes under Trusted Types. */
export function createScriptUrl(url: string): string {
  return policy === undefined ? url : policy.createScriptURL(url);
}
