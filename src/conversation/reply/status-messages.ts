/** What an HTTP status means in words, for those whose meaning is more than the kind of the error says. */
import { getErrorKind } from '../../gateway/errors/error-kind.ts';
import type { ErrorReport } from '../../gateway/errors/errors.ts';

export interface StatusMessage {
  /** Begins with who speaks where it begins with a verb. */
  title: string;
  /** What to do next. */
  advice: string;
}

const retryAdvice = 'Ask again in a moment.';
const otherModelAdvice = 'Ask again, or pick another model.';
const notTheRequest = 'Your request is not the cause.';
const addressAdvice = 'Check GATEWAY_BASE_URL.';
const certificateAdvice = "The gateway's operator must renew or fix its certificate.";

const clientCertificateAdvice = 'Ask whoever runs the gateway how it lets clients in.';

const statusMessages: Record<number, readonly [title: string, advice: string]> = {
  402: ['requires payment', 'Your credits or budget may be used up. Check the balance in its console.'],
  403: [
    'rejected the request',
    "The key may not be allowed to use this model. Check its permissions in the gateway's console.",
  ],
  405: ['does not accept this kind of request at this address', addressAdvice],
  406: ['cannot answer in the requested format', 'Try without streaming, or with another response format.'],
  407: ['A proxy in between requires a login', 'Check the proxy settings of the Bench server.'],
  408: ['gave up waiting for the whole request', retryAdvice],
  409: ['The request conflicts with another one', retryAdvice],
  410: ['no longer has this model or address', 'Pick another model.'],
  411: ['requires the length of the request', 'Check the proxies in front of the gateway.'],
  412: ['requires a condition that Bench does not send', 'Its message is below.'],
  413: ['The request is too large', 'Fewer or smaller images, or a shorter conversation, may pass.'],
  414: ['The address of the request is too long', addressAdvice],
  415: [
    'does not accept this kind of content',
    'The model may not accept images. Remove them, or pick another model.',
  ],
  416: ['cannot send the requested part', retryAdvice],
  417: ['does not accept how the request announces itself', 'Check the proxies in front of the gateway.'],
  419: ['The login has expired', 'Check the key. It is set on the server, in GATEWAY_API_KEY.'],
  420: ['asks for fewer requests', 'Wait a little, then ask again.'],
  421: ['The request reached a server that does not serve this address', addressAdvice],
  423: [
    'has locked this resource',
    'The model or the account is in use or on hold. Ask again later, or check its console.',
  ],
  424: ['Something this request depends on failed', otherModelAdvice],
  425: ['asks you to retry later', retryAdvice],
  426: ['requires another protocol', addressAdvice],
  428: ['requires a condition that Bench does not send', 'Its message is below.'],
  430: ['asks for fewer requests', 'Wait a little, then ask again.'],
  431: ['The headers of the request are too large', 'Check the proxies in front of the gateway.'],
  440: ['The login has expired', 'Check the key. It is set on the server, in GATEWAY_API_KEY.'],
  444: ['closed the connection without an answer', retryAdvice],
  449: ['asks you to retry', retryAdvice],
  450: ['A filter on the way blocked the request', 'Ask whoever runs your network or gateway.'],
  451: [
    'rejected the request for legal reasons',
    'The request or the model may not be allowed in your region. Try another model.',
  ],
  460: ['The connection was closed before the answer arrived', retryAdvice],
  463: ['The load balancer got too many forwarded addresses', 'Check the proxies in front of the gateway.'],
  494: ['The headers of the request are too large', 'Check the proxies in front of the gateway.'],
  495: ['did not accept the certificate of the Bench server', clientCertificateAdvice],
  496: ['requires a certificate of the Bench server', clientCertificateAdvice],
  497: ['requires HTTPS', 'Begin GATEWAY_BASE_URL with https.'],
  498: ['says that the key has expired', 'Check the key. It is set on the server, in GATEWAY_API_KEY.'],
  499: [
    'The request was cancelled before the answer arrived',
    'Something in between stopped waiting. Ask again.',
  ],
  500: ['had an internal error', `${notTheRequest} ${otherModelAdvice}`],
  501: ['does not support this yet', 'Remove unusual fields from the request, or pick another model.'],
  502: ['got no usable answer from its upstream server', `${notTheRequest} ${otherModelAdvice}`],
  504: ['got no answer in time from its upstream server', `${notTheRequest} ${otherModelAdvice}`],
  505: ['does not support this version of HTTP', addressAdvice],
  506: ['is configured wrongly', "The gateway's operator must fix it."],
  507: ['has no space left', 'Ask again later, or pick another model.'],
  508: ['is stuck in a loop', "The gateway's operator must fix it."],
  509: ['has used up its bandwidth', 'Ask again later.'],
  510: ['requires an extension that Bench does not send', 'Its message is below.'],
  511: ['The network requires a login', 'Open any web page to log in to this network, and ask again.'],
  520: ['The edge network got an answer it does not understand', retryAdvice],
  521: ['The server behind the edge network is down', 'Ask again later.'],
  522: ['The server behind the edge network could not be reached in time', retryAdvice],
  523: ['The server behind the edge network cannot be reached', 'Ask again later.'],
  524: [
    'The server behind the edge network took too long',
    'A shorter answer, or streaming, may arrive in time.',
  ],
  525: ['The edge network and the server behind it could not agree on encryption', certificateAdvice],
  526: ['The server behind the edge network has no valid certificate', certificateAdvice],
  527: ['The edge network lost the server behind it', retryAdvice],
  530: ['The edge network cannot find the server behind it', addressAdvice],
  561: [
    'The load balancer could not check the login',
    'Check the key. It is set on the server, in GATEWAY_API_KEY.',
  ],
  598: ['Reading the answer timed out between Bench and the gateway', retryAdvice],
  599: ['Connecting timed out between Bench and the gateway', retryAdvice],
};

/** Undefined where the status tells no more than the kind, or where the words of the error told the kind. */
export function describeStatus(report: ErrorReport, sourceLabel: string): StatusMessage | undefined {
  const status = getStatus(report);
  if (status === undefined || report.source === 'app' || report.source === 'proxy') return undefined;
  // A page of what stands before the gateway says nothing of keys and models.
  if (report.source === 'network' && status < 500) return undefined;
  if (getErrorKind(status, {}, false) !== report.kind) return undefined;
  const [title, advice] = (Object.hasOwn(statusMessages, status) ? statusMessages[status] : undefined) ?? [];
  if (title !== undefined && advice !== undefined)
    return { title: /^[a-z]/.test(title) ? `${sourceLabel} ${title}` : title, advice };
  if (report.kind !== 'failed') return undefined;
  if (status < 500)
    return {
      title: `${sourceLabel} did not accept the request`,
      advice: `It answered with status ${status}.`,
    };
  return {
    title: `${sourceLabel} had an internal error`,
    advice: `It answered with status ${status}. ${otherModelAdvice}`,
  };
}

/** Of an error inside an answer the code is often a status. */
function getStatus({ status = 0, code }: ErrorReport): number | undefined {
  const errorStatus = status >= 400 ? status : Number(code);
  return errorStatus >= 400 && errorStatus < 600 ? errorStatus : undefined;
}
