/** Messages for HTTP statuses that are more specific than the error kind. */
import { getErrorKind } from '../../gateway/errors/error-kind.ts';
import type { ErrorReport } from '../../gateway/errors/errors.ts';

export interface StatusMessage {
  /** Title; one that starts with a verb is prefixed with the source of the error. */
  title: string;
  /** Recommended next step. */
  advice: string;
}

const retryAdvice = 'Retry in a few seconds.';
const otherModelAdvice = 'Retry, or choose another model.';
const notTheRequest = 'Your request did not cause this error.';
const addressAdvice = 'Check GATEWAY_BASE_URL.';
const certificateAdvice = "The gateway's operator must renew or fix its certificate.";

const clientCertificateAdvice = "Ask the gateway's operator how clients authenticate.";

const statusMessages: Record<number, readonly [title: string, advice: string]> = {
  402: ['requires payment', 'Your credits or budget may be used up. Check the balance in its console.'],
  403: [
    'denied access',
    "The key may not be allowed to use this model. Check its permissions in the gateway's console.",
  ],
  405: ['does not support this method at this address', addressAdvice],
  406: ['does not support the requested format', 'Turn streaming off, or use another response format.'],
  407: ['A proxy requires authentication', 'Check the proxy settings of the Bench server.'],
  408: ['timed out waiting for the request', retryAdvice],
  409: ['The request conflicts with another request', retryAdvice],
  410: ['no longer has this model or address', 'Choose another model.'],
  411: ['requires a Content-Length header', 'Check the proxies in front of the gateway.'],
  412: ['requires a condition that Bench does not send', 'See the error message below.'],
  413: ['The request is too large', 'Use fewer or smaller images, or shorten the conversation.'],
  414: ['The request address is too long', addressAdvice],
  415: [
    'does not support this type of content',
    'The model may not support images. Remove them, or choose another model.',
  ],
  416: ['could not return the requested range', retryAdvice],
  417: ['does not support the Expect header', 'Check the proxies in front of the gateway.'],
  419: ['The login has expired', 'Check GATEWAY_API_KEY on the server.'],
  420: ['Too many requests', 'Wait a moment, then retry.'],
  421: ['The request reached the wrong server', addressAdvice],
  423: [
    'has locked this resource',
    'The model or account may be in use or on hold. Retry later, or check its console.',
  ],
  424: ['A dependency of this request failed', otherModelAdvice],
  425: ['The request was sent too early', retryAdvice],
  426: ['requires another protocol', addressAdvice],
  428: ['requires a condition that Bench does not send', 'See the error message below.'],
  430: ['Too many requests', 'Wait a moment, then retry.'],
  431: ['The request headers are too large', 'Check the proxies in front of the gateway.'],
  440: ['The login has expired', 'Check GATEWAY_API_KEY on the server.'],
  444: ['closed the connection without a response', retryAdvice],
  449: ['The request must be retried', retryAdvice],
  450: ['A network filter blocked the request', "Ask your network or gateway's operator."],
  451: [
    'rejected the request for legal reasons',
    'The request or the model may not be allowed in your region. Try another model.',
  ],
  460: ['The connection was closed before the response arrived', retryAdvice],
  463: [
    'The load balancer received too many forwarded addresses',
    'Check the proxies in front of the gateway.',
  ],
  494: ['The request headers are too large', 'Check the proxies in front of the gateway.'],
  495: ["rejected the Bench server's certificate", clientCertificateAdvice],
  496: ['requires a client certificate from the Bench server', clientCertificateAdvice],
  497: ['requires HTTPS', 'Start GATEWAY_BASE_URL with https://.'],
  498: ['reports that the key has expired', 'Check GATEWAY_API_KEY on the server.'],
  499: [
    'The request was cancelled before the response arrived',
    'A server in between stopped waiting. Retry.',
  ],
  500: ['had an internal error', `${notTheRequest} ${otherModelAdvice}`],
  501: ['does not support this request', 'Remove unusual parameters, or choose another model.'],
  502: ['received an invalid response from its upstream server', `${notTheRequest} ${otherModelAdvice}`],
  504: ['timed out waiting for its upstream server', `${notTheRequest} ${otherModelAdvice}`],
  505: ['does not support this version of HTTP', addressAdvice],
  506: ['is misconfigured', "The gateway's operator must fix it."],
  507: ['has no storage left', 'Retry later, or choose another model.'],
  508: ['detected an infinite loop', "The gateway's operator must fix it."],
  509: ['exceeded its bandwidth limit', 'Retry later.'],
  510: ['requires an extension that Bench does not send', 'See the error message below.'],
  511: ['The network requires a login', 'Open any web page to log in to this network, then retry.'],
  520: ['The edge network received an unknown response', retryAdvice],
  521: ['The server behind the edge network is down', 'Retry later.'],
  522: ['Connecting to the server behind the edge network timed out', retryAdvice],
  523: ['The server behind the edge network cannot be reached', 'Retry later.'],
  524: [
    'The server behind the edge network took too long',
    'Turn streaming on, or request a shorter answer.',
  ],
  525: ['The TLS handshake behind the edge network failed', certificateAdvice],
  526: ['The server behind the edge network has no valid certificate', certificateAdvice],
  527: ['The edge network lost its connection to the server', retryAdvice],
  530: ['The edge network cannot find the server behind it', addressAdvice],
  561: ['The load balancer could not check the login', 'Check GATEWAY_API_KEY on the server.'],
  598: ['Reading the response timed out between Bench and the gateway', retryAdvice],
  599: ['Connecting timed out between Bench and the gateway', retryAdvice],
};

/**
 * Returns `undefined` if the status is no more specific than the error kind, or if the kind was derived from the error
 * text.
 */
export function describeStatus(report: ErrorReport, sourceLabel: string): StatusMessage | undefined {
  const status = getStatus(report);
  if (status === undefined || report.source === 'app' || report.source === 'proxy') return undefined;
  // An error page from a proxy in front of the gateway contains no information about keys or models.
  if (report.source === 'network' && status < 500) return undefined;
  if (getErrorKind(status, {}, false) !== report.kind) return undefined;
  const [title, advice] = (Object.hasOwn(statusMessages, status) ? statusMessages[status] : undefined) ?? [];
  if (title !== undefined && advice !== undefined)
    return { title: /^[a-z]/.test(title) ? `${sourceLabel} ${title}` : title, advice };
  if (report.kind !== 'failed') return undefined;
  if (status < 500)
    return {
      title: `${sourceLabel} rejected the request`,
      advice: `It returned status ${status}.`,
    };
  return {
    title: `${sourceLabel} had an internal error`,
    advice: `It returned status ${status}. ${otherModelAdvice}`,
  };
}

/** Returns the HTTP status; errors inside an answer often carry it as their code. */
function getStatus({ status = 0, code }: ErrorReport): number | undefined {
  const errorStatus = status >= 400 ? status : Number(code);
  return errorStatus >= 400 && errorStatus < 600 ? errorStatus : undefined;
}
