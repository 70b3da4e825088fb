/** Helpers for files that the app downloads and for files that tests upload. */
import { readFile } from 'node:fs/promises';

import { expect, type Browser, type JSHandle, type Page } from 'playwright/test';

import { buildExportChunks, formatSessionJson } from '../src/conversation/files/session-export.ts';
import {
  createTestEnvironment,
  createTextChoices,
  createTestSession,
  addTestTurn,
} from '../src/testing/builders.ts';
import type { BenchPage } from './bench-page.ts';

interface AttachedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Returns the name and text of the file that `action` downloads. */
export async function captureDownload(
  page: Page,
  action: () => Promise<void>,
): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), action()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

/** Uploads this file through the file chooser that `action` opens. */
export async function chooseFile(
  page: Page,
  action: () => Promise<void>,
  name: string,
  text: string,
): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), action()]);
  await chooser.setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
}

/** Attaches these files with the button of the composer. */
export async function attachFiles(bench: BenchPage, files: readonly AttachedFile[]): Promise<void> {
  const [chooser] = await Promise.all([
    bench.page.waitForEvent('filechooser'),
    bench.getButton('Attach').click(),
  ]);
  await chooser.setFiles([...files]);
}

/** Returns the `dataTransfer` of an event that drops this file. */
export function createFileTransfer(page: Page, name: string, text: string): Promise<JSHandle<DataTransfer>> {
  return page.evaluateHandle(
    (file) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([file.text], file.name));
      return transfer;
    },
    { name, text },
  );
}

/** Opens an exported HTML page without a network and checks that it requests and logs nothing. */
export async function readOffline(
  browser: Browser,
  html: string,
  check: (readerPage: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ offline: true });
  const readerPage = await context.newPage();
  const requestedUrls: string[] = [];
  const consoleMessages: string[] = [];
  readerPage.on('request', (request) => requestedUrls.push(request.url()));
  readerPage.on('console', (message) => consoleMessages.push(message.text()));
  await readerPage.setContent(html);
  await check(readerPage);
  expect([requestedUrls, consoleMessages]).toEqual([[], []]);
  await context.close();
}

/** Returns an export of sessions with these titles and `turns` turns each. */
export function createExport(titles: readonly string[], turns: number): string {
  const environment = createTestEnvironment();
  const sessions = titles.map((title) => {
    let data = createTestSession(environment);
    for (let turn = 1; turn <= turns; turn += 1)
      ({ data } = addTestTurn(data, environment, `Question ${turn}`, createTextChoices(formatAnswer(turn))));
    const summary = { models: ['north/one'], prompts: turns };
    return formatSessionJson({
      data: { ...data, session: { ...data.session, title, titled: true, summary } },
      unreadable: [],
    });
  });
  return buildExportChunks(sessions).join('');
}

function formatAnswer(number: number): string {
  return `Answer **${number}** begins.\n\n- one\n- two\n\n\`\`\`ts\nconst answer = ${number};\n\`\`\`\n\nIts key is k${number}z.`;
}

/** Stores the number of messages in the body's `data-initial-messages` attribute when this text first appears. */
export function countInitialMessages(page: Page, text: string): Promise<void> {
  return page.evaluate((awaitedText) => {
    const observer = new MutationObserver(() => {
      if (!document.body.textContent?.includes(awaitedText)) return;
      observer.disconnect();
      document.body.dataset['initialMessages'] = String(document.querySelectorAll('article').length);
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  }, text);
}
