/** What a room sees of a session that is presented. */
import { createElement } from 'react';
import { expect, it } from 'vitest';

import { Presentation } from '../features/playground/presentation/presentation.tsx';
import type { Bench } from '../testing/bench.ts';
import { canaryKey } from '../testing/canary-key.ts';
import { ask, aTalk } from '../testing/conversation-driver.ts';
import { markupOf, wordsIn } from '../testing/render-views.tsx';

const stageOf = (bench: Bench) => markupOf(bench, createElement(Presentation, { onClose: () => undefined }));

it('nothing is on the stage that should not be: no key, no address, no ID, no raw error', async () => {
  const { bench, gateway } = await aTalk(
    (answer) =>
      answer.json(500, {
        error: { message: 'upstream http://10.1.2.3:9000 refused', type: 'server_error', code: '500' },
      }),
    { settings: { GATEWAY_API_KEY: canaryKey } },
  );
  await ask(bench, 'Fail in front of everyone');
  const markup = stageOf(bench);
  const words = wordsIn(markup);
  for (const shown of [
    'Fail in front of everyone',
    'Failed',
    'The gateway had an internal error',
    'Turn 1 of 1',
  ])
    expect(words).toContain(shown);
  for (const hidden of ['10.1.2.3', canaryKey, new URL(gateway.url).host])
    expect(markup).not.toContain(hidden);
  expect(markup).not.toMatch(/Request ID|127\.0\.0\.1|GATEWAY_/);
});

it('a name that is hidden stays hidden on the stage', async () => {
  const { bench } = await aTalk();
  bench.actions.addLane();
  await ask(bench, 'Who is it?');
  expect(wordsIn(stageOf(bench))).toMatch(/guide\s+demo/);
  bench.view.setState({ namesHidden: true });
  expect(wordsIn(stageOf(bench))).not.toContain('guide');
  expect(wordsIn(stageOf(bench)).match(/Model [AB]/g)).toEqual(['Model A', 'Model B']);
});
