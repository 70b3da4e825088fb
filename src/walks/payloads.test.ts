/** Tests injection payloads as far as possible without a browser. */
import { describe, expect, it } from 'vitest';

import { buildSessionHtml } from '../conversation/files/html-export.ts';
import { buildSessionMarkdown } from '../conversation/files/markdown-export.ts';
import { getAnswerText } from '../conversation/reply/run.ts';
import { markdownToHtml } from '../markdown/parse/markdown-to-html.ts';
import type { Bench } from '../testing/bench.ts';
import { groupPayloads, createPayloads } from '../testing/cases/payloads.ts';
import {
  sendAndWait,
  createConversation,
  getTurnRun,
  configureLane,
} from '../testing/conversation-driver.ts';

const payloads = createPayloads('https://out.test');

/** Creates a session with these texts in every field: each is sent once as a prompt and returned once as an answer. */
async function createHostileSession(texts: readonly string[]): Promise<Bench> {
  const { bench, gateway } = await createConversation((answer) => {
    const text = texts[gateway.posts.length - 1] ?? '';
    answer.sendEvent({
      id: text,
      model: text,
      choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: text }, finish_reason: null }],
    });
    answer.sendText(text);
    answer.sendToolCall(0, text, text, JSON.stringify({ text, ['__proto__']: text }), '');
    answer.sendFinishReason(text);
    answer.sendDone();
  });
  for (const text of texts) {
    configureLane(bench, { model: text, system: text, fields: { stop: text } });
    await sendAndWait(bench, text);
    expect(getAnswerText(getTurnRun(bench).choices[0])).toBe(text);
  }
  await bench.actions.renameSession(texts.join(' '));
  return bench;
}

/** Returns elements, attributes and links of an exported page that only a payload could have added. */
function findPageFaults(html: string): string[] {
  const tags = [...html.matchAll(/<\/?([a-z][a-z0-9]*)([^>]*)>/gi)].map(([, name = '', attributes = '']) => ({
    name: name.toLowerCase(),
    attributes,
  }));
  const allowedTags =
    'html head meta title style body header main section div article h1 h2 h3 h4 p small span code pre a em strong del ul ol li blockquote table tr th td hr br sup details summary b svg path text'.split(
      ' ',
    );
  return [
    ...tags.filter(({ name }) => !allowedTags.includes(name)).map(({ name }) => `the element ${name}`),
    ...tags
      .filter(({ attributes }) => /\s(?:on[a-z]+|src|srcset|style|formaction)\s*=/i.test(attributes))
      .map(({ attributes }) => attributes),
    ...tags
      .flatMap(({ attributes }) => [...attributes.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href))
      .filter((href) => !/^(?:https?:\/\/|mailto:)/.test(href)),
    ...(html.match(/<style/g)?.length === 1 ? [] : ['more than one style sheet']),
    ...(html.match(/<meta/g)?.length === 4 ? [] : ['more than its own meta elements']),
  ];
}

/** Returns dangerous HTML tags outside code that another Markdown program would render. */
function findMarkdownTags(markdown: string): string[] {
  const withoutCode = markdown
    .replace(/^(`{3,}|~{3,})[\s\S]*?^\1`*~*$/gm, '')
    .replace(/(`+)[^`][\s\S]*?\1/g, '');
  return withoutCode.match(/(?:^|[^\\])<(?:script|img|iframe|svg|style|link|meta|object|embed)\b/gi) ?? [];
}

describe('more than a hundred payloads', () => {
  it('contains at least 100 payloads', () => expect(payloads.length).toBeGreaterThanOrEqual(100));

  it('renders payloads in every field of a session as inert text in HTML and Markdown exports', async () => {
    const texts = groupPayloads(payloads);
    const data = (await createHostileSession(texts)).getOpenSession();
    const page = buildSessionHtml(data, { renderMarkdown: markdownToHtml, getImageDataUrl: () => undefined });
    const markdown = buildSessionMarkdown(data);
    for (const payload of ['<script>', 'onerror=']) {
      expect(markdown).toContain(payload);
      expect(page).toContain(payload.replace('<', '&lt;').replace('>', '&gt;'));
    }
    expect(findPageFaults(page)).toEqual([]);
    expect(findMarkdownTags(markdown)).toEqual([]);
  });
});
