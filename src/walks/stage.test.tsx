/** Tests what the audience sees in presentation mode. */
import { expect, it } from 'vitest';

import { Presentation } from '../features/stage/presentation.tsx';
import type { Bench } from '../testing/bench.ts';
import { canaryKey } from '../testing/canary-key.ts';
import { sendAndWait, createConversation } from '../testing/conversation-driver.ts';
import { renderText } from '../testing/render-with-playground.tsx';

const renderStage = (bench: Bench) => renderText(bench, <Presentation onClose={() => undefined} />);

it('shows no key, URL, ID or raw error in presentation mode', async () => {
  const { bench, gateway } = await createConversation(
    (answer) =>
      answer.sendJson(500, {
        error: { message: 'upstream http://10.1.2.3:9000 refused', type: 'server_error', code: '500' },
      }),
    { settings: { GATEWAY_API_KEY: canaryKey } },
  );
  await sendAndWait(bench, 'Fail in front of everyone');
  const text = renderStage(bench);
  for (const visibleText of [
    'Fail in front of everyone',
    'Failed',
    'The gateway had an internal error',
    'Turn 1 of 1',
  ])
    expect(text).toContain(visibleText);
  for (const hiddenText of ['10.1.2.3', canaryKey, new URL(gateway.url).host])
    expect(text).not.toContain(hiddenText);
  expect(text).not.toMatch(/Request ID|127\.0\.0\.1|GATEWAY_/);
});

it('hides model names in presentation mode if names are hidden', async () => {
  const { bench } = await createConversation();
  bench.actions.addLane();
  await sendAndWait(bench, 'Who is it?');
  expect(renderStage(bench)).toMatch(/guide\s+demo/);
  bench.view.setState({ namesHidden: true });
  expect(renderStage(bench)).not.toContain('guide');
  expect(renderStage(bench).match(/Model [AB]/g)).toEqual(['Model A', 'Model B']);
});

it('shows the values of variables in presentation mode, and in the title of the session', async () => {
  const { bench } = await createConversation();
  bench.messages.setVariable('customer', 'Ada');
  await sendAndWait(bench, 'Welcome {{customer}} and {{nobody}}');
  expect(renderStage(bench)).toContain('Welcome Ada and {{nobody}}');
  expect(bench.getOpenSession().session.title).toBe('Welcome Ada and {{nobody}}');
});
