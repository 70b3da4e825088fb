/** Replies in JSON, while they stream and when they are whole, and the candidates of one answer. */
import { describe, expect, it } from 'vitest';

import type { Bench } from '../testing/bench.ts';
import { aGate, spoken } from '../testing/builders.ts';
import { ask, aTalk, messagesOf, runOf, setUp, shownTurn, talkIn } from '../testing/conversation-driver.ts';
import { drawnReplies } from '../testing/render-views.tsx';
import { until } from '../testing/wait-until.ts';

const jsonObject = { fields: { response_format: 'json_object' } };

function lastWords(bench: Bench): string {
  return drawnReplies(bench).at(-1)?.words ?? '';
}

function hasTree(bench: Bench): boolean {
  return /aria-label="JSON"/.test(drawnReplies(bench).at(-1)?.markup ?? '');
}

describe('a reply in JSON', () => {
  it('is a tree, and is checked while it streams', async () => {
    const gate = aGate();
    const { bench } = await aTalk(async (answer) => {
      answer.text('{"city": "Os');
      await gate.opened;
      answer.text('lo", "days": [1, 2], "sunny": true}');
      answer.finish();
      answer.done();
    });
    setUp(bench, jsonObject);
    const asked = ask(bench, 'Go');
    await until(() => talkIn(bench)[0]?.[1] === '{"city": "Os');
    expect(hasTree(bench)).toBe(true);
    expect(lastWords(bench)).toMatch(/city\s*"Os"/);
    expect(lastWords(bench)).toContain('Partial JSON');
    gate.open();
    await asked;
    expect(lastWords(bench)).toContain('2 items');
    expect(lastWords(bench)).toContain('Valid JSON');
  });

  it('that has no end when the stream ends is said not to be complete', async () => {
    const { bench } = await aTalk((answer) => answer.whole('{"a": 1,\n "b": tru'));
    setUp(bench, jsonObject);
    await ask(bench, 'Go');
    expect(lastWords(bench)).toContain('Incomplete JSON: the end is missing.');
  });

  it('that stops being JSON says where while it still streams', async () => {
    const { bench } = await aTalk((answer) => answer.text('{"a": 1,\n "b": nope'));
    setUp(bench, jsonObject);
    void bench.actions.sendPrompt(spoken('Go'));
    await until(() => talkIn(bench)[0]?.[1]?.endsWith('nope') === true);
    expect(lastWords(bench)).toContain('Not JSON from line 2, column 7: expected a value');
    expect(runOf(bench).phase.name).toBe('streaming');
  });

  it('that came as words stays words, with a note that JSON was asked for', async () => {
    const { bench } = await aTalk((answer) => answer.whole('Sure, **here** it is.'));
    setUp(bench, jsonObject);
    await ask(bench, 'Go');
    expect(hasTree(bench)).toBe(false);
    expect(lastWords(bench)).toContain('Not JSON from line 1, column 1: expected a value');
  });

  it('is asked for with its schema, as it was written', async () => {
    const schema = { type: 'object', properties: { price: { type: 'number' } } };
    const format = { type: 'json_schema', json_schema: { name: 'order', schema } };
    const { bench, gateway } = await aTalk((answer) => answer.whole('{"price": 3}'));
    setUp(bench, { fields: { response_format: JSON.stringify(format) } });
    await ask(bench, 'Go');
    expect(gateway.posts[0]?.body['response_format']).toEqual(format);
    // What checks it against the schema comes late.
    expect(lastWords(bench)).toMatch(/Valid JSON|1 of 1 fields fit/);
  });

  it('that nobody asked for is a tree, too; a lone code fence can be, and words have no such choice', async () => {
    const { bench, gateway } = await aTalk((answer) => answer.whole('[{"a": 1}]'));
    await ask(bench, 'Go');
    expect(hasTree(bench)).toBe(true);
    expect(lastWords(bench)).toMatch(/a\s*1/);
    gateway.onChat((answer) => answer.whole('```json\n{"b": 2}\n```'));
    await ask(bench, 'Fence');
    expect(hasTree(bench), 'it stays the code that it streamed as').toBe(false);
    expect(lastWords(bench)).toMatch(/Tree\s*Text/);
    gateway.onChat((answer) => answer.whole('[a link](https://example.com/) and {words}'));
    await ask(bench, 'Words');
    expect(lastWords(bench)).not.toMatch(/Tree\s*Text/);
  });
});

it('candidates are stepped through, and the one chosen goes on', async () => {
  const { bench, gateway } = await aTalk((answer) => {
    for (const [index, text] of ['First', 'Second', 'Third'].entries()) {
      answer.delta({ content: text }, index);
      answer.finish('stop', index);
    }
    answer.done();
  });
  setUp(bench, { fields: { n: '3' } });
  await ask(bench, 'Go');
  expect(talkIn(bench)).toEqual([['Go', 'First']]);
  bench.actions.showChoice(shownTurn(bench).id, 1);
  expect(talkIn(bench)).toEqual([['Go', 'Second']]);
  bench.actions.showChoice(shownTurn(bench).id, 2);
  expect(lastWords(bench)).toContain('3 of 3');
  await ask(bench, 'And then?');
  expect(messagesOf(gateway)).toEqual([
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: 'Third' },
    { role: 'user', content: 'And then?' },
  ]);
});
