/** Answers with images, audio and sources in all common shapes. */
import type { Outcome, StreamRow } from './stream-rows.ts';

type Bytes = StreamRow['bytes'];

const encodeEvent = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const encodeChoice = (value: object) => encodeEvent({ choices: [{ index: 0, ...value }] });
const encodeDelta = (value: object) => encodeChoice({ delta: value });
const stopEvent = encodeChoice({ delta: {}, finish_reason: 'stop' });
const doneEvent = 'data: [DONE]\n\n';
const stoppedOutcome = { ends: [[0, 'stop']], done: true } satisfies Outcome;

/** A PNG of one pixel. */
export const pixelBase64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const pixelUrl = `data:image/png;base64,${pixelBase64}`;
const webImageUrl = 'https://images.example/cat.png';

const createRow = (name: string, bytes: Bytes, outcome: Outcome): StreamRow => ({ name: `media: ${name}`, bytes, outcome });
const createStreamedRow = (name: string, deltas: object[], outcome: Outcome): StreamRow => createRow(name, [...deltas.map(encodeDelta), stopEvent, doneEvent], { ...outcome, ...stoppedOutcome });
const createNonStreamingRow = (name: string, message: object, outcome: Outcome): StreamRow => ({ name: `media: ${name}`, isNonStreaming: true, bytes: [JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }] })], outcome: { ...outcome, ...stoppedOutcome } });

const pixelOutcome = { images: { 0: [pixelUrl] } } satisfies Outcome;
const imageShapes: [name: string, fields: object][] = [
  ['images in a delta', { images: [{ type: 'image_url', index: 0, image_url: { url: pixelUrl } }] }],
  ['a URL without an object', { images: [{ image_url: pixelUrl }] }],
  ['a base64 field', { images: [{ b64_json: pixelBase64 }] }],
  ['a base64 string', { images: [pixelBase64] }],
  ['a single image outside a list', { image: { mime_type: 'image/png', data: pixelBase64 } }],
  ['an image part', { content: [{ type: 'image_url', image_url: { url: pixelUrl } }] }],
  ['an image part with a source', { content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixelBase64 } }] }],
  ['inline data', { content: [{ inlineData: { mimeType: 'image/png', data: pixelBase64 } }] }],
  ['base64 with line breaks', { images: [{ url: `data:image/png;base64,${pixelBase64.slice(0, 40)}\r\n${pixelBase64.slice(40)}` }] }],
  ['URL-safe base64', { images: [{ url: `data:IMAGE/png;charset=x;base64,${pixelBase64.replaceAll('+', '-').replaceAll('/', '_')}` }] }],
];

export const mediaRows: StreamRow[] = [
  ...imageShapes.map(([name, fields]) => createStreamedRow(name, [fields], pixelOutcome)),
  ...imageShapes.map(([name, fields]) => createNonStreamingRow(`${name}, in a complete response`, fields, pixelOutcome)),
  createStreamedRow('an image on the web', [{ images: [{ image_url: { url: webImageUrl } }] }], { images: { 0: [webImageUrl] } }),
  createStreamedRow('text and an image in one list of parts', [{ content: 'Here' }, { content: [{ type: 'text', text: ' it is.' }, { type: 'image_url', image_url: { url: webImageUrl } }] }], { text: { 0: 'Here it is.' }, images: { 0: [webImageUrl] } }),
  createRow('an image repeated in the message', [encodeDelta({ content: 'a', images: [{ image_url: { url: pixelUrl } }] }), encodeChoice({ message: { content: 'a', images: [{ image_url: { url: pixelUrl } }] }, finish_reason: 'stop' }), doneEvent], { text: { 0: 'a' }, ...pixelOutcome, ...stoppedOutcome }),
  createRow('images before the text of the message', [encodeChoice({ delta: { images: [{ image_url: { url: webImageUrl } }] } }), encodeChoice({ message: { content: 'a cat' }, finish_reason: 'stop' }), doneEvent], { text: { 0: 'a cat' }, images: { 0: [webImageUrl] }, ...stoppedOutcome }),
  createStreamedRow('a provider file as an image', [{ content: [{ type: 'image_file', image_file: { file_id: 'file-9' } }] }], { notes: { 'skipped-value': 1 } }),
  createStreamedRow('an image with an unsafe URL', [{ content: 'a', images: [{ image_url: { url: 'javascript:alert(1)' } }] }], { text: { 0: 'a' }, notes: { 'skipped-value': 1 } }),
  createStreamedRow('speech in fragments', [{ audio: { id: 'audio_1' } }, { audio: { transcript: 'Hel' } }, { audio: { data: 'UklGR' } }, { audio: { transcript: 'lo', data: 'iQAAABX' } }, { audio: { data: 'QVZF' } }, { audio: { expires_at: 17 } }], { text: { 0: 'Hello' }, sound: { 0: 'UklGRiQAAABXQVZF' } }),
  createNonStreamingRow('speech with its transcript', { content: null, audio: { id: 'audio_1', transcript: 'Hello', data: 'UklGRiQAAABXQVZF', format: 'wav', expires_at: 17 } }, { text: { 0: 'Hello' }, sound: { 0: 'UklGRiQAAABXQVZF' } }),
  createNonStreamingRow('speech with its transcript repeated as content', { content: 'Hello', audio: { transcript: 'Hello', data: 'UklGRiQAAABXQVZF' } }, { text: { 0: 'Hello' }, sound: { 0: 'UklGRiQAAABXQVZF' } }),
  createNonStreamingRow('speech as a part', { content: [{ type: 'output_audio', audio: { data: 'UklGRiQAAABXQVZF', format: 'wav' }, transcript: 'Hello' }] }, { text: { 0: 'Hello' }, sound: { 0: 'UklGRiQAAABXQVZF' } }),
  createStreamedRow('annotations, one of them repeated with a title', [{ content: 'a', annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example/1', start_index: 0 } }] }, { annotations: [{ type: 'url_citation', url_citation: { title: 'One', url: 'https://a.example/1' } }, { url: 'https://a.example/2', type: 'url_citation', title: 'Two' }] }], { text: { 0: 'a' }, sources: [['0', 'https://a.example/1'], ['0', 'https://a.example/1', 'One'], ['0', 'https://a.example/2', 'Two']] }),
  createRow('citations and search results on every chunk', [...['He', 'l', 'lo'].map((content) => encodeEvent({ citations: ['https://a.example/1', 'https://a.example/2'], search_results: [{ title: 'Two', url: 'https://a.example/2', date: null }], choices: [{ index: 0, delta: { content } }] })), stopEvent, doneEvent], { text: { 0: 'Hello' }, sources: [['all', 'https://a.example/1'], ['all', 'https://a.example/2', 'Two']], ...stoppedOutcome }),
  createNonStreamingRow('citations in a message', { content: 'a', citations: [{ title: 'One', link: 'https://a.example/1' }] }, { text: { 0: 'a' }, sources: [['0', 'https://a.example/1', 'One']] }),
];
