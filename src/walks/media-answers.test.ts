/** Answers that are not text: images, speech and sources, from the stream to the disk, files and the next request. */
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { buildSessionMarkdown } from '../conversation/files/markdown-export.ts';
import { getEnding } from '../conversation/reply/ending.ts';
import { getAnswerText } from '../conversation/reply/run.ts';
import { parseImageHash } from '../conversation/request/message-images.ts';
import { renderSessionHtml } from '../features/playground/files/render-session-html.ts';
import { AnswerImage } from '../features/playground/media/answer-image.tsx';
import { pixelBase64, pixelUrl } from '../gateway/__fixtures__/media-rows.ts';
import { exportTapes } from '../state/runs/tape-files.ts';
import type { Bench } from '../testing/bench.ts';
import { aBrowser } from '../testing/browser.ts';
import { ask, aTalk, messagesOf, reloaded, runOf } from '../testing/conversation-driver.ts';
import { press } from '../testing/react-driver.ts';
import { drawnReplies } from '../testing/render-views.tsx';
import type { ChatScript } from '../testing/scripted-gateway.ts';

const readImage = (bench: Bench): string => {
  const part = runOf(bench).choices[0]?.parts.find(({ type }) => type === 'image');
  return part?.type === 'image' ? part.url : '';
};

async function readRunTape(bench: Bench): Promise<string> {
  await bench.recorder.flush();
  return JSON.stringify(await bench.library.readTape(runOf(bench).id));
}

async function readJsonFile(bench: Bench): Promise<string> {
  await bench.saved();
  return (await bench.sessionFiles.exporter.buildJson(bench.current().session.id))?.pieces.join('') ?? '';
}

/** Opens the file in a browser that has nothing yet. */
async function importedFrom(bench: Bench, text: string): Promise<Bench> {
  const other = await bench.another({ browser: aBrowser(), path: '/' });
  const outcome = await other.sessionFiles.importFile(new File([text], 'session.json'));
  if (!outcome.ok) throw new Error(outcome.reason);
  await other.actions.openSession(outcome.sessionIds[0]);
  return other;
}

const finishes: ChatScript = (answer) => {
  answer.finish();
  answer.usage(8, 6);
  answer.done();
};

const drawsAnImage: ChatScript = (answer, request) => {
  answer.delta({ images: [{ type: 'image_url', image_url: { url: pixelUrl } }] });
  // Slashes are escaped by some, and the image comes once more at the end.
  const again = JSON.stringify({ choices: [{ index: 0, delta: { images: [{ b64_json: pixelBase64 }] } }] });
  answer.raw(`data: ${again.replaceAll('/', String.raw`\/`)}\n\n`);
  return finishes(answer, request);
};

describe('an answer that is an image', () => {
  it('stores an image answer once under its hash and as a reference on the tape', async () => {
    const { bench } = await aTalk(drawsAnImage);
    await ask(bench, 'Draw');
    const hash = parseImageHash(readImage(bench)) ?? '';
    expect(runOf(bench).choices[0]?.parts).toHaveLength(1);
    expect(getEnding(runOf(bench))).toBeUndefined();
    const bytes = (await (await bench.images.read(hash))?.arrayBuffer()) ?? new ArrayBuffer();
    expect(Buffer.from(bytes).toString('base64')).toBe(pixelBase64);
    const tape = await readRunTape(bench);
    expect(tape).toContain(hash);
    expect(tape).not.toContain(pixelBase64);
    await bench.saved();
    expect(await bench.records.listKeys('images')).toEqual([hash]);
    expect(JSON.stringify(await bench.records.readRecord('runs', runOf(bench).id))).not.toContain(
      pixelBase64,
    );
  });

  it('keeps an image answer after a reload, also one that interrupted it', async () => {
    const { bench } = await aTalk(drawsAnImage);
    await ask(bench, 'Draw');
    const url = readImage(bench);
    const again = await reloaded(bench);
    expect(readImage(again)).toBe(url);
    expect((await again.images.read(parseImageHash(url) ?? ''))?.type).toBe('image/png');
    const { id } = runOf(again);
    // The page died before the run was stored as it ended.
    const stored = { ...runOf(again), phase: { name: 'streaming' as const }, choices: [] };
    await again.records.write([{ store: 'runs', put: stored }]);
    const { data } = (await again.library.load(again.current().session.id)) ?? {};
    expect(data?.runs[id]?.choices[0]?.parts).toEqual([{ type: 'image', url }]);
  });

  it('exports an image answer once and imports it with its session', async () => {
    const { bench } = await aTalk(drawsAnImage);
    await ask(bench, 'Draw');
    const text = await readJsonFile(bench);
    expect(text.split(pixelBase64)).toHaveLength(2);
    const tapes = await exportTapes(
      { library: bench.library, exporter: bench.sessionFiles.exporter },
      bench.current().session.id,
    );
    expect(tapes?.pieces.join('').split(pixelBase64)).toHaveLength(2);
    const other = await importedFrom(bench, text);
    expect(readImage(other)).toBe(readImage(bench));
    expect((await other.images.read(parseImageHash(readImage(other)) ?? ''))?.size).toBe(
      Buffer.from(pixelBase64, 'base64').length,
    );
    expect(await readJsonFile(other)).toBe(text);
  });

  it('shows an image answer in HTML and names it in Markdown, without its data as text', async () => {
    const { bench } = await aTalk(drawsAnImage);
    await ask(bench, 'Draw');
    const data = bench.current();
    const page = renderSessionHtml(data, await bench.sessionFiles.exporter.readImageDataUrls(data));
    expect(page).toContain(`<img src="${pixelUrl}" alt="Image of the answer">`);
    const markdown = buildSessionMarkdown(data);
    expect(markdown).toContain('Image: not part of this file.');
    expect(markdown).not.toContain(pixelBase64.slice(0, 40));
    expect(drawnReplies(bench)[0]?.words).not.toContain(pixelBase64.slice(0, 40));
  });

  it('sends an image answer with the next message only if it was attached', async () => {
    const { bench, gateway } = await aTalk((answer, request) => {
      answer.text('Here it is.');
      return drawsAnImage(answer, request);
    });
    await ask(bench, 'Draw');
    const url = readImage(bench);
    const { id: sessionId } = bench.current().session;
    press(bench, createElement(AnswerImage, { url, number: 1, sessionId }), 'Attach to next message');
    expect(bench.drafts.state.getState()[sessionId]?.images).toEqual([
      { url, name: 'Answer image 1', detail: 'auto' },
    ]);
    await ask(bench, 'Thanks');
    expect(messagesOf(gateway)).toEqual([
      { role: 'user', content: 'Draw' },
      { role: 'assistant', content: 'Here it is.' },
      { role: 'user', content: 'Thanks' },
    ]);
  });
});

describe('a spoken answer', () => {
  const sound = Buffer.from('RIFF$\0\0\0WAVEfmt and what follows', 'latin1').toString('base64');

  it('keeps transcript and sound of a spoken answer after a reload and an import', async () => {
    const { bench, gateway } = await aTalk((answer, request) => {
      answer.delta({ audio: { id: 'audio_1', transcript: 'Good ' } });
      answer.delta({ audio: { data: sound.slice(0, 7) } });
      answer.delta({ audio: { transcript: 'morning.', data: sound.slice(7, 30) } });
      answer.delta({ audio: { data: sound.slice(30) } });
      return finishes(answer, request);
    });
    await ask(bench, 'Say it');
    const expectSpoken = (place: Bench) => {
      const [choice] = runOf(place).choices;
      expect(getAnswerText(choice)).toBe('Good morning.');
      expect(choice?.sound).toEqual({ data: sound });
      const words = drawnReplies(place)[0]?.words ?? '';
      expect(words).toContain('Save audio');
      expect(words).not.toContain(sound);
    };
    expectSpoken(bench);
    const again = await reloaded(bench);
    expectSpoken(again);
    const text = await readJsonFile(again);
    expect(text.split(sound)).toHaveLength(2);
    expectSpoken(await importedFrom(again, text));
    expect(buildSessionMarkdown(again.current())).not.toContain(sound);
    await ask(again, 'Again');
    expect(messagesOf(gateway)).toContainEqual({ role: 'assistant', content: 'Good morning.' });
  });

  it('counts sound without a transcript as an answer', async () => {
    const { bench } = await aTalk((answer, request) => {
      answer.delta({ audio: { data: sound } });
      return finishes(answer, request);
    });
    await ask(bench, 'Say it');
    expect(getEnding(runOf(bench))).toBeUndefined();
  });
});

describe('the sources of an answer', () => {
  it('lists the sources of an answer once each as links, also in files, and never sends them', async () => {
    const { bench, gateway } = await aTalk((answer) => {
      const beside = {
        citations: ['https://a.example/one', 'javascript:alert(1)'],
        search_results: [{ title: 'One [1]', url: 'https://a.example/one' }],
      };
      const delta = (said: object, reason: string | null = null) =>
        answer.event({ ...beside, choices: [{ index: 0, delta: said, finish_reason: reason }] });
      const citation = (url: string) => ({ type: 'url_citation', url_citation: { url, title: 'Two' } });
      delta({ content: 'Yes' });
      delta({
        content: '.',
        annotations: [citation('https://b.example/two'), citation('https://a.example/one')],
      });
      delta({}, 'stop');
      answer.done();
    });
    await ask(bench, 'Is it?');
    const [reply] = drawnReplies(bench);
    const list = /<ol[^>]* aria-label="Sources".*?<\/ol>/s.exec(reply?.markup ?? '')?.[0] ?? '';
    const links = Array.from(
      list.matchAll(/<a [^>]*href="([^"]*)"[^>]*rel="([^"]*)"[^>]*>([^<]*)</g),
      ([, ...found]) => found,
    );
    expect(links).toEqual([
      ['https://a.example/one', 'noopener noreferrer', 'One [1]'],
      ['https://b.example/two', 'noopener noreferrer', 'Two'],
    ]);
    expect(list).toContain('javascript:alert(1)');
    const markdown = buildSessionMarkdown(bench.current());
    expect(markdown).toContain(
      '1. [One \\[1\\]](<https://a.example/one>)\n2. javascript:alert(1)\n3. [Two](<https://b.example/two>)',
    );
    const text = await readJsonFile(bench);
    expect(text.split('https://a.example/one')).toHaveLength(2);
    expect(drawnReplies(await importedFrom(bench, text))[0]?.markup).toContain(list);
    await ask(bench, 'Sure?');
    expect(JSON.stringify(gateway.posts.at(-1)?.body)).not.toContain('example');
  });
});
