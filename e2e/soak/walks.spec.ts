/** Walks through a user's day with one kind of input: only keys, and only taps on a phone. */
import { test as base } from '../fixtures.ts';
import { KeyboardUser } from './walks/keyboard-user.ts';
import { TouchUser } from './walks/touch-user.ts';
import { walkTasks, type WalkTools } from './walks/walk-tasks.ts';

const test = base.extend<{ tools: Omit<WalkTools, 'user'> }>({
  tools: async ({ bench, page, demo, server, gateway, context }, use) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await use({
      bench,
      page,
      gateway,
      demoUrl: demo.url,
      serverUrl: server.url,
      readClipboard: () => page.evaluate(() => navigator.clipboard.readText()),
    });
  },
});

test.describe('only keys', () => {
  for (const [name, perform] of Object.entries(walkTasks))
    test(`walks through ${name} with only keys`, ({ tools, page }) =>
      perform({ ...tools, user: new KeyboardUser(page) }));
});

test.describe('only taps on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const [name, perform] of Object.entries(walkTasks))
    test(`walks through ${name} with only taps on a phone`, ({ tools, page }) =>
      perform({ ...tools, user: new TouchUser(page) }));
});
