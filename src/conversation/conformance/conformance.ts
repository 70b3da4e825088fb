/** The conformance report of one answer: its tape against the API description. */
import { findRequestId } from '../../gateway/http/headers.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { pluralize } from '../../lib/format.ts';
import { getOwnProperty } from '../../lib/json.ts';
import { errorFindings, wholeFindings } from './conformance-body.ts';
import type { Finding, Verdict } from './conformance-finding.ts';
import { askedFindings } from './conformance-request-fields.ts';
import { answerFacts, chunksOf, isSuccess, type AnswerFacts } from './conformance-response.ts';
import { streamFindings } from './conformance-stream.ts';
import { toolCallFinding } from './conformance-tools.ts';
import { listed, otherKeys } from './conformance-values.ts';

/**
 * One finding a rule, in the order of the answer. Empty where there is nothing of the gateway to judge: it
 * never answered, or our own server did.
 */
export function conformanceOf(tape: readonly TapeEntry[]): Finding[] {
  const facts = answerFacts(tape);
  if (!facts || facts.status === undefined) return [];
  if (!isSuccess(facts)) return facts.isGateways ? [...errorFindings(facts), requestId(facts)] : [];
  const heard = facts.events.length > 0;
  if (!heard && facts.whole === undefined) return [contentType(facts), delivery(facts), requestId(facts)];
  return [
    contentType(facts),
    delivery(facts),
    ...(heard ? streamFindings(facts) : wholeFindings(facts)),
    ...toolCallFinding(facts),
    otherFields(facts),
    ...askedFindings(facts),
    requestId(facts),
  ];
}

function contentType({ headers, events }: AnswerFacts): Finding {
  const found = headers['content-type'];
  const wanted = events.length > 0 ? 'text/event-stream' : 'application/json';
  const say = (verdict: Verdict, detail: string): Finding => ({
    rule: 'content-type',
    section: '§4',
    verdict,
    detail,
  });
  if (found === undefined) return say('fault', `Missing; expected ${wanted}.`);
  const isRight = found.split(';')[0]?.trim().toLowerCase() === wanted;
  return isRight ? say('pass', `${found}.`) : say('fault', `${found}; expected ${wanted}.`);
}

function delivery({ request, events, whole, body }: AnswerFacts): Finding {
  const say = (verdict: Verdict, detail: string): Finding => ({
    rule: 'delivery',
    section: '§4',
    verdict,
    detail,
  });
  const asked = request['stream'] === true;
  if (events.length === 0 && whole === undefined) {
    return say(
      'fault',
      body === undefined || body.trim() === ''
        ? 'The answer is empty.'
        : 'The answer is neither a stream nor a JSON object.',
    );
  }
  if (asked === events.length > 0)
    return say('pass', asked ? 'Streamed, as requested.' : 'Whole, as requested.');
  return say(
    'fault',
    asked
      ? 'Streaming was requested, but the answer is not streamed.'
      : 'A whole answer was requested, but it was streamed.',
  );
}

const topKeys = new Set(['id', 'object', 'created', 'model', 'choices', 'usage']);
const choiceKeys = new Set(['index', 'delta', 'message', 'finish_reason']);
const messageKeys = new Set(['role', 'content', 'tool_calls']);
const usageKeys = new Set(['prompt_tokens', 'completion_tokens', 'total_tokens']);

/** §6.4: clients must tolerate them; they are only named. */
function otherFields(facts: AnswerFacts): Finding {
  const names: string[] = [];
  const places = facts.whole === undefined ? chunksOf(facts).map(({ chunk }) => chunk) : [facts.whole];
  for (const place of places) {
    names.push(
      ...otherKeys(place, topKeys),
      ...otherKeys(getOwnProperty(place, 'usage'), usageKeys, 'usage.'),
    );
    const choices = getOwnProperty(place, 'choices');
    for (const choice of Array.isArray(choices) ? choices : []) {
      names.push(...otherKeys(choice, choiceKeys, 'choices[].'));
      for (const holder of ['delta', 'message']) {
        names.push(...otherKeys(getOwnProperty(choice, holder), messageKeys, `${holder}.`));
      }
    }
  }
  const rule = { rule: 'other-fields', section: '§6.4' } as const;
  if (names.length === 0) return { ...rule, verdict: 'pass', detail: 'None.' };
  return { ...rule, verdict: 'note', detail: `${listed(names, 12)}.` };
}

/** §4: a request ID comes back in a header whose name is not shown. */
function requestId({ headers, requestId: sent }: AnswerFacts): Finding {
  const say = (verdict: Verdict, detail: string): Finding => ({
    rule: 'request-id',
    section: '§4',
    verdict,
    detail,
  });
  const echo = Object.entries(headers).find(([, value]) => value === sent);
  if (echo) return say('pass', `Our request ID was returned in ${echo[0]}.`);
  const other = findRequestId(headers);
  if (other !== undefined) return say('note', `A different one was returned: ${other}.`);
  const count = Object.keys(headers).length;
  return say('note', `Our request ID was not returned in any of ${pluralize(count, 'header')}.`);
}
