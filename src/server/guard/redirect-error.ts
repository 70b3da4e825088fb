import type { ServerError } from '../proxy/error-response.ts';

/**
 * Returns the error sent in place of a redirect, which is never followed; `undefined` for other responses, including
 * 304, which means "not modified". The error names a host chosen by the gateway, so it must be redacted.
 */
export function createRedirectError(
  response: Response,
  gateway: { host: string; origin: string; addressVariable: string },
): ServerError | undefined {
  const { status } = response;
  if (status < 300 || status > 399 || status === 304) return undefined;
  const message = `The gateway at ${gateway.host} ${describeRedirect(response, gateway.origin)}. Redirects are not followed. Check ${gateway.addressVariable}.`;
  return { type: 'gateway_redirected', message };
}

function describeRedirect({ status, headers }: Response, origin: string): string {
  const target = headers.get('location') ?? '';
  if (target === '') return `returned the redirect status ${status} without an address`;
  const host = URL.canParse(target, origin) ? new URL(target, origin).host : '';
  return `redirected to ${host === '' ? 'an unknown address' : host}`;
}
