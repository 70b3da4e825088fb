/**
 * Provides checks for pages that show content from models, gateways and files: no content runs, and no other host is
 * contacted.
 */
import { createServer } from 'node:http';

import type { Page } from 'playwright/test';

import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import type { BenchPage } from './bench-page.ts';
import { test as base, expect } from './fixtures.ts';

interface Collector {
  origin: string;
  /** Paths of the requests received by the collector. */
  requestedPaths: string[];
}

export const test = base.extend<{ collector: Collector; externalRequests: string[] }>({
  /** Starts a host that records its requests and fails the test if there are any. */
  collector: async ({}, use) => {
    const requestedPaths: string[] = [];
    const server = createServer((request, response) => {
      requestedPaths.push(request.url ?? '');
      response.setHeader('access-control-allow-origin', '*').end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The collector has no port');
    await use({ origin: `http://127.0.0.1:${address.port}`, requestedPaths });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(requestedPaths, 'requests to another host').toEqual([]);
  },
  /** Collects the requests that any page of the test sends to other origins. */
  externalRequests: async ({ context, server }, use) => {
    const externalRequests: string[] = [];
    const { origin } = new URL(server.url);
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol))
        externalRequests.push(request.url());
    });
    await use(externalRequests);
    expect(externalRequests, 'requests from the page to other hosts').toEqual([]);
  },
});

/**
 * Fails if content was executed or could be: executed payloads, elements or attributes that messages must not create,
 * and unsafe links.
 */
export async function expectHarmless(page: Page, description: string): Promise<void> {
  const findings = await page.evaluate(() => {
    const composerForm = document.querySelector('#composer')?.closest('form');
    const contentElements = [
      ...document.querySelectorAll('main *, [role=dialog] *, aside *, [role=complementary] *'),
    ].filter((element) => element !== composerForm);
    return {
      ran: 'ranPayload' in globalThis,
      polluted: 'polluted' in {} || 'polluted' in [],
      elements: contentElements
        .filter((element) =>
          /^(?:script|iframe|object|embed|link|meta|base|form|style|img|image|video|audio|source|picture|marquee|template|foreignobject|feimage|animate|use)$/i.test(
            element.localName,
          ),
        )
        .map((element) => element.outerHTML.slice(0, 120)),
      handlers: contentElements.flatMap((element) =>
        element
          .getAttributeNames()
          .filter((name) => /^on/i.test(name) || name === 'srcdoc' || name === 'formaction'),
      ),
      styles: contentElements
        .filter((element) => /url\(|expression|@import/i.test(element.getAttribute('style') ?? ''))
        .map((element) => element.outerHTML.slice(0, 120)),
      links: contentElements
        .filter((element) => element.hasAttribute('href') || element.hasAttribute('xlink:href'))
        .filter((element) => {
          if (!(element instanceof HTMLAnchorElement)) return true;
          if (element.origin === location.origin)
            return element.target !== '' || element.closest('article') !== null;
          return (
            !['http:', 'https:', 'mailto:'].includes(element.protocol) ||
            !element.relList.contains('noopener') ||
            !element.relList.contains('noreferrer')
          );
        })
        .map((element) => element.outerHTML.slice(0, 160)),
    };
  });
  expect(findings, description).toEqual({
    ran: false,
    polluted: false,
    elements: [],
    handlers: [],
    styles: [],
    links: [],
  });
}

/** Expands everything collapsible in the conversation, so that all of its content is rendered. */
export async function expandAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const toggle of document.querySelectorAll(
      'article button[aria-expanded=false]:not([aria-haspopup])',
    ))
      if (toggle instanceof HTMLElement) toggle.click();
    for (const details of document.querySelectorAll('article details')) details.setAttribute('open', '');
  });
}

/**
 * Answers with each of these texts in every field of a stream, one per prompt, and waits until all answers have ended.
 */
export async function streamEverywhere(
  bench: BenchPage,
  gateway: ScriptedGateway,
  groups: readonly string[],
): Promise<void> {
  gateway.setChatScript((answer) => {
    const text = groups[gateway.posts.length - 1] ?? '';
    answer.sendEvent({
      id: text.slice(0, 60),
      model: text.slice(0, 60),
      choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: text }, finish_reason: null }],
    });
    for (let offset = 0; offset < text.length; offset += 40) answer.sendText(text.slice(offset, offset + 40));
    answer.sendToolCall(
      0,
      text.slice(0, 40),
      text.slice(0, 60),
      JSON.stringify({ text, ['__proto__']: text }),
      '',
    );
    answer.sendFinishReason(text.slice(0, 30));
    answer.sendDone();
  });
  for (const [index, group] of groups.entries()) {
    await bench.send(group);
    await expect(bench.replies.nth(index)).toHaveAttribute('data-status', 'complete');
  }
}
