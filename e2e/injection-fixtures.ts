/** What is asked of any page that shows what models, gateways and files say: nothing in it acts, and nobody else is asked. */
import { createServer } from 'node:http';

import type { Page } from 'playwright/test';

import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import type { BenchPage } from './bench-page.ts';
import { test as base, expect } from './fixtures.ts';

interface Collector {
  origin: string;
  /** What was asked of it. */
  hits: string[];
}

export const test = base.extend<{ collector: Collector; asked: string[] }>({
  /** A host that counts its visitors. */
  collector: async ({}, use) => {
    const hits: string[] = [];
    const server = createServer((request, response) => {
      hits.push(request.url ?? '');
      response.setHeader('access-control-allow-origin', '*').end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The collector has no port');
    await use({ origin: `http://127.0.0.1:${address.port}`, hits });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(hits, 'what another host was asked').toEqual([]);
  },
  /** Every address that any page of the test asked for, beside its own origin. */
  asked: async ({ context, server }, use) => {
    const asked: string[] = [];
    const { origin } = new URL(server.url);
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol)) asked.push(request.url());
    });
    await use(asked);
    expect(asked, 'what the page asked other hosts for').toEqual([]);
  },
});

/** Fails where anything on the page acts or could act: code that ran, elements and attributes that no message may make, links elsewhere. */
export async function expectHarmless(page: Page, place: string): Promise<void> {
  const found = await page.evaluate(() => {
    const composerForm = document.querySelector('#composer')?.closest('form');
    const inside = [
      ...document.querySelectorAll('main *, [role=dialog] *, aside *, [role=complementary] *'),
    ].filter((each) => each !== composerForm);
    return {
      ran: 'ranPayload' in globalThis,
      polluted: 'polluted' in {} || 'polluted' in [],
      elements: inside
        .filter((each) =>
          /^(?:script|iframe|object|embed|link|meta|base|form|style|img|image|video|audio|source|picture|marquee|template|foreignobject|feimage|animate|use)$/i.test(
            each.localName,
          ),
        )
        .map((each) => each.outerHTML.slice(0, 120)),
      handlers: inside.flatMap((each) =>
        each
          .getAttributeNames()
          .filter((name) => /^on/i.test(name) || name === 'srcdoc' || name === 'formaction'),
      ),
      styles: inside
        .filter((each) => /url\(|expression|@import/i.test(each.getAttribute('style') ?? ''))
        .map((each) => each.outerHTML.slice(0, 120)),
      links: inside
        .filter((each) => each.hasAttribute('href') || each.hasAttribute('xlink:href'))
        .filter((each) => {
          if (!(each instanceof HTMLAnchorElement)) return true;
          if (each.origin === location.origin) return each.target !== '' || each.closest('article') !== null;
          return (
            !['http:', 'https:', 'mailto:'].includes(each.protocol) ||
            !each.relList.contains('noopener') ||
            !each.relList.contains('noreferrer')
          );
        })
        .map((each) => each.outerHTML.slice(0, 160)),
    };
  });
  expect(found, place).toEqual({
    ran: false,
    polluted: false,
    elements: [],
    handlers: [],
    styles: [],
    links: [],
  });
}

/** Opens every fold of the conversation, so that all that can be drawn is. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll('article button[aria-expanded=false]:not([aria-haspopup])'))
      if (fold instanceof HTMLElement) fold.click();
    for (const fold of document.querySelectorAll('article details')) fold.setAttribute('open', '');
  });
}

/** Answers with these texts in every place of a stream, one after the other, and waits until all are said. */
export async function sayEverywhere(
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
    for (let at = 0; at < text.length; at += 40) answer.sendText(text.slice(at, at + 40));
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
