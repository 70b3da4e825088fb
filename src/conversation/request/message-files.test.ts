import { describe, expect, it } from 'vitest';

import type { ContentPart } from '../../gateway/wire.ts';
import { fillMessage } from '../session/variables.ts';
import { createFilePart, describeFileSize, getFileText, parseCopiedFiles } from './file-blocks.ts';
import {
  getTextOrFileNames,
  getWrittenText,
  getVisibleText,
  joinTextParts,
  listFiles,
  toSentMessage,
  withoutFile,
} from './message-files.ts';

const notes = createFilePart('one\ntwo\nthree\n', { name: 'notes.txt', bytes: 14 });
const code = createFilePart('const a = `{{x}}`;', { name: 'main.ts', bytes: 18 });
const paper: ContentPart = {
  type: 'file',
  file: { filename: 'paper.pdf', file_data: 'data:application/pdf;base64,AA' },
};
const sound: ContentPart = { type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } };
const image: ContentPart = { type: 'image_url', image_url: { url: 'https://a.example/b.png' } };

describe('text file in a message', () => {
  it('is a fenced block under its name, with the language of its extension', () => {
    expect(notes.text).toBe('File: notes.txt\n```\none\ntwo\nthree\n```');
    expect(code.text).toBe('File: main.ts\n```ts\nconst a = `{{x}}`;\n```');
    expect(createFilePart('all:', { name: 'Makefile', bytes: 4 }).text).toBe(
      'File: Makefile\n```\nall:\n```',
    );
  });

  it.each([
    ['plain text', 'a\nb'],
    ['a fence', 'Before\n```js\ncode\n```\nafter'],
    ['a long fence at the end', '`````\ncode\n`````'],
    ['CRLF line ends', 'a,b\r\n1,2\r\n'],
    ['blank lines', '\n\na\n\n\n'],
    ['a heading of another file', 'x\n\nFile: other.txt\n```\ny\n```'],
  ])('keeps %s', (_, text) => {
    const part = createFilePart(text, { name: 'a.md', bytes: 1 });
    expect(getFileText(part)).toBe(text.endsWith('\n') ? text : `${text}\n`);
    const [, fence = ''] = /\n(`+)md\n/.exec(part.text) ?? [];
    expect(text).not.toContain(fence);
  });

  it('shows control characters of a name as replacement characters, on one line', () => {
    const { text } = createFilePart('x', { name: 'a\nb\u202E<script>.txt', bytes: 1 });
    expect(text).toBe('File: a\uFFFDb\uFFFD<script>.txt\n```\nx\n```');
  });

  it('describes lines, tokens and an encoding other than UTF-8', () => {
    expect(describeFileSize(notes)).toBe('3 lines, ~4 tokens');
    const one = createFilePart('é', { name: 'a.txt', bytes: 1, encoding: 'Windows-1252' });
    expect(describeFileSize(one)).toBe('1 line, ~1 token, read as Windows-1252');
  });

  it('returns the whole text of an imported part that is not fenced', () => {
    expect(getFileText({ type: 'text', text: 'free', file: { name: 'a', bytes: 4 } })).toBe('free');
  });

  it('removes only the first of two equal files', () => {
    expect(withoutFile([notes, { ...notes }, code], { ...notes })).toEqual([notes, code]);
    expect(withoutFile([code], notes)).toEqual([code]);
  });
});

describe('message with files', () => {
  const written: ContentPart = { type: 'text', text: 'Look {{x}}' };

  it('is sent as one text without the file field, followed by its images', () => {
    const text = `Look {{x}}\n\n${notes.text}\n\n${code.text}`;
    expect(toSentMessage({ role: 'user', name: 'ada', content: [written, notes, code] })).toEqual({
      role: 'user',
      name: 'ada',
      content: text,
    });
    expect(toSentMessage({ role: 'user', content: [written, notes, code, image] })).toEqual({
      role: 'user',
      content: [{ type: 'text', text }, image],
    });
    expect(toSentMessage({ role: 'user', content: [notes] })).toEqual({
      role: 'user',
      content: notes.text,
    });
  });

  it('is sent unchanged without files', () => {
    const message = { role: 'user' as const, content: [written, image, written] };
    expect(toSentMessage(message)).toBe(message);
  });

  it('fills variables in written text but not in files', () => {
    expect(fillMessage({ role: 'user', content: [written, code] }, { x: '1' }).content).toEqual([
      { type: 'text', text: 'Look 1' },
      code,
    ]);
  });

  it('has a title of its written text, or of the names of its files', () => {
    expect(getWrittenText([written, notes])).toBe('Look {{x}}');
    expect(getTextOrFileNames([written, notes])).toBe('Look {{x}}');
    expect(getTextOrFileNames([notes, code])).toBe('notes.txt, main.ts');
    expect(getTextOrFileNames([image])).toBe('');
    expect(getTextOrFileNames([paper, sound, { ...sound, name: 'memo.mp3' }])).toBe(
      'paper.pdf, Audio.mp3, memo.mp3',
    );
    expect(getVisibleText([written, notes, paper])).toBe('Look {{x}}\nnotes.txt\npaper.pdf');
  });

  it('is sent with documents and sounds as parts after its text, without stored fields', () => {
    expect(listFiles([written, notes, paper, image, sound])).toEqual([notes, paper, sound]);
    const content = [written, paper, notes, { ...sound, name: 'memo.mp3' }, image];
    expect(toSentMessage({ role: 'user', content }).content).toEqual([
      { type: 'text', text: `Look {{x}}\n\n${notes.text}` },
      paper,
      sound,
      image,
    ]);
    expect(toSentMessage({ role: 'user', content: [paper] }).content).toEqual([paper]);
  });
});

describe('copied message', () => {
  it('restores the files at its end', () => {
    expect(parseCopiedFiles(joinTextParts([{ type: 'text', text: 'Look\n\nhere' }, notes, code]))).toEqual({
      text: 'Look\n\nhere',
      files: [notes, { ...code, file: { ...code.file, bytes: 19 } }],
    });
    const nested = createFilePart(notes.text, { name: 'nested.md', bytes: 36 });
    expect(parseCopiedFiles(nested.text)?.files).toEqual([
      { ...nested, file: { ...nested.file, bytes: getFileText(nested).length } },
    ]);
  });

  it.each([
    ['text', 'File: a.txt'],
    ['a heading without a fence', 'File: a.txt\n\ntext'],
    ['a block before other text', `${notes.text}\n\nWhat is this?`],
    ['an open fence', 'File: a.txt\n```\ntext'],
    ['a fence that continues', 'File: a.txt\n```\ntext\n```js'],
    ['a block inside a line', `See File: a.txt\n\`\`\`\nx\n\`\`\``],
    ['Markdown', '# Title\n\n```js\ncode\n```'],
  ])('pastes %s unchanged', (_, text) => {
    expect(parseCopiedFiles(text)).toBeUndefined();
  });

  it('finds the last blocks after blocks that are followed by text', () => {
    const text = `${notes.text}\n\n${notes.text}\n\nText\n\n${code.text}\n`;
    expect(parseCopiedFiles(text)).toMatchObject({
      text: `${notes.text}\n\n${notes.text}\n\nText`,
      files: [{ file: { name: 'main.ts' } }],
    });
  });
});
