/** Tests answers that are not text (images, speech, sources) from the stream to storage, files and the next request. */
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { buildSessionMarkdown } from '../conversation/files/markdown-export.ts';
import { getEnding } from '../conversation/reply/ending.ts';
import { getAnswerText } from '../conversation/reply/run.ts';
import { parseImageHash } from '../conversation/request/message-images.ts';
import { AnswerImage } from '../features/conversation/media/answer-image.tsx';
import { renderSessionHtml } from '../features/session-files/render-session-html.ts';
import { pixelBase64, pixelUrl } from '../gateway/__fixtures__/media-rows.ts';
import { exportTapes } from '../state/runs/tape-files.ts';
import type { Bench } from '../testing/bench.ts';
import { createTestBrowser } from '../testing/browser.ts';
import {
  sendAndWait,
  createConversation,
  getRequestMessages,
  reloadPage,
  getTurnRun,
} from '../testing/conversation-driver.ts';
import { renderReplies, renderReply } from '../testing/render-turns.tsx';
import { renderWithPlayground } from '../testing/render-with-playground.tsx';
import type { ChatScript } from '../testing/scripted-gateway.ts';

const readImage = (bench: Bench): string => {
  const part = getTurnRun(bench).choices[0]?.parts.find(({ type }) => type === 'image');
  return part?.type === 'image' ? part.url : '';
};

async function readRunTape(bench: Bench): Promise<string> {
  await bench.recorder.flush();
  return JSON.stringify(await bench.library.readTape(getTurnRun(bench).id));
}

async function exportJson(bench: Bench): Promise<string> {
  await bench.waitUntilSaved();
  return (
    (await bench.sessionFiles.exporter.buildJson(bench.getOpenSession().session.id))?.pieces.join('') ?? ''
  );
}

/** Imports the file into a browser without stored data. */
async function importInOtherBrowser(bench: Bench, text: string): Promise<Bench> {
  const otherBench = await bench.openAnotherTab({ browser: createTestBrowser(), path: '/' });
  const outcome = await otherBench.sessionFiles.importFile(new File([text], 'session.json'));
  if (!outcome.ok) throw new Error(outcome.reason);
  await otherBench.actions.openSession(outcome.sessionIds[0]);
  return otherBench;
}

const finishAnswer: ChatScript = (answer) => {
  answer.sendFinishReason();
  answer.sendUsage(8, 6);
  answer.sendDone();
};

const sendImage: ChatScript = (answer, request) => {
  answer.sendDelta({ images: [{ type: 'image_url', image_url: { url: pixelUrl } }] });
  // Some gateways escape slashes and repeat the image at the end.
  const repeatedChunk = JSON.stringify({
    choices: [{ index: 0, delta: { images: [{ b64_json: pixelBase64 }] } }],
  });
  answer.writeRaw(`data: ${repeatedChunk.replaceAll('/', String.raw`\/`)}\n\n`);
  return finishAnswer(answer, request);
};

describe('image answer', () => {
  it('stores an image answer once under its hash and as a reference on the tape', async () => {
    const { bench } = await createConversation(sendImage);
    await sendAndWait(bench, 'Draw');
    const hash = parseImageHash(readImage(bench)) ?? '';
    expect(getTurnRun(bench).choices[0]?.parts).toHaveLength(1);
    expect(getEnding(getTurnRun(bench))).toBeUndefined();
    const bytes = (await (await bench.images.read(hash))?.arrayBuffer()) ?? new ArrayBuffer();
    expect(Buffer.from(bytes).toString('base64')).toBe(pixelBase64);
    const tape = await readRunTape(bench);
    expect(tape).toContain(hash);
    expect(tape).not.toContain(pixelBase64);
    await bench.waitUntilSaved();
    expect(await bench.records.listKeys('images')).toEqual([hash]);
    expect(JSON.stringify(await bench.records.readRecord('runs', getTurnRun(bench).id))).not.toContain(
      pixelBase64,
    );
  });

  it('keeps an image answer after a reload, even if its run was interrupted', async () => {
    const { bench } = await createConversation(sendImage);
    await sendAndWait(bench, 'Draw');
    const url = readImage(bench);
    const reloadedBench = await reloadPage(bench);
    expect(readImage(reloadedBench)).toBe(url);
    expect((await reloadedBench.images.read(parseImageHash(url) ?? ''))?.type).toBe('image/png');
    const { id } = getTurnRun(reloadedBench);
    // Simulates a page that crashed before storing the ended run.
    const interruptedRun = {
      ...getTurnRun(reloadedBench),
      phase: { name: 'streaming' as const },
      choices: [],
    };
    await reloadedBench.records.write([{ store: 'runs', put: interruptedRun }]);
    const { data } = (await reloadedBench.library.load(reloadedBench.getOpenSession().session.id)) ?? {};
    expect(data?.runs[id]?.choices[0]?.parts).toEqual([{ type: 'image', url }]);
  });

  it('exports an image answer once and imports it with its session', async () => {
    const { bench } = await createConversation(sendImage);
    await sendAndWait(bench, 'Draw');
    const text = await exportJson(bench);
    expect(text.split(pixelBase64)).toHaveLength(2);
    const tapes = await exportTapes(
      { library: bench.library, exporter: bench.sessionFiles.exporter },
      bench.getOpenSession().session.id,
    );
    expect(tapes?.pieces.join('').split(pixelBase64)).toHaveLength(2);
    const importedBench = await importInOtherBrowser(bench, text);
    expect(readImage(importedBench)).toBe(readImage(bench));
    expect((await importedBench.images.read(parseImageHash(readImage(importedBench)) ?? ''))?.size).toBe(
      Buffer.from(pixelBase64, 'base64').length,
    );
    expect(await exportJson(importedBench)).toBe(text);
  });

  it('embeds an image answer in HTML and names it in Markdown, without its data as text', async () => {
    const { bench } = await createConversation(sendImage);
    await sendAndWait(bench, 'Draw');
    const data = bench.getOpenSession();
    const page = renderSessionHtml(data, await bench.sessionFiles.exporter.readImageDataUrls(data));
    expect(page).toContain(`<img src="${pixelUrl}" alt="Image of the answer">`);
    const markdown = buildSessionMarkdown(data);
    expect(markdown).toContain('Image: not included in this file.');
    expect(markdown).not.toContain(pixelBase64.slice(0, 40));
    expect(renderReplies(bench)[0]?.text).not.toContain(pixelBase64.slice(0, 40));
  });

  it('sends an image answer with the next message only if the user attached it', async () => {
    const { bench, gateway } = await createConversation((answer, request) => {
      answer.sendText('Here it is.');
      return sendImage(answer, request);
    });
    await sendAndWait(bench, 'Draw');
    const url = readImage(bench);
    const { id: sessionId } = bench.getOpenSession().session;
    const image = <AnswerImage url={url} number={1} sessionId={sessionId} />;
    const { user } = renderWithPlayground(image, { playground: bench });
    await user.click(screen.getByRole('button', { name: 'Attach to next message' }));
    expect(bench.drafts.state.getState()[sessionId]?.images).toEqual([
      { url, name: 'Answer image 1', detail: 'auto' },
    ]);
    await sendAndWait(bench, 'Thanks');
    expect(getRequestMessages(gateway)).toEqual([
      { role: 'user', content: 'Draw' },
      { role: 'assistant', content: 'Here it is.' },
      { role: 'user', content: 'Thanks' },
    ]);
  });
});

describe('spoken answer', () => {
  const sound = Buffer.from('RIFF$\0\0\0WAVEfmt and what follows', 'latin1').toString('base64');

  it('keeps the transcript and audio of a spoken answer after a reload and an import', async () => {
    const { bench, gateway } = await createConversation((answer, request) => {
      answer.sendDelta({ audio: { id: 'audio_1', transcript: 'Good ' } });
      answer.sendDelta({ audio: { data: sound.slice(0, 7) } });
      answer.sendDelta({ audio: { transcript: 'morning.', data: sound.slice(7, 30) } });
      answer.sendDelta({ audio: { data: sound.slice(30) } });
      return finishAnswer(answer, request);
    });
    await sendAndWait(bench, 'Say it');
    const expectSpoken = (tab: Bench) => {
      const [choice] = getTurnRun(tab).choices;
      expect(getAnswerText(choice)).toBe('Good morning.');
      expect(choice?.sound).toEqual({ data: sound });
      const replyText = renderReplies(tab)[0]?.text ?? '';
      expect(replyText).toContain('Save audio');
      expect(replyText).not.toContain(sound);
    };
    expectSpoken(bench);
    const reloadedBench = await reloadPage(bench);
    expectSpoken(reloadedBench);
    const text = await exportJson(reloadedBench);
    expect(text.split(sound)).toHaveLength(2);
    expectSpoken(await importInOtherBrowser(reloadedBench, text));
    expect(buildSessionMarkdown(reloadedBench.getOpenSession())).not.toContain(sound);
    await sendAndWait(reloadedBench, 'Again');
    expect(getRequestMessages(gateway)).toContainEqual({ role: 'assistant', content: 'Good morning.' });
  });

  it('counts audio without a transcript as an answer', async () => {
    const { bench } = await createConversation((answer, request) => {
      answer.sendDelta({ audio: { data: sound } });
      return finishAnswer(answer, request);
    });
    await sendAndWait(bench, 'Say it');
    expect(getEnding(getTurnRun(bench))).toBeUndefined();
  });
});

describe('sources of an answer', () => {
  it('lists each source of an answer once as a link, also in exported files, and never sends sources', async () => {
    const { bench, gateway } = await createConversation((answer) => {
      const sourceData = {
        citations: ['https://a.example/one', 'javascript:alert(1)'],
        search_results: [{ title: 'One [1]', url: 'https://a.example/one' }],
      };
      const sendDelta = (deltaFields: object, reason: string | null = null) =>
        answer.sendEvent({
          ...sourceData,
          choices: [{ index: 0, delta: deltaFields, finish_reason: reason }],
        });
      const createCitation = (url: string) => ({ type: 'url_citation', url_citation: { url, title: 'Two' } });
      sendDelta({ content: 'Yes' });
      sendDelta({
        content: '.',
        annotations: [createCitation('https://b.example/two'), createCitation('https://a.example/one')],
      });
      sendDelta({}, 'stop');
      answer.sendDone();
    });
    await sendAndWait(bench, 'Is it?');
    const getSources = (tab: Bench) =>
      within(renderReply(tab).element).getByRole('list', { name: 'Sources' });
    const list = getSources(bench);
    const links = within(list)
      .getAllByRole<HTMLAnchorElement>('link')
      .map(({ href, rel, textContent }) => [href, rel, textContent]);
    expect(links).toEqual([
      ['https://a.example/one', 'noopener noreferrer', 'One [1]'],
      ['https://b.example/two', 'noopener noreferrer', 'Two'],
    ]);
    expect(list.textContent).toContain('javascript:alert(1)');
    const markdown = buildSessionMarkdown(bench.getOpenSession());
    expect(markdown).toContain(
      '1. [One \\[1\\]](<https://a.example/one>)\n2. javascript:alert(1)\n3. [Two](<https://b.example/two>)',
    );
    const text = await exportJson(bench);
    expect(text.split('https://a.example/one')).toHaveLength(2);
    expect(getSources(await importInOtherBrowser(bench, text)).textContent).toBe(list.textContent);
    await sendAndWait(bench, 'Sure?');
    expect(JSON.stringify(gateway.posts.at(-1)?.body)).not.toContain('example');
  });
});
