// Sends 20 expensive texts of 1 MB through answer, prompt, paste and import, and measures the longest task of each.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { startServer } from './built-server.mjs';
import { exportSession, getMessageField, openLanes, waitForAnswers } from './chat-page.mjs';
import { expensiveTexts } from './expensive-texts.mjs';
import { measureLongestTask, openPage } from './measure.mjs';

const textChars = 1_000_000;
const maxTaskMs = 200;
const timeoutMs = 90_000;

/** Ways for a text to enter the app: each prepares the page and returns the step that is measured. */
const scenarios = {
  answer: async (page, text, gateway) => {
    gateway.setAnswer(text);
    await getMessageField(page).fill('Go');
    return () => sendMessage(page);
  },
  prompt: async (page, text) => {
    const paste = await preparePaste(page, text);
    await paste();
    await waitUntilIdle(page);
    return () => sendMessage(page);
  },
  paste: preparePaste,
  import: async (page, text) => {
    await getMessageField(page).fill('Go');
    await sendMessage(page);
    const content = JSON.stringify(text).slice(1, -1);
    const sessionText = (await exportSession(page)).replaceAll('the answer', () => content);
    const folder = mkdtempSync(path.join(tmpdir(), 'bench-texts-'));
    // Passed as a path, because bytes would be sent through the page, which takes as long as reading them.
    const file = path.join(folder, 'session.json');
    writeFileSync(file, sessionText);
    const previousUrl = page.url();
    return async () => {
      const chooserPromise = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Session menu' }).click();
      await page.getByRole('menuitem', { name: 'Import', exact: true }).click();
      await (await chooserPromise).setFiles(file);
      await page.waitForURL((url) => url.href !== previousUrl);
      rmSync(folder, { recursive: true });
    };
  },
};

export async function measure({ browser, builds, isQuick }) {
  const gateway = await startAnsweringGateway();
  const servers = await Promise.all(builds.map((build) => startServer(build, gateway.url)));
  const rows = [];
  try {
    for (const scenario of Object.keys(scenarios))
      for (const name of Object.keys(expensiveTexts).slice(0, isQuick ? 3 : undefined)) {
        const text = expensiveTexts[name](textChars);
        const results = [];
        for (const server of servers) {
          gateway.setAnswer('the answer');
          results.push(await measureText(browser, server.url, scenarios[scenario], text, gateway));
        }
        const row = {
          name: `${scenario}: ${name}`,
          values: results.map(({ taskMs = Number.NaN }) => taskMs),
          problem: results[0].problem,
          goal: { max: maxTaskMs },
        };
        rows.push(row);
        console.error(`  ${row.name}: ${row.problem ?? row.values.map(Math.round).join(', ')}`);
      }
  } finally {
    servers.forEach((server) => server.stop());
    gateway.stop();
  }
  return { title: 'Longest task for a text of 1 MB, CPU ms of the main thread', rows };
}

async function measureText(browser, url, scenario, text, gateway) {
  const opened = await openPage(browser, url);
  const { context, page } = opened;
  page.setDefaultTimeout(timeoutMs);
  try {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openLanes(page, 'demo/text');
    const runAction = await scenario(page, text, gateway);
    await waitUntilIdle(page);
    const taskMs = await measureLongestTask(opened, () =>
      rejectAfter(
        timeoutMs,
        runAction().then(() => waitUntilIdle(page)),
      ),
    );
    return { taskMs };
  } catch (error) {
    return { problem: String(error.message).split('\n')[0] };
  } finally {
    await opened.close();
  }
}

async function preparePaste(page, text) {
  await page.evaluate((content) => navigator.clipboard.writeText(content), text);
  await getMessageField(page).focus();
  return () => page.keyboard.press('Control+V');
}

async function sendMessage(page) {
  await getMessageField(page).press('Enter');
  await waitForAnswers(page);
}

/** Resolves when timers of the page have been on time twelve times in a row. */
function waitUntilIdle(page) {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        let onTimeCount = 0;
        let previousMs = performance.now();
        const check = () => {
          const nowMs = performance.now();
          onTimeCount = nowMs - previousMs < 80 ? onTimeCount + 1 : 0;
          previousMs = nowMs;
          if (onTimeCount >= 12) resolve();
          else setTimeout(check, 40);
        };
        check();
      }),
  );
}

function rejectAfter(ms, work) {
  // A failure after the timeout has no other handler.
  work.catch(() => undefined);
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`more than ${ms / 1_000} s`)), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Starts a gateway in this process that gives every chat request the same answer in one event. */
async function startAnsweringGateway() {
  let answer = '';
  const encode = (delta, finishReason) =>
    `data: ${JSON.stringify({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'demo/text',
      choices: [{ index: 0, delta, finish_reason: finishReason }],
    })}\n\n`;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const isChat = request.method === 'POST';
      response.writeHead(200, { 'content-type': isChat ? 'text/event-stream' : 'application/json' });
      response.end(
        isChat
          ? `${encode({ content: answer }, null)}${encode({}, 'stop')}data: [DONE]\n\n`
          : '{"object":"list","data":[]}',
      );
    });
  });
  await new Promise((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    setAnswer: (text) => (answer = text),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
