import { mapValues } from 'es-toolkit';
import { lexer, walkTokens } from 'marked';
import { describe, expect, it } from 'vitest';

import type { ContentPart } from '../../gateway/wire.ts';
import { markdownToHtml } from '../../markdown/parse/markdown-to-html.ts';
import {
  createTestEnvironment,
  createTextChoices,
  createTestSession,
  createTestSetup,
  addTestReply,
  addTestTurn,
  createTickedParams,
} from '../../testing/builders.ts';
import { addPrompt, addTurn } from '../session/edit-session.ts';
import { duplicateLane, renameLane } from '../session/lanes.ts';
import type { Run, SessionData } from '../session/types.ts';
import { buildSessionHtml, type HtmlExportOptions } from './html-export.ts';
import { buildSessionMarkdown } from './markdown-export.ts';

const options: HtmlExportOptions = { renderMarkdown: markdownToHtml, getImageDataUrl: () => undefined };

function createExchange(
  promptText: string,
  reply: string,
  setup = createTestSetup({ model: 'north/one' }),
): SessionData {
  const environment = createTestEnvironment();
  const numbers = {
    sentAt: 1,
    firstTokenMs: 412,
    firstTextMs: 412,
    lastEventMs: 2000,
    endedMs: 2000,
    requestId: 'req-7',
  };
  const usage = { promptTokens: 1212, completionTokens: 61 };
  return addTestTurn(createTestSession(environment, [setup]), environment, promptText, {
    ...createTextChoices(reply),
    ...numbers,
    usage,
    deltas: 60,
  }).data;
}

const hostileTexts = [
  ['a script', '<script>globalThis.hacked = 1</script>'],
  ['an image with an event handler', '<img src="https://tracker.test/x.png" onerror="hacked()">'],
  ['a Markdown image', '![pixel](https://tracker.test/p.png)'],
  ['a Markdown reference image', '![ref][r]\n\n[r]: https://tracker.test/r.png'],
  ['a javascript: link', '[click](javascript:hacked())'],
  ['a javascript: link in angle brackets', '[click](<javascript:hacked()>)'],
  ['an SVG element with an event handler', '<svg/onload=hacked()>'],
  ['a style element', '<style>@import url(https://tracker.test/s.css)</style>'],
  ['a meta refresh', '<meta http-equiv="refresh" content="0;url=https://tracker.test">'],
  ['a script after a closing quote and bracket', '"><script>hacked()</script>'],
  ['a script after closing tags of text elements', '</title></style></textarea><script>hacked()</script>'],
  ['a formula with a javascript: link', '$\\href{javascript:hacked()}{x}$'],
] as const;

describe('HTML export', () => {
  it.each(hostileTexts)(
    'shows %s as text in title, prompt, answer, model and system prompt',
    (_name, text) => {
      const page = buildSessionHtml(
        createExchange(
          text,
          text,
          createTestSetup({ model: text, system: text, params: createTickedParams({ stop: text }) }),
        ),
        options,
      );
      const tags = [...page.matchAll(/<\/?([a-z][a-z0-9]*)([^>]*)>/gi)];
      const allowedTags =
        'html head meta title style body header main section div article h1 h2 h3 h4 p small span code pre a em strong del ul ol li blockquote table tr th td hr br sup details summary b svg path text rect';
      expect(
        tags.map((tag) => tag[1]).filter((name) => !allowedTags.split(' ').includes(name ?? '')),
      ).toEqual([]);
      expect(tags.filter((tag) => /\son[a-z]+\s*=|\ssrc\s*=/i.test(tag[2] ?? ''))).toEqual([]);
      const addresses = tags.flatMap((tag) =>
        [...(tag[2] ?? '').matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? ''),
      );
      expect(addresses.filter((href) => !href.startsWith('https://'))).toEqual([]);
      expect(page.match(/<meta/g)).toHaveLength(4);
    },
  );

  it('draws the traces of a turn on a common clock, in the colours of the lanes', () => {
    const environment = createTestEnvironment();
    const setups = ['one', 'two'].map((name) => createTestSetup({ model: `north/${name}` }));
    const session = createTestSession(environment, setups);
    const first = addTestTurn(session, environment, 'Hi');
    const [promptId = ''] = Object.keys(first.data.prompts);
    const [, secondLaneId = ''] = session.session.laneIds;
    const { data } = addTurn(first.data, environment, secondLaneId, { promptId, run: true });
    const runs = mapValues(data.runs, (run, id): Run => {
      const endedMs = id === first.runId ? 1000 : 3000;
      return { ...run, phase: { name: 'complete' }, sentAt: 1, firstTokenMs: 500, endedMs };
    });
    const getTicks = () => [{ atMs: 500, kind: 'answer' as const, size: 31 }];
    const page = buildSessionHtml({ ...data, runs }, { ...options, getTicks });
    const traces = [...page.matchAll(/<svg class="trace".*?<\/svg>/g)].map(([svg]) => svg);
    expect(traces).toHaveLength(2);
    for (const trace of traces) {
      expect(trace).toContain('>4 s</text>');
      expect(trace).toContain('<path d="M40.5 3V22" fill="none" stroke="var(--lane)"');
    }
    expect(traces[0]).toContain('<path d="M80.5 3V22" fill="none" stroke="var(--ink)" stroke-width="2"/>');
    expect(traces[1]).toContain('<path d="M239.5 3V22" fill="none" stroke="var(--ink)" stroke-width="2"/>');
    expect(traces[1]).toContain('<title>Waiting 500 ms, answer');
    expect(page.match(/<article class="compared letter-[a-f]"/g)).toEqual([
      '<article class="compared letter-a"',
      '<article class="compared letter-b"',
    ]);
  });

  it('shows neither numbers nor a trace for an answer that was copied from another lane', () => {
    const environment = createTestEnvironment();
    const setups = [createTestSetup({ model: 'north/one' })];
    const { data } = addTestTurn(createTestSession(environment, setups), environment, 'Hi', {
      ...createTextChoices('Hello'),
      sentAt: 1,
      firstTokenMs: 412,
      endedMs: 2000,
    });
    const [laneId = ''] = data.session.laneIds;
    const page = buildSessionHtml(duplicateLane(data, environment, laneId), options);
    expect(page.match(/<svg class="trace"/g)).toHaveLength(1);
    expect(page.match(/412 ms to first token/g)).toHaveLength(1);
    expect(page).toContain('copied from lane A');
  });

  it('includes model, parameters, system prompt, metrics and the formatted answer', () => {
    const setup = createTestSetup({
      model: 'north/one',
      system: 'Be brief',
      params: createTickedParams({ temperature: '0.4' }),
    });
    const page = buildSessionHtml(
      createExchange('What is *it*?', '**Bold** and `code`\n\n```js\na < b\n```', setup),
      options,
    );
    for (const piece of [
      'north/one',
      'temperature 0.4',
      'Be brief',
      'What is *it*?',
      '<strong>Bold</strong>',
      '<code>code</code>',
      'a &lt; b',
      '412 ms to first token',
      '1,212 tokens in',
      '61 tokens out',
      'finish reason stop',
      'request req-7',
    ]) {
      expect(page).toContain(piece);
    }
  });

  it('fills in variables and lists them once', () => {
    const data = createExchange('Welcome {{customer}}', 'Hello', createTestSetup({ system: 'Be {{tone}}' }));
    const variables = { customer: 'Ada', tone: 'kind', unused: 'secret' };
    const withVariables = { ...data, session: { ...data.session, variables } };
    for (const page of [buildSessionHtml(withVariables, options), buildSessionMarkdown(withVariables)]) {
      expect(page).toContain('Welcome Ada');
      expect(page).toContain('Be kind');
      expect(page.match(/tone = kind, customer = Ada/g)).toHaveLength(1);
      expect(page).not.toContain('secret');
    }
  });

  it('names no lane, model, setting, system prompt or metric of several lanes while names are hidden', () => {
    const setups = ['one', 'two'].map((name) =>
      createTestSetup({
        model: `north/${name}`,
        system: `Be ${name}ish`,
        params: createTickedParams({ seed: '7' }),
      }),
    );
    const environment = createTestEnvironment();
    const empty = createTestSession(environment, setups);
    const named = renameLane(empty, empty.session.laneIds[0] ?? '', 'Candidate <June>');
    const { data } = addTestTurn(named, environment, 'Who are you?', {
      ...createTextChoices('Nobody'),
      sentAt: 1,
      endedMs: 2000,
      requestId: 'req-7',
    });
    for (const page of [
      buildSessionHtml(data, { ...options, namesHidden: true }),
      buildSessionMarkdown(data, { namesHidden: true }),
    ]) {
      expect(page).toContain('Model A');
      expect(page).toContain('Nobody');
      for (const secret of ['Candidate', 'north/', 'Be oneish', 'seed 7', 'req-7', 'gateway', '2 s total'])
        expect(page).not.toContain(secret);
    }
    const page = buildSessionHtml(data, options);
    expect(page.match(/Candidate &lt;June&gt;/g), 'in the summary and at the answer').toHaveLength(2);
    expect(buildSessionMarkdown(data)).toContain('### Lane A, Candidate &lt;June>: north/one');
    expect(buildSessionHtml(createExchange('Hi', 'Hello'), { ...options, namesHidden: true })).toContain(
      'north/one',
    );
  });

  it('embeds stored images and does not show other URLs as images', () => {
    const data = createExchange('Hi', 'Hello');
    const [prompt] = Object.values(data.prompts);
    if (!prompt) throw new Error('The prompt is missing');
    const image = (url: string) => ({ type: 'image_url' as const, image_url: { url } });
    const urls = ['bench-image:1', 'https://tracker.test/x.png', 'data:text/html;base64,AA=='];
    const withImages = {
      ...data,
      prompts: {
        [prompt.id]: { ...prompt, messages: [{ role: 'user' as const, content: urls.map(image) }] },
      },
    };
    const getImageDataUrl = (url: string) =>
      url === 'bench-image:1'
        ? 'data:image/png;base64,iVBORw0KGgo='
        : url.startsWith('data:')
          ? url
          : undefined;
    const page = buildSessionHtml(withImages, { ...options, getImageDataUrl });
    expect(page.match(/<img [^>]*>/g)).toEqual([
      '<img src="data:image/png;base64,iVBORw0KGgo=" alt="Attached image">',
    ]);
  });

  it('links stored documents and sounds for saving without their type, and names others', () => {
    const environment = createTestEnvironment();
    const content: ContentPart[] = [
      { type: 'file', file: { filename: '"><b>.html', file_data: 'bench-image:1' } },
      { type: 'input_audio', input_audio: { data: 'bench-image:2', format: 'wav' }, name: 'memo.wav' },
    ];
    const { data, promptId } = addPrompt(createTestSession(environment), environment, {
      messages: [{ role: 'user', content }],
    });
    const withReply = addTestReply(data, environment, promptId, createTextChoices('Read')).data;
    const getImageDataUrl = (url: string) =>
      url === 'bench-image:1' ? 'data:text/html;base64,PGI+' : undefined;
    const page = buildSessionHtml(withReply, { ...options, getImageDataUrl });
    expect(page).toContain(
      '<p>File: <a download="&quot;&gt;&lt;b&gt;.html" href="data:application/octet-stream;base64,PGI+">&quot;&gt;&lt;b&gt;.html</a></p>',
    );
    expect(page).toContain('<p class="quiet">File: memo.wav, not included in this file</p>');
    expect(buildSessionMarkdown(withReply)).toContain('> File: memo.wav, not included in this file.');
  });
});

describe('Markdown export', () => {
  it.each(hostileTexts)(
    'exports Markdown without anything that a viewer would run or fetch: %s',
    (_name, text) => {
      const markdown = buildSessionMarkdown(createExchange(text, text));
      expect(markdown).not.toMatch(/<[a-z/!?]/i);
      expect(markdown).not.toMatch(/(?<!\\)!\[/);
      expect(markdown).not.toMatch(/\]\(\s*<?\s*javascript:/i);
    },
  );

  it('keeps code unchanged in Markdown', () => {
    const code = '```html\n<script src="x">![a](b)</script>\n```\n\nand `<b>` in a line';
    expect(buildSessionMarkdown(createExchange('Hi', code))).toContain(code);
  });

  it.each([
    ['an unclosed fence', 'a fence that never ends\n```\n<b onclick=x>'],
    ['a fence inside a list', '- a fence in a list\n\n  ```\n  code\n- <b onclick=x>'],
    ['backtick runs of two lengths', 'backticks of two lengths `` <b onclick=x> `'],
    ['a code span across two lines', 'a span over lines ` a\n` <b onclick=x> `'],
    ['an escaped backtick', 'an escaped one \\` <b onclick=x> `'],
    ['a code span cut off by the end of a heading', '# a heading ends ` here\n<b onclick=x> `'],
    ['a backtick in a URL', '<https://a`b> <b onclick=x> `'],
    ['disguised javascript: URLs', '[x](java\tscript:x) [x](&#106;avascript:x) [x][r]\n\n[r]: javascript:x'],
  ])('exports Markdown that parses without HTML and unsafe links: %s', (_name, text) => {
    const data = createExchange(text, text);
    const violations: string[] = [];
    // The text is repeated because markup left open by one message could be closed by the next.
    void walkTokens(lexer(`${buildSessionMarkdown(data)}\n${buildSessionMarkdown(data)}`), (token) => {
      if (token.type === 'html' || token.type === 'image') violations.push(token.raw);
      if (token.type === 'link' && !/^(?:https?:|mailto:|unsafe:)/.test(String(token['href'])))
        violations.push(token.raw);
    });
    expect(violations).toEqual([]);
  });

  it('escapes finish reasons in Markdown', () => {
    const data = createExchange('Hi', 'Hello');
    const runs = Object.fromEntries(
      Object.entries(data.runs).map(([id, run]) => [
        id,
        { ...run, choices: run.choices.map((choice) => ({ ...choice, finishReason: '<script>x' })) },
      ]),
    );
    expect(buildSessionMarkdown({ ...data, runs })).not.toContain('<script>');
  });

  it('includes the same information in Markdown as in the HTML page', () => {
    const markdown = buildSessionMarkdown(
      createExchange(
        'What\nis it?',
        'An *answer*',
        createTestSetup({ model: 'demo/guide', params: createTickedParams({ temperature: '0.4' }) }),
      ),
    );
    for (const piece of [
      '# What',
      '> What\n> is it?',
      '### demo/guide',
      '`temperature 0.4',
      'An *answer*',
      '412 ms to first token',
      'not language models',
    ]) {
      expect(markdown).toContain(piece);
    }
  });
});
