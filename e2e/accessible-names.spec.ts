/** Checks that every accessible name in accessible-names.ts is present at its moment. */
import { createGate } from '../src/testing/builders.ts';
import { createPausedAnswer, type ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import { accessibleNames, type Area, type Moments } from './accessible-names.ts';
import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';
import { createPng } from './png-file.ts';

interface Deps {
  bench: BenchPage;
  gateway: ScriptedGateway;
  /** URL of the server in front of the scripted gateway. */
  url: string;
  demoUrl: string;
}

/** Steps through the moments of an area and checks the expected names at each one. */
type Walk<Moment> = (deps: Deps, checkNames: (moment: Moment) => Promise<void>) => Promise<void>;

const walks: { [Each in Area]: Walk<keyof (typeof accessibleNames)[Each]> } = {
  'parts shared by all pages': async ({ bench, url }, checkNames) => {
    await bench.open(url);
    await checkNames('in the playground');
    const mainHeading = bench.page.getByRole('heading', { level: 1 });
    await expect(mainHeading).toHaveCount(1);
    await bench.page.keyboard.press('F1');
    await checkNames('with the help open');
    await bench.page.keyboard.press('Escape');
    await bench.getButton('Session menu').click();
    await checkNames('with the session menu open');
    await bench.page.keyboard.press('Escape');
    await bench.sendAndWait('Hello');
    await bench.page.getByRole('link', { name: 'History' }).click();
    await checkNames('in the history');
    await expect(mainHeading).toHaveCount(1);
  },

  'find in session': async ({ bench, url }, checkNames) => {
    await bench.open(url);
    await bench.sendAndWait('Hello');
    await bench.page.keyboard.press('ControlOrMeta+f');
    await bench.page.getByRole('searchbox', { name: 'Find in session' }).fill('hello');
    await checkNames('with Find open');
    await bench.getButton('Turn 1 of 1').click();
    await checkNames('with the turn list open');
  },

  lanes: async ({ bench, gateway, url }, checkNames) => {
    const { page } = bench;
    await bench.open(url);
    await checkNames('with one lane');
    await bench.getButton('Add lane').click();
    const secondModelField = page
      .getByRole('region', { name: 'Lane B' })
      .getByRole('combobox', { name: 'Model' });
    await secondModelField.fill('two');
    await checkNames('with the model list open');
    await secondModelField.press('Enter');
    await checkNames('with two different lanes');
    await bench.getButton('Lane A menu').click();
    await checkNames('with a lane menu open');
    await page.keyboard.press('Escape');
    const { script, finish } = createPausedAnswer('Hello', '\n\nHello again'.repeat(60));
    gateway.setChatScript(script);
    await bench.send('Hello');
    await checkNames('while both lanes are streaming');
    finish();
    await expect(bench.replies.and(page.locator('[data-status=complete]'))).toHaveCount(2);
    await checkNames('with an answer whose start is out of view');
    await checkNames('in a high window');
    await page.setViewportSize({ width: 1440, height: 720 });
    await checkNames('in a lower window');
    await bench.getReply(1).getByRole('button', { name: 'More actions' }).click();
    await checkNames('with an answer menu open');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
    await bench.getButton('System prompt history').click();
    await checkNames('with the system prompt history open');
    await page.keyboard.press('Escape');
    await bench.getButton('Compare texts').click();
    await checkNames('with the text comparison open');
    await page.keyboard.press('Escape');
    await bench.getButton('Summary').click();
    await checkNames('with the summary open');
    await bench.getButton('Show on the stage').click();
    await expect(page.getByRole('dialog', { name: 'Presentation' })).toBeFocused();
    await page.keyboard.press('Enter');
    await checkNames('in presentation mode');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await bench.getButton('Hide names').click();
    await checkNames('with names hidden');
    for (const letter of 'CDEF') {
      await bench.getButton('Add lane').click();
      await page.getByRole('region', { name: `Lane ${letter}` }).waitFor();
    }
    await checkNames('with six lanes');
  },

  composer: async ({ bench, gateway, url }, checkNames) => {
    const { script, finish } = createPausedAnswer('A line.\n\n'.repeat(100));
    gateway.setChatScript(script);
    await bench.open(url);
    await checkNames('before the first message');
    const chooserPromise = bench.page.waitForEvent('filechooser');
    await bench.getButton('Attach').click();
    await (await chooserPromise).setFiles(createPng('porch.png', { width: 8, height: 8 }));
    await checkNames('with an image');
    await bench.send('What is this?');
    await checkNames('while an answer is streaming');
    finish();
    await checkNames('after the end of the answer');
    const conversation = bench.page.getByRole('region', { name: 'Conversation' });
    await conversation.focus();
    await bench.page.keyboard.press('Home');
    await checkNames('after scrolling away from the end');
  },

  messages: async ({ bench, gateway, url }, checkNames) => {
    gateway.models = { object: 'list', data: [{ id: 'north/one', context_length: 8192 }] };
    gateway.setChatScript((answer) => {
      answer.sendDelta({ reasoning_content: 'A thought.' });
      answer.sendAnswer('Run this:\n\n```sh\nls\n```\n');
    });
    await bench.open(url);
    await bench.system.fill('Be brief.');
    await checkNames('in an empty lane');
    await bench.sendAndWait('How?');
    await checkNames('with an answer');
    await bench.getButton('More actions').click();
    await checkNames('with its menu open');
    await bench.page.keyboard.press('Escape');
    await bench.getButton('Regenerate').click();
    await checkNames('with two versions');
    await bench.prompts.getByRole('button', { name: 'Edit' }).click();
    await checkNames('while editing a prompt');
    await bench.getButton('Cancel').click();
    gateway.setChatScript((answer) => answer.sendJson(500, { error: { message: 'broken' } }));
    await bench.sendAndWait('Again?');
    await checkNames('with a failed answer');
    gateway.setChatScript((answer) => {
      for (const index of [0, 1]) answer.sendDelta({ content: `Answer ${index}` }, index);
      for (const index of [0, 1]) answer.sendFinishReason('stop', index);
      answer.sendDone();
    });
    await bench.sendAndWait('In two ways?');
    await checkNames('with two candidates');
    await bench.getReply(1).getByRole('button', { name: 'Inspect' }).click();
    await checkNames('with the inspector open');
  },

  'tool calls': async ({ bench, gateway, url }, checkNames) => {
    gateway.setChatScript((answer) => {
      answer.sendToolCall(0, 'call-1', 'get_weather', '{"city":"Vienna"}');
      answer.sendFinishReason('tool_calls');
      answer.sendDone();
    });
    await bench.open(url);
    await bench.sendAndWait('How is the weather?');
    await checkNames('with a pending tool call');
    gateway.setChatScript((answer) => answer.sendAnswer('Sunny.'));
    await bench.page.getByRole('textbox', { name: 'Result for get_weather' }).fill('sunny');
    await bench.getButton('Send results').click();
    await checkNames('after sending the result');
  },

  parameters: async ({ bench, url }, checkNames) => {
    await bench.open(url);
    await checkNames('with one lane');
    for (const checkbox of await bench.parameters.getByRole('checkbox', { name: /^Send / }).all())
      await checkbox.check();
    await checkNames('with every field enabled');
    await bench.getButton(/^Edit tools/).click();
    await checkNames('with the tools editor open');
    await bench.page.keyboard.press('Escape');
    await bench.getButton('Add lane').click();
    await checkNames('with two lanes');
    await bench.page.getByRole('radio', { name: 'Lane B' }).click();
    const temperature = bench.parameters.getByRole('spinbutton', { name: 'temperature', exact: true });
    await temperature.fill('1.6');
    await bench.page.getByRole('radio', { name: 'All lanes' }).click();
    await checkNames('with two different lanes');
    await temperature.fill('0.3');
    await checkNames('after setting one value for both lanes');
  },

  'structured output': async ({ bench, gateway, url }, checkNames) => {
    gateway.setChatScript((answer) => answer.sendAnswer('{"price": "four"}'));
    await bench.open(url);
    await bench.parameters.getByRole('combobox', { name: 'response_format' }).click();
    await bench.page.getByRole('option', { name: /^json_schema/ }).click();
    await bench.getButton('Edit schema').click();
    await checkNames('with the schema editor open');
    await bench.getButton('Make one from JSON').click();
    await bench.page.getByRole('textbox', { name: /An example answer/ }).fill('{"price": 3.5}');
    await bench.getButton('Create schema').click();
    await bench.getButton('Use this schema').click();
    await bench.sendAndWait('What does it cost?');
    await expect(bench.page.getByRole('region', { name: 'Lane A' })).toContainText('Does not fit');
    await checkNames('with an answer that violates the schema');
  },

  'a gateway that is not ready': async ({ bench, gateway, url }, checkNames) => {
    gateway.setModelsScript((answer) =>
      answer.sendJson(401, { error: { message: 'Incorrect API key provided' } }),
    );
    await bench.page.goto(url);
    await checkNames('in an empty conversation');
  },

  embeddings: async ({ bench, demoUrl }, checkNames) => {
    const { page } = bench;
    const gate = createGate();
    // Without WebSocket, the page sends requests over HTTP, which the route can delay.
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebSocket'));
    await page.route('**/v1/embeddings', async (route) => {
      await gate.opened;
      await route.continue();
    });
    await page.goto(new URL('/embeddings', demoUrl).href);
    await page.getByRole('textbox', { name: 'Texts', exact: true }).fill('one\ntwo\nthree\nfour');
    await checkNames('before embedding');
    await bench.getButton(/^Embed/).click();
    await checkNames('while embedding');
    gate.open();
    await expect(page.getByText('All embedded.')).toBeVisible();
    await page.getByRole('list', { name: 'Embedded texts' }).getByText('two').click();
    await checkNames('after embedding');
    await page.getByRole('textbox', { name: 'Search by meaning' }).fill('a number');
    await page.getByRole('textbox', { name: 'Search by meaning' }).press('Enter');
    await expect(page.getByText('Closest to query')).toBeVisible();
    await checkNames('with an active query');
  },

  trials: async ({ bench, demoUrl }, checkNames) => {
    const { page } = bench;
    const gate = createGate();
    // Answers are held until the gate opens and then arrive immediately, so no trial ends before it has been checked.
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebSocket'));
    await page.route('**/v1/chat/completions', async (route) => {
      await gate.opened;
      const body: unknown = route.request().postDataJSON();
      await route.continue({ postData: JSON.stringify(Object.assign({}, body, { demo_latency_ms: 0 })) });
    });
    await page.goto(new URL('/trials', demoUrl).href);
    await checkNames('without trials');
    await bench.getButton(/^Which setup routes tickets better/).click();
    await checkNames('in a draft');
    await bench.getButton(/^Run \d/).click();
    await checkNames('while running');
    await bench.getButton('Pause').click();
    await checkNames('when paused');
    gate.open();
    await bench.getButton('Resume').click();
    // Waits without a time limit, since answers may be slow on a busy machine.
    await bench.getButton('Add cases').waitFor();
    await checkNames('when finished');
    await bench.getButton('Column A menu').click();
    await checkNames('with a column menu open');
    await page.keyboard.press('Escape');
    await bench.getButton('How this is calculated').click();
    await checkNames('with the numbers open');
    await page.keyboard.press('Escape');
    await page.getByRole('gridcell', { name: /^Case 12, column A/ }).click();
    await checkNames('with a cell open');
    await bench.getButton(/^Checks/).click();
    await checkNames('with the checks');
    await bench.getButton('right team').click();
    await checkNames('with a check open');
    await bench.getButton('Export').click();
    await checkNames('with the export menu open');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Trials' }).click();
    await checkNames('in the trial list');
  },
};

const areas = Object.keys(accessibleNames).filter((name): name is Area => name in walks);

for (const area of areas) {
  test(`has all expected accessible names: ${area}`, async ({ bench, gateway, server, demo }) => {
    const moments: Moments = accessibleNames[area];
    const checkedMoments = new Set<string>();
    await walks[area]({ bench, gateway, url: server.url, demoUrl: demo.url }, async (moment) => {
      checkedMoments.add(moment);
      for (const [role, name, container] of moments[moment] ?? []) {
        const scope = container
          ? bench.page.getByRole(container[0], { name: container[1], exact: true })
          : bench.page;
        const matches = scope.getByRole(role, { name, exact: typeof name === 'string' });
        await expect.soft(matches, `${role} ${String(name)} ${moment}`).not.toHaveCount(0);
      }
    });
    expect([...checkedMoments].toSorted(), 'every moment was checked').toEqual(
      Object.keys(moments).toSorted(),
    );
  });
}
