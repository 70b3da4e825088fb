import { readFile } from 'node:fs/promises';

import { attachFiles, createFileTransfer } from './files.ts';
import { expect, test } from './fixtures.ts';
import { createPng } from './png-file.ts';

test('attaches, drops, keeps, sends, prints and copies text files', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await bench.open(server.url);
  await attachFiles(bench, [
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('one\ntwo\nthree\n') },
    { name: 'photo.png', mimeType: 'image/png', buffer: createPng('photo.png').buffer },
  ]);
  const notes = page.getByRole('group', { name: 'notes.txt' });
  await expect(notes).toContainText('3 lines, ~4 tokens');
  const longName = `${'very-long-name-'.repeat(16)}.csv`;
  const transfer = await createFileTransfer(page, longName, 'a;b\n1;2\n');
  await bench.parameters.dispatchEvent('drop', { dataTransfer: transfer });
  await expect(page.getByRole('group', { name: /^very-long-name/ })).toBeVisible();
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await overflow()).toBe(0);

  await notes.getByRole('button', { name: 'View' }).click();
  const viewer = page.getByRole('dialog', { name: 'notes.txt' });
  await expect(viewer).toContainText('one\ntwo\nthree');
  await page.keyboard.press('Escape');
  await bench.reload();
  await expect(notes).toBeVisible();

  await bench.sendAndWait('Read them');
  const content = (gateway.posts.at(-1)?.body['messages'] as { content: unknown }[] | undefined)?.at(
    -1,
  )?.content;
  expect(content).toEqual([
    {
      type: 'text',
      text: expect.stringMatching(
        /^Read them\n\nFile: notes\.txt\n```\none\ntwo\nthree\n```\n\nFile: very-long-name[-a-z]+\.csv\n```csv\na;b\n1;2\n```$/,
      ) as unknown,
    },
    {
      type: 'image_url',
      image_url: { url: expect.stringMatching(/^data:image/) as unknown, detail: 'auto' },
    },
  ]);
  const prompt = bench.prompts.first();
  await expect(prompt.getByRole('button', { name: /^notes\.txt/ })).toBeVisible();
  expect(await overflow()).toBe(0);
  await prompt.getByRole('button', { name: /^notes\.txt/ }).click();
  await expect(viewer.getByRole('button', { name: 'Copy text' })).toBeVisible();
  await page.keyboard.press('Escape');

  const windowSize = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 390, height: 844 });
  for (const chip of await prompt.getByRole('button', { name: /lines, ~/ }).all()) {
    const box = await chip.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(390);
  }
  await page.setViewportSize(windowSize);

  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(prompt.getByRole('figure', { name: 'notes.txt' })).toContainText('one\ntwo\nthree');
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: null });

  await prompt.getByRole('button', { name: 'Copy', exact: true }).press('Enter');
  await bench.message.focus();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(bench.message).toHaveValue('Read them');
  await expect(notes).toBeVisible();
  await expect(bench.getButton('Remove image')).toHaveCount(1);
  await expect(bench.getButton(/^Remove very-long-name/)).toHaveCount(1);
});

test('sends a PDF and audio where models accept them, and keeps, shows, copies and exports them', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  gateway.models = {
    object: 'list',
    data: [
      { id: 'north/one', input_modalities: ['text'] },
      { id: 'north/two', input_modalities: ['text', 'file', 'audio'] },
    ],
  };
  await bench.open(server.url);
  await attachFiles(bench, [
    { name: 'paper.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n') },
    { name: 'memo.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF') },
  ]);
  const paper = page.getByRole('group', { name: 'paper.pdf' });
  await expect(paper).toContainText('This model does not accept files, so the file will not be sent to it.');
  await bench.getButton('Use north/two').click();
  await expect(paper).toHaveText('paper.pdf 9 B');
  await bench.reload();
  await expect(paper).toBeVisible();

  await bench.sendAndWait('Read them');
  const parts = [
    { type: 'text', text: 'Read them' },
    {
      type: 'file',
      file: { filename: 'paper.pdf', file_data: 'data:application/pdf;base64,JVBERi0xLjcK' },
    },
    { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
  ];
  const readContent = () =>
    (gateway.posts.at(-1)?.body['messages'] as { content: unknown }[] | undefined)?.at(-1)?.content;
  expect(readContent()).toEqual(parts);

  const prompt = bench.prompts.first();
  const downloadPromise = page.waitForEvent('download');
  await prompt.getByRole('link', { name: /^paper\.pdf/ }).click();
  const download = await downloadPromise;
  expect(download.suggestedFilename()).toBe('paper.pdf');
  expect(await readFile(await download.path(), 'utf8')).toBe('%PDF-1.7\n');

  await prompt.getByRole('button', { name: 'Copy', exact: true }).press('Enter');
  await bench.message.focus();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(bench.message).toHaveValue('Read them');
  await expect(bench.getButton('Remove memo.wav')).toBeVisible();
  await bench.getButton(/^Send/).click();
  await expect.poll(() => gateway.posts.length).toBe(2);
  expect(readContent()).toEqual(parts);
});
