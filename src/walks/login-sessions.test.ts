/** Tests that users share nothing and that the server stores nothing they send. */
import { readdirSync } from 'node:fs';

import { expect, it } from 'vitest';

import { prepareBuiltServer } from '../server/testing/built-server.ts';
import { createBench } from '../testing/bench.ts';
import { createTestBrowser } from '../testing/browser.ts';
import { canaryKey } from '../testing/canary-key.ts';
import { sendAndWait, getLaneTranscript } from '../testing/conversation-driver.ts';
import { startScriptedGateway } from '../testing/scripted-gateway.ts';

const secretText = 'canary prompt of the first visitor';

it('shares nothing between two users, and writes no messages to files or the server log', async ({
  onTestFinished,
}) => {
  const gateway = await startScriptedGateway();
  onTestFinished(() => gateway.close());
  gateway.setChatScript((answer, { body }) =>
    answer.sendAnswer(`You said ${JSON.stringify(body['messages'])}`),
  );
  const serverBuild = await prepareBuiltServer();
  onTestFinished(serverBuild.remove);
  const listFiles = () => readdirSync(serverBuild.folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const previousFiles = listFiles();
  const runningServer = serverBuild.run('main', {
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_API_KEY: canaryKey,
    TMPDIR: serverBuild.folder,
    HOME: serverBuild.folder,
  });
  onTestFinished(async () => {
    runningServer.process.kill('SIGKILL');
    await runningServer.exitResult;
  });
  const origin = /http:\/\/[^/]+/.exec(await runningServer.readyLine)?.[0] ?? '';

  const bench = await createBench({ origin, path: '/' });
  await sendAndWait(bench, secretText);
  expect(getLaneTranscript(bench)[0]?.[1]).toContain(secretText);
  await bench.waitUntilSaved();

  const secondUser = await bench.openAnotherTab({ browser: createTestBrowser(), path: '/' });
  expect(getLaneTranscript(secondUser)).toEqual([]);
  await sendAndWait(secondUser, 'What did the one before me say?');
  await secondUser.waitUntilSaved();
  expect((await secondUser.library.list()).map(({ title }) => title)).toEqual([
    'What did the one before me say?',
  ]);
  // Another user's session is missing even if its URL is known.
  const secondUserTab = await secondUser.openAnotherTab({ path: bench.tab.visitedPaths.at(-1) ?? '' });
  expect(secondUserTab.session.getState()).toMatchObject({
    currentId: undefined,
    missingId: bench.getOpenSession().session.id,
  });

  const postedMessages = gateway.posts.map(({ body }) => JSON.stringify(body['messages']));
  expect(postedMessages[0]).toContain(secretText);
  expect(postedMessages[1]).not.toContain(secretText);
  const serverOutput = runningServer.getStdout() + runningServer.getStderr();
  expect(serverOutput).toContain('/v1/chat/completions');
  expect(serverOutput).not.toContain(secretText);
  expect(listFiles(), 'files written by the server').toEqual(previousFiles);
});
