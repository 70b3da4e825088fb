/** Tests JSON replies, streaming and complete, and the candidates of an answer. */
import { within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { Bench } from '../testing/bench.ts';
import { createUserPrompt } from '../testing/builders.ts';
import {
  sendAndWait,
  createConversation,
  getRequestMessages,
  getTurnRun,
  configureLane,
  getLaneTurn,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { renderReply } from '../testing/render-turns.tsx';
import { createPausedAnswer } from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';

const jsonObject = { fields: { response_format: 'json_object' } };

function getLastText(bench: Bench): string {
  return renderReply(bench).text;
}

function hasTree(bench: Bench): boolean {
  return within(renderReply(bench).element).queryByRole('list', { name: 'JSON' }) !== null;
}

describe('reply in JSON', () => {
  it('shows a JSON reply as a tree and checks it while it streams', async () => {
    const { script, finish } = createPausedAnswer('{"city": "Os', 'lo", "days": [1, 2], "sunny": true}');
    const { bench } = await createConversation(script);
    configureLane(bench, jsonObject);
    const sendPromise = sendAndWait(bench, 'Go');
    await waitUntil(() => getLaneTranscript(bench)[0]?.[1] === '{"city": "Os');
    expect(hasTree(bench)).toBe(true);
    expect(getLastText(bench)).toMatch(/city\s*"Os"/);
    expect(getLastText(bench)).toContain('Partial JSON');
    finish();
    await sendPromise;
    expect(getLastText(bench)).toContain('2 items');
    expect(getLastText(bench)).toContain('Valid JSON');
  });

  it('reports incomplete JSON if the stream ends early', async () => {
    const { bench } = await createConversation((answer) => answer.sendAnswer('{"a": 1,\n "b": tru'));
    configureLane(bench, jsonObject);
    await sendAndWait(bench, 'Go');
    expect(getLastText(bench)).toContain('Incomplete JSON: the end is missing.');
  });

  it('shows where a reply stops being JSON while it is still streaming', async () => {
    const { bench } = await createConversation((answer) => answer.sendText('{"a": 1,\n "b": nope'));
    configureLane(bench, jsonObject);
    void bench.actions.sendPrompt(createUserPrompt('Go'));
    await waitUntil(() => getLaneTranscript(bench)[0]?.[1]?.endsWith('nope') === true);
    expect(getLastText(bench)).toContain('Invalid JSON at line 2, column 7: expected a value');
    expect(getTurnRun(bench).phase.name).toBe('streaming');
  });

  it('shows a text reply as text with a note that JSON was requested', async () => {
    const { bench } = await createConversation((answer) => answer.sendAnswer('Sure, **here** it is.'));
    configureLane(bench, jsonObject);
    await sendAndWait(bench, 'Go');
    expect(hasTree(bench)).toBe(false);
    expect(getLastText(bench)).toContain('Invalid JSON at line 1, column 1: expected a value');
  });

  it('sends response_format with the schema as written', async () => {
    const schema = { type: 'object', properties: { price: { type: 'number' } } };
    const format = { type: 'json_schema', json_schema: { name: 'order', schema } };
    const { bench, gateway } = await createConversation((answer) => answer.sendAnswer('{"price": 3}'));
    configureLane(bench, { fields: { response_format: JSON.stringify(format) } });
    await sendAndWait(bench, 'Go');
    expect(gateway.posts[0]?.body['response_format']).toEqual(format);
    // The schema validator is a lazy module and may not be loaded yet.
    expect(getLastText(bench)).toMatch(/Valid JSON|1 of 1 fields fit/);
  });

  it('shows unrequested JSON as a tree, offers a tree for a lone code fence and shows none for text', async () => {
    const { bench, gateway } = await createConversation((answer) => answer.sendAnswer('[{"a": 1}]'));
    await sendAndWait(bench, 'Go');
    expect(hasTree(bench)).toBe(true);
    expect(getLastText(bench)).toMatch(/a\s*1/);
    gateway.setChatScript((answer) => answer.sendAnswer('```json\n{"b": 2}\n```'));
    await sendAndWait(bench, 'Fence');
    expect(hasTree(bench), 'the reply is still shown as code, as it was while it streamed').toBe(false);
    expect(getLastText(bench)).toMatch(/Tree\s*Text/);
    gateway.setChatScript((answer) => answer.sendAnswer('[a link](https://example.com/) and {words}'));
    await sendAndWait(bench, 'Words');
    expect(getLastText(bench)).not.toMatch(/Tree\s*Text/);
  });
});

it('steps through candidates and continues with the visible one', async () => {
  const { bench, gateway } = await createConversation((answer) => {
    for (const [index, text] of ['First', 'Second', 'Third'].entries()) {
      answer.sendDelta({ content: text }, index);
      answer.sendFinishReason('stop', index);
    }
    answer.sendDone();
  });
  configureLane(bench, { fields: { n: '3' } });
  await sendAndWait(bench, 'Go');
  expect(getLaneTranscript(bench)).toEqual([['Go', 'First']]);
  bench.actions.showCandidate(getLaneTurn(bench).id, 1);
  expect(getLaneTranscript(bench)).toEqual([['Go', 'Second']]);
  bench.actions.showCandidate(getLaneTurn(bench).id, 2);
  expect(getLastText(bench)).toContain('3 of 3');
  await sendAndWait(bench, 'And then?');
  expect(getRequestMessages(gateway)).toEqual([
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: 'Third' },
    { role: 'user', content: 'And then?' },
  ]);
});
