/** Rows for unusual answers: text outside events, text in place of an answer, values of unusual types. */
import type { Outcome, StreamRow } from './stream-rows.ts';

type Bytes = StreamRow['bytes'];

const encodeEvent = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const encodeChoice = (value: object) => encodeEvent({ choices: [{ index: 0, ...value }] });
const encodeDelta = (value: object) => encodeChoice({ delta: value });
const encodeContent = (text: unknown) => encodeDelta({ content: text });
const encodeCall = (value: object) => encodeDelta({ tool_calls: [value] });
const roleEvent = encodeDelta({ role: 'assistant' });
const encodeFinish = (reason: unknown = 'stop') => encodeChoice({ delta: {}, finish_reason: reason });
const doneEvent = 'data: [DONE]\n\n';
const stoppedOutcome = { ends: [[0, 'stop']], done: true } satisfies Outcome;
const helloOutcome = { text: { 0: 'Hello' }, ...stoppedOutcome } satisfies Outcome;
const helloStream = roleEvent + encodeContent('Hel') + encodeContent('lo') + encodeFinish() + doneEvent;
const errorPage = '<html><head><title>502 Bad Gateway</title></head>\r\n<body><h1>nginx</h1></body></html>';

/** Text outside events is shown, and the answer does not count as complete. */
const createOutsideRow = (name: string, bytes: Bytes, outcome: Outcome): StreamRow => ({
  name: `text outside events: ${name}`,
  bytes,
  outcome: { ...outcome, notes: { 'outside-text': 1 } },
});

const outsideTextRows: StreamRow[] = [
  createOutsideRow('a web page between two events', [roleEvent, encodeContent('Hel'), `${errorPage}\n\n`, encodeContent('lo'), encodeFinish(), doneEvent], helloOutcome),
  createOutsideRow('text after the last event, without a line break at the end', [roleEvent, encodeContent('a'), 'Internal Server Error'], { text: { 0: 'a' } }),
  createOutsideRow('a proxy message before the first event', ['upstream connect error or disconnect/reset before headers. reset reason: overflow\n\n', helloStream], helloOutcome),
  createOutsideRow('a web page before the first event', [`${errorPage}\n\n`, helloStream], helloOutcome),
  createOutsideRow('text after the end marker', [helloStream, 'no healthy upstream'], helloOutcome),
  createOutsideRow('text between the lines of one event', ['data: {"choices":[{"index":0,\nserver restarts now\ndata: "delta":{"content":"a"}}]}\n\n', encodeFinish(), doneEvent], { text: { 0: 'a' }, ...stoppedOutcome }),
  createOutsideRow('a sentence that looks like a field', [roleEvent, encodeContent('a'), 'Error: connection reset by peer\n\n', encodeFinish(), doneEvent], { text: { 0: 'a' }, ...stoppedOutcome }),
  createOutsideRow('incomplete JSON', [roleEvent, encodeContent('a'), '{"error":{"message":"out of mem'], { text: { 0: 'a' } }),
  createOutsideRow('text instead of an answer', ['id: 1\n\nInternal Server Error\n\n', doneEvent], { done: true, errors: [['gateway', 'failed', 'Internal Server Error']] }),
  { name: 'text outside events: an error as JSON on several lines', bytes: [roleEvent, encodeContent('a'), '{\n  "error": {\n    "message": "boom"\n  }\n}\n', doneEvent], outcome: { text: { 0: 'a' }, done: true, errors: [['provider', 'failed', 'boom']] } },
  { name: 'an unknown field of an event, which is not reported as text', bytes: ['x-note: hello\n', helloStream], outcome: { ...helloOutcome, notes: { 'skipped-value': 1 } } },
];

/** An object with a message in place of an answer is an error with that message. */
const createErrorTextRow = (name: string, bytes: Bytes, message: string, notes: Outcome['notes'] = { 'skipped-value': 1 }): StreamRow => ({
  name: `error text instead of an answer: ${name}`,
  bytes,
  outcome: { errors: [['provider', 'failed', message]], ...(bytes.includes(doneEvent) ? { done: true } : {}), notes },
});

const errorTextRows: StreamRow[] = [
  createErrorTextRow('a detail, then the end marker', [encodeEvent({ detail: 'Model is loading' }), doneEvent], 'Model is loading'),
  createErrorTextRow('a list of details as in FastAPI', [roleEvent, encodeEvent({ detail: [{ loc: ['body', 'top_k'], msg: 'must be positive' }] }), doneEvent], 'top_k: must be positive'),
  createErrorTextRow('a bare message without an end marker', [encodeEvent({ message: 'Come back tomorrow' })], 'Come back tomorrow'),
  createErrorTextRow('text in a nested object', [encodeEvent({ result: { info: { text: 'Tokens are used up' } } }), doneEvent], 'Tokens are used up'),
  createErrorTextRow('text in a field with an unknown name', [encodeEvent({ id: 'x', note: 'Ask the owner' }), doneEvent], 'Ask the owner'),
  createErrorTextRow('a JSON string', [encodeEvent('Try the other region'), doneEvent], 'Try the other region'),
  createErrorTextRow('plain text', ['data: The queue is closed\n\n', doneEvent], 'The queue is closed', { 'unreadable-event': 1 }),
  createErrorTextRow('an object labelled as a chunk', [encodeEvent({ object: 'chat.completion.chunk', choices: [], reason: 'Your plan has ended' }), doneEvent], 'Your plan has ended'),
  createErrorTextRow('a status with no answer after it', [encodeEvent({ status: 'processing', message: 'still' }), doneEvent], 'still'),
  createErrorTextRow('text eight levels deep', [encodeEvent({ a: { b: { c: { d: { e: { f: { g: 'The disk is gone' } } } } } } }), doneEvent], 'The disk is gone'),
  createErrorTextRow('only a status', [encodeEvent({ id: 'x', status: 'queue full' }), doneEvent], 'queue full'),
  createErrorTextRow('only a code', [encodeEvent({ code: 'content_blocked', created: 7 }), doneEvent], 'content_blocked'),
  { name: 'error text instead of an answer: a message after some text, without a finish reason', bytes: [roleEvent, encodeContent('a'), encodeEvent({ detail: 'The worker has gone' }), doneEvent], outcome: { text: { 0: 'a' }, done: true, errors: [['provider', 'failed', 'The worker has gone']], notes: { 'skipped-value': 1 } } },
  { name: 'error text instead of an answer: a message between the deltas of an answer, read as a note', bytes: [roleEvent, encodeContent('Hel'), encodeEvent({ detail: 'still at it' }), encodeContent('lo'), encodeFinish(), doneEvent], outcome: { ...helloOutcome, notes: { 'skipped-value': 1 } } },
];

/** Heartbeats of any form are not errors. */
const createHeartbeatRow = (name: string, bytes: Bytes): StreamRow => ({ name: `heartbeat: ${name}`, bytes: [roleEvent, encodeContent('Hel'), ...bytes, encodeContent('lo'), encodeFinish(), doneEvent], outcome: helloOutcome });

const heartbeatRows: StreamRow[] = [
  createHeartbeatRow('empty data', ['data:\n\ndata\n\ndata: \n\n']),
  createHeartbeatRow('data that contains only spaces', ['data:   \t \n\ndata:\ndata:\n\n']),
  createHeartbeatRow('empty values', ['data: {}\n\ndata: null\n\ndata: []\n\ndata: ""\n\n']),
  createHeartbeatRow('events named ping', ['event: ping\ndata: {"type": "ping"}\n\nevent: ping\ndata: 2026-11-21 10:00:00\n\nevent: ping\n\n']),
  createHeartbeatRow('objects labelled as heartbeats', [encodeEvent({ type: 'ping' }), encodeEvent({ event: 'heartbeat', ts: 12 }), encodeEvent({ object: 'keep-alive', created: 3 }), encodeEvent({ ping: 17 })]),
  createHeartbeatRow('text labelled as a heartbeat', ['data: ping\n\ndata: [KEEPALIVE]\n\ndata: : heartbeat\n\n']),
  createHeartbeatRow('heartbeat text of other servers', ['data: KEEP-ALIVE...\n\ndata: still alive\n\nevent: heartbeat\ndata: alive\n\n', encodeEvent({ status: 'alive' }), encodeEvent({ type: 'noop' }), 'data: .\n\ndata: ---\n\n']),
  createHeartbeatRow('empty lists and objects', ['data: [[]]\n\ndata: {"a":{"b":[]}}\n\ndata: false\n\ndata: 0\n\n']),
  { name: 'heartbeat: a chunk in an event named ping', bytes: [roleEvent, encodeContent('a'), `event: ping\n${encodeEvent({ data: { choices: [{ delta: { tool_calls: [{ function: { name: 'f', arguments: 'deep words' } }] } }] } })}`, encodeFinish(), doneEvent], outcome: { text: { 0: 'a' }, ...stoppedOutcome, notes: { 'skipped-value': 1 } } },
  { name: 'heartbeat: heartbeats after the end marker', bytes: [helloStream, ': ping\n\ndata: {}\n\nevent: ping\ndata: {"type": "ping"}\n\n'], outcome: helloOutcome },
  createHeartbeatRow('comments, IDs and retry fields', [': ping\n\n:\n\nid: 4\n\nretry: 3000\n\n\n\n']),
];

/** A value of an unusual type is shown raw in the place of the usual one. */
const createTypeRow = (name: string, bytes: Bytes, outcome: Outcome): StreamRow => ({ name: `unusual type: ${name}`, bytes, outcome });
const createEndedOutcome = (reason: string): Outcome => ({ text: { 0: 'a' }, ends: [[0, reason]], done: true });

const typeRows: StreamRow[] = [
  createTypeRow('empty fields with unknown names', [encodeDelta({ content: 'a', extra: { note: null, list: [] }, more: ['', {}] }), encodeFinish(), doneEvent], { text: { 0: 'a' }, ...stoppedOutcome }),
  createTypeRow('two candidates in one chunk, both repeated in full at the end', [encodeEvent({ choices: [{ index: 0, delta: { content: 'a' } }, { index: 1, delta: { content: 'b' } }] }), encodeEvent({ choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }, { index: 1, message: { content: 'b' }, finish_reason: 'stop' }] }), doneEvent], { text: { 0: 'a', 1: 'b' }, ends: [[0, 'stop'], [1, 'stop']], done: true }),
  createTypeRow('an ID after the arguments', [encodeCall({ index: 0, function: { name: 'look', arguments: '{}' } }), encodeCall({ index: 0, id: 'A' }), encodeFinish('tool_calls'), doneEvent], { tools: [['0/0', 'A', 'look', '{}']], ends: [[0, 'tool_calls']], done: true }),
  createTypeRow('an index as a string', [encodeEvent({ choices: [{ index: '0', delta: { content: 'Hel' } }] }), encodeContent('lo'), encodeFinish(), doneEvent], helloOutcome),
  createTypeRow('calls in an object keyed by index', [encodeDelta({ tool_calls: { 0: { id: 'A', function: { name: 'look', arguments: '{}' } }, 1: { id: 'B', function: { name: 'find', arguments: '{}' } } } }), encodeFinish('tool_calls'), doneEvent], { tools: [['0/0', 'A', 'look', '{}'], ['0/1', 'B', 'find', '{}']], ends: [[0, 'tool_calls']], done: true }),
  createTypeRow('counts given as words', [encodeContent('a'), encodeEvent({ choices: [], usage: { prompt_tokens: 'very many' } }), encodeFinish(), doneEvent], { text: { 0: 'a' }, ...stoppedOutcome, notes: { 'skipped-value': 1 } }),
  createTypeRow('a finish reason of true', [encodeContent('a'), encodeFinish(true), doneEvent], createEndedOutcome('true')),
  createTypeRow('a finish reason that is a number', [encodeContent('a'), encodeFinish(7), doneEvent], createEndedOutcome('7')),
  createTypeRow('a finish reason that is an object', [encodeContent('a'), encodeFinish({ type: 'stop', code: 2 }), doneEvent], createEndedOutcome('{"type":"stop","code":2}')),
  createTypeRow('a finish reason of false or 0, which is ignored', [encodeChoice({ delta: { content: 'a' }, finish_reason: false }), encodeFinish(0), doneEvent], { text: { 0: 'a' }, done: true }),
  createTypeRow('content that is a number', [encodeContent(4), encodeContent(2.5), encodeFinish(), doneEvent], { text: { 0: '42.5' }, ...stoppedOutcome }),
  createTypeRow('content that is true', [encodeContent(true), encodeFinish(), doneEvent], { text: { 0: 'true' }, ...stoppedOutcome }),
  createTypeRow('content that is an object without text', [encodeContent({ answer: 42 }), encodeFinish(), doneEvent], { text: { 0: '{"answer":42}' }, ...stoppedOutcome }),
  createTypeRow('content that is a list of numbers', [encodeContent([1, 2]), encodeFinish(), doneEvent], { text: { 0: '12' }, ...stoppedOutcome }),
  createTypeRow('a complete message with an object as content', [encodeChoice({ message: { content: { city: 'Paris' } }, finish_reason: 'stop' }), doneEvent], { text: { 0: '{"city":"Paris"}' }, ...stoppedOutcome }),
  createTypeRow('a delta that is a number', [encodeChoice({ delta: 7 }), encodeFinish(), doneEvent], { text: { 0: '7' }, ...stoppedOutcome }),
  createTypeRow('reasoning that is a number or an object', [encodeDelta({ reasoning_content: 3 }), encodeDelta({ reasoning: { step: 4 } }), encodeContent('a'), encodeFinish(), doneEvent], { text: { 0: 'a' }, thinking: { 0: '3{"step":4}' }, ...stoppedOutcome }),
  createTypeRow('a refusal that is an object', [encodeDelta({ refusal: { why: 'rules' } }), encodeFinish(), doneEvent], { refusal: { 0: '{"why":"rules"}' }, ...stoppedOutcome }),
  createTypeRow('a model that is a number', [encodeEvent({ model: 4, choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }), doneEvent], { text: { 0: 'a' }, ...stoppedOutcome, models: ['4'] }),
  createTypeRow('usage as a string', [encodeContent('a'), encodeEvent({ choices: [], usage: '12 tokens' }), encodeFinish(), doneEvent], { text: { 0: 'a' }, ...stoppedOutcome, notes: { 'skipped-value': 1 } }),
  createTypeRow('counts as strings', [encodeContent('a'), encodeEvent({ choices: [], usage: { prompt_tokens: '3', completion_tokens: '2' } }), encodeFinish(), doneEvent], { text: { 0: 'a' }, ...stoppedOutcome, usage: [[3, 2, undefined]] }),
  createTypeRow('a tool call that is a string', [encodeDelta({ tool_calls: 'look(Paris)' }), encodeFinish('tool_calls'), doneEvent], { tools: [['0/0', undefined, '', 'look(Paris)']], ends: [[0, 'tool_calls']], done: true }),
  createTypeRow('a name and an id that are numbers', [encodeCall({ index: 0, id: 9, function: { name: 7, arguments: 5 } }), encodeFinish('tool_calls'), doneEvent], { tools: [['0/0', '9', '7', '5']], ends: [[0, 'tool_calls']], done: true }),
  createTypeRow('choices in an object keyed by index', [encodeEvent({ choices: { 0: { delta: { content: 'Hel' } } } }), encodeEvent({ choices: { 0: { delta: { content: 'lo' } } } }), encodeFinish(), doneEvent], helloOutcome),
  createTypeRow('choices that are a string', [encodeEvent({ choices: 'Hello' }), encodeFinish(), doneEvent], { ...stoppedOutcome, notes: { 'skipped-value': 1 } }),
  createTypeRow('an answer in an unknown field, kept raw', [encodeDelta({ utterance: 'Bonjour' }), encodeFinish(), doneEvent], { ...stoppedOutcome, notes: { 'skipped-value': 1 } }),
  createTypeRow('an annotation without a URL, kept raw', [encodeDelta({ content: 'a', annotations: [{ type: 'file_citation', file_citation: { file_id: 'file-7' } }] }), encodeFinish(), doneEvent], { text: { 0: 'a' }, ...stoppedOutcome, notes: { 'skipped-value': 1 } }),
];

/** Pieces of one call with any combination of IDs, names and indexes. */
const argumentPieces = ['{"ci', 'ty":"Pa', 'ris"}'];
const createCallRow = (name: string, buildCall: (text: string, pieceIndex: number) => object, id: string | null = 'A'): StreamRow => ({
  name: `tool call fragments: ${name}`,
  bytes: [...argumentPieces.map((text, pieceIndex) => encodeCall(buildCall(text, pieceIndex))), encodeFinish('tool_calls'), doneEvent],
  outcome: { tools: [['0/0', id ?? undefined, 'look', '{"city":"Paris"}']], ends: [[0, 'tool_calls']], done: true },
});
const createCallsRow = (name: string, bytes: Bytes, tools: Outcome['tools']): StreamRow => ({ name: `tool call fragments: ${name}`, bytes: [...bytes, encodeFinish('tool_calls'), doneEvent], outcome: { ...(tools ? { tools } : {}), ends: [[0, 'tool_calls']], done: true } });
const paris: [string, string | undefined, string, string] = ['0/0', 'A', 'look', '{"p":1}'];
const rome: [string, string | undefined, string, string] = ['0/1', 'B', 'look', '{"r":2}'];

const callRows: StreamRow[] = [
  createCallRow('ID, name and index in each', (text) => ({ index: 0, id: 'A', function: { name: 'look', arguments: text } })),
  createCallRow('ID and name in each, without an index', (text) => ({ id: 'A', function: { name: 'look', arguments: text } })),
  createCallRow('ID and name in each, with a new index', (text, pieceIndex) => ({ index: pieceIndex, id: 'A', function: { name: 'look', arguments: text } })),
  createCallRow('the same name and a new ID in each', (text, pieceIndex) => ({ index: 0, id: `A${pieceIndex || ''}`, function: { name: 'look', arguments: text } })),
  createCallRow('the same name and a new ID in each, without an index', (text, pieceIndex) => ({ id: `A${pieceIndex || ''}`, function: { name: 'look', arguments: text } })),
  createCallRow('only the name in each', (text) => ({ function: { name: 'look', arguments: text } }), null),
  createCallRow('empty IDs', (text) => ({ index: 0, id: '', function: { name: 'look', arguments: text } }), null),
  createCallRow('a split name', (_text, pieceIndex) => ({ index: 0, ...(pieceIndex === 0 ? { id: 'A' } : {}), function: pieceIndex === 0 ? { name: 'lo' } : pieceIndex === 1 ? { name: 'ok', arguments: argumentPieces[0] } : { arguments: argumentPieces.slice(1).join('') } })),
  createCallRow('a name that grows with each fragment', (_text, pieceIndex) => ({ index: 0, id: 'A', function: pieceIndex === 0 ? { name: 'lo' } : pieceIndex === 1 ? { name: 'look' } : { arguments: argumentPieces.join('') } })),
  createCallRow('an index in the first only', (text, pieceIndex) => (pieceIndex === 0 ? { index: 0, id: 'A', function: { name: 'look', arguments: text } } : { function: { arguments: text } })),
  createCallRow('a complete call repeated at the end', (_text, pieceIndex) => (pieceIndex < 2 ? { index: 0, id: 'A', function: { name: 'look', arguments: argumentPieces.join('') } } : {})),
  createCallRow('an ID in another field', (text, pieceIndex) => (pieceIndex === 0 ? { call_id: 'A', name: 'look', arguments: text } : { arguments: text })),
  createCallRow('an increasing index without an ID', (text, pieceIndex) => ({ index: pieceIndex, ...(pieceIndex === 0 ? { id: 'A' } : {}), function: { ...(pieceIndex === 0 ? { name: 'look' } : {}), arguments: text } })),
  createCallsRow('two calls interleaved by index', [encodeCall({ index: 0, id: 'A', function: { name: 'look', arguments: '{"p"' } }), encodeCall({ index: 1, id: 'B', function: { name: 'look', arguments: '{"r"' } }), encodeCall({ index: 0, function: { arguments: ':1}' } }), encodeCall({ index: 1, function: { arguments: ':2}' } })], [paris, rome]),
  createCallsRow('two calls interleaved by ID and name', [encodeCall({ id: 'A', function: { name: 'look', arguments: '{"p"' } }), encodeCall({ id: 'B', function: { name: 'look', arguments: '{"r"' } }), encodeCall({ id: 'A', function: { name: 'look', arguments: ':1}' } }), encodeCall({ id: 'B', function: { name: 'look', arguments: ':2}' } })], [paris, rome]),
  createCallsRow('two calls interleaved, with ID, name and index in each', [encodeCall({ index: 0, id: 'A', function: { name: 'look', arguments: '{"p"' } }), encodeCall({ index: 1, id: 'B', function: { name: 'look', arguments: '{"r"' } }), encodeCall({ index: 0, id: 'A', function: { name: 'look', arguments: ':1}' } }), encodeCall({ index: 1, id: 'B', function: { name: 'look', arguments: ':2}' } })], [paris, rome]),
  createCallsRow('an index that restarts for the second call', [encodeCall({ index: 0, id: 'A', function: { name: 'look', arguments: '{"p":' } }), encodeCall({ index: 0, function: { arguments: '1}' } }), encodeCall({ index: 0, id: 'B', function: { name: 'look', arguments: '{"r":' } }), encodeCall({ index: 0, function: { arguments: '2}' } })], [paris, rome]),
  createCallsRow('several fragments in one chunk', [encodeDelta({ tool_calls: [{ index: 0, id: 'A', function: { name: 'look', arguments: '{"p"' } }, { index: 0, function: { arguments: ':1}' } }, { index: 1, id: 'B', function: { name: 'look', arguments: '{"r":2}' } }] })], [paris, rome]),
];

const encodeNamedChunk = (id: string, model: string, created: number, text: string) => encodeEvent({ id, model, created, choices: [{ delta: { content: text } }] });
const createIdentityRow = (name: string, bytes: string[], models: string[]): StreamRow => ({ name: `changed metadata: ${name}`, bytes: [...bytes, encodeFinish(), doneEvent], outcome: { ...helloOutcome, models, notes: { 'changed-identity': 1 } } });

/** Changed response metadata is noted once per field. */
const identityRows: StreamRow[] = [
  createIdentityRow('a new ID in each chunk', [encodeNamedChunk('1', 'm', 1, 'He'), encodeNamedChunk('2', 'm', 1, 'l'), encodeNamedChunk('3', 'm', 1, 'lo')], ['m']),
  createIdentityRow('a model that changes and reverts', [encodeNamedChunk('1', 'm', 1, 'He'), encodeNamedChunk('1', 'n', 1, 'l'), encodeNamedChunk('1', 'm', 1, 'lo')], ['m', 'n', 'm']),
  createIdentityRow('a changed system fingerprint', [encodeEvent({ model: 'm', system_fingerprint: 'a', choices: [{ delta: { content: 'He' } }] }), encodeEvent({ system_fingerprint: 'b', choices: [{ delta: { content: 'llo' } }] })], ['m']),
  createIdentityRow('a changed provider', [encodeEvent({ model: 'm', provider: 'north', choices: [{ delta: { content: 'He' } }] }), encodeEvent({ provider: 'south', choices: [{ delta: { content: 'llo' } }] })], ['m']),
  createIdentityRow('a creation time as a string', [encodeEvent({ model: 'm', created: '1', choices: [{ delta: { content: 'He' } }] }), encodeEvent({ created: '2', choices: [{ delta: { content: 'llo' } }] })], ['m']),
  createIdentityRow('an advancing creation time', [encodeNamedChunk('1', 'm', 1, 'He'), encodeNamedChunk('1', 'm', 2, 'l'), encodeNamedChunk('1', 'm', 3, 'lo')], ['m']),
];

/** A body in an unexpected format is reported with the name of the format. */
const createFormatRow = (name: string, bytes: Bytes, contentType: string): StreamRow => ({
  name: `unexpected format: ${name}`,
  bytes,
  contentType,
  outcome: { errors: [['gateway', 'not-an-answer', `The gateway returned ${name} instead of an answer.`]] },
});

const formatRows: StreamRow[] = [
  createFormatRow('JSON Lines (NDJSON)', ['{"message":{"content":"Hel"},"done":false}\n{"message":{"content":"lo"},"done":true}\n'], 'application/x-ndjson'),
  createFormatRow('an image (PNG)', [{ hex: '89 50 4E 47 0D 0A 1A 0A 00 00 00 0D' }], 'image/png'),
  createFormatRow('YAML', ['model: m\nchoices:\n  - text: Hello\n'], 'text/yaml'),
  createFormatRow('XML', ['<?xml version="1.0"?><answer>Hello</answer>'], 'application/xml'),
  createFormatRow('Protocol Buffers', [{ hex: '0A 05 48 65 6C 6C 6F' }], 'application/x-protobuf'),
];

export const ruleRows: StreamRow[] = [...outsideTextRows, ...errorTextRows, ...heartbeatRows, ...typeRows, ...callRows, ...identityRows, ...formatRows];
