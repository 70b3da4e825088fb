/** The rules of the wire that were added last (words outside of events, words in place of an answer, odd types), by cases that differ in kind. */
import type { Outcome, StreamRow } from './stream-rows.ts';

type Bytes = StreamRow['bytes'];

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const choice = (value: object) => event({ choices: [{ index: 0, ...value }] });
const delta = (value: object) => choice({ delta: value });
const content = (text: unknown) => delta({ content: text });
const call = (value: object) => delta({ tool_calls: [value] });
const role = delta({ role: 'assistant' });
const finish = (reason: unknown = 'stop') => choice({ delta: {}, finish_reason: reason });
const done = 'data: [DONE]\n\n';
const stopped = { ends: [[0, 'stop']], done: true } satisfies Outcome;
const hello = { text: { 0: 'Hello' }, ...stopped } satisfies Outcome;
const ok = role + content('Hel') + content('lo') + finish() + done;
const page = '<html><head><title>502 Bad Gateway</title></head>\r\n<body><h1>nginx</h1></body></html>';

/** Words outside of events: shown, and the answer is not called complete. */
const outside = (name: string, bytes: Bytes, outcome: Outcome): StreamRow => ({
  name: `outside of events: ${name}`,
  bytes,
  outcome: { ...outcome, notes: { 'outside-text': 1 } },
});

const outsideRows: StreamRow[] = [
  outside('a web page between two events', [role, content('Hel'), `${page}\n\n`, content('lo'), finish(), done], hello),
  outside('words after the last event, without a line end', [role, content('a'), 'Internal Server Error'], { text: { 0: 'a' } }),
  outside('a note of a proxy before the first event', ['upstream connect error or disconnect/reset before headers. reset reason: overflow\n\n', ok], hello),
  outside('a web page before the first event', [`${page}\n\n`, ok], hello),
  outside('words after the end mark', [ok, 'no healthy upstream'], hello),
  outside('words between the lines of one event', ['data: {"choices":[{"index":0,\nserver restarts now\ndata: "delta":{"content":"a"}}]}\n\n', finish(), done], { text: { 0: 'a' }, ...stopped }),
  outside('a sentence that looks like a field', [role, content('a'), 'Error: connection reset by peer\n\n', finish(), done], { text: { 0: 'a' }, ...stopped }),
  outside('incomplete JSON', [role, content('a'), '{"error":{"message":"out of mem'], { text: { 0: 'a' } }),
  outside('words in place of an answer', ['id: 1\n\nInternal Server Error\n\n', done], { done: true, errors: [['gateway', 'failed', 'Internal Server Error']] }),
  { name: 'outside of events: an error as JSON over several lines', bytes: [role, content('a'), '{\n  "error": {\n    "message": "boom"\n  }\n}\n', done], outcome: { text: { 0: 'a' }, done: true, errors: [['provider', 'failed', 'boom']] } },
  { name: 'an unknown field of an event is not words', bytes: ['x-note: hello\n', ok], outcome: { ...hello, notes: { 'skipped-value': 1 } } },
];

/** An object that says something in place of an answer is an error with those words. */
const inPlace = (name: string, bytes: Bytes, words: string, notes: Outcome['notes'] = { 'skipped-value': 1 }): StreamRow => ({
  name: `in place of an answer: ${name}`,
  bytes,
  outcome: { errors: [['provider', 'failed', words]], ...(bytes.includes(done) ? { done: true } : {}), notes },
});

const inPlaceRows: StreamRow[] = [
  inPlace('a detail, then the end mark', [event({ detail: 'Model is loading' }), done], 'Model is loading'),
  inPlace('a list of details as FastAPI writes them', [role, event({ detail: [{ loc: ['body', 'top_k'], msg: 'must be positive' }] }), done], 'top_k: must be positive'),
  inPlace('a message alone, and no end', [event({ message: 'Come back tomorrow' })], 'Come back tomorrow'),
  inPlace('words in a nested object', [event({ result: { info: { text: 'Tokens are used up' } } }), done], 'Tokens are used up'),
  inPlace('words under a name that nobody knows', [event({ id: 'x', note: 'Ask the owner' }), done], 'Ask the owner'),
  inPlace('a text as JSON', [event('Try the other region'), done], 'Try the other region'),
  inPlace('plain words', ['data: The queue is closed\n\n', done], 'The queue is closed', { 'unreadable-event': 1 }),
  inPlace('a chunk that calls itself one', [event({ object: 'chat.completion.chunk', choices: [], reason: 'Your plan has ended' }), done], 'Your plan has ended'),
  inPlace('a state with nothing after it', [event({ status: 'processing', message: 'still' }), done], 'still'),
  inPlace('words eight levels down', [event({ a: { b: { c: { d: { e: { f: { g: 'The disk is gone' } } } } } } }), done], 'The disk is gone'),
  inPlace('a state and nothing else', [event({ id: 'x', status: 'queue full' }), done], 'queue full'),
  inPlace('a code and nothing else', [event({ code: 'content_blocked', created: 7 }), done], 'content_blocked'),
  { name: 'in place of an answer: words after some text, and no finish reason', bytes: [role, content('a'), event({ detail: 'The worker has gone' }), done], outcome: { text: { 0: 'a' }, done: true, errors: [['provider', 'failed', 'The worker has gone']], notes: { 'skipped-value': 1 } } },
  { name: 'in place of an answer: words between the pieces of an answer are a note', bytes: [role, content('Hel'), event({ detail: 'still at it' }), content('lo'), finish(), done], outcome: { ...hello, notes: { 'skipped-value': 1 } } },
];

/** Heartbeats in any form are not faults. */
const beat = (name: string, bytes: Bytes): StreamRow => ({ name: `a heartbeat: ${name}`, bytes: [role, content('Hel'), ...bytes, content('lo'), finish(), done], outcome: hello });

const beatRows: StreamRow[] = [
  beat('empty data', ['data:\n\ndata\n\ndata: \n\n']),
  beat('data of blanks', ['data:   \t \n\ndata:\ndata:\n\n']),
  beat('empty values', ['data: {}\n\ndata: null\n\ndata: []\n\ndata: ""\n\n']),
  beat('events named ping', ['event: ping\ndata: {"type": "ping"}\n\nevent: ping\ndata: 2026-11-21 10:00:00\n\nevent: ping\n\n']),
  beat('objects that call themselves so', [event({ type: 'ping' }), event({ event: 'heartbeat', ts: 12 }), event({ object: 'keep-alive', created: 3 }), event({ ping: 17 })]),
  beat('words that say so', ['data: ping\n\ndata: [KEEPALIVE]\n\ndata: : heartbeat\n\n']),
  beat('words of other programs', ['data: KEEP-ALIVE...\n\ndata: still alive\n\nevent: heartbeat\ndata: alive\n\n', event({ status: 'alive' }), event({ type: 'noop' }), 'data: .\n\ndata: ---\n\n']),
  beat('nothing in lists and objects', ['data: [[]]\n\ndata: {"a":{"b":[]}}\n\ndata: false\n\ndata: 0\n\n']),
  { name: 'a heartbeat: a chunk in an event that is named ping', bytes: [role, content('a'), `event: ping\n${event({ data: { choices: [{ delta: { tool_calls: [{ function: { name: 'f', arguments: 'deep words' } }] } }] } })}`, finish(), done], outcome: { text: { 0: 'a' }, ...stopped, notes: { 'skipped-value': 1 } } },
  { name: 'a heartbeat: heartbeats after the end mark', bytes: [ok, ': ping\n\ndata: {}\n\nevent: ping\ndata: {"type": "ping"}\n\n'], outcome: hello },
  beat('comments, ids and retries', [': ping\n\n:\n\nid: 4\n\nretry: 3000\n\n\n\n']),
];

/** A value of another type than usual is shown raw where the right one would stand. */
const typed = (name: string, bytes: Bytes, outcome: Outcome): StreamRow => ({ name: `another type: ${name}`, bytes, outcome });
const ended = (reason: string): Outcome => ({ text: { 0: 'a' }, ends: [[0, reason]], done: true });

const typeRows: StreamRow[] = [
  typed('fields of unknown names that hold nothing', [delta({ content: 'a', extra: { note: null, list: [] }, more: ['', {}] }), finish(), done], { text: { 0: 'a' }, ...stopped }),
  typed('two candidates in one chunk, and both again whole at the end', [event({ choices: [{ index: 0, delta: { content: 'a' } }, { index: 1, delta: { content: 'b' } }] }), event({ choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }, { index: 1, message: { content: 'b' }, finish_reason: 'stop' }] }), done], { text: { 0: 'a', 1: 'b' }, ends: [[0, 'stop'], [1, 'stop']], done: true }),
  typed('an id that comes after the arguments', [call({ index: 0, function: { name: 'look', arguments: '{}' } }), call({ index: 0, id: 'A' }), finish('tool_calls'), done], { tools: [['0/0', 'A', 'look', '{}']], ends: [[0, 'tool_calls']], done: true }),
  typed('an index as text', [event({ choices: [{ index: '0', delta: { content: 'Hel' } }] }), content('lo'), finish(), done], hello),
  typed('calls by their numbers in an object', [delta({ tool_calls: { 0: { id: 'A', function: { name: 'look', arguments: '{}' } }, 1: { id: 'B', function: { name: 'find', arguments: '{}' } } } }), finish('tool_calls'), done], { tools: [['0/0', 'A', 'look', '{}'], ['0/1', 'B', 'find', '{}']], ends: [[0, 'tool_calls']], done: true }),
  typed('counts that are words', [content('a'), event({ choices: [], usage: { prompt_tokens: 'very many' } }), finish(), done], { text: { 0: 'a' }, ...stopped, notes: { 'skipped-value': 1 } }),
  typed('a finish reason true', [content('a'), finish(true), done], ended('true')),
  typed('a finish reason that is a number', [content('a'), finish(7), done], ended('7')),
  typed('a finish reason that is an object', [content('a'), finish({ type: 'stop', code: 2 }), done], ended('{"type":"stop","code":2}')),
  typed('a finish reason false or 0 is none', [choice({ delta: { content: 'a' }, finish_reason: false }), finish(0), done], { text: { 0: 'a' }, done: true }),
  typed('content that is a number', [content(4), content(2.5), finish(), done], { text: { 0: '42.5' }, ...stopped }),
  typed('content that is true', [content(true), finish(), done], { text: { 0: 'true' }, ...stopped }),
  typed('content that is an object without text', [content({ answer: 42 }), finish(), done], { text: { 0: '{"answer":42}' }, ...stopped }),
  typed('content that is a list of numbers', [content([1, 2]), finish(), done], { text: { 0: '12' }, ...stopped }),
  typed('a whole message whose content is an object', [choice({ message: { content: { city: 'Paris' } }, finish_reason: 'stop' }), done], { text: { 0: '{"city":"Paris"}' }, ...stopped }),
  typed('a delta that is a number', [choice({ delta: 7 }), finish(), done], { text: { 0: '7' }, ...stopped }),
  typed('reasoning that is a number or an object', [delta({ reasoning_content: 3 }), delta({ reasoning: { step: 4 } }), content('a'), finish(), done], { text: { 0: 'a' }, thinking: { 0: '3{"step":4}' }, ...stopped }),
  typed('a refusal that is an object', [delta({ refusal: { why: 'rules' } }), finish(), done], { refusal: { 0: '{"why":"rules"}' }, ...stopped }),
  typed('a model that is a number', [event({ model: 4, choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }), done], { text: { 0: 'a' }, ...stopped, models: ['4'] }),
  typed('usage as text', [content('a'), event({ choices: [], usage: '12 tokens' }), finish(), done], { text: { 0: 'a' }, ...stopped, notes: { 'skipped-value': 1 } }),
  typed('counts as text', [content('a'), event({ choices: [], usage: { prompt_tokens: '3', completion_tokens: '2' } }), finish(), done], { text: { 0: 'a' }, ...stopped, usage: [[3, 2, undefined]] }),
  typed('a tool call that is text', [delta({ tool_calls: 'look(Paris)' }), finish('tool_calls'), done], { tools: [['0/0', undefined, '', 'look(Paris)']], ends: [[0, 'tool_calls']], done: true }),
  typed('a name and an id that are numbers', [call({ index: 0, id: 9, function: { name: 7, arguments: 5 } }), finish('tool_calls'), done], { tools: [['0/0', '9', '7', '5']], ends: [[0, 'tool_calls']], done: true }),
  typed('choices by index in an object', [event({ choices: { 0: { delta: { content: 'Hel' } } } }), event({ choices: { 0: { delta: { content: 'lo' } } } }), finish(), done], hello),
  typed('choices that are text', [event({ choices: 'Hello' }), finish(), done], { ...stopped, notes: { 'skipped-value': 1 } }),
  typed('an answer under an unknown name is kept raw', [delta({ utterance: 'Bonjour' }), finish(), done], { ...stopped, notes: { 'skipped-value': 1 } }),
  typed('an annotation that names no address is kept raw', [delta({ content: 'a', annotations: [{ type: 'file_citation', file_citation: { file_id: 'file-7' } }] }), finish(), done], { text: { 0: 'a' }, ...stopped, notes: { 'skipped-value': 1 } }),
];

/** Pieces of one call, however ids, names and indexes come. */
const arguments_ = ['{"ci', 'ty":"Pa', 'ris"}'];
const pieces = (name: string, made: (text: string, at: number) => object, id: string | null = 'A'): StreamRow => ({
  name: `a tool call: ${name}`,
  bytes: [...arguments_.map((text, at) => call(made(text, at))), finish('tool_calls'), done],
  outcome: { tools: [['0/0', id ?? undefined, 'look', '{"city":"Paris"}']], ends: [[0, 'tool_calls']], done: true },
});
const two = (name: string, bytes: Bytes, tools: Outcome['tools']): StreamRow => ({ name: `a tool call: ${name}`, bytes: [...bytes, finish('tool_calls'), done], outcome: { ...(tools ? { tools } : {}), ends: [[0, 'tool_calls']], done: true } });
const paris: [string, string | undefined, string, string] = ['0/0', 'A', 'look', '{"p":1}'];
const rome: [string, string | undefined, string, string] = ['0/1', 'B', 'look', '{"r":2}'];

const callRows: StreamRow[] = [
  pieces('each piece repeats id, name and index', (text) => ({ index: 0, id: 'A', function: { name: 'look', arguments: text } })),
  pieces('each piece repeats id and name, without an index', (text) => ({ id: 'A', function: { name: 'look', arguments: text } })),
  pieces('each piece repeats id and name under a new index', (text, at) => ({ index: at, id: 'A', function: { name: 'look', arguments: text } })),
  pieces('each piece repeats the name, and has an id of its own', (text, at) => ({ index: 0, id: `A${at || ''}`, function: { name: 'look', arguments: text } })),
  pieces('the same without an index', (text, at) => ({ id: `A${at || ''}`, function: { name: 'look', arguments: text } })),
  pieces('no id, no index, the name each time', (text) => ({ function: { name: 'look', arguments: text } }), null),
  pieces('ids that are empty', (text) => ({ index: 0, id: '', function: { name: 'look', arguments: text } }), null),
  pieces('the name in pieces', (_text, at) => ({ index: 0, ...(at === 0 ? { id: 'A' } : {}), function: at === 0 ? { name: 'lo' } : at === 1 ? { name: 'ok', arguments: arguments_[0] } : { arguments: arguments_.slice(1).join('') } })),
  pieces('a name that grows with each piece', (_text, at) => ({ index: 0, id: 'A', function: at === 0 ? { name: 'lo' } : at === 1 ? { name: 'look' } : { arguments: arguments_.join('') } })),
  pieces('an index in the first piece only', (text, at) => (at === 0 ? { index: 0, id: 'A', function: { name: 'look', arguments: text } } : { function: { arguments: text } })),
  pieces('a whole call that is said once more at the end', (_text, at) => (at < 2 ? { index: 0, id: 'A', function: { name: 'look', arguments: arguments_.join('') } } : {})),
  pieces('an id under another name', (text, at) => (at === 0 ? { call_id: 'A', name: 'look', arguments: text } : { arguments: text })),
  pieces('an index that runs on without an id', (text, at) => ({ index: at, ...(at === 0 ? { id: 'A' } : {}), function: { ...(at === 0 ? { name: 'look' } : {}), arguments: text } })),
  two('two calls interleaved by index', [call({ index: 0, id: 'A', function: { name: 'look', arguments: '{"p"' } }), call({ index: 1, id: 'B', function: { name: 'look', arguments: '{"r"' } }), call({ index: 0, function: { arguments: ':1}' } }), call({ index: 1, function: { arguments: ':2}' } })], [paris, rome]),
  two('two calls interleaved by id and name', [call({ id: 'A', function: { name: 'look', arguments: '{"p"' } }), call({ id: 'B', function: { name: 'look', arguments: '{"r"' } }), call({ id: 'A', function: { name: 'look', arguments: ':1}' } }), call({ id: 'B', function: { name: 'look', arguments: ':2}' } })], [paris, rome]),
  two('two calls interleaved, each piece with all of it', [call({ index: 0, id: 'A', function: { name: 'look', arguments: '{"p"' } }), call({ index: 1, id: 'B', function: { name: 'look', arguments: '{"r"' } }), call({ index: 0, id: 'A', function: { name: 'look', arguments: ':1}' } }), call({ index: 1, id: 'B', function: { name: 'look', arguments: ':2}' } })], [paris, rome]),
  two('an index that begins again for the second call', [call({ index: 0, id: 'A', function: { name: 'look', arguments: '{"p":' } }), call({ index: 0, function: { arguments: '1}' } }), call({ index: 0, id: 'B', function: { name: 'look', arguments: '{"r":' } }), call({ index: 0, function: { arguments: '2}' } })], [paris, rome]),
  two('pieces in one chunk', [delta({ tool_calls: [{ index: 0, id: 'A', function: { name: 'look', arguments: '{"p"' } }, { index: 0, function: { arguments: ':1}' } }, { index: 1, id: 'B', function: { name: 'look', arguments: '{"r":2}' } }] })], [paris, rome]),
];

const named = (id: string, model: string, created: number, text: string) => event({ id, model, created, choices: [{ delta: { content: text } }] });
const changing = (name: string, bytes: string[], models: string[]): StreamRow => ({ name: `a changed identity: ${name}`, bytes: [...bytes, finish(), done], outcome: { ...hello, models, notes: { 'changed-identity': 1 } } });

/** What a response says of itself and changes is noted once. */
const identityRows: StreamRow[] = [
  changing('an id of its own in each chunk', [named('1', 'm', 1, 'He'), named('2', 'm', 1, 'l'), named('3', 'm', 1, 'lo')], ['m']),
  changing('a model that changes and changes back', [named('1', 'm', 1, 'He'), named('1', 'n', 1, 'l'), named('1', 'm', 1, 'lo')], ['m', 'n', 'm']),
  changing('a fingerprint of the system', [event({ model: 'm', system_fingerprint: 'a', choices: [{ delta: { content: 'He' } }] }), event({ system_fingerprint: 'b', choices: [{ delta: { content: 'llo' } }] })], ['m']),
  changing('a provider that takes over', [event({ model: 'm', provider: 'north', choices: [{ delta: { content: 'He' } }] }), event({ provider: 'south', choices: [{ delta: { content: 'llo' } }] })], ['m']),
  changing('a clock as text', [event({ model: 'm', created: '1', choices: [{ delta: { content: 'He' } }] }), event({ created: '2', choices: [{ delta: { content: 'llo' } }] })], ['m']),
  changing('a clock that goes on', [named('1', 'm', 1, 'He'), named('1', 'm', 2, 'l'), named('1', 'm', 3, 'lo')], ['m']),
];

/** A body in another format than asked is named by it. */
const format = (name: string, bytes: Bytes, contentType: string): StreamRow => ({
  name: `another format: ${name}`,
  bytes,
  contentType,
  outcome: { errors: [['gateway', 'not-an-answer', `The gateway sent ${name} instead of an answer.`]] },
});

const formatRows: StreamRow[] = [
  format('lines of JSON (NDJSON)', ['{"message":{"content":"Hel"},"done":false}\n{"message":{"content":"lo"},"done":true}\n'], 'application/x-ndjson'),
  format('an image (PNG)', [{ hex: '89 50 4E 47 0D 0A 1A 0A 00 00 00 0D' }], 'image/png'),
  format('YAML', ['model: m\nchoices:\n  - text: Hello\n'], 'text/yaml'),
  format('XML', ['<?xml version="1.0"?><answer>Hello</answer>'], 'application/xml'),
  format('Protocol Buffers', [{ hex: '0A 05 48 65 6C 6C 6F' }], 'application/x-protobuf'),
];

export const ruleRows: StreamRow[] = [...outsideRows, ...inPlaceRows, ...beatRows, ...typeRows, ...callRows, ...identityRows, ...formatRows];
