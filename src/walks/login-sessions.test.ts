/** Visitors share nothing, and the server keeps nothing of what they send. */
import { readdirSync } from 'node:fs';

import { expect, it } from 'vitest';

import { startBuiltServer } from '../server/testing/built-server.ts';
import { aBench } from '../testing/bench.ts';
import { aBrowser } from '../testing/browser.ts';
import { canaryKey } from '../testing/canary-key.ts';
import { ask, talkIn } from '../testing/conversation-driver.ts';
import { startScriptedGateway } from '../testing/scripted-gateway.ts';

const secretWords = 'canary prompt of the first visitor';

it('two visitors share nothing, and neither a file nor the log of the server holds what they said', async ({
  onTestFinished,
}) => {
  const gateway = await startScriptedGateway();
  onTestFinished(() => gateway.close());
  gateway.onChat((answer, { body }) => answer.whole(`You said ${JSON.stringify(body['messages'])}`));
  const built = await startBuiltServer();
  onTestFinished(built.remove);
  const files = () => readdirSync(built.folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const before = files();
  const running = built.run('main', {
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_API_KEY: canaryKey,
    TMPDIR: built.folder,
    HOME: built.folder,
  });
  onTestFinished(async () => {
    running.process.kill('SIGKILL');
    await running.exitResult;
  });
  const origin = /http:\/\/[^/]+/.exec(await running.readyLine)?.[0] ?? '';

  const bench = await aBench({ origin, path: '/' });
  await ask(bench, secretWords);
  expect(talkIn(bench)[0]?.[1]).toContain(secretWords);
  await bench.saved();

  const second = await bench.another({ browser: aBrowser(), path: '/' });
  expect(talkIn(second)).toEqual([]);
  await ask(second, 'What did the one before me say?');
  await second.saved();
  expect((await second.library.list()).map(({ title }) => title)).toEqual([
    'What did the one before me say?',
  ]);
  // A session of somebody else is not there, whoever knows its address.
  const curious = await second.another({ path: bench.tab.visited.at(-1) ?? '' });
  expect(curious.session.getState()).toMatchObject({
    currentId: undefined,
    missingId: bench.current().session.id,
  });

  const posted = gateway.posts.map(({ body }) => JSON.stringify(body['messages']));
  expect(posted[0]).toContain(secretWords);
  expect(posted[1]).not.toContain(secretWords);
  const printed = running.getStdout() + running.getStderr();
  expect(printed).toContain('/v1/chat/completions');
  expect(printed).not.toContain(secretWords);
  expect(files(), 'files that the server wrote').toEqual(before);
});
