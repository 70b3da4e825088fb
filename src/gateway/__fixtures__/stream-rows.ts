import { mediaRows } from './media-rows.ts';
import { ruleRows } from './rule-rows.ts';
import type { Segment } from './segments.ts';

/** Expected outcome of an answer, collected from its StreamEvents; parts without events are absent. */
export interface Outcome {
  /** Keyed by candidate, as are the next two fields. */
  text?: Record<number, string>;
  thinking?: Record<number, string>;
  refusal?: Record<number, string>;
  /** Candidate and slot, ID, name, arguments. */
  tools?: [slot: string, id: string | undefined, name: string, text: string][];
  /** Keyed by candidate. */
  images?: Record<number, string[]>;
  /** Joined base64, keyed by candidate. */
  sound?: Record<number, string>;
  /** `choice` is the candidate, or is absent if the source belongs to all candidates. */
  sources?: [choice: string, url: string, title?: string][];
  ends?: [choice: number, reason: string][];
  done?: true;
  /** Reported counts: prompt, completion, total, reasoning. */
  usage?: (number | undefined)[][];
  /** Reasons for blocking the prompt. */
  blocked?: string[];
  /** Source, kind and message of each error. */
  errors?: [source: string, kind: string, message: string][];
  /** Number of notes by kind. */
  notes?: Record<string, number>;
  models?: string[];
}

/** Bytes of an answer and the expected outcome. */
export interface StreamRow {
  name: string;
  bytes: Segment[];
  status?: number;
  /** `null` means no content type. */
  contentType?: string | null;
  /** The request is not for a stream. */
  isNonStreaming?: true;
  outcome: Outcome;
}

const encodeEvent = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const encodeChunk = (choice: object, extra: object = {}) => encodeEvent({ ...extra, choices: [{ index: 0, ...choice }] });
const roleEvent = encodeChunk({ delta: { role: 'assistant' }, finish_reason: null });
const encodeContent = (text: string, index = 0) => encodeChunk({ index, delta: { content: text }, finish_reason: null });
const encodeFinish = (reason: string, index = 0) => encodeChunk({ index, delta: {}, finish_reason: reason });
const encodeDelta = (value: object) => encodeChunk({ delta: value });
const encodeCall = (value: object) => encodeDelta({ tool_calls: [value] });
const usageEvent = encodeEvent({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } });
const doneEvent = 'data: [DONE]\n\n';
const helloStream = roleEvent + encodeContent('Hel') + encodeContent('lo') + encodeFinish('stop') + doneEvent;
const stoppedOutcome = { ends: [[0, 'stop']], done: true } satisfies Outcome;
const helloOutcome = { text: { 0: 'Hello' }, ...stoppedOutcome } satisfies Outcome;
const completion = {
  id: 'x',
  object: 'chat.completion',
  model: 'm/1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};
const webPage = '<html><head><title>Sign in &amp; up</title></head><body>…</body></html>';
const webPageMessage = 'The gateway returned a web page instead of an answer. Its title is "Sign in & up".';
const emptyMessage = 'The gateway returned an empty answer.';

export const streamRows: StreamRow[] = [
  { name: 'a plain stream', bytes: [helloStream], outcome: helloOutcome },
  { name: 'a stream with invalid content type parameters', bytes: [helloStream], contentType: 'text/event-stream;x bogus', outcome: helloOutcome },
  { name: 'a stream with an invalid content type', bytes: [helloStream], contentType: 'x bogus', outcome: { ...helloOutcome, notes: { 'unlabelled-stream': 1 } } },
  { name: 'a stream with status 299', bytes: [helloStream], status: 299, outcome: helloOutcome },
  { name: 'plain text with status 210', bytes: ['fine'], status: 210, outcome: { errors: [['gateway', 'not-an-answer', 'The gateway returned plain text instead of an answer.']] } },
  { name: 'a stream with an error status, read as its error', bytes: [encodeEvent({ error: { message: 'gone', type: 't' } })], status: 410, outcome: { errors: [['gateway', 'not-found', 'gone']] } },
  { name: 'an emoji family and CJK', bytes: [roleEvent + encodeContent('👩‍👩‍👧‍👦é漢') + encodeFinish('stop') + doneEvent], outcome: { text: { 0: '👩‍👩‍👧‍👦é漢' }, ...stoppedOutcome } },
  { name: 'a stream that ends inside a character', bytes: [roleEvent + encodeContent('a') + 'data: {"choices":[{"index":0,"delta":{"content":"', { hex: 'F0 9F 91' }], outcome: { text: { 0: 'a' }, notes: { 'cut-character': 1 } } },
  { name: 'U+2028, U+2029 and U+0085 in content', bytes: [roleEvent + encodeContent('a\u2028b\u2029c\u0085d') + encodeFinish('stop') + doneEvent], outcome: { text: { 0: 'a\u2028b\u2029c\u0085d' }, ...stoppedOutcome } },
  { name: 'no space after the colon', bytes: [helloStream.replaceAll('data: ', 'data:')], outcome: helloOutcome },
  { name: 'keep-alive comments', bytes: [': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n', helloStream], outcome: helloOutcome },
  { name: 'two chunks without a blank line between them', bytes: [roleEvent, encodeContent('a').slice(0, -1), encodeContent('b'), encodeFinish('stop'), doneEvent], outcome: { text: { 0: 'ab' }, ...stoppedOutcome, notes: { 'joined-events': 1 } } },
  { name: 'an end marker without a blank line before it', bytes: [roleEvent, encodeContent('a'), encodeFinish('stop').slice(0, -1), doneEvent], outcome: { text: { 0: 'a' }, ...stoppedOutcome, notes: { 'joined-events': 1 } } },
  { name: 'joined lines, one of which is invalid', bytes: [roleEvent, encodeContent('a').slice(0, -1), 'data: {bad\n', encodeContent('b'), encodeFinish('stop'), doneEvent], outcome: { text: { 0: 'ab' }, ...stoppedOutcome, notes: { 'joined-events': 1, 'unreadable-event': 1 } } },
  { name: 'one chunk written as several data lines', bytes: ['data: {"choices":[{"index":0,\ndata: "delta":{"content":"a"},"finish_reason":"stop"}]}\n\n', doneEvent], outcome: { text: { 0: 'a' }, ...stoppedOutcome } },
  { name: 'a complete last event without a line end', bytes: [roleEvent, encodeContent('a'), encodeContent('b').trimEnd()], outcome: { text: { 0: 'ab' } } },
  { name: 'an end marker without its blank line', bytes: [helloStream.trimEnd()], outcome: helloOutcome },
  { name: 'a truncated last event', bytes: [roleEvent, encodeContent('a'), encodeContent('b').slice(0, -12)], outcome: { text: { 0: 'ab' }, notes: { 'unterminated-event': 1 } } },
  { name: 'a last event truncated inside its text', bytes: [roleEvent, encodeContent('a'), encodeContent('bc').slice(0, encodeContent('bc').indexOf('bc') + 1)], outcome: { text: { 0: 'ab' }, notes: { 'unterminated-event': 1 } } },
  { name: 'a last event truncated inside its finish reason, which is not guessed', bytes: [roleEvent, encodeContent('a'), encodeFinish('stop').slice(0, encodeFinish('stop').indexOf('stop') + 2)], outcome: { text: { 0: 'a' }, notes: { 'unterminated-event': 1 } } },
  { name: 'invalid JSON in one event', bytes: [roleEvent, encodeContent('a'), 'data: {bad\n\n', encodeContent('b'), encodeFinish('stop'), doneEvent], outcome: { text: { 0: 'ab' }, ...stoppedOutcome, notes: { 'unreadable-event': 1 } } },
  { name: 'an event of more than 100 lines, searched up to line 100', bytes: [`data: ${'x\ndata: '.repeat(100)}${JSON.stringify({ choices: [{ delta: { content: 'a' } }] })}\n\n`, helloStream], outcome: { ...helloOutcome, notes: { 'unreadable-event': 1 } } },
  { name: 'a stream as text/plain', bytes: [helloStream], contentType: 'text/plain; charset=utf-8', outcome: { ...helloOutcome, notes: { 'unlabelled-stream': 1 } } },
  { name: 'a stream without a content type', bytes: [helloStream], contentType: null, outcome: { ...helloOutcome, notes: { 'unlabelled-stream': 1 } } },
  { name: 'a stream as application/json after blank lines', bytes: ['\r\n \n', helloStream], contentType: 'application/json', outcome: { ...helloOutcome, notes: { 'unlabelled-stream': 1 } } },
  { name: 'a complete JSON response to a streaming request', bytes: [JSON.stringify(completion)], contentType: 'application/json', outcome: { ...helloOutcome, models: ['m/1'], usage: [[3, 2, 5]], notes: { 'not-streamed': 1 } } },
  { name: 'a complete JSON response labelled as an event stream, with a byte order mark', bytes: [{ hex: 'EF BB BF' }, `\n${JSON.stringify(completion, null, 2)}\n`], outcome: { ...helloOutcome, models: ['m/1'], usage: [[3, 2, 5]], notes: { 'not-streamed': 1 } } },
  { name: 'a complete JSON response to a non-streaming request', bytes: [JSON.stringify(completion)], isNonStreaming: true, outcome: { ...helloOutcome, models: ['m/1'], usage: [[3, 2, 5]] } },
  { name: 'a stream in response to a non-streaming request', bytes: [helloStream], isNonStreaming: true, outcome: helloOutcome },
  { name: 'a complete response as the only event of a stream', bytes: [encodeEvent(completion), doneEvent], outcome: { ...helloOutcome, models: ['m/1'], usage: [[3, 2, 5]] } },
  { name: 'a complete response with an empty delta beside its message', bytes: [JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' }, delta: { role: 'assistant', content: '' } }] })], isNonStreaming: true, outcome: { text: { 0: 'Hello' }, ends: [[0, 'stop']], done: true } },
  { name: 'complete choices with one shared index, read as separate candidates', bytes: [JSON.stringify({ choices: ['one', 'two'].map((content) => ({ index: 0, message: { content }, finish_reason: 'stop' })) })], isNonStreaming: true, outcome: { text: { 0: 'one', 1: 'two' }, ends: [[0, 'stop'], [1, 'stop']], done: true } },
  { name: 'two deltas of one candidate in one chunk, each with an empty message', bytes: [encodeEvent({ choices: ['Hel', 'lo'].map((content) => ({ index: 0, delta: { content }, message: null })) }), encodeFinish('stop'), doneEvent], outcome: helloOutcome },
  { name: 'a complete message after an empty chunk', bytes: [roleEvent, encodeEvent({ choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }] }), doneEvent], outcome: helloOutcome },
  { name: 'complete tool calls with one shared ID, read as separate calls', bytes: [JSON.stringify({ choices: [{ message: { tool_calls: ['Paris', 'Rome'].map((city) => ({ id: 'w', function: { name: 'w', arguments: JSON.stringify({ city }) } })) }, finish_reason: 'tool_calls' }] })], isNonStreaming: true, outcome: { tools: [['0/0', 'w', 'w', '{"city":"Paris"}'], ['0/1', 'w', 'w', '{"city":"Rome"}']], ends: [[0, 'tool_calls']], done: true } },
  { name: 'a choice, a delta and a message of unusual shapes', bytes: [encodeEvent({ choices: { delta: { content: 'He' } } }), encodeEvent({ choices: [{ delta: 'l' }] }), encodeEvent({ choices: [{ delta: { content: [{ type: 'text', text: { value: 'lo' } }] } }] }), encodeFinish('stop'), doneEvent], outcome: { ...helloOutcome } },
  { name: 'a complete message in the last chunk, which does not repeat the streamed text', bytes: [roleEvent, encodeContent('Hello'), encodeChunk({ message: { content: 'Hello' }, finish_reason: 'stop' }), doneEvent], outcome: helloOutcome },
  { name: 'a complete response with tools, thinking, a refusal and two candidates without an index', isNonStreaming: true, bytes: [JSON.stringify({ choices: [{ message: { content: null, reasoning_content: 'hm', tool_calls: [{ id: 'A', type: 'function', function: { name: 'f', arguments: '{}' } }, { id: 'B', function: { name: 'g', arguments: '{"x":1}' } }] }, finish_reason: 'tool_calls' }, { message: { content: [{ type: 'text', text: 'two' }], refusal: 'no' }, finish_reason: null }] })], outcome: { text: { 1: 'two' }, thinking: { 0: 'hm' }, refusal: { 1: 'no' }, tools: [['0/0', 'A', 'f', '{}'], ['0/1', 'B', 'g', '{"x":1}']], ends: [[0, 'tool_calls']], done: true } },
  { name: 'JSON that is not a completion', bytes: ['{"hello":1}'], isNonStreaming: true, outcome: { errors: [['gateway', 'not-an-answer', 'The gateway returned JSON in another format instead of an answer.']] } },
  { name: 'a web page', bytes: [webPage], contentType: 'text/html', outcome: { errors: [['gateway', 'not-an-answer', webPageMessage]] } },
  { name: 'a web page labelled as an event stream', bytes: ['\n', webPage], outcome: { errors: [['gateway', 'not-an-answer', webPageMessage]] } },
  { name: 'an empty answer', bytes: [], outcome: { errors: [['gateway', 'no-answer', emptyMessage]] } },
  { name: 'an answer of blank lines', bytes: ['\n\n \n'], outcome: { errors: [['gateway', 'no-answer', emptyMessage]] } },
  { name: 'only keep-alive comments', bytes: [': a\n\n: b\n\n'], outcome: { errors: [['gateway', 'no-answer', emptyMessage]] } },
  { name: 'bytes that are not text', bytes: [{ hex: '28 B5 2F FD 00 58 00 00 00 03 FF FE' }], outcome: { errors: [['gateway', 'not-an-answer', 'The gateway returned compressed bytes (Zstandard) instead of an answer.']] } },
  { name: 'role-only, null and empty content', bytes: [roleEvent, encodeDelta({ content: null }), encodeDelta({ content: '' }), encodeDelta({}), helloStream], outcome: helloOutcome },
  { name: 'a missing delta, null or empty choices and an empty ID', bytes: [encodeEvent({ id: '', model: '', choices: [], prompt_filter_results: [] }), encodeEvent({ choices: null }), encodeContent('a'), encodeChunk({ finish_reason: 'stop' }), doneEvent], outcome: { text: { 0: 'a' }, ...stoppedOutcome } },
  { name: 'usage in a separate last chunk, null before', bytes: [encodeChunk({ delta: { content: 'a' } }, { usage: null }), encodeFinish('stop'), usageEvent, doneEvent], outcome: { text: { 0: 'a' }, ...stoppedOutcome, usage: [[3, 2, 5]] } },
  { name: 'usage of null in every chunk', bytes: [encodeChunk({ delta: { content: 'a' }, finish_reason: 'stop' }, { usage: null }), doneEvent], outcome: { text: { 0: 'a' }, ...stoppedOutcome } },
  { name: 'usage with reasoning tokens, incomplete usage and usage inside the choice', bytes: [encodeChunk({ delta: { content: 'a' }, finish_reason: 'stop', usage: { output_tokens: 7, completion_tokens_details: { reasoning_tokens: 4 }, prompt_tokens: -1 } }), doneEvent], outcome: { text: { 0: 'a' }, ...stoppedOutcome, usage: [[undefined, 7, undefined, 4]] } },
  { name: 'usage in a gateway-specific object of a separate chunk', bytes: [roleEvent, encodeContent('a'), encodeFinish('stop'), encodeEvent({ x_groq: { id: 'req_1', usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, queue_time: 0.1 } } }), doneEvent], outcome: { text: { 0: 'a' }, ...stoppedOutcome, usage: [[3, 2, 5]] } },
  { name: 'usage in an object of the choice with the last text', bytes: [roleEvent, encodeChunk({ delta: { content: 'a' }, finish_reason: 'stop', meta: { usage: { prompt_tokens: 3, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 1 } } } }), doneEvent], outcome: { text: { 0: 'a' }, ...stoppedOutcome, usage: [[3, 2, undefined, 1]] } },
  { name: 'a blocked prompt', bytes: [encodeEvent({ choices: [], promptFeedback: { blockReason: 'SAFETY' }, usage: { prompt_tokens: 3, total_tokens: 3 } }), doneEvent], outcome: { done: true, blocked: ['SAFETY'], usage: [[3, undefined, 3]] } },
  { name: 'a blocked prompt with a message and without choices', bytes: [encodeEvent({ id: 'x', prompt_feedback: { block_reason: 'OTHER' }, message: 'Not here' })], outcome: { blocked: ['OTHER'], notes: { 'skipped-value': 1 } } },
  { name: 'a blocked prompt as a complete response', isNonStreaming: true, bytes: [JSON.stringify({ object: 'chat.completion', prompt_feedback: { block_reason: 'SAFETY' } })], outcome: { blocked: ['SAFETY'], done: true } },
  { name: 'prompt filter results that block nothing', bytes: [encodeEvent({ choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: 'safe' } } }] }), helloStream], outcome: helloOutcome },
  ...(
    [
      ['a field named error', 'error: {"code":500,"message":"boom","type":"server_error"}\n\n'],
      ['a field named error, over several lines', 'error: {\n  "code": 500,\n  "message": "boom"\n}\n\n'],
      ['a field with another name', 'x-failure: {"error":{"message":"boom"}}\n\n'],
      ['a field beside others', 'id: 7\nretry: 100\nERROR: {"error":{"message":"boom"}}\n\n'],
      ['a field of an event named error', 'event: error\nerror: {"message":"boom"}\n\n'],
      ['a comment', ': {"error":{"message":"boom"}}\n\n'],
      ['data with the prefix error', 'data: error: {"message":"boom"}\n\n'],
    ] as const
  ).map(([name, bytes]): StreamRow => ({
    name: `an error in ${name}`,
    bytes: [roleEvent, encodeContent('a'), bytes],
    outcome: { text: { 0: 'a' }, errors: [['provider', 'failed', 'boom']] },
  })),
  { name: 'only an error line', bytes: ['error: {"code":503,"message":"Loading model"}\n\n'], outcome: { errors: [['gateway', 'overloaded', 'Loading model']] } },
  { name: 'an error line with an error status', bytes: ['error: {"code":500,"message":"boom"}\n\n'], status: 500, outcome: { errors: [['gateway', 'failed', 'boom']] } },
  { name: 'an empty error line', bytes: [roleEvent, encodeContent('a'), 'error: {}\n\n', encodeFinish('stop'), doneEvent], outcome: { text: { 0: 'a' }, ...stoppedOutcome, notes: { 'outside-text': 1 } } },
  { name: 'a finish reason without an end marker', bytes: [roleEvent, encodeContent('a'), encodeFinish('stop')], outcome: { text: { 0: 'a' }, ends: [[0, 'stop']] } },
  { name: 'an end marker without a finish reason', bytes: [roleEvent, encodeContent('a'), doneEvent], outcome: { text: { 0: 'a' }, done: true } },
  { name: 'an end marker with spaces around it', bytes: [roleEvent, encodeContent('a'), encodeFinish('stop'), 'data:   [DONE]  \n\n'], outcome: { text: { 0: 'a' }, ...stoppedOutcome } },
  { name: 'neither a finish reason nor an end marker', bytes: [roleEvent, encodeContent('a')], outcome: { text: { 0: 'a' } } },
  { name: 'text and usage after the end marker, of which only usage counts', bytes: [helloStream, encodeContent('EXTRA'), usageEvent, doneEvent], outcome: { ...helloOutcome, usage: [[3, 2, 5]], notes: { 'after-done': 3 } } },
  { name: 'two finish reasons', bytes: [encodeContent('a'), encodeFinish('stop'), encodeFinish('length'), doneEvent], outcome: { text: { 0: 'a' }, ends: [[0, 'stop'], [0, 'length']], done: true } },
  { name: 'an empty finish reason, which ends nothing', bytes: [encodeChunk({ delta: { content: 'a' }, finish_reason: '' }), encodeChunk({ delta: { content: 'b' }, finish_reason: '' }), encodeFinish('stop'), doneEvent], outcome: { text: { 0: 'ab' }, ...stoppedOutcome } },
  { name: 'unknown finish reasons, kept unchanged', bytes: [encodeContent('a'), encodeFinish('eos_token'), encodeFinish('SAFETY'), encodeFinish('end_turn')], outcome: { text: { 0: 'a' }, ends: [[0, 'eos_token'], [0, 'SAFETY'], [0, 'end_turn']] } },
  { name: 'the finish reasons length and content_filter', bytes: [encodeContent('a'), encodeFinish('length'), encodeFinish('content_filter', 1)], outcome: { text: { 0: 'a' }, ends: [[0, 'length'], [1, 'content_filter']] } },
  { name: 'an error object in the middle', bytes: [roleEvent, encodeContent('a'), encodeEvent({ error: { message: 'boom', type: 'server_error', code: '502' } })], outcome: { text: { 0: 'a' }, errors: [['provider', 'failed', 'boom']] } },
  { name: 'an event named error', bytes: [encodeContent('a'), 'event: error\n', encodeEvent({ code: 400, details: 'max logprobs 20' }), doneEvent], outcome: { text: { 0: 'a' }, done: true, errors: [['provider', 'invalid-request', 'max logprobs 20']] } },
  { name: 'an event named error in plain text', bytes: [encodeContent('a'), 'event: error\ndata: out of memory\n\n'], outcome: { text: { 0: 'a' }, errors: [['provider', 'failed', 'out of memory']] } },
  { name: 'a flat error', bytes: [encodeEvent({ object: 'error', message: 'too long', type: 'BadRequestError', param: null, code: 400 }), doneEvent], outcome: { done: true, errors: [['provider', 'invalid-request', 'too long']] } },
  { name: 'an error as JSON on a separate line', bytes: [roleEvent, encodeContent('a'), '{"error":{"message":"boom","code":502}}\n\n', doneEvent], outcome: { text: { 0: 'a' }, done: true, errors: [['provider', 'failed', 'boom']] } },
  { name: 'a complete JSON response after a comment', bytes: [': PROCESSING\n\n', JSON.stringify(completion)], outcome: { text: { 0: 'Hello' }, ends: [[0, 'stop']], models: ['m/1'], usage: [[3, 2, 5]] } },
  { name: 'JSON on a separate line before the stream, omitted with a note', bytes: ['{"meta":1}\n\n', helloStream], outcome: { ...helloOutcome, notes: { 'skipped-value': 1 } } },
  { name: 'a thousand blank lines before the stream', bytes: ['\n'.repeat(1000), helloStream], outcome: helloOutcome },
  { name: 'provider information between chunks, which is not an error', bytes: [roleEvent, encodeEvent({ id: 'x', object: 'chat.completion.chunk', status: 'processing', detail: 'queue position 3' }), encodeEvent({ object: 'chat.completion.chunk', choices: null, type: 'ping', message: '' }), encodeEvent({ type: 'status', message: 'warming up' }), encodeEvent({ status: 'processing', message: 'still' }), helloStream], outcome: { ...helloOutcome, notes: { 'skipped-value': 3 } } },
  { name: 'a status that names a failure', bytes: [encodeContent('a'), encodeEvent({ status: 'failure', message: 'no such deployment' })], outcome: { text: { 0: 'a' }, errors: [['provider', 'failed', 'no such deployment']] } },
  ...(
    [
      ['error set to true beside a message', { error: true, message: 'boom' }, 'failed', 'boom'],
      ['error set to a status beside a message', { error: 503, message: 'boom' }, 'overloaded', 'boom'],
      ['a list with one error (Google)', [{ error: { code: 503, message: 'm' } }], 'overloaded', 'm'],
      ['a code and msg', { code: 1305, msg: 'overloaded' }, 'failed', 'overloaded'],
      ['a bare message that reads like an error', { message: 'Internal error' }, 'failed', 'Internal error'],
      ['a bare detail that reads like an error', { detail: 'Internal Server Error' }, 'failed', 'Internal Server Error'],
      ['a message beside an ID', { id: 'x', type: null, message: 'CUDA out of memory' }, 'failed', 'CUDA out of memory'],
      ['error_code and error_msg (Baidu)', { error_code: 336100, error_msg: 'try again' }, 'failed', 'try again'],
      ['success false', { success: false, message: 'boom' }, 'failed', 'boom'],
      ['a problem document', { title: 'Overloaded', status: 503 }, 'overloaded', 'Overloaded'],
      ['a base_resp of failure (MiniMax)', { choices: null, base_resp: { status_code: 1004, status_msg: 'login fail' } }, 'failed', 'login fail'],
      ['an empty error beside an error in a choice', { error: {}, choices: [{ error: { message: '' } }, { error: { code: 429, message: 'm' } }] }, 'rate-limited', 'm'],
      ['an error type that only the Bench server uses', { error: { type: 'gateway_timeout', code: '504', message: 'm' } }, 'timeout', 'm'],
      ['a message in another field', { error: { type: 'server_error', code: '500', reason: 'GPU on fire' } }, 'failed', 'GPU on fire'],
      ['a message one level deeper', { error: { type: 'x', message: { text: 'boom' } } }, 'failed', 'boom'],
    ] as const
  ).map(([name, value, kind, message]): StreamRow => ({
    name: `an error in the middle: ${name}`,
    bytes: [roleEvent, encodeContent('a'), encodeEvent(value), doneEvent],
    outcome: { text: { 0: 'a' }, done: true, errors: [['provider', kind, message]] },
  })),
  { name: 'an event named Error in plain text', bytes: [roleEvent, encodeContent('a'), 'event: Error\ndata: out of memory\n\n', doneEvent], outcome: { text: { 0: 'a' }, done: true, errors: [['provider', 'failed', 'out of memory']] } },
  { name: 'an event named ERROR as JSON', bytes: [roleEvent, encodeContent('a'), 'event: ERROR\n', encodeEvent({ message: 'm' }), doneEvent], outcome: { text: { 0: 'a' }, done: true, errors: [['provider', 'failed', 'm']] } },
  { name: 'messages about success, which are not errors', bytes: [roleEvent, encodeEvent({ message: 'loading the model' }), encodeEvent({ message: 'no errors so far' }), encodeEvent({ code: 0, msg: 'success' }), encodeEvent({ code: 200, message: 'ok' }), encodeEvent({ type: 'status', message: 'an error was retried' }), encodeEvent({ title: 'Errors and limits' }), encodeEvent([{ message: 'error' }]), encodeEvent({ message: '', errors: [], code: 'x' }), helloStream], outcome: { ...helloOutcome, notes: { 'skipped-value': 8 } } },
  { name: 'a base_resp of success, which is not an error', bytes: [roleEvent, encodeEvent({ choices: null, base_resp: { status_code: 0, status_msg: '' } }), helloStream], outcome: helloOutcome },
  { name: 'messages in unknown events, which do not fail the answer', bytes: [roleEvent, 'event: redirect\n', encodeEvent({ type: 'redirect', message: 'Session expired. Go to http://evil', code: 'x' }), 'event: execute\n', encodeEvent({ message: 'error', code: 'x()', status: 'failed', errors: ['x'] }), 'event: open_url\n', encodeEvent({ base_resp: { status_code: 5, status_msg: 'x' } }), helloStream], outcome: { ...helloOutcome, notes: { 'skipped-value': 3 } } },
  { name: 'an object labelled as an error in an unknown event', bytes: [encodeContent('a'), 'event: execute\n', encodeEvent({ object: 'error', message: 'm' }), doneEvent], outcome: { text: { 0: 'a' }, done: true, errors: [['provider', 'failed', 'm']] } },
  { name: 'an error with only empty values, which is ignored', bytes: [encodeChunk({ delta: { content: 'a' } }, { error: { message: null, type: null, code: null } }), encodeChunk({ delta: { content: 'b' } }, { error: { message: '', code: 0, param: [], details: {} } }), encodeChunk({ delta: { content: 'c' }, error: { message: '' } }), encodeFinish('stop'), doneEvent], outcome: { text: { 0: 'abc' }, ...stoppedOutcome } },
  { name: 'an error with choices, read as one error without an end', bytes: [encodeContent('a'), encodeEvent({ error: { code: 502, message: 'Provider disconnected' }, choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }] })], outcome: { text: { 0: 'a' }, errors: [['provider', 'failed', 'Provider disconnected']] } },
  { name: 'the finish reason error without an error object', bytes: [encodeContent('a'), encodeFinish('error')], outcome: { text: { 0: 'a' }, ends: [[0, 'error']] } },
  { name: 'an error beside another finish reason', bytes: [encodeContent('a'), encodeEvent({ error: { code: 502, message: 'gone' }, choices: [{ index: 0, delta: {}, finish_reason: 'length' }] })], outcome: { text: { 0: 'a' }, ends: [[0, 'length']], errors: [['provider', 'failed', 'gone']] } },
  { name: 'an error as the first event', bytes: [encodeEvent({ error: { message: 'rate limited', code: 429 } })], outcome: { errors: [['provider', 'rate-limited', 'rate limited']] } },
  { name: 'an error inside a choice', bytes: [encodeContent('a'), encodeEvent({ choices: [{ index: 0, delta: {}, error: { code: 503, message: 'gone' }, finish_reason: 'error' }] })], outcome: { text: { 0: 'a' }, errors: [['provider', 'overloaded', 'gone']] } },
  { name: 'a repeated error, reported once', bytes: [encodeContent('a'), encodeEvent({ error: 'boom' }), encodeEvent({ error: 'boom' }), doneEvent], outcome: { text: { 0: 'a' }, done: true, errors: [['provider', 'failed', 'boom']] } },
  { name: 'an error after the end marker', bytes: [helloStream, encodeEvent({ error: 'late' })], outcome: { ...helloOutcome, errors: [['provider', 'failed', 'late']], notes: { 'after-done': 1 } } },
  { name: 'an error of null, empty or false, which is ignored', bytes: [encodeChunk({ delta: { content: 'a' } }, { error: null }), encodeChunk({ delta: { content: 'b' } }, { error: {} }), encodeChunk({ delta: {}, finish_reason: 'stop' }, { error: false }), doneEvent], outcome: { text: { 0: 'ab' }, ...stoppedOutcome } },
  { name: 'reasoning_content', bytes: [encodeDelta({ reasoning_content: 'h' }), encodeDelta({ reasoning_content: 'm', content: null }), encodeContent('a'), encodeFinish('stop'), doneEvent], outcome: { thinking: { 0: 'hm' }, text: { 0: 'a' }, ...stoppedOutcome } },
  { name: 'reasoning', bytes: [encodeDelta({ reasoning: 'hm', content: '' }), encodeContent('a'), encodeFinish('stop'), doneEvent], outcome: { thinking: { 0: 'hm' }, text: { 0: 'a' }, ...stoppedOutcome } },
  { name: 'equal reasoning in two fields and in structured form, read once', bytes: [encodeDelta({ reasoning: 'hm', reasoning_content: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }), encodeContent('a'), encodeFinish('stop'), doneEvent], outcome: { thinking: { 0: 'hm' }, text: { 0: 'a' }, ...stoppedOutcome } },
  { name: 'reasoning and images in blocks beside the content', bytes: [encodeDelta({ content_blocks: [{ index: 0, delta: { thinking: '', signature: '' } }] }), encodeDelta({ content_blocks: [{ index: 0, delta: { thinking: 'Hm' } }] }), encodeDelta({ content_blocks: [{ index: 0, delta: { signature: 'zz' } }] }), encodeDelta({ content: 'Hi', content_blocks: [{ index: 1, delta: { text: 'Hi' } }] }), encodeDelta({ content_blocks: [{ index: 2, delta: { type: 'image_url', image_url: { url: 'https://a.example/b.png' } } }] }), encodeDelta({ content_blocks: [{ index: 3, delta: { text: 'unsaid' } }] }), encodeFinish('stop'), doneEvent], outcome: { text: { 0: 'Hi' }, thinking: { 0: 'Hm' }, images: { 0: ['https://a.example/b.png'] }, notes: { 'skipped-value': 1 }, ...stoppedOutcome } },
  { name: 'reasoning as objects and arrays', bytes: [encodeDelta({ reasoning: { content: 'a' } }), encodeDelta({ thinking: { text: 'b' } }), encodeDelta({ reasoning_details: [{ type: 'reasoning.summary', summary: 'c' }, { type: 'reasoning.encrypted', data: 'zz' }] }), encodeDelta({ thinking_blocks: [{ type: 'thinking', thinking: 'd' }] }), encodeDelta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'e' }] }] }), doneEvent], outcome: { thinking: { 0: 'abcde' }, done: true } },
  { name: 'content as parts', bytes: [encodeDelta({ content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, 'c', { type: 'image_url', image_url: {} }] }), encodeFinish('stop'), doneEvent], outcome: { text: { 0: 'abc' }, ...stoppedOutcome, notes: { 'skipped-value': 1 } } },
  { name: 'nested parts, parts without text and refusals in either field', bytes: [encodeDelta({ content: [['a', { type: 'text', text: 'b' }], { type: 'text', text: '' }, '', 7, { type: 'refusal', refusal: 'n' }, { type: 'refusal', text: 'o' }] })], outcome: { text: { 0: 'ab7' }, refusal: { 0: 'no' } } },
  { name: 'two candidates interleaved', bytes: [encodeContent('a', 0), encodeContent('x', 1), encodeContent('b', 0), encodeContent('y', 1), encodeFinish('stop', 1), encodeFinish('length', 0), doneEvent], outcome: { text: { 0: 'ab', 1: 'xy' }, ends: [[1, 'stop'], [0, 'length']], done: true } },
  { name: 'a missing index, read as the first candidate', bytes: [encodeEvent({ choices: [{ delta: { content: 'a' } }] }), encodeEvent({ choices: [{ index: null, delta: { content: 'b' }, finish_reason: 'stop' }] }), doneEvent], outcome: { text: { 0: 'ab' }, ...stoppedOutcome } },
  { name: 'a tool call in fragments', bytes: [encodeCall({ index: 0, id: 'A', type: 'function', function: { name: 'weather', arguments: '' } }), encodeCall({ index: 0, function: { arguments: '{"c' } }), encodeCall({ index: 0, function: { arguments: 'ity":"\\u00' } }), encodeCall({ index: 0, function: { arguments: 'e9"}' } }), encodeFinish('tool_calls'), doneEvent], outcome: { tools: [['0/0', 'A', 'weather', '{"city":"\\u00e9"}']], ends: [[0, 'tool_calls']], done: true } },
  { name: 'tool calls without index', bytes: [encodeCall({ id: 'A', function: { name: 'f', arguments: '{' } }), encodeCall({ function: { arguments: '}' } }), encodeCall({ id: 'B', function: { name: 'f', arguments: '{}' } }), encodeFinish('tool_calls')], outcome: { tools: [['0/0', 'A', 'f', '{}'], ['0/1', 'B', 'f', '{}']], ends: [[0, 'tool_calls']] } },
  { name: 'one index for two tool calls', bytes: [encodeCall({ index: 0, id: 'A', function: { name: 'f', arguments: '{"p":1}' } }), encodeCall({ index: 0, id: 'B', function: { name: 'f', arguments: '{"p":2}' } }), encodeFinish('tool_calls')], outcome: { tools: [['0/0', 'A', 'f', '{"p":1}'], ['0/1', 'B', 'f', '{"p":2}']], ends: [[0, 'tool_calls']] } },
  { name: 'a new ID for every fragment of one tool call', bytes: [encodeCall({ index: 0, id: 'A', function: { name: 'f', arguments: '{"p"' } }), encodeCall({ index: 0, id: 'B', function: { arguments: ':1' } }), encodeCall({ index: 0, id: 'C', function: { arguments: '}' } }), encodeFinish('tool_calls')], outcome: { tools: [['0/0', 'A', 'f', '{"p":1}']], ends: [[0, 'tool_calls']] } },
  { name: 'one ID for two tool calls', bytes: [encodeCall({ index: 0, id: 'A', function: { name: 'f', arguments: '{"p":1}' } }), encodeCall({ index: 0, id: 'A', function: { name: 'f', arguments: '{"p":2}' } }), encodeFinish('tool_calls')], outcome: { tools: [['0/0', 'A', 'f', '{"p":1}'], ['0/1', 'A', 'f', '{"p":2}']], ends: [[0, 'tool_calls']] } },
  { name: 'one ID at two indexes, read as two calls even before any arguments', bytes: [encodeCall({ index: 0, id: 'A', function: { name: 'f', arguments: '{' } }), encodeCall({ index: 1, id: 'A', function: { name: 'g' } }), encodeCall({ index: 1, function: { arguments: '{}' } }), encodeCall({ index: 0, function: { arguments: '}' } })], outcome: { tools: [['0/0', 'A', 'f', '{}'], ['0/1', 'A', 'g', '{}']] } },
  { name: 'a fragment without an index, added to the call with its ID', bytes: [encodeCall({ index: 0, id: 'A', function: { name: 'f', arguments: '{' } }), encodeCall({ id: 'A', function: { arguments: '}' } }), encodeCall({ index: 1, id: 'A', function: { name: 'g' } })], outcome: { tools: [['0/0', 'A', 'f', '{}'], ['0/1', 'A', 'g', '']] } },
  { name: 'two fragments of one call in one chunk, and two calls without index and ID', bytes: [encodeDelta({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '{' } }, { index: 0, function: { arguments: '}' } }] }), encodeChunk({ index: 1, delta: { tool_calls: [{ function: { name: 'f', arguments: '{}' } }, { function: { name: 'f', arguments: '{}' } }] } })], outcome: { tools: [['0/0', undefined, 'f', '{}'], ['1/0', undefined, 'f', '{}'], ['1/1', undefined, 'f', '{}']] } },
  { name: 'calls with arguments or input of null', bytes: [encodeCall({ index: 0, id: 'A', function: { name: 'f', arguments: null } }), encodeCall({ index: 1, id: 'B', custom: { name: 'g', input: null } })], outcome: { tools: [['0/0', 'A', 'f', ''], ['0/1', 'B', 'g', '']] } },
  { name: 'ID and name repeated in an empty last fragment', bytes: [encodeCall({ index: 0, id: 'A', function: { name: 'f', arguments: '{"p":1}' } }), encodeCall({ index: 0, id: 'A', function: { name: 'f', arguments: '' } }), encodeFinish('tool_calls')], outcome: { tools: [['0/0', 'A', 'f', '{"p":1}']], ends: [[0, 'tool_calls']] } },
  { name: 'one index for two tool calls without IDs', bytes: [encodeCall({ index: 0, function: { name: 'f', arguments: '{"p":1}' } }), encodeCall({ index: 0, function: { name: 'f', arguments: '{"p":2}' } })], outcome: { tools: [['0/0', undefined, 'f', '{"p":1}'], ['0/1', undefined, 'f', '{"p":2}']] } },
  { name: 'two tool calls interleaved by index', bytes: [encodeCall({ index: 0, id: 'A', function: { name: 'f' } }), encodeCall({ index: 1, id: 'B', function: { name: 'g' } }), encodeCall({ index: 0, function: { arguments: '{"p":' } }), encodeCall({ index: 1, function: { arguments: '{}' } }), encodeCall({ index: 0, function: { arguments: '1}' } })], outcome: { tools: [['0/0', 'A', 'f', '{"p":1}'], ['0/1', 'B', 'g', '{}']] } },
  { name: 'ID and name repeated in every fragment', bytes: [encodeCall({ index: 0, id: 'A', function: { name: 'f', arguments: '{"p"' } }), encodeCall({ index: 0, id: 'A', function: { name: 'f', arguments: ':1}' } })], outcome: { tools: [['0/0', 'A', 'f', '{"p":1}']] } },
  { name: 'only the name repeated in every fragment', bytes: [encodeCall({ index: 0, function: { name: 'f', arguments: '{"p"' } }), encodeCall({ index: 0, function: { name: 'f', arguments: ':1}' } })], outcome: { tools: [['0/0', undefined, 'f', '{"p":1}']] } },
  { name: 'a name after the first arguments', bytes: [encodeCall({ index: 0, function: { arguments: '{' } }), encodeCall({ index: 0, function: { name: 'f', arguments: '}' } })], outcome: { tools: [['0/0', undefined, 'f', '{}']] } },
  { name: 'a late ID that is empty at first', bytes: [encodeCall({ index: 0, id: '', function: { name: 'f', arguments: '{' } }), encodeCall({ index: 0, id: 'A', function: { arguments: '}' } })], outcome: { tools: [['0/0', 'A', 'f', '{}']] } },
  { name: 'one ID at two indexes, read as two calls', bytes: [encodeCall({ index: 0, id: 'A', function: { name: 'f', arguments: '{}' } }), encodeCall({ index: 1, id: 'A', function: { name: 'g', arguments: '{}' } })], outcome: { tools: [['0/0', 'A', 'f', '{}'], ['0/1', 'A', 'g', '{}']] } },
  { name: 'arguments as an object, a custom tool and a call outside a list', bytes: [encodeDelta({ tool_calls: { id: 'A', function: { name: 'f', arguments: { p: 1 } } } }), encodeCall({ index: 1, id: 'B', type: 'custom', custom: { name: 'g', input: 'raw' } })], outcome: { tools: [['0/0', 'A', 'f', '{"p":1}'], ['0/1', 'B', 'g', 'raw']] } },
  { name: 'long numbers in arguments sent as objects, in fragments and in a list', bytes: ['data: {"choices":[{"delta":{"tool_calls":[{"id":"A","function":{"name":"f","arguments": {"n": [9007199254740993, 1.0, -0, 1e400], "a":1, "a":2}}},{"id":"B","function":{"name":"g","arguments":{"p":0.10}}}]}}]}\n\n'], outcome: { tools: [['0/0', 'A', 'f', '{"n": [9007199254740993, 1.0, -0, 1e400], "a":1, "a":2}'], ['0/1', 'B', 'g', '{"p":0.10}']] } },
  { name: 'long numbers in arguments sent as objects, in a complete response', isNonStreaming: true, bytes: ['{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"A","type":"function","function":{"name":"f","arguments":{"id": 12345678901234567890}}}]},"finish_reason":"tool_calls"}]}'], outcome: { tools: [['0/0', 'A', 'f', '{"id":12345678901234567890}']], ends: [[0, 'tool_calls']], done: true } },
  { name: 'an empty object of calls, which is ignored', bytes: [encodeDelta({ content: 'a', tool_calls: {} }), encodeFinish('stop'), doneEvent], outcome: { text: { 0: 'a' }, ...stoppedOutcome } },
  { name: 'equal calls of a complete message with one ID and without, read as separate calls', bytes: [encodeChunk({ message: { role: 'assistant', content: null, tool_calls: ['A', 'A', null, null].map((id) => ({ id, index: 0, function: { name: 'f', arguments: '{}' } })) }, finish_reason: 'tool_calls' })], outcome: { tools: [['0/0', 'A', 'f', '{}'], ['0/1', 'A', 'f', '{}'], ['0/2', undefined, 'f', '{}'], ['0/3', undefined, 'f', '{}']], ends: [[0, 'tool_calls']] } },
  { name: 'the legacy function_call', bytes: [encodeDelta({ function_call: { name: 'f', arguments: '' } }), encodeDelta({ function_call: { arguments: '{"p"' } }), encodeDelta({ function_call: { arguments: ':1}' } }), encodeFinish('function_call')], outcome: { tools: [['0/0', undefined, 'f', '{"p":1}']], ends: [[0, 'function_call']] } },
  { name: 'truncated tool arguments', bytes: [encodeCall({ index: 0, id: 'A', function: { name: 'f', arguments: '{"city":"Par' } })], outcome: { tools: [['0/0', 'A', 'f', '{"city":"Par']] } },
  { name: 'an ID and a model that change during the stream', bytes: [encodeChunk({ delta: { content: 'a' } }, { id: '1', model: 'm/1', created: 1 }), encodeChunk({ delta: { content: 'b' } }, { id: '1', model: 'm/1', created: 1 }), encodeChunk({ delta: {}, finish_reason: 'stop' }, { id: '2', model: 'm/2', created: 1 }), doneEvent], outcome: { text: { 0: 'ab' }, ...stoppedOutcome, models: ['m/1', 'm/2'], notes: { 'changed-identity': 2 } } },
  { name: 'events that are not objects', bytes: ['data: null\n\ndata: []\n\ndata: "x"\n\ndata: 42\n\ndata: {}\n\n', helloStream], outcome: { ...helloOutcome, notes: { 'skipped-value': 2 } } },
  { name: 'unknown fields, a refusal and logprobs', bytes: [encodeChunk({ delta: { content: 'a', obfuscation: 'zz' }, logprobs: { content: [] } }, { x_groq: { id: 1 }, extra: 'y'.repeat(2000) }), encodeDelta({ refusal: 'no' }), encodeFinish('stop'), doneEvent], outcome: { text: { 0: 'a' }, refusal: { 0: 'no' }, ...stoppedOutcome } },
  { name: 'hostile choice indexes', bytes: [...['"__proto__"', '-1', '0.5', '1e9', '4294967295', '128', '"-1"', '{}', 'true'].map((index) => `data: {"choices":[{"index":${index},"delta":{"content":"evil"}}]}\n\n`), helloStream], outcome: { ...helloOutcome, notes: { 'skipped-value': 9 } } },
  { name: 'hostile tool indexes', bytes: [...['"__proto__"', '-1', '0.5', '1e9', '4294967295'].map((index) => `data: {"choices":[{"delta":{"tool_calls":[{"index":${index},"id":"A","function":{"name":"evil"}}]}}]}\n\n`), helloStream], outcome: { ...helloOutcome, notes: { 'skipped-value': 5 } } },
  { name: 'hostile keys', bytes: ['data: {"choices":[{"delta":{"__proto__":{"content":"evil","polluted":1},"constructor":{"prototype":{"polluted":1}}}}],"__proto__":{"polluted":1,"error":"evil"}}\n\n', helloStream], outcome: helloOutcome },
  { name: 'a right-to-left override, combining marks and NUL', bytes: [encodeContent(`\u202Ea\u0000${'e\u0301'.repeat(50)}`), encodeFinish('stop'), doneEvent], outcome: { text: { 0: `\u202Ea\u0000${'e\u0301'.repeat(50)}` }, ...stoppedOutcome } },
  { name: 'HTML and a script in content, read as text', bytes: [encodeContent('<script>x</script>'), encodeFinish('stop'), doneEvent], outcome: { text: { 0: '<script>x</script>' }, ...stoppedOutcome } },
  { name: 'events with unknown names, which have no effect', bytes: ['event: execute\n', encodeEvent({ code: 'x()' }), 'event: open_url\n', encodeEvent({ url: 'http://x', choices: [{ delta: { content: 'evil' } }] }), helloStream], outcome: { ...helloOutcome, notes: { 'skipped-value': 2 } } },
  { name: 'an error in an event with an unknown name', bytes: [encodeContent('a'), 'event: exception\n', encodeEvent({ error: { message: 'boom', code: 429 } })], outcome: { text: { 0: 'a' }, errors: [['provider', 'rate-limited', 'boom']] } },
  { name: 'events named message, and labelled chunks in events of any name', bytes: ['event: message\n', encodeContent('a'), 'event: chunk\n', encodeChunk({ delta: { content: 'b' }, finish_reason: 'stop' }, { object: 'chat.completion.chunk' }), 'event: end\n', doneEvent], outcome: { text: { 0: 'ab' }, ...stoppedOutcome } },
  { name: 'the text of the older completions format', bytes: [encodeChunk({ text: 'a' }), encodeChunk({ text: 'b', finish_reason: 'stop' }), doneEvent], outcome: { text: { 0: 'ab' }, ...stoppedOutcome } },
  { name: 'a JSON error with status 200', bytes: [JSON.stringify({ error: { message: 'No such model', type: 'invalid_request_error', code: 'model_not_found' } })], contentType: 'application/json', outcome: { errors: [['gateway', 'not-found', 'No such model']] } },
  { name: 'a list with one error with status 200', bytes: [JSON.stringify([{ error: { code: 404, message: 'No such model', status: 'NOT_FOUND' } }])], contentType: 'application/json', outcome: { errors: [['gateway', 'not-found', 'No such model']] } },
  { name: 'a bare message with status 200', bytes: [JSON.stringify({ message: 'Internal error' })], contentType: 'application/json', outcome: { errors: [['gateway', 'failed', 'Internal error']] } },
  { name: 'a truncated JSON response, read as far as possible', bytes: ['{"id":"x","model":"m/1","choices":[{"index":0,"message":{"role":"assistant","content":"Hello wor'], isNonStreaming: true, contentType: 'application/json', outcome: { text: { 0: 'Hello wor' }, models: ['m/1'], errors: [['network', 'connection-lost', 'The answer ends in the middle of its JSON. The complete part is shown.']], notes: { 'cut-answer': 1 } } },
  { name: 'a JSON response truncated before any content', bytes: ['{"id":"x","choi'], isNonStreaming: true, outcome: { errors: [['network', 'connection-lost', 'The answer ends in the middle of its JSON. The complete part is shown.']], notes: { 'cut-answer': 1 } } },
  ...ruleRows,
  ...mediaRows,
];
