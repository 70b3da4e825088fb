import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { Locator, Page } from 'playwright/test';

import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';
import { createPng, type PngFile } from './png-file.ts';

async function attachImages(bench: BenchPage, ...files: PngFile[]): Promise<void> {
  await attachImagesVia(bench, 'Attach', ...files);
}

/** Attaches images with the button of this name. */
async function attachImagesVia(bench: BenchPage, name: string, ...files: PngFile[]): Promise<void> {
  const imageCount = await bench.getButton('Remove image').count();
  const chooserPromise = bench.page.waitForEvent('filechooser');
  await bench.getButton(name).click();
  await (await chooserPromise).setFiles(files);
  await expect(bench.getButton('Remove image')).toHaveCount(imageCount + files.length);
}

interface SentPart {
  type: string;
  text?: string;
  image_url?: { url: string; detail?: string };
}

/** Returns the content of the last message in the newest request. */
function getLastContent(gateway: ScriptedGateway): string | SentPart[] {
  const messages = gateway.posts.at(-1)?.body['messages'] as { content: string | SentPart[] }[] | undefined;
  return messages?.at(-1)?.content ?? '';
}

function listImageUrls(content: string | SentPart[]): string[] {
  return typeof content === 'string' ? [] : content.flatMap((part) => part.image_url?.url ?? []);
}

/**
 * Returns the keys of the image store. All other records and local storage are returned as text, to search for image
 * bytes.
 */
async function readStoredImages(page: Page): Promise<{ hashes: string[]; text: string; local: string }> {
  return page.evaluate(async () => {
    const openRequest = indexedDB.open('bench');
    const db = await new Promise<IDBDatabase>((resolve) =>
      openRequest.addEventListener('success', () => resolve(openRequest.result)),
    );
    const getAll = (store: string, keys: boolean) =>
      new Promise<unknown[]>((resolve) => {
        const getRequest = keys
          ? db.transaction(store).objectStore(store).getAllKeys()
          : db.transaction(store).objectStore(store).getAll();
        getRequest.addEventListener('success', () => resolve(getRequest.result));
      });
    const recordLists = await Promise.all(
      ['prompts', 'runs', 'turns', 'tapes', 'drafts'].map((store) => getAll(store, false)),
    );
    const hashes = await getAll('images', true);
    db.close();
    return {
      hashes: hashes.map(String),
      text: JSON.stringify(recordLists),
      local: JSON.stringify({ ...localStorage }),
    };
  });
}

async function waitUntilPainted(image: Locator): Promise<void> {
  await expect
    .poll(() => image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth))
    .toBeGreaterThan(0);
}

const red = [200, 30, 30] as const;
const blue = [30, 30, 200] as const;

/** Runs in the page: returns an image's width and the colours in the centres of its left and right halves. */
function measureWidthAndColours(image: HTMLElement | SVGElement): unknown[] {
  if (!(image instanceof HTMLImageElement)) throw new Error('The URL is not an image');
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d');
  context?.drawImage(image, 0, 0);
  const readPixelAt = (share: number) => [
    ...(context?.getImageData(width * share, height / 2, 1, 1).data.subarray(0, 3) ?? []),
  ];
  return [width, readPixelAt(0.25), readPixelAt(0.75)];
}

test(
  'sends an attached image, shows it in the message and stores its bytes once',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await bench.open(server.url);
    await attachImages(bench, createPng('red.png'));
    await expect(page.getByText('red.png')).toBeVisible();
    await waitUntilPainted(page.getByRole('img', { name: 'Preview of red.png' }));
    await bench.sendAndWait('What is it?');
    const content = getLastContent(gateway);
    expect(content).toEqual([
      { type: 'text', text: 'What is it?' },
      {
        type: 'image_url',
        image_url: { url: expect.stringMatching(/^data:image\/png;base64,iVBOR/) as unknown, detail: 'auto' },
      },
    ]);
    await expect(bench.getButton('Remove image')).toHaveCount(0);
    await waitUntilPainted(bench.prompts.first().getByRole('img', { name: 'Attachment 1' }));

    await test.step('stores a repeated image once and sends the chosen detail', async () => {
      await attachImages(bench, createPng('red again.png'));
      await bench.getButton('detail auto').click();
      await page.getByRole('menuitem', { name: 'Other value' }).click();
      await page.getByRole('textbox', { name: 'Detail' }).fill('original');
      await page.getByRole('textbox', { name: 'Detail' }).press('Enter');
      await expect(bench.getButton('detail original')).toBeVisible();
      await bench.sendAndWait('And now?');
      expect(getLastContent(gateway)).toMatchObject([
        { type: 'text' },
        { image_url: { detail: 'original' } },
      ]);
      expect(listImageUrls(getLastContent(gateway))).toEqual(listImageUrls(content));
      await bench.waitUntilSaved();
      const { hashes, text, local } = await readStoredImages(page);
      expect(hashes).toHaveLength(1);
      expect(text).toContain(`bench-image:${hashes[0]}`);
      expect(text).not.toContain('base64');
      expect(local).not.toContain('image:');
    });

    await test.step('sends a linked image as a URL, labels it with its host and never fetches it', async () => {
      await bench.getButton('Link an image').click();
      const field = page.getByRole('textbox', { name: 'Image URL' });
      await field.fill('pictures.example/a.png');
      await field.press('Enter');
      await expect(page.getByText('Enter a full URL')).toBeVisible();
      await field.fill('https://pictures.example/a.png?size=large');
      await field.press('Enter');
      await expect(page.getByText('pictures.example', { exact: true })).toBeVisible();
      await bench.sendAndWait('See');
      expect(listImageUrls(getLastContent(gateway))).toEqual(['https://pictures.example/a.png?size=large']);
      await expect(bench.prompts.last()).toContainText('Image from pictures.example');
    });

    await test.step('restores images after a reload', async () => {
      await bench.reload();
      await expect(bench.prompts.last()).toContainText('Image from pictures.example');
      const firstPrompt = bench.prompts.first();
      await waitUntilPainted(firstPrompt.getByRole('img', { name: 'Attachment 1' }));
      await firstPrompt.getByRole('button', { name: /View image|Attachment/ }).click();
      await expect(page.getByRole('dialog', { name: 'Image 1' })).toContainText('40 × 30');
      expect(requestedUrls.filter((url) => url.includes('pictures.example'))).toEqual([]);
    });
  },
);

test('keeps pasted and dropped images in the composer after a reload and rejects other files', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  const bytes = [...createPng('x').buffer];
  const dispatchImage = (kind: 'paste' | 'drop', name: string) =>
    page.evaluate(
      ({ kind: inputKind, bytes: byteValues, name: fileName }) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(byteValues)], fileName, { type: 'image/png' }));
        const target =
          inputKind === 'paste' ? document.getElementById('composer') : document.querySelector('main');
        const event =
          inputKind === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
            : new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
        target?.dispatchEvent(event);
      },
      { kind, bytes: [...bytes, kind === 'paste' ? 0 : 1], name },
    );
  await dispatchImage('paste', 'pasted.png');
  await expect(bench.getButton('Remove image')).toHaveCount(1);
  await dispatchImage('drop', 'dropped.png');
  await expect(bench.getButton('Remove image')).toHaveCount(2);
  await bench.message.fill('Two of them');
  const chooserPromise = page.waitForEvent('filechooser');
  await bench.getButton('Attach').click();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  await (
    await chooserPromise
  ).setFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') },
    { name: 'notes.gz', mimeType: 'application/gzip', buffer: Buffer.from([0x1f, 0x8b, 8, 0]) },
    { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: svg },
    { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
  ]);
  await expect(
    page.getByText('notes.gz is compressed. Only images, text files, PDFs and audio can be attached.'),
  ).toBeVisible();
  await bench.getButton('Remove notes.txt').click();
  await expect(page.getByText('logo.svg is an SVG image')).toBeVisible();
  await expect(page.getByText('Could not read broken.png as an image.')).toBeVisible();

  await bench.reload();
  await expect(bench.getButton('Remove image')).toHaveCount(2);
  await expect(bench.message).toHaveValue('Two of them');
  await bench.getButton('Remove image').first().click();
  await expect(page.getByText('pasted.png')).toHaveCount(0);
  await bench.message.press('Enter');
  await expect(bench.prompts).toHaveCount(1);
  await bench.waitUntilEnded();
  expect(listImageUrls(getLastContent(gateway))).toHaveLength(1);
  await bench.reload();
  await expect(bench.prompts).toHaveCount(1);
  await expect(bench.getButton('Link an image')).toBeVisible();
  await expect(bench.getButton('Remove image')).toHaveCount(0);
});

test(
  'scales a large image before sending, and sends only the text to a text-only lane',
  { tag: '@soak' },
  async ({ bench, demo, page }) => {
    await bench.open(demo.url);
    const getPixel = (x: number) => (x < 750 ? red : blue);
    await attachImages(bench, createPng('wide.png', { width: 1500, height: 900, getPixel }));
    await expect(page.getByText('This model accepts text only')).toBeVisible();
    await bench.selectModel('demo/vision');
    await bench.getButton('Size 1,500 × 900').click();
    await expect(page.getByRole('menuitem', { name: /Scale down to 2,048/ })).toHaveCount(0);
    await page.getByRole('menuitem', { name: /Scale down to 512/ }).click();
    await expect(bench.getButton('Size 512 × 307')).toBeVisible();
    await bench.getButton('Size 512 × 307').click();
    await page.getByRole('menuitem', { name: /Original size/ }).click();
    await expect(bench.getButton('Size 1,500 × 900')).toBeVisible();
    await bench.getButton('Size 1,500 × 900').click();
    await page.getByRole('menuitem', { name: /Scale down to 1,024/ }).click();
    await expect(bench.getButton('Size 1,024 × 614')).toBeVisible();
    await expect
      .poll(() => page.getByRole('img', { name: 'Preview of wide.png' }).evaluate(measureWidthAndColours))
      .toEqual([1024, red, blue]);

    await bench.getButton('Add lane').click();
    const laneB = page.getByRole('region', { name: 'Lane B' });
    await laneB.getByRole('button', { name: /^Model capabilities/ }).click();
    const acceptsImages = page.getByRole('radiogroup', { name: 'images' });
    await acceptsImages.getByRole('radio', { name: 'No' }).click();
    await page.keyboard.press('Escape');
    await expect(laneB.getByRole('button', { name: /^Model capabilities/ })).toContainText('text');
    await expect(page.getByText('A and B are marked text-only, so the image will not be sent')).toBeVisible();
    await bench.message.press('Enter');
    await expect(page.getByText('accepts text only'), 'no lane accepts images').toBeVisible();
    await laneB.getByRole('button', { name: /^Model capabilities/ }).click();
    await acceptsImages.getByRole('radio', { name: 'Auto' }).click();
    await page.keyboard.press('Escape');
    await bench.sendAndWait('How large is it?');
    for (const reply of await bench.replies.all()) {
      await expect(reply).toContainText('1,024 × 614 pixels');
    }
  },
);

test(
  'keeps images added or removed in an editor after Escape and a reload, separately for each version',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const firstPrompt = bench.prompts.first();
    const editButton = firstPrompt.getByRole('button', { name: 'Edit', exact: true });
    await bench.open(server.url);
    await attachImages(bench, createPng('red.png'));
    await bench.sendAndWait('One');
    await editButton.click();
    await firstPrompt.getByRole('button', { name: 'Remove image' }).click();
    await attachImagesVia(bench, 'Add files', createPng('green.png'), createPng('blue.png'));
    await expect(firstPrompt.getByRole('button', { name: 'Remove image' })).toHaveCount(2);
    await page.getByRole('textbox', { name: 'Edit message' }).press('Escape');
    await editButton.click();
    await expect(firstPrompt.getByRole('button', { name: 'Remove image' })).toHaveCount(2);
    await bench.reload();
    await editButton.click();
    await expect(firstPrompt.getByRole('img', { name: 'blue.png' })).toBeVisible();
    await expect(firstPrompt.getByRole('img', { name: 'green.png' })).toBeVisible();
    await bench.getButton('Discard').click();
    await expect(firstPrompt.getByRole('button', { name: 'Remove image' })).toHaveCount(1);
    await attachImagesVia(bench, 'Add files', createPng('green.png'));
    await expect(firstPrompt.getByRole('button', { name: 'Remove image' })).toHaveCount(2);
    await bench.getButton('Save and run').click();
    await expect(firstPrompt).toContainText('2 of 2');
    await bench.waitUntilEnded();
    expect(listImageUrls(getLastContent(gateway))).toHaveLength(2);
    await editButton.click();
    await expect(bench.getButton('Discard')).toHaveCount(0);
    await page.getByRole('textbox', { name: 'Edit message' }).press('Escape');
    await firstPrompt.getByRole('button', { name: 'Previous version' }).click();
    await expect(firstPrompt.getByRole('img', { name: /^Attachment/ })).toHaveCount(1);
  },
);

test("shows the image of an answer, also after a reload, attaches it and saves the answer's speech", async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const { buffer } = createPng('red.png');
  const audio = Buffer.from('RIFF$\0\0\0WAVEfmt and some samples', 'latin1');
  gateway.setChatScript((answer) => {
    answer.sendDelta({
      images: [{ image_url: { url: `data:image/png;base64,${buffer.toString('base64')}` } }],
    });
    answer.sendDelta({ audio: { transcript: 'Here it is.', data: audio.toString('base64') } });
    answer.sendFinishReason();
    answer.sendDone();
  });
  await bench.open(server.url);
  await bench.sendAndWait('Draw it');
  const image = bench.replies.first().getByRole('img', { name: 'Image 1 of the answer' });
  await waitUntilPainted(image);
  await bench.reload();
  await waitUntilPainted(image);
  const downloadPromise = page.waitForEvent('download');
  await bench.getButton('Save audio').click();
  const file = await downloadPromise;
  expect(file.suggestedFilename()).toMatch(/^bench-speech-.*\.wav$/);
  expect(await readFile(await file.path())).toEqual(audio);
  await bench.getButton('Attach to next message').click();
  await waitUntilPainted(page.getByRole('img', { name: 'Preview of Answer image 1' }));
  await bench.sendAndWait('What is it?');
  expect(listImageUrls(getLastContent(gateway))).toEqual([
    `data:image/png;base64,${buffer.toString('base64')}`,
  ]);
});

test(
  'scales oversized images with one click in the composer and after a failed request',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    gateway.setChatScript((answer) => answer.sendAnswer('Seen'));
    await bench.open(server.url);
    const large = createPng('large.png', { width: 2500, height: 2100, compressionLevel: 0 });
    const scaleButton = page.getByRole('button', { name: 'Scale to 2,048 px' });
    const sendButton = page.getByRole('button', { name: /^Send/ });

    await attachImages(bench, large);
    await bench.message.fill('Look');
    const reason = /^The request would be about 20\.0 MB\. The limit is 20 MB\./;
    await expect(page.getByText(reason)).toBeVisible();
    await expect(sendButton).toHaveAttribute('aria-disabled', 'true');
    await expect(sendButton).toHaveAttribute('title', reason);
    await bench.message.press('Enter');
    await expect(bench.getAnnouncement(/^Not sent\. The request would be/)).toBeAttached();
    expect(gateway.posts).toEqual([]);
    await scaleButton.click();
    await expect(bench.getButton('Size 2,048 × 1,720')).toBeVisible();
    await expect(page.getByText(reason)).toHaveCount(0);
    await expect(bench.message).toBeFocused();

    await bench.getButton('Size 2,048 × 1,720').click();
    await page.getByRole('menuitem', { name: /Original size/ }).click();
    await expect(sendButton).toHaveAttribute('aria-disabled', 'true');
    await bench.getButton('Add a message').click();
    await page.getByRole('menuitem', { name: 'Add as user message' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(bench.getError()).toContainText('The request is too large');
    await expect(bench.getError().getByRole('button').first()).toHaveText('Scale to 2,048 px');
    expect(gateway.posts).toEqual([]);
    await scaleButton.click();
    await expect(bench.lastReply).toContainText('Seen');
    expect(listImageUrls(getLastContent(gateway))).toHaveLength(1);
  },
);

test('keeps the page open when a link or file is dropped, and removes the drop marker on cancel', async ({
  bench,
  demo,
  page,
}) => {
  const cdp = await page.context().newCDPSession(page);
  const urlItem = { mimeType: 'text/uri-list', data: 'https://example.com/' };
  const linkData = { items: [urlItem], dragOperationsMask: 1 };
  const linkWithTextData = { ...linkData, items: [urlItem, { ...urlItem, mimeType: 'text/plain' }] };
  const fileData = { items: [], files: [fileURLToPath(import.meta.url)], dragOperationsMask: 1 };
  const drag = async (
    data: typeof linkData | typeof fileData,
    target: Locator,
    endType: 'drop' | 'dragCancel',
  ) => {
    const box = await target.boundingBox();
    if (!box) throw new Error('The drop target is not visible');
    const point = { x: box.x + box.width / 2, y: box.y + box.height / 2, data };
    for (const type of ['dragEnter', 'dragOver', endType] as const)
      await cdp.send('Input.dispatchDragEvent', { type, ...point });
  };
  const visitedUrls: string[] = [];
  page.on('framenavigated', (frame) => visitedUrls.push(frame.url()));
  page.context().on('page', (tab) => visitedUrls.push(tab.url()));
  await bench.open(demo.url);
  const { length } = visitedUrls;
  await expect(bench.parameters).toBeVisible();
  for (const target of [page.getByRole('banner'), bench.parameters, bench.noConversation])
    await drag(linkData, target, 'drop');
  await drag(linkData, bench.message, 'drop');
  await drag(linkWithTextData, bench.message, 'drop');
  await expect(bench.message).toHaveValue('https://example.com/');
  await drag(fileData, bench.message, 'drop');
  await expect(page.getByRole('group', { name: 'images.spec.ts' })).toBeVisible();
  expect(visitedUrls.slice(length), 'URLs visited by the page').toEqual([]);

  const form = page.locator('form[data-region=composer]');
  const initialClass = await form.getAttribute('class');
  await drag(fileData, bench.parameters, 'dragCancel');
  await expect(form).toHaveAttribute('class', initialClass ?? '');

  await page.goto(new URL('/history', demo.url).href);
  const { length: visitedCount } = visitedUrls;
  await page.getByRole('heading', { name: 'History' }).waitFor();
  const dropHint = page.getByText('Drop a Bench export file here');
  await drag(fileData, page.getByRole('main'), 'dragCancel');
  await expect(dropHint).toHaveCount(0);
  await drag(linkData, page.getByRole('main'), 'drop');
  await drag(fileData, page.getByRole('banner'), 'drop');
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
  expect(visitedUrls.slice(visitedCount)).toEqual([]);
});
