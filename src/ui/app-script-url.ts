declare global {
  interface Window {
    readonly trustedTypes?: {
      // The value is a TrustedScriptURL; the DOM types declare it as a string.
      createPolicy(
        name: string,
        rules: { createScriptURL(url: string): string },
      ): { createScriptURL(url: string): string };
    };
  }
}

/**
 * The only Trusted Types policy of the page, named in the content security policy. It accepts scripts of the page's
 * origin only.
 */
const policy = window.trustedTypes?.createPolicy('app', {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin)
      throw new TypeError('Not a script of this app');
    return url;
  },
});

/** Returns a script URL of this origin that a Worker accepts under Trusted Types. */
export function createScriptUrl(url: string): string {
  return policy === undefined ? url : policy.createScriptURL(url);
}
