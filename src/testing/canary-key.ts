/** The gateway key of the servers in tests; no test may ever find it in the browser. */
export const canaryKey = 'fk-canary-7f3a9c51e2b84d60';
