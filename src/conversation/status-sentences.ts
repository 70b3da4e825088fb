/** What an HTTP status means in words, for those whose meaning is more than the kind of the error says. */
import { errorKindOf } from '../gateway/error-kind.ts';
import type { ErrorReport } from '../gateway/errors.ts';

export interface StatusSentence {
  /** Begins with who speaks where it begins with a verb. */
  title: string;
  /** What to do next. */
  advice: string;
}

const askAgain = 'Ask again in a moment.';
const otherModel = 'Ask again, or pick another model.';
const notTheRequest = 'The request itself is not the reason.';
const checkAddress = 'Check GATEWAY_BASE_URL.';
const certificate = 'Whoever runs the gateway has to renew or mend its certificate.';

const sentences: Record<number, readonly [title: string, advice: string]> = {
  402: ['asks for payment', 'Its credits or its budget may be used up. Look at the balance in its console.'],
  403: [
    'refused the request',
    'The key may not be allowed to use this model. Look at its rights in the console of the gateway.',
  ],
  405: ['does not take this kind of request at this address', checkAddress],
  406: [
    'can not answer in the form that was asked for',
    'Ask without streaming, or in another response format.',
  ],
  407: ['A proxy on the way asks for a login', 'Check the proxy settings of the server of Bench.'],
  408: ['gave up waiting for the whole request', askAgain],
  409: ['The request collides with another one', askAgain],
  410: ['does not have this model or address any more', 'Pick another model.'],
  413: ['The request is too large', 'Fewer or smaller images, or a shorter conversation, may pass.'],
  415: [
    'does not take this kind of content',
    'The model may not take images. Ask without them, or pick another model.',
  ],
  419: ['The login has expired', 'Check the key. It is set on the server, in GATEWAY_API_KEY.'],
  421: ['The request reached a server that does not answer for this address', checkAddress],
  423: [
    'has locked what was asked for',
    'The model or the account is in use or on hold. Ask again later, or look into its console.',
  ],
  424: ['Something the request depends on failed', otherModel],
  425: ['wants the request again, later', askAgain],
  426: ['asks for another protocol', checkAddress],
  428: ['asks for a condition that Bench does not send', 'Its words are below.'],
  431: ['The headers of the request are too large', 'Check what is set in front of the gateway.'],
  440: ['The login has expired', 'Check the key. It is set on the server, in GATEWAY_API_KEY.'],
  444: ['closed the connection without an answer', askAgain],
  451: [
    'refused for legal reasons',
    'The request or the model is not allowed where you are. Another model may be.',
  ],
  498: ['says that the key has expired', 'Check the key. It is set on the server, in GATEWAY_API_KEY.'],
  499: [
    'The request was given up before the answer came',
    'Something on the way stopped waiting. Ask again.',
  ],
  500: ['failed on its own side', `${notTheRequest} ${otherModel}`],
  501: ['does not support this yet', 'Take out what is unusual about the request, or pick another model.'],
  502: ['got no usable answer from behind it', `${notTheRequest} ${otherModel}`],
  504: ['waited in vain for an answer from behind it', `${notTheRequest} ${otherModel}`],
  505: ['does not speak this version of HTTP', checkAddress],
  507: ['has no space left', 'Ask again later, or pick another model.'],
  508: ['sends the request round in a circle', 'Whoever runs the gateway has to mend it.'],
  509: ['has used up its bandwidth', 'Ask again later.'],
  511: ['The network asks for a login', 'Open any web page to log in to this network, and ask again.'],
  520: ['The edge of the network got an answer it does not understand', askAgain],
  521: ['The server behind the edge of the network is down', 'Ask again later.'],
  522: ['The server behind the edge of the network could not be reached in time', askAgain],
  523: ['The server behind the edge of the network can not be reached', 'Ask again later.'],
  524: [
    'The server behind the edge of the network took too long',
    'A shorter answer, or streaming, may come in time.',
  ],
  525: ['The edge of the network and the server behind it found no common encryption', certificate],
  526: ['The server behind the edge of the network has no valid certificate', certificate],
  527: ['The edge of the network lost the server behind it', askAgain],
  530: ['The edge of the network does not find the server behind it', checkAddress],
  598: ['Reading the answer took too long somewhere on the way', askAgain],
  599: ['Connecting took too long somewhere on the way', askAgain],
};

/** Undefined where the status tells no more than the kind, or where the words of the error told the kind. */
export function statusSentence(report: ErrorReport, who: string): StatusSentence | undefined {
  const status = statusOf(report);
  if (status === undefined || report.source === 'app' || report.source === 'proxy') return undefined;
  // A page of what stands before the gateway says nothing of keys and models.
  if (report.source === 'network' && status < 500) return undefined;
  if (errorKindOf(status, {}, false) !== report.kind) return undefined;
  const [title, advice] = (Object.hasOwn(sentences, status) ? sentences[status] : undefined) ?? [];
  if (title !== undefined && advice !== undefined)
    return { title: /^[a-z]/.test(title) ? `${who} ${title}` : title, advice };
  if (report.kind !== 'failed') return undefined;
  if (status < 500)
    return { title: `${who} did not accept the request`, advice: `It answered with status ${status}.` };
  return {
    title: `${who} failed on its own side`,
    advice: `It answered with status ${status}. ${otherModel}`,
  };
}

/** Of an error inside an answer the code is often a status. */
function statusOf({ status = 0, code }: ErrorReport): number | undefined {
  const found = status >= 400 ? status : Number(code);
  return found >= 400 && found < 600 ? found : undefined;
}
