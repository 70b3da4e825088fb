/** Images, speech and sources in answers, by shapes that differ in kind. */
import type { Outcome, StreamRow } from './stream-rows.ts';

type Bytes = StreamRow['bytes'];

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const choice = (value: object) => event({ choices: [{ index: 0, ...value }] });
const delta = (value: object) => choice({ delta: value });
const stop = choice({ delta: {}, finish_reason: 'stop' });
const done = 'data: [DONE]\n\n';
const stopped = { ends: [[0, 'stop']], done: true } satisfies Outcome;

/** A PNG of one pixel. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const pixelUrl = `data:image/png;base64,${pixel}`;
const link = 'https://images.example/cat.png';

const row = (name: string, bytes: Bytes, outcome: Outcome): StreamRow => ({ name: `media: ${name}`, bytes, outcome });
const streamed = (name: string, said: object[], outcome: Outcome): StreamRow => row(name, [...said.map(delta), stop, done], { ...outcome, ...stopped });
const whole = (name: string, message: object, outcome: Outcome): StreamRow => ({ name: `media: ${name}`, whole: true, bytes: [JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }] })], outcome: { ...outcome, ...stopped } });

const one = { images: { 0: [pixelUrl] } } satisfies Outcome;
const imageShapes: [name: string, said: object][] = [
  ['images of a delta', { images: [{ type: 'image_url', index: 0, image_url: { url: pixelUrl } }] }],
  ['an address without an object', { images: [{ image_url: pixelUrl }] }],
  ['base64 alone', { images: [{ b64_json: pixel }] }],
  ['base64 as text', { images: [pixel] }],
  ['one image that is in no list', { image: { mime_type: 'image/png', data: pixel } }],
  ['an image part', { content: [{ type: 'image_url', image_url: { url: pixelUrl } }] }],
  ['an image part with a source', { content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }] }],
  ['inline data', { content: [{ inlineData: { mimeType: 'image/png', data: pixel } }] }],
  ['base64 with line breaks', { images: [{ url: `data:image/png;base64,${pixel.slice(0, 40)}\r\n${pixel.slice(40)}` }] }],
  ['base64 of addresses', { images: [{ url: `data:IMAGE/png;charset=x;base64,${pixel.replaceAll('+', '-').replaceAll('/', '_')}` }] }],
];

export const mediaRows: StreamRow[] = [
  ...imageShapes.map(([name, said]) => streamed(name, [said], one)),
  ...imageShapes.map(([name, said]) => whole(`${name}, in a whole answer`, said, one)),
  streamed('an image on the web', [{ images: [{ image_url: { url: link } }] }], { images: { 0: [link] } }),
  streamed('text and an image in one list of parts', [{ content: 'Here' }, { content: [{ type: 'text', text: ' it is.' }, { type: 'image_url', image_url: { url: link } }] }], { text: { 0: 'Here it is.' }, images: { 0: [link] } }),
  row('an image that comes once more in the message', [delta({ content: 'a', images: [{ image_url: { url: pixelUrl } }] }), choice({ message: { content: 'a', images: [{ image_url: { url: pixelUrl } }] }, finish_reason: 'stop' }), done], { text: { 0: 'a' }, ...one, ...stopped }),
  row('images before the text of the message', [choice({ delta: { images: [{ image_url: { url: link } }] } }), choice({ message: { content: 'a cat' }, finish_reason: 'stop' }), done], { text: { 0: 'a cat' }, images: { 0: [link] }, ...stopped }),
  streamed('an image that is a file of the provider', [{ content: [{ type: 'image_file', image_file: { file_id: 'file-9' } }] }], { notes: { 'skipped-value': 1 } }),
  streamed('an image under an address that is never opened', [{ content: 'a', images: [{ image_url: { url: 'javascript:alert(1)' } }] }], { text: { 0: 'a' }, notes: { 'skipped-value': 1 } }),
  streamed('speech in pieces', [{ audio: { id: 'audio_1' } }, { audio: { transcript: 'Hel' } }, { audio: { data: 'UklGR' } }, { audio: { transcript: 'lo', data: 'iQAAABX' } }, { audio: { data: 'QVZF' } }, { audio: { expires_at: 17 } }], { text: { 0: 'Hello' }, sound: { 0: 'UklGRiQAAABXQVZF' } }),
  whole('speech with its transcript', { content: null, audio: { id: 'audio_1', transcript: 'Hello', data: 'UklGRiQAAABXQVZF', format: 'wav', expires_at: 17 } }, { text: { 0: 'Hello' }, sound: { 0: 'UklGRiQAAABXQVZF' } }),
  whole('speech whose transcript is the content, too', { content: 'Hello', audio: { transcript: 'Hello', data: 'UklGRiQAAABXQVZF' } }, { text: { 0: 'Hello' }, sound: { 0: 'UklGRiQAAABXQVZF' } }),
  whole('speech as a part', { content: [{ type: 'output_audio', audio: { data: 'UklGRiQAAABXQVZF', format: 'wav' }, transcript: 'Hello' }] }, { text: { 0: 'Hello' }, sound: { 0: 'UklGRiQAAABXQVZF' } }),
  streamed('annotations, one of them repeated with its title', [{ content: 'a', annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example/1', start_index: 0 } }] }, { annotations: [{ type: 'url_citation', url_citation: { title: 'One', url: 'https://a.example/1' } }, { url: 'https://a.example/2', type: 'url_citation', title: 'Two' }] }], { text: { 0: 'a' }, sources: [['0', 'https://a.example/1'], ['0', 'https://a.example/1', 'One'], ['0', 'https://a.example/2', 'Two']] }),
  row('citations and search results on every chunk', [...['He', 'l', 'lo'].map((content) => event({ citations: ['https://a.example/1', 'https://a.example/2'], search_results: [{ title: 'Two', url: 'https://a.example/2', date: null }], choices: [{ index: 0, delta: { content } }] })), stop, done], { text: { 0: 'Hello' }, sources: [['all', 'https://a.example/1'], ['all', 'https://a.example/2', 'Two']], ...stopped }),
  whole('citations of a message', { content: 'a', citations: [{ title: 'One', link: 'https://a.example/1' }] }, { text: { 0: 'a' }, sources: [['0', 'https://a.example/1', 'One']] }),
];
