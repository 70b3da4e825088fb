import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { Locator, Page } from 'playwright/test';

import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';
import { aPicture, type PictureFile } from './png-file.ts';

async function choose(bench: BenchPage, ...files: PictureFile[]): Promise<void> {
  await chooseBy(bench, 'Image', ...files);
}

/** By this button. */
async function chooseBy(bench: BenchPage, name: string, ...files: PictureFile[]): Promise<void> {
  const before = await bench.button('Remove image').count();
  const chooser = bench.page.waitForEvent('filechooser');
  await bench.button(name).click();
  await (await chooser).setFiles(files);
  await expect(bench.button('Remove image')).toHaveCount(before + files.length);
}

interface SentPart {
  type: string;
  text?: string;
  image_url?: { url: string; detail?: string };
}

/** Content of the last message of the newest request. */
function lastContent(gateway: ScriptedGateway): string | SentPart[] {
  const messages = gateway.posts.at(-1)?.body['messages'] as { content: string | SentPart[] }[] | undefined;
  return messages?.at(-1)?.content ?? '';
}

function urlsIn(content: string | SentPart[]): string[] {
  return typeof content === 'string' ? [] : content.flatMap((part) => part.image_url?.url ?? []);
}

/** What is kept of images: keys of the store, and whether any record holds their bytes as text. */
async function stored(page: Page): Promise<{ hashes: string[]; text: string; local: string }> {
  return page.evaluate(async () => {
    const open = indexedDB.open('bench');
    const db = await new Promise<IDBDatabase>((resolve) =>
      open.addEventListener('success', () => resolve(open.result)),
    );
    const all = (store: string, keys: boolean) =>
      new Promise<unknown[]>((resolve) => {
        const asked = keys
          ? db.transaction(store).objectStore(store).getAllKeys()
          : db.transaction(store).objectStore(store).getAll();
        asked.addEventListener('success', () => resolve(asked.result));
      });
    const texts = await Promise.all(
      ['prompts', 'runs', 'turns', 'tapes', 'drafts'].map((store) => all(store, false)),
    );
    const hashes = await all('images', true);
    db.close();
    return {
      hashes: hashes.map(String),
      text: JSON.stringify(texts),
      local: JSON.stringify({ ...localStorage }),
    };
  });
}

async function isPainted(image: Locator): Promise<void> {
  await expect
    .poll(() => image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth))
    .toBeGreaterThan(0);
}

const red = [200, 30, 30] as const;
const blue = [30, 30, 200] as const;

/** Runs in the page: how wide an image is, and its colours in the middle of its left and of its right half. */
function widthAndColours(image: HTMLElement | SVGElement): unknown[] {
  if (!(image instanceof HTMLImageElement)) throw new Error('This is not an image');
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const brush = canvas.getContext('2d');
  brush?.drawImage(image, 0, 0);
  const at = (share: number) => [
    ...(brush?.getImageData(width * share, height / 2, 1, 1).data.subarray(0, 3) ?? []),
  ];
  return [width, at(0.25), at(0.75)];
}

test(
  'a chosen image goes along with the words, is shown in the message and kept once as bytes',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await bench.open(server.url);
    await choose(bench, aPicture('red.png'));
    await expect(page.getByText('red.png')).toBeVisible();
    await isPainted(page.getByRole('img', { name: 'Preview of red.png' }));
    await bench.ask('What is it?');
    const content = lastContent(gateway);
    expect(content).toEqual([
      { type: 'text', text: 'What is it?' },
      {
        type: 'image_url',
        image_url: { url: expect.stringMatching(/^data:image\/png;base64,iVBOR/) as unknown, detail: 'auto' },
      },
    ]);
    await expect(bench.button('Remove image')).toHaveCount(0);
    await isPainted(bench.prompts.first().getByRole('img', { name: 'Attachment 1' }));

    await test.step('the same image again is kept once; its detail is what was written', async () => {
      await choose(bench, aPicture('red again.png'));
      await bench.button('detail auto').click();
      await page.getByRole('menuitem', { name: 'Other detail' }).click();
      await page.getByRole('textbox', { name: 'Detail' }).fill('original');
      await page.getByRole('textbox', { name: 'Detail' }).press('Enter');
      await expect(bench.button('detail original')).toBeVisible();
      await bench.ask('And now?');
      expect(lastContent(gateway)).toMatchObject([{ type: 'text' }, { image_url: { detail: 'original' } }]);
      expect(urlsIn(lastContent(gateway))).toEqual(urlsIn(content));
      await bench.saved();
      const { hashes, text, local } = await stored(page);
      expect(hashes).toHaveLength(1);
      expect(text).toContain(`bench-image:${hashes[0]}`);
      expect(text).not.toContain('base64');
      expect(local).not.toContain('image:');
    });

    await test.step('an image by its address is sent as it is, named by its host, and never fetched', async () => {
      await bench.button('Link an image').click();
      const field = page.getByRole('textbox', { name: 'Image URL' });
      await field.fill('pictures.example/a.png');
      await field.press('Enter');
      await expect(page.getByText('Enter a full URL')).toBeVisible();
      await field.fill('https://pictures.example/a.png?size=large');
      await field.press('Enter');
      await expect(page.getByText('pictures.example', { exact: true })).toBeVisible();
      await bench.ask('See');
      expect(urlsIn(lastContent(gateway))).toEqual(['https://pictures.example/a.png?size=large']);
      await expect(bench.prompts.last()).toContainText('Image from pictures.example');
    });

    await test.step('a reload shows them as they were', async () => {
      await bench.reload();
      await expect(bench.prompts.last()).toContainText('Image from pictures.example');
      const first = bench.prompts.first();
      await isPainted(first.getByRole('img', { name: 'Attachment 1' }));
      await first.getByRole('button', { name: /View image|Attachment/ }).click();
      await expect(page.getByRole('dialog', { name: 'Image 1' })).toContainText('40 × 30');
      expect(asked.filter((url) => url.includes('pictures.example'))).toEqual([]);
    });
  },
);

test('pasted and dropped images wait in the composer, also after a reload; what is not an image is refused in words', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  const bytes = [...aPicture('x').buffer];
  const give = (kind: 'paste' | 'drop', name: string) =>
    page.evaluate(
      ({ kind: how, bytes: values, name: called }) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(values)], called, { type: 'image/png' }));
        const target = how === 'paste' ? document.getElementById('composer') : document.querySelector('main');
        const event =
          how === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
            : new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
        target?.dispatchEvent(event);
      },
      { kind, bytes: [...bytes, kind === 'paste' ? 0 : 1], name },
    );
  await give('paste', 'pasted.png');
  await expect(bench.button('Remove image')).toHaveCount(1);
  await give('drop', 'dropped.png');
  await expect(bench.button('Remove image')).toHaveCount(2);
  await bench.message.fill('Two of them');
  const chooser = page.waitForEvent('filechooser');
  await bench.button('Image').click();
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  await (
    await chooser
  ).setFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') },
    { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: drawing },
    { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
  ]);
  await expect(page.getByText('notes.txt is not an image.')).toBeVisible();
  await expect(page.getByText('logo.svg is an SVG drawing')).toBeVisible();
  await expect(page.getByText('Could not read broken.png as an image.')).toBeVisible();

  await bench.reload();
  await expect(bench.button('Remove image')).toHaveCount(2);
  await expect(bench.message).toHaveValue('Two of them');
  await bench.button('Remove image').first().click();
  await expect(page.getByText('pasted.png')).toHaveCount(0);
  await bench.message.press('Enter');
  await expect(bench.prompts).toHaveCount(1);
  await bench.ended();
  expect(urlsIn(lastContent(gateway))).toHaveLength(1);
  await bench.reload();
  await expect(bench.prompts).toHaveCount(1);
  await expect(bench.button('Link an image')).toBeVisible();
  await expect(bench.button('Remove image')).toHaveCount(0);
});

test(
  'a large image is scaled down, what is shown is what is sent and looks as before, and a lane marked text-only gets the words',
  { tag: '@soak' },
  async ({ bench, demo, page }) => {
    await bench.open(demo.url);
    const pixel = (x: number) => (x < 750 ? red : blue);
    await choose(bench, aPicture('wide.png', { width: 1500, height: 900, pixel }));
    await expect(page.getByText('This model accepts text only')).toBeVisible();
    await bench.useModel('demo/vision');
    await bench.button('Size 1,500 × 900').click();
    await expect(page.getByRole('menuitem', { name: /Scale down to 2,048/ })).toHaveCount(0);
    await page.getByRole('menuitem', { name: /Scale down to 512/ }).click();
    await expect(bench.button('Size 512 × 307')).toBeVisible();
    await bench.button('Size 512 × 307').click();
    await page.getByRole('menuitem', { name: /Original size/ }).click();
    await expect(bench.button('Size 1,500 × 900')).toBeVisible();
    await bench.button('Size 1,500 × 900').click();
    await page.getByRole('menuitem', { name: /Scale down to 1,024/ }).click();
    await expect(bench.button('Size 1,024 × 614')).toBeVisible();
    await expect
      .poll(() => page.getByRole('img', { name: 'Preview of wide.png' }).evaluate(widthAndColours))
      .toEqual([1024, red, blue]);

    await bench.button('Add lane').click();
    const laneB = page.getByRole('region', { name: 'Lane B' });
    await laneB.getByRole('button', { name: /^What the model can do/ }).click();
    await page.getByRole('menuitem', { name: 'Text-only' }).click();
    await expect(laneB.getByRole('button', { name: /^What the model can do/ })).toContainText('text');
    await expect(page.getByText('A and B are marked text-only, so the image will not be sent')).toBeVisible();
    await bench.message.press('Enter');
    await expect(page.getByText('accepts text only'), 'there are none').toBeVisible();
    await laneB.getByRole('button', { name: /^What the model can do/ }).click();
    await page.getByRole('menuitem', { name: 'Text-only' }).click();
    await bench.ask('How large is it?');
    for (const reply of await bench.replies.all()) {
      await expect(reply).toContainText('1,024 × 614 pixels');
    }
  },
);

test(
  'images added to and taken from a message in its editor are still so after Escape and a reload; versions keep their own',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const editor = bench.prompts.first();
    const edit = editor.getByRole('button', { name: 'Edit', exact: true });
    await bench.open(server.url);
    await choose(bench, aPicture('red.png'));
    await bench.ask('One');
    await edit.click();
    await editor.getByRole('button', { name: 'Remove image' }).click();
    await chooseBy(bench, 'Add an image', aPicture('green.png'), aPicture('blue.png'));
    await expect(editor.getByRole('button', { name: 'Remove image' })).toHaveCount(2);
    await page.getByRole('textbox', { name: 'Edit message' }).press('Escape');
    await edit.click();
    await expect(editor.getByRole('button', { name: 'Remove image' })).toHaveCount(2);
    await bench.reload();
    await edit.click();
    await expect(editor.getByRole('img', { name: 'blue.png' })).toBeVisible();
    await expect(editor.getByRole('img', { name: 'green.png' })).toBeVisible();
    await bench.button('Discard').click();
    await expect(editor.getByRole('button', { name: 'Remove image' })).toHaveCount(1);
    await chooseBy(bench, 'Add an image', aPicture('green.png'));
    await expect(editor.getByRole('button', { name: 'Remove image' })).toHaveCount(2);
    await bench.button('Save and run').click();
    await expect(editor).toContainText('2 of 2');
    await bench.ended();
    expect(urlsIn(lastContent(gateway))).toHaveLength(2);
    await edit.click();
    await expect(bench.button('Discard')).toHaveCount(0);
    await page.getByRole('textbox', { name: 'Edit message' }).press('Escape');
    await editor.getByRole('button', { name: 'Previous version' }).click();
    await expect(editor.getByRole('img', { name: /^Attachment/ })).toHaveCount(1);
  },
);

test('draws the image of an answer, also after a reload, attaches it and saves its speech', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const { buffer } = aPicture('red.png');
  const sound = Buffer.from('RIFF$\0\0\0WAVEfmt and some samples', 'latin1');
  gateway.setChatScript((answer) => {
    answer.sendDelta({
      images: [{ image_url: { url: `data:image/png;base64,${buffer.toString('base64')}` } }],
    });
    answer.sendDelta({ audio: { transcript: 'Here it is.', data: sound.toString('base64') } });
    answer.sendFinishReason();
    answer.sendDone();
  });
  await bench.open(server.url);
  await bench.ask('Draw it');
  const image = bench.replies.first().getByRole('img', { name: 'Image 1 of the answer' });
  await isPainted(image);
  await bench.reload();
  await isPainted(image);
  const download = page.waitForEvent('download');
  await bench.button('Save audio').click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^bench-speech-.*\.wav$/);
  expect(await readFile(await file.path())).toEqual(sound);
  await bench.button('Attach to next message').click();
  await isPainted(page.getByRole('img', { name: 'Preview of Answer image 1' }));
  await bench.ask('What is it?');
  expect(urlsIn(lastContent(gateway))).toEqual([`data:image/png;base64,${buffer.toString('base64')}`]);
});

test(
  'images that are too large for a request are scaled in one press, where they wait and where the request failed',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    gateway.setChatScript((answer) => answer.sendAnswer('Seen'));
    await bench.open(server.url);
    const large = aPicture('large.png', { width: 2500, height: 2100, level: 0 });
    const scale = page.getByRole('button', { name: 'Scale to 2,048 px' });
    const send = page.getByRole('button', { name: /^Send/ });

    await choose(bench, large);
    await bench.message.fill('Look');
    const reason = /^The request would be about 20\.0 MB; the limit is 20 MB\./;
    await expect(page.getByText(reason)).toBeVisible();
    await expect(send).toHaveAttribute('aria-disabled', 'true');
    await expect(send).toHaveAttribute('title', reason);
    await bench.message.press('Enter');
    await expect(bench.said(/^Not sent\. The request would be/)).toBeAttached();
    expect(gateway.posts).toEqual([]);
    await scale.click();
    await expect(bench.button('Size 2,048 × 1,720')).toBeVisible();
    await expect(page.getByText(reason)).toHaveCount(0);
    await expect(bench.message).toBeFocused();

    await bench.button('Size 2,048 × 1,720').click();
    await page.getByRole('menuitem', { name: /Original size/ }).click();
    await expect(send).toHaveAttribute('aria-disabled', 'true');
    await bench.button('Add a message').click();
    await page.getByRole('menuitem', { name: 'Add as user message' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(bench.error()).toContainText('The request is too large');
    await expect(bench.error().getByRole('button').first()).toHaveText('Scale to 2,048 px');
    expect(gateway.posts).toEqual([]);
    await scale.click();
    await expect(bench.lastReply).toContainText('Seen');
    expect(urlsIn(lastContent(gateway))).toHaveLength(1);
  },
);

test('a link or a file that is dropped anywhere leaves the page open, and a drag that is cancelled leaves no mark', async ({
  bench,
  demo,
  page,
}) => {
  const cdp = await page.context().newCDPSession(page);
  const address = { mimeType: 'text/uri-list', data: 'https://example.com/' };
  const link = { items: [address], dragOperationsMask: 1 };
  const linkWithText = { ...link, items: [address, { ...address, mimeType: 'text/plain' }] };
  const file = { items: [], files: [fileURLToPath(import.meta.url)], dragOperationsMask: 1 };
  const drag = async (data: typeof link | typeof file, target: Locator, end: 'drop' | 'dragCancel') => {
    const box = await target.boundingBox();
    if (!box) throw new Error('Not on screen');
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, data };
    for (const type of ['dragEnter', 'dragOver', end] as const)
      await cdp.send('Input.dispatchDragEvent', { type, ...at });
  };
  const left: string[] = [];
  page.on('framenavigated', (frame) => left.push(frame.url()));
  page.context().on('page', (tab) => left.push(tab.url()));
  await bench.open(demo.url);
  const { length } = left;
  await expect(bench.parameters).toBeVisible();
  for (const place of [page.getByRole('banner'), bench.parameters, bench.noConversation])
    await drag(link, place, 'drop');
  await drag(link, bench.message, 'drop');
  await drag(linkWithText, bench.message, 'drop');
  await expect(bench.message).toHaveValue('https://example.com/');
  await drag(file, bench.message, 'drop');
  await expect(page.getByText('images.spec.ts is not an image.')).toBeVisible();
  expect(left.slice(length), 'places that the page went to').toEqual([]);

  const form = page.locator('form[data-region=composer]');
  const look = await form.getAttribute('class');
  await drag(file, bench.parameters, 'dragCancel');
  await expect(form).toHaveAttribute('class', look ?? '');

  await page.goto(new URL('/history', demo.url).href);
  const { length: before } = left;
  await page.getByRole('heading', { name: 'History' }).waitFor();
  const mark = page.getByText('Drop a file exported by Bench');
  await drag(file, page.getByRole('main'), 'dragCancel');
  await expect(mark).toHaveCount(0);
  await drag(link, page.getByRole('main'), 'drop');
  await drag(file, page.getByRole('banner'), 'drop');
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
  expect(left.slice(before)).toEqual([]);
});
