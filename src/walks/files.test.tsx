/** Tests text files, documents and sounds in messages: attaching, sending, drafts, editing, copying and exports. */
import { QueryClient } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { buildSessionHtml } from '../conversation/files/html-export.ts';
import { buildSessionMarkdown } from '../conversation/files/markdown-export.ts';
import { withModelMark } from '../conversation/setup/model-marks.ts';
import { buildCopiedHtml } from '../features/attachments/copied-message.ts';
import { Composer } from '../features/composer/composer.tsx';
import { PromptBand } from '../features/conversation/message/prompt-band.tsx';
import { getModelsQueryOptions } from '../features/models/use-models.ts';
import { getOwnProperty, getStringProperty } from '../lib/json.ts';
import { markdownToHtml } from '../markdown/parse/markdown-to-html.ts';
import type { Bench } from '../testing/bench.ts';
import {
  configureLane,
  createConversation,
  getLaneTurn,
  getLastTurnIds,
  getRequestMessages,
  reloadPage,
} from '../testing/conversation-driver.ts';
import { renderReplies } from '../testing/render-turns.tsx';
import { renderWithPlayground } from '../testing/render-with-playground.tsx';
import type { ScriptedGateway } from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { LiveRegion } from '../ui/display/live-region.tsx';

const utf16 = (text: string, isBigEndian: boolean) => {
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  for (const [index, unit] of [0xfe_ff, ...Array.from(text, (char) => char.charCodeAt(0))].entries())
    view.setUint16(2 * index, unit, !isBigEndian);
  return bytes;
};

const scriptName = '<img src=x onerror=alert(1)>.txt';
const longName = `${'long '.repeat(45)}.txt`;

/** Files that are attached: name, content, text as sent between the fences, and description. */
const textFiles: [string, BlobPart, string, string][] = [
  ['notes.txt', 'one\ntwo\nthree', 'one\ntwo\nthree\n', '3 lines, ~4 tokens'],
  ['bom.txt', '\uFEFFGrüße', 'Grüße\n', '1 line, ~2 tokens'],
  ['utf-16le.txt', utf16('Grüße', false), 'Grüße\n', '1 line, ~2 tokens, read as UTF-16'],
  ['utf-16be.txt', utf16('Grüße', true), 'Grüße\n', '1 line, ~2 tokens, read as UTF-16'],
  [
    'windows.txt',
    Uint8Array.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x80]),
    'Grüße€\n',
    '1 line, ~2 tokens, read as Windows-1252',
  ],
  ['data.csv', 'a;b\r\n1;2\r\n', 'a;b\r\n1;2\r\n', '2 lines, ~3 tokens'],
  ['main.py', 'print("{{name}}")\n', 'print("{{name}}")\n', '1 line, ~5 tokens'],
  ['readme.md', '# Title\n```sh\nls\n```\n', '# Title\n```sh\nls\n```\n', '4 lines, ~6 tokens'],
  ['app.ts', 'export {};\n', 'export {};\n', '1 line, ~3 tokens'],
  ['config.json', '{"a": 1}', '{"a": 1}\n', '1 line, ~3 tokens'],
  ['Makefile', 'all:\n\techo\n', 'all:\n\techo\n', '2 lines, ~3 tokens'],
  [scriptName, '<script>alert(1)</script>', '<script>alert(1)</script>\n', '1 line, ~7 tokens'],
  [longName, 'x', 'x\n', '1 line, ~1 token'],
];

const zipBytes = Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00]);

/** Documents and sounds that are attached: name, content, media type, and part as sent. */
const mediaFiles: [string, BlobPart, string, object][] = [
  [
    'paper.pdf',
    '%PDF-1.7\n',
    '',
    { type: 'file', file: { filename: 'paper.pdf', file_data: 'data:application/pdf;base64,JVBERi0xLjcK' } },
  ],
  [
    'song.mp3',
    Uint8Array.from({ length: 6 }, (_, index) => (index * 37 + 1) % 32),
    'audio/mpeg',
    { type: 'input_audio', input_audio: { data: 'AQYLEBUa', format: 'mp3' } },
  ],
  ['memo.WAV', 'RIFF', '', { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }],
];

/** Files that are refused, with the reason. */
const refusedFiles: [string, BlobPart, string, string][] = [
  ['empty.txt', '', 'text/plain', 'empty.txt is empty.'],
  [
    'big.log',
    new Uint8Array(30_000_000).fill(0x61),
    'text/plain',
    'big.log is 30.0 MB; the limit for text files is 1 MB.',
  ],
  [
    'big.pdf',
    new Uint8Array(16_000_000).fill(0x25).fill(0x50, 1, 2).fill(0x44, 2, 3).fill(0x46, 3, 4),
    'application/pdf',
    'big.pdf is 16.0 MB; the limit for this kind of file is 15.7 MB.',
  ],
  [
    'sheet.xlsx',
    zipBytes,
    '',
    'sheet.xlsx can only be sent to a model that lists file input. Choose one, or attach it as a PDF or as text.',
  ],
  [
    'program',
    Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0]),
    '',
    'program is not a text file. Only images, text files, PDFs and audio can be attached.',
  ],
  ['logo.svg', '<svg/>', 'image/svg+xml', 'logo.svg is an SVG image. Models accept PNG, JPEG, WebP or GIF.'],
];

const getField = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });

function renderComposer(bench: Bench, queryClient?: QueryClient) {
  return renderWithPlayground(
    <LiveRegion>
      <Composer sessionId={bench.getOpenSession().session.id} />
    </LiveRegion>,
    { playground: bench, queryClient },
  );
}

function paste(files: readonly File[], text = '', html = '') {
  fireEvent.paste(getField(), {
    clipboardData: {
      files,
      types: files.length > 0 ? ['Files'] : ['text/plain'],
      getData: (type: string) => (type === 'text/html' ? html : text),
    },
  });
}

/** Returns the last message in the newest request. */
function getLastMessage(gateway: ScriptedGateway): unknown {
  const messages = getRequestMessages(gateway);
  return Array.isArray(messages) ? messages.at(-1) : undefined;
}

/** Returns the content of the last message if it is a string. */
function getLastContent(gateway: ScriptedGateway): string {
  return getStringProperty(getLastMessage(gateway), 'content') ?? '';
}

/** Returns the parts of the last message, none if its content is a string. */
function listLastParts(gateway: ScriptedGateway): readonly unknown[] {
  const content = getOwnProperty(getLastMessage(gateway), 'content');
  return Array.isArray(content) ? content : [];
}

const notes = () => new File(['one\ntwo\nthree'], 'notes.txt', { type: 'text/plain' });
const notesBlock = 'File: notes.txt\n```\none\ntwo\nthree\n```';

async function attachNotes() {
  paste([notes()]);
  await screen.findByRole('group', { name: 'notes.txt' });
}

function renderPrompt(bench: Bench) {
  const turn = getLaneTurn(bench);
  return renderWithPlayground(
    <PromptBand promptId={turn.promptId} turnIds={getLastTurnIds(bench)} isLatest />,
    { playground: bench },
  );
}

it('attaches 22 files or refuses them with a sentence, and sends the message with all that were attached', async () => {
  const { bench, gateway } = await createConversation();
  const { user } = renderComposer(bench);
  await user.type(getField(), 'What is in them?');
  paste([
    ...textFiles.map(([name, content]) => new File([content], name)),
    ...mediaFiles.map(([name, content, type]) => new File([content], name, { type })),
    ...refusedFiles.map(([name, content, type]) => new File([content], name, { type })),
  ]);
  expect(await screen.findAllByRole('button', { name: /^Remove / })).toHaveLength(
    textFiles.length + mediaFiles.length,
  );
  for (const [name, , , description] of textFiles.slice(0, -1))
    expect(screen.getByRole('group', { name }).textContent).toContain(description);
  for (const [name] of mediaFiles)
    await waitFor(() =>
      expect(screen.getByRole('group', { name }).textContent).toMatch(
        /\d+ B\. Passed through; support varies\.$/,
      ),
    );
  for (const [, , , reason] of refusedFiles) expect(document.body.textContent).toContain(reason);
  expect(document.querySelector('img')).toBeNull();
  expect(getField().value).toBe('What is in them?');

  await user.click(screen.getByRole('button', { name: /^Send/ }));
  await waitUntil(() => bench.endedRuns.length === 1);
  const [textPart, ...parts] = listLastParts(gateway);
  expect(parts).toEqual(mediaFiles.map(([, , , part]) => part));
  const [question, ...blocks] = (getStringProperty(textPart, 'text') ?? '').split(/\n\n(?=File: )/);
  expect(question).toBe('What is in them?');
  expect(blocks.map((block) => block.replace(/^File: .*\n(`+)\w*\n([^]*)\1$/, '$2'))).toEqual(
    textFiles.map(([, , text]) => text),
  );
  expect(blocks.map((block) => /^File: (.*)/.exec(block)?.[1])).toEqual(textFiles.map(([name]) => name));
  expect(screen.queryAllByRole('group')).toHaveLength(0);
});

describe('message with a file', () => {
  it('survives a reload before sending, and can be changed back into text', async () => {
    const { bench } = await createConversation();
    const first = renderComposer(bench);
    await attachNotes();
    await first.user.type(getField(), 'Read');
    first.unmount();
    const reloadedBench = await reloadPage(bench);
    const { user } = renderComposer(reloadedBench);
    await screen.findByRole('group', { name: 'notes.txt' });
    expect(getField().value).toBe('Read');
    expect(document.body.textContent).toContain('~11 tokens');
    await user.click(screen.getByRole('button', { name: 'Insert as text' }));
    expect(getField().value).toBe('Read\n\none\ntwo\nthree');
    expect(screen.queryByRole('group', { name: 'notes.txt' })).toBeNull();
    await user.keyboard('{Control>}z{/Control}');
    expect(getField().value).toBe('Read');
    await user.click(await screen.findByRole('button', { name: 'Remove notes.txt' }));
    expect(screen.queryByRole('group', { name: 'notes.txt' })).toBeNull();
  });

  it('keeps its file when it is edited, also after a reload', async () => {
    const { bench, gateway } = await createConversation();
    const composer = renderComposer(bench);
    await attachNotes();
    await composer.user.keyboard('Read it{Enter}');
    await waitUntil(() => bench.endedRuns.length === 1);
    composer.unmount();
    const reloadedBench = await reloadPage(bench);
    const { user } = renderPrompt(reloadedBench);
    expect(screen.getByRole('button', { name: /^notes\.txt/ }).textContent).toContain('3 lines, ~4 tokens');
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await user.keyboard(' again');
    expect(screen.getByRole('button', { name: 'Remove notes.txt' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save and run' }));
    await waitUntil(() => reloadedBench.endedRuns.length === 1);
    expect(getLastContent(gateway)).toBe(`Read it again\n\n${notesBlock}`);
  });

  it('brings its file along when it is copied and pasted into a message', async () => {
    const { bench, gateway } = await createConversation();
    const composer = renderComposer(bench);
    await attachNotes();
    await composer.user.keyboard('Read{Enter}');
    await waitUntil(() => bench.endedRuns.length === 1);
    composer.unmount();
    const prompt = renderPrompt(bench);
    await prompt.user.click(screen.getByRole('button', { name: 'Copy' }));
    const copiedText = await navigator.clipboard.readText();
    expect(copiedText).toBe(`Read\n\n${notesBlock}`);
    prompt.unmount();

    const { user } = renderComposer(bench);
    await user.keyboard('Please: now');
    getField().setSelectionRange(8, 8);
    paste([], copiedText);
    await screen.findByRole('group', { name: 'notes.txt' });
    expect(getField().value).toBe('Please: Readnow');
    await user.keyboard('{Enter}');
    await waitUntil(() => bench.endedRuns.length === 2);
    expect(getLastContent(gateway)).toBe(`Please: Readnow\n\n${notesBlock}`);
  });

  it('restores the images of a copied message', async () => {
    const { bench } = await createConversation();
    renderComposer(bench);
    const reference = `bench-image:${'a'.repeat(64)}`;
    paste(
      [],
      ' ',
      `<p data-bench-images="${reference} javascript:alert(1) https://a.example/?b&amp;c"> </p>`,
    );
    expect(await screen.findAllByRole('button', { name: 'Remove image' })).toHaveLength(2);
    const sessionId = bench.getOpenSession().session.id;
    expect(bench.drafts.state.getState()[sessionId]?.images.map(({ url }) => url)).toEqual([
      reference,
      'https://a.example/?b&c',
    ]);
  });

  it('is exported for reading with its file as a block', async () => {
    const { bench } = await createConversation();
    renderComposer(bench);
    paste([new File(['<script>alert(1)</script>\n```\nend'], scriptName)]);
    await screen.findByRole('group');
    fireEvent.keyDown(getField(), { key: 'Enter' });
    await waitUntil(() => bench.endedRuns.length === 1);
    const data = bench.getOpenSession();
    expect(data.session.title).toBe(scriptName);
    expect(buildSessionMarkdown(data)).toContain(
      '> File: &lt;img src=x onerror=alert(1)>.txt\n\n````\n<script>alert(1)</script>\n```\nend\n````',
    );
    const html = buildSessionHtml(data, {
      renderMarkdown: markdownToHtml,
      getImageDataUrl: () => undefined,
    });
    expect(html).toContain(
      '<summary>&lt;img src=x onerror=alert(1)&gt;.txt</summary><pre><code>&lt;script&gt;alert(1)&lt;/script&gt;\n```\nend\n</code></pre>',
    );
  });
});

describe('message with a document and a sound', () => {
  const pdf = () => new File(['%PDF-1.7\n'], 'paper.pdf', { type: 'application/pdf' });
  const wav = () => new File(['RIFF'], 'memo.wav', { type: 'audio/wav' });
  const pdfPart = mediaFiles[0]?.[3];
  const wavPart = mediaFiles[2]?.[3];

  async function attachMedia() {
    paste([pdf(), wav()]);
    await screen.findByRole('group', { name: 'memo.wav' });
  }

  it('survives a reload before sending, editing, copying and pasting', async () => {
    const { bench, gateway } = await createConversation();
    const first = renderComposer(bench);
    await attachMedia();
    first.unmount();
    const reloadedBench = await reloadPage(bench);
    const composer = renderComposer(reloadedBench);
    await screen.findByRole('group', { name: 'paper.pdf' });
    await composer.user.click(getField());
    await composer.user.keyboard('{Enter}');
    await waitUntil(() => reloadedBench.endedRuns.length === 1);
    expect(listLastParts(gateway)).toEqual([pdfPart, wavPart]);
    expect(reloadedBench.getOpenSession().session.title).toBe('paper.pdf, memo.wav');
    composer.unmount();

    const prompt = renderPrompt(reloadedBench);
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: /^paper\.pdf/ });
    expect([link.download, link.textContent]).toEqual(['paper.pdf', 'paper.pdf9 B']);
    await prompt.user.click(screen.getByRole('button', { name: 'Edit' }));
    await prompt.user.keyboard('Read');
    await prompt.user.click(screen.getByRole('button', { name: 'Remove memo.wav' }));
    await prompt.user.click(screen.getByRole('button', { name: 'Save and run' }));
    await waitUntil(() => reloadedBench.endedRuns.length === 2);
    expect(listLastParts(gateway)).toEqual([{ type: 'text', text: 'Read' }, pdfPart]);
    prompt.unmount();

    const message = Object.values(reloadedBench.getOpenSession().prompts).at(-1)?.messages[0];
    const html = message && buildCopiedHtml(message);
    const { user } = renderComposer(reloadedBench);
    paste([], 'Read', html);
    await screen.findByRole('group', { name: 'paper.pdf' });
    expect(getField().value).toBe('Read');
    await user.click(screen.getByRole('button', { name: 'Remove paper.pdf' }));
    paste([], 'x', html?.replace('bench-image%3A', 'https%3A%2F%2F'));
    await waitFor(() => expect(getField().value).toContain('x'));
    expect(screen.queryByRole('group')).toBeNull();
  });

  it('names the lanes that receive them, and offers a model that accepts them or to send anyway', async () => {
    const { bench, gateway } = await createConversation();
    gateway.models = {
      data: [
        { id: 'north/one', input_modalities: ['text'] },
        { id: 'north/two', input_modalities: ['text', 'file', 'audio'] },
        { id: 'north/three' },
      ],
    };
    const queryClient = new QueryClient();
    await queryClient.query(getModelsQueryOptions(bench));
    for (const [lane, model] of ['north/one', 'north/two', 'north/three'].entries()) {
      if (lane > 0) bench.actions.addLane();
      configureLane(bench, { model }, lane);
    }
    const { user } = renderComposer(bench, queryClient);
    await attachMedia();
    expect(screen.getByRole('group', { name: 'paper.pdf' }).textContent).toContain(
      'Sent to B. Passed through to C; support varies. A does not accept files, so the file will not be sent to it.',
    );
    expect(screen.getByRole('group', { name: 'memo.wav' }).textContent).toContain(
      'A does not accept audio, so the audio will not be sent to it.',
    );
    expect(screen.getByRole('button', { name: 'Use north/two in lane A' })).toBeTruthy();
    await user.click(getField());
    await user.keyboard('{Enter}');
    expect(document.body.textContent).toContain(
      'The model of one lane accepts none of the attachments. Add some text.',
    );
    await user.keyboard('Read{Enter}');
    await waitUntil(() => bench.endedRuns.length === 3);
    const contents = ['north/one', 'north/two', 'north/three'].map((model) => {
      const messages = gateway.posts.find(({ body }) => body['model'] === model)?.body['messages'];
      return getOwnProperty(Array.isArray(messages) ? messages.at(-1) : undefined, 'content');
    });
    const allParts = [{ type: 'text', text: 'Read' }, pdfPart, wavPart];
    expect(contents).toEqual(['Read', allParts, allParts]);
    expect(renderReplies(bench)[0]?.text).toContain(
      'Sent without 2 files: the model is marked or listed as not accepting this kind.',
    );

    await attachMedia();
    await user.click(screen.getByRole('button', { name: 'Send anyway' }));
    expect(screen.getByRole('group', { name: 'paper.pdf' }).textContent).toContain('Sent to A and B.');
    expect(bench.prefs.getState().modelMarks).toEqual({ 'north/one': { files: true, audio: true } });
    expect(screen.queryByRole('button', { name: 'Send anyway' })).toBeNull();
  });

  it('attaches other documents only if a model lists file input', async () => {
    const { bench } = await createConversation();
    renderComposer(bench);
    paste([new File([zipBytes], 'report.docx')]);
    await screen.findByText(/^report\.docx can only be sent to a model that lists file input\./);
    const model =
      bench.getOpenSession().lanes[bench.getOpenSession().session.laneIds[0] ?? '']?.setup.model ?? '';
    bench.prefs.setState({ modelMarks: withModelMark({}, model, 'files', true) });
    paste([new File([zipBytes], 'report.docx')]);
    await screen.findByRole('group', { name: 'report.docx' });
    await waitFor(() => expect(document.body.textContent).not.toContain('can only be sent'));
  });

  it('disables Send with the reason while they exceed one request', async () => {
    const { bench } = await createConversation();
    renderComposer(bench);
    const bytes = new Uint8Array(8_000_000);
    paste(['a.mp3', 'b.mp3'].map((name) => new File([bytes, name], name)));
    const reason = 'The request would be about 20.3 MB. The limit is 20 MB. Remove files.';
    await screen.findByText(reason);
    const sendButton = screen.getByRole('button', { name: /^Send/ });
    await waitFor(() =>
      expect([sendButton.getAttribute('aria-disabled'), sendButton.title]).toEqual(['true', reason]),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Remove b.mp3' }));
    await waitFor(() => expect(sendButton.getAttribute('aria-disabled')).toBe('false'));
  });
});

it('disables Send with the reason while the files exceed one request', async () => {
  const { bench } = await createConversation();
  renderComposer(bench);
  // A quotation mark takes two bytes in the request.
  const content = '"'.repeat(1024 * 1024);
  paste(Array.from({ length: 10 }, (_, index) => new File([content], `${index}.txt`)));
  const reason = 'The request would be about 20.0 MB. The limit is 20 MB. Remove files.';
  await screen.findByText(reason);
  const sendButton = screen.getByRole('button', { name: /^Send/ });
  await waitFor(() =>
    expect([sendButton.getAttribute('aria-disabled'), sendButton.title]).toEqual(['true', reason]),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Remove 7.txt' }));
  await waitFor(() => expect(sendButton.getAttribute('aria-disabled')).toBe('false'));
});
