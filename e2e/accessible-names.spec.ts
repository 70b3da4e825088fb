import { createGate } from '../src/testing/builders.ts';
import type { ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import { accessibleNames, type Area, type Moments } from './accessible-names.ts';
import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';
/** Every accessible name of the contract that is built is there at its moment (accessible-names.ts). */
import { aPicture } from './png-file.ts';

interface Parts {
  bench: BenchPage;
  gateway: ScriptedGateway;
  /** Of the server in front of that gateway. */
  url: string;
  demoUrl: string;
}

/** Leads through the moments of an area, and has each of them looked at. */
type Walk<Moment> = (parts: Parts, look: (when: Moment) => Promise<void>) => Promise<void>;

const walks: { [Each in Area]: Walk<keyof (typeof accessibleNames)[Each]> } = {
  'the frame of every page': async ({ bench, url }, look) => {
    await bench.open(url);
    await look('in the playground');
    const mainHeading = bench.page.getByRole('heading', { level: 1 });
    await expect(mainHeading).toHaveCount(1);
    await bench.button('Session menu').click();
    await look('with the menu of the session open');
    await bench.page.keyboard.press('Escape');
    await bench.ask('Hello');
    await bench.page.getByRole('link', { name: 'History' }).click();
    await look('in the history');
    await expect(mainHeading).toHaveCount(1);
  },

  'find in a session': async ({ bench, url }, look) => {
    await bench.open(url);
    await bench.ask('Hello');
    await bench.page.keyboard.press('ControlOrMeta+f');
    await bench.page.getByRole('searchbox', { name: 'Find in session' }).fill('hello');
    await look('with Find open');
    await bench.button('Turn 1 of 1').click();
    await look('with the list of turns open');
  },

  lanes: async ({ bench, gateway, url }, look) => {
    const { page } = bench;
    await bench.open(url);
    await look('with one lane');
    await bench.button('Add lane').click();
    const second = page.getByRole('region', { name: 'Lane B' }).getByRole('combobox', { name: 'Model' });
    await second.fill('two');
    await look('with the list of models open');
    await second.press('Enter');
    await look('with two lanes that differ');
    await bench.button('Lane A menu').click();
    await look('with the menu of a lane open');
    await page.keyboard.press('Escape');
    const gate = createGate();
    gateway.setChatScript(async (answer) => {
      answer.sendText('Hello');
      await gate.opened;
      answer.sendText('\n\nHello again'.repeat(60));
      answer.sendFinishReason();
      answer.sendDone();
    });
    await bench.send('Hello');
    await look('while both lanes answer');
    gate.open();
    await expect(bench.replies.and(page.locator('[data-status=complete]'))).toHaveCount(2);
    await look('with an answer cut at the top');
    await look('in a high window');
    await page.setViewportSize({ width: 1440, height: 720 });
    await look('in a window less high');
    await bench.reply(1).getByRole('button', { name: 'More actions' }).click();
    await look('with the menu of an answer open');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
    await bench.button('Compare texts').click();
    await look('with the texts compared');
    await page.keyboard.press('Escape');
    await bench.button('Summary').click();
    await look('with the summary open');
    await bench.button('Show on the stage').click();
    await expect(page.getByRole('dialog', { name: 'Presentation' })).toBeFocused();
    await page.keyboard.press('Enter');
    await look('on the stage');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await bench.button('Hide names').click();
    await look('with names hidden');
    for (const letter of 'CDEF') {
      await bench.button('Add lane').click();
      await page.getByRole('region', { name: `Lane ${letter}` }).waitFor();
    }
    await look('with six lanes');
  },

  composer: async ({ bench, gateway, url }, look) => {
    const gate = createGate();
    gateway.setChatScript(async (answer) => {
      answer.sendText('A line.\n\n'.repeat(100));
      await gate.opened;
      answer.sendFinishReason();
      answer.sendDone();
    });
    await bench.open(url);
    await look('before anything was said');
    const choosing = bench.page.waitForEvent('filechooser');
    await bench.button('Image').click();
    await (await choosing).setFiles(aPicture('porch.png', { width: 8, height: 8 }));
    await look('with an image');
    await bench.send('What is this?');
    await look('while an answer arrives');
    gate.open();
    await look('when the answer has ended');
    const conversation = bench.page.getByRole('region', { name: 'Conversation' });
    await conversation.focus();
    await bench.page.keyboard.press('Home');
    await look('away from the end');
  },

  messages: async ({ bench, gateway, url }, look) => {
    gateway.setChatScript((answer) => {
      answer.sendDelta({ reasoning_content: 'A thought.' });
      answer.sendAnswer('Run this:\n\n```sh\nls\n```\n');
    });
    await bench.open(url);
    await bench.system.fill('Be brief.');
    await bench.ask('How?');
    await look('when an answer is there');
    await bench.button('More actions').click();
    await look('with its menu open');
    await bench.page.keyboard.press('Escape');
    await bench.button('Regenerate').click();
    await look('with two versions');
    await bench.prompts.getByRole('button', { name: 'Edit' }).click();
    await look('while a prompt is edited');
    await bench.button('Cancel').click();
    gateway.setChatScript((answer) => answer.sendJson(500, { error: { message: 'broken' } }));
    await bench.ask('Again?');
    await look('when an answer failed');
    gateway.setChatScript((answer) => {
      for (const index of [0, 1]) answer.sendDelta({ content: `Answer ${index}` }, index);
      for (const index of [0, 1]) answer.sendFinishReason('stop', index);
      answer.sendDone();
    });
    await bench.ask('In two ways?');
    await look('with two candidates');
    await bench.reply(1).getByRole('button', { name: 'Inspect' }).click();
    await look('with the inspector open');
  },

  'tool calls': async ({ bench, gateway, url }, look) => {
    gateway.setChatScript((answer) => {
      answer.sendToolCall(0, 'call-1', 'get_weather', '{"city":"Vienna"}');
      answer.sendFinishReason('tool_calls');
      answer.sendDone();
    });
    await bench.open(url);
    await bench.ask('How is the weather?');
    await look('when a tool is called');
    gateway.setChatScript((answer) => answer.sendAnswer('Sunny.'));
    await bench.page.getByRole('textbox', { name: 'Result for get_weather' }).fill('sunny');
    await bench.button('Send results').click();
    await look('when its result was sent');
  },

  parameters: async ({ bench, url }, look) => {
    await bench.open(url);
    await look('with one lane');
    for (const box of await bench.parameters.getByRole('checkbox', { name: /^Send / }).all())
      await box.check();
    await look('with every field ticked');
    await bench.button(/^Edit tools/).click();
    await look('with the editor of tools open');
    await bench.page.keyboard.press('Escape');
    await bench.button('Add lane').click();
    await look('with two lanes');
    await bench.page.getByRole('radio', { name: 'Lane B' }).click();
    const temperature = bench.parameters.getByRole('spinbutton', { name: 'temperature', exact: true });
    await temperature.fill('1.6');
    await bench.page.getByRole('radio', { name: 'All lanes' }).click();
    await look('with two lanes that differ');
    await temperature.fill('0.3');
    await look('after a write that levels them');
  },

  'structured output': async ({ bench, gateway, url }, look) => {
    gateway.setChatScript((answer) => answer.sendAnswer('{"price": "four"}'));
    await bench.open(url);
    await bench.parameters.getByRole('combobox', { name: 'response_format' }).click();
    await bench.page.getByRole('option', { name: /^json_schema/ }).click();
    await bench.button('Edit schema').click();
    await look('with the schema open');
    await bench.button('Make one from JSON').click();
    await bench.page.getByRole('textbox', { name: /An example of the answer/ }).fill('{"price": 3.5}');
    await bench.button('Make the schema').click();
    await bench.button('Use this schema').click();
    await bench.ask('What does it cost?');
    await expect(bench.page.getByRole('region', { name: 'Lane A' })).toContainText('Does not fit');
    await look('when an answer does not fit');
  },

  'a gateway that cannot be used yet': async ({ bench, gateway, url }, look) => {
    gateway.setModelsScript((answer) =>
      answer.sendJson(401, { error: { message: 'Incorrect API key provided' } }),
    );
    await bench.page.goto(url);
    await look('in the empty conversation');
  },

  embeddings: async ({ bench, demoUrl }, look) => {
    const { page } = bench;
    const gate = createGate();
    // The direct way can be held back here.
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebSocket'));
    await page.route('**/v1/embeddings', async (route) => {
      await gate.opened;
      await route.continue();
    });
    await page.goto(new URL('/embeddings', demoUrl).href);
    await page.getByRole('textbox', { name: 'Texts', exact: true }).fill('one\ntwo\nthree\nfour');
    await look('before anything was embedded');
    await bench.button(/^Embed/).click();
    await look('while texts are embedded');
    gate.open();
    await expect(page.getByText('All embedded.')).toBeVisible();
    await page.getByRole('list', { name: 'Embedded texts' }).getByText('two').click();
    await look('when all are embedded');
    await page.getByRole('textbox', { name: 'Search by meaning' }).fill('a number');
    await page.getByRole('textbox', { name: 'Search by meaning' }).press('Enter');
    await expect(page.getByText('To the query')).toBeVisible();
    await look('while a query stands');
  },

  trials: async ({ bench, demoUrl }, look) => {
    const { page } = bench;
    const gate = createGate();
    // Answers wait for the gate and then come at once: no trial ends before it was looked at.
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebSocket'));
    await page.route('**/v1/chat/completions', async (route) => {
      await gate.opened;
      const body: unknown = route.request().postDataJSON();
      await route.continue({ postData: JSON.stringify(Object.assign({}, body, { demo_latency_ms: 0 })) });
    });
    await page.goto(new URL('/trials', demoUrl).href);
    await look('without any');
    await bench.button(/^Which column routes tickets better/).click();
    await look('in a draft');
    await bench.button(/^Run \d/).click();
    await look('while it runs');
    await bench.button('Pause').click();
    await look('when it is paused');
    gate.open();
    await bench.button('Resume').click();
    // However long this machine takes for the answers.
    await bench.button('Add cases').waitFor();
    await look('when it is finished');
    await bench.button('Column A menu').click();
    await look('with the menu of a column open');
    await page.keyboard.press('Escape');
    await bench.button('How this is counted').click();
    await look('with the figures open');
    await page.keyboard.press('Escape');
    await page.getByRole('gridcell', { name: /^Case 12, column A/ }).click();
    await look('with a cell open');
    await bench.button(/^Checks/).click();
    await look('with the checks');
    await bench.button('right team').click();
    await look('with a check open');
    await bench.button('Export').click();
    await look('with the menu of exports open');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Trials' }).click();
    await look('in the list');
  },
};

const areas = Object.keys(accessibleNames).filter((name): name is Area => name in walks);

for (const area of areas) {
  test(`${area}: every name of the contract is there`, async ({ bench, gateway, server, demo }) => {
    const moments: Moments = accessibleNames[area];
    const looked = new Set<string>();
    await walks[area]({ bench, gateway, url: server.url, demoUrl: demo.url }, async (when) => {
      looked.add(when);
      for (const [role, name, inside] of moments[when] ?? []) {
        const part = inside ? bench.page.getByRole(inside[0], { name: inside[1], exact: true }) : bench.page;
        const found = part.getByRole(role, { name, exact: typeof name === 'string' });
        await expect.soft(found, `${role} ${String(name)} ${when}`).not.toHaveCount(0);
      }
    });
    expect([...looked].toSorted(), 'every moment was looked at').toEqual(Object.keys(moments).toSorted());
  });
}
