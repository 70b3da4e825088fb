/** Conformance report of one response: compares its tape with the API description. */
import { findRequestId } from '../../gateway/http/headers.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { pluralize } from '../../lib/format.ts';
import { getOwnProperty } from '../../lib/json.ts';
import { checkErrorBody, checkBody } from './conformance-body.ts';
import type { RuleFinding, RuleResult } from './conformance-finding.ts';
import { checkRequestFields } from './conformance-request-fields.ts';
import { collectResponse, listChunks, isSuccess, type ResponseData } from './conformance-response.ts';
import { checkStream } from './conformance-stream.ts';
import { checkToolCalls } from './conformance-tools.ts';
import { joinWithLimit, listUnknownPaths } from './conformance-values.ts';

/**
 * Returns one finding per rule, in the order of the response. The list is empty if the gateway never responded or the
 * Bench server responded instead.
 */
export function checkConformance(tape: readonly TapeEntry[]): RuleFinding[] {
  const response = collectResponse(tape);
  if (!response || response.status === undefined) return [];
  if (!isSuccess(response))
    return response.isFromGateway ? [...checkErrorBody(response), checkRequestId(response)] : [];
  const hasEvents = response.events.length > 0;
  if (!hasEvents && response.responseJson === undefined)
    return [checkContentType(response), checkDelivery(response), checkRequestId(response)];
  return [
    checkContentType(response),
    checkDelivery(response),
    ...(hasEvents ? checkStream(response) : checkBody(response)),
    ...checkToolCalls(response),
    checkOtherFields(response),
    ...checkRequestFields(response),
    checkRequestId(response),
  ];
}

function checkContentType({ headers, events }: ResponseData): RuleFinding {
  const contentTypeHeader = headers['content-type'];
  const expectedType = events.length > 0 ? 'text/event-stream' : 'application/json';
  const createFinding = (verdict: RuleResult, detail: string): RuleFinding => ({
    rule: 'content-type',
    section: '§4',
    verdict,
    detail,
  });
  if (contentTypeHeader === undefined) return createFinding('fault', `Missing; expected ${expectedType}.`);
  const isExpectedType = contentTypeHeader.split(';')[0]?.trim().toLowerCase() === expectedType;
  return isExpectedType
    ? createFinding('pass', `${contentTypeHeader}.`)
    : createFinding('fault', `${contentTypeHeader}; expected ${expectedType}.`);
}

function checkDelivery({ request, events, responseJson, body }: ResponseData): RuleFinding {
  const createFinding = (verdict: RuleResult, detail: string): RuleFinding => ({
    rule: 'delivery',
    section: '§4',
    verdict,
    detail,
  });
  const isStreamRequested = request['stream'] === true;
  if (events.length === 0 && responseJson === undefined) {
    return createFinding(
      'fault',
      body === undefined || body.trim() === ''
        ? 'The response is empty.'
        : 'The response is neither a stream nor a JSON object.',
    );
  }
  if (isStreamRequested === events.length > 0)
    return createFinding(
      'pass',
      isStreamRequested ? 'Streamed, as requested.' : 'Not streamed, as requested.',
    );
  return createFinding(
    'fault',
    isStreamRequested
      ? 'Streaming was requested, but the response was not streamed.'
      : 'Streaming was not requested, but the response was streamed.',
  );
}

/** Lists unknown fields without judging them, because clients must tolerate them (§6.4). */
function checkOtherFields(response: ResponseData): RuleFinding {
  const names: string[] = [];
  const bodies =
    response.responseJson === undefined
      ? listChunks(response).map(({ chunk }) => chunk)
      : [response.responseJson];
  for (const body of bodies) {
    names.push(...listUnknownPaths(body), ...listUnknownPaths(getOwnProperty(body, 'usage'), 'usage.'));
    const choices = getOwnProperty(body, 'choices');
    for (const choice of Array.isArray(choices) ? choices : []) {
      names.push(...listUnknownPaths(choice, 'choices[].'));
      for (const field of ['delta', 'message'])
        names.push(...listUnknownPaths(getOwnProperty(choice, field), `choices[].${field}.`));
    }
  }
  const findingBase = { rule: 'other-fields', section: '§6.4' } as const;
  if (names.length === 0) return { ...findingBase, verdict: 'pass', detail: 'None.' };
  return { ...findingBase, verdict: 'note', detail: `${joinWithLimit(names, 12)}.` };
}

/** Checks that the request ID is returned (§4). The API page does not name the response header. */
function checkRequestId({ headers, requestId: sentRequestId }: ResponseData): RuleFinding {
  const createFinding = (verdict: RuleResult, detail: string): RuleFinding => ({
    rule: 'request-id',
    section: '§4',
    verdict,
    detail,
  });
  const echoHeader = Object.entries(headers).find(([, value]) => value === sentRequestId);
  if (echoHeader) return createFinding('pass', `The request ID was returned in ${echoHeader[0]}.`);
  const otherRequestId = findRequestId(headers);
  if (otherRequestId !== undefined)
    return createFinding('note', `A different request ID was returned: ${otherRequestId}.`);
  const count = Object.keys(headers).length;
  return createFinding('note', `The request ID was not returned (${pluralize(count, 'header')} checked).`);
}
