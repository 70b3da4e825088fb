import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from './fixtures.ts';
import { createPng } from './png-file.ts';

test(
  'copies code that repeats a request, with its image as a file or with portable fields only',
  { tag: '@soak' },
  async ({ bench, gateway, server, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await bench.open(server.url);
    await bench.setParameterSent('top_k');
    const chooserPromise = page.waitForEvent('filechooser');
    await bench.getButton('Attach').click();
    await (await chooserPromise).setFiles([createPng('red.png')]);
    await expect(bench.getButton('Remove image')).toBeVisible();
    await bench.sendAndWait('What is it?');
    await bench.lastReply.getByRole('button', { name: 'Inspect' }).click();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await inspector.getByRole('tab', { name: 'Request and code' }).click();
    const code = inspector.getByRole('region', { name: 'Code to copy' });
    const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());

    await test.step('sends the same request by running the saved code with the saved image', async () => {
      const downloadPromise = page.waitForEvent('download');
      await inspector.getByRole('link', { name: 'Save image-1.png' }).click();
      await expect(code).not.toContainText('Change image/png');
      await inspector.getByRole('button', { name: 'Copy code' }).click();
      await expect(inspector.getByRole('button', { name: 'Copied' })).toBeVisible();
      expect(await readClipboard()).toBe(await code.textContent());
      const folder = await mkdtemp(path.join(tmpdir(), 'bench-code-'));
      try {
        await (await downloadPromise).saveAs(path.join(folder, 'image-1.png'));
        await writeFile(path.join(folder, 'call.sh'), await readClipboard());
        const env = {
          PATH: process.env['PATH'] ?? '',
          GATEWAY_BASE_URL: gateway.url,
          GATEWAY_API_KEY: 'fk-mine',
        };
        await promisify(execFile)('sh', ['call.sh'], { cwd: folder, env });
      } finally {
        await rm(folder, { recursive: true });
      }
      const [benchRequest, codeRequest] = gateway.posts;
      expect(codeRequest?.body).toEqual(benchRequest?.body);
      expect(codeRequest?.headers.authorization).toBe('Bearer fk-mine');
    });

    await test.step('shows the whole request body on request', async () => {
      const body = inspector.getByRole('region', { name: 'Request body' });
      await expect(body).not.toContainText('"detail"');
      await body.getByRole('button', { name: 'Show all' }).click();
      await expect(body).toContainText('"detail": "auto"');
      await body.getByRole('button', { name: 'Collapse messages' }).click();
      await expect(body).not.toContainText('"detail"');
    });

    await test.step('updates the code when limited to portable fields and resets the Copied state', async () => {
      await expect(code).toContainText('top_k');
      await expect(inspector.getByText('Leaves out top_k, stream_options.')).toBeVisible();
      await inspector.getByRole('switch', { name: 'Portable fields only' }).click();
      await expect(code).not.toContainText('top_k');
      await expect(inspector.getByText('2 fields left out: other models')).toBeVisible();
      await expect(inspector.getByRole('button', { name: 'Copy code' })).toBeVisible();
    });

    await test.step('switches the language with one click', async () => {
      for (const [language, snippet] of [
        ['Python', 'import os'],
        ['TypeScript', 'new OpenAI('],
        ['fetch, no dependencies', 'await fetch('],
      ] as const) {
        await inspector.getByRole('radio', { name: language }).click();
        await expect(code).toContainText(snippet);
      }
    });
  },
);
