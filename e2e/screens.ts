/** Screens of the app in different states, for checks that apply to all of them. */
import type { Page } from 'playwright/test';

import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import type { BenchPage } from './bench-page.ts';
import { expect } from './fixtures.ts';

const richAnswer = `# A heading

A paragraph with a [link](https://example.com), \`code\` and **weight**.

- one
- two

| name | value |
| --- | ---: |
| a very long name that does not want to break anywhere | 1 |

\`\`\`js
const line = 'a line of code that is much wider than a phone is, and that has to scroll inside of its own box';
\`\`\`

averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongwordwithoutanybreak
`;

interface ScreenDeps {
  bench: BenchPage;
  gateway: ScriptedGateway;
  url: string;
}

/** Screens by name and state, with the steps that open them. */
export const screens = {
  'the empty playground': ({ bench, url }) => bench.open(url),
  'an answered playground': async ({ bench, gateway, url }) => {
    gateway.setChatScript((answer) => {
      answer.sendDelta({ reasoning_content: 'Let me think about it.' });
      answer.sendAnswer(richAnswer);
    });
    await bench.open(url);
    await bench.system.fill('Be thorough.');
    await bench.sendAndWait('Show me everything, and do not leave anything out of it');
  },
  'a playground with an error': async ({ bench, gateway, url }) => {
    const message = `Value error at ${'a.deeply.nested.path.'.repeat(8)}`;
    gateway.setChatScript((answer) =>
      answer.sendJson(422, { error: { message, type: 'invalid_request_error', code: '422' } }),
    );
    await bench.open(url);
    await bench.sendAndWait('Fail');
  },
  'two lanes, one with a rejected request': async ({ bench, gateway, url }) => {
    let requestCount = 0;
    gateway.setChatScript((answer) => {
      requestCount += 1;
      if (requestCount === 1) return answer.sendAnswer(richAnswer);
      answer.sendJson(503, { error: { message: 'No capacity', type: 'upstream_unavailable', code: '503' } });
    });
    await bench.open(url);
    await bench.getButton('Add lane').click();
    await bench.send('To both');
    await expect(bench.page.locator('article[data-status="failed"]')).toHaveCount(1);
    await expect(bench.page.locator('article[data-status="complete"]')).toHaveCount(1);
  },
  'the inspector with events': async ({ bench, url }) => {
    await bench.open(url);
    await bench.sendAndWait('Look closer');
    await bench.page.locator('[data-region=session-bar]').getByRole('button', { name: 'Inspect' }).click();
    await expect(bench.page.getByRole('treegrid')).toBeVisible();
  },
  'the inspector with request and code': async ({ bench, url }) => {
    await bench.open(url);
    await bench.sendAndWait('Look closer');
    await bench.getButton('Get code').click();
    await expect(bench.page.getByRole('region', { name: 'Code to copy' })).toBeVisible();
  },
  'pending tool calls': async ({ bench, gateway, url }) => {
    gateway.setChatScript((answer) => {
      answer.sendToolCall(0, 'call_a', 'get_weather', '{"city":"Vienna","days":[1,2,3]}');
      answer.sendFinishReason('tool_calls');
      answer.sendDone();
    });
    await bench.open(url);
    await bench.sendAndWait('Weather?');
  },
  'the history': async ({ bench, url }) => {
    await bench.open(url);
    await bench.sendAndWait(
      'A first prompt that is long enough to be cut somewhere in the table of sessions',
    );
    await bench.waitUntilSaved();
    await bench.page.goto(new URL('/history', url).href);
    await expect(bench.page.getByRole('heading', { name: 'History' })).toBeVisible();
    await expect(bench.page.getByRole('table')).toBeVisible();
  },
  'the empty history': async ({ bench, url }) => {
    await bench.page.goto(new URL('/history', url).href);
    await expect(bench.page.getByText('No sessions yet')).toBeVisible();
  },
  'the embeddings lab': async ({ bench, url }) => {
    await bench.page.goto(new URL('/embeddings', url).href);
    await expect(bench.page.getByRole('textbox', { name: 'Texts' })).toBeVisible();
  },
  'the trials': async ({ bench, url }) => {
    await bench.page.goto(new URL('/trials', url).href);
    await expect(bench.page.getByRole('button', { name: /^Same setup twice/ })).toBeVisible();
  },
  'a trial draft': async ({ bench, url }) => {
    await bench.page.goto(new URL('/trials', url).href);
    await bench.getButton(/^Same setup twice/).click();
    await expect(bench.page.getByRole('region', { name: 'Plan' })).toBeVisible();
  },
  'a gateway that is not ready': async ({ bench, gateway, url }) => {
    gateway.setModelsScript((answer) =>
      answer.sendJson(401, { error: { message: 'Incorrect API key provided' } }),
    );
    await bench.page.goto(url);
    await expect(bench.page.getByRole('group', { name: 'Gateway setup' })).toBeVisible();
  },
  'an unknown path': async ({ bench, url }) => {
    await bench.page.goto(new URL('/nowhere', url).href);
    await expect(bench.page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  },
  'an unknown session': async ({ bench, url }) => {
    await bench.page.goto(new URL('/s/unknown', url).href);
    await expect(
      bench.page.getByRole('heading', { name: 'Session not found in this browser' }),
    ).toBeVisible();
  },
} satisfies Record<string, (deps: ScreenDeps) => Promise<void>>;

/** Widths in px, from desktop to the narrowest phone. */
const testedWidths = [1440, 1280, 1024, 768, 390, 320];

/** Fails if the page overflows horizontally at any tested width. Leaves the page at the narrowest width. */
export async function expectNoOverflow(page: Page): Promise<void> {
  for (const width of testedWidths) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => measureOverflow(page), `${width} px wide`).toBe(0);
  }
}

/** Returns the horizontal overflow of the page. */
function measureOverflow(page: Page): Promise<number> /* px */ {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return Math.max(scrollWidth - clientWidth, document.body.scrollWidth - clientWidth);
  });
}
