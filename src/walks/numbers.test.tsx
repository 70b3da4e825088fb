/**
 * Tests that numbers and duplicate keys, which JSON.parse and JSON.stringify would change, pass through the app and
 * back to the gateway unchanged.
 */
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { diffTexts } from '../conversation/comparison/text-diff.ts';
import { buildSessionMarkdown } from '../conversation/files/markdown-export.ts';
import { matchLaneResults } from '../conversation/request/pending-tool-results.ts';
import { createSampleResult } from '../conversation/request/tool-sample.ts';
import { withResult } from '../conversation/session/draft.ts';
import { Parameters } from '../features/parameters/parameters.tsx';
import { DifferencesStrip } from '../features/playground/differences-strip.tsx';
import { usePendingResults } from '../features/tools/use-pending-results.ts';
import { usePendingRows } from '../features/tools/use-pending-rows.ts';
import type { Bench } from '../testing/bench.ts';
import {
  sendAndWait,
  createConversation,
  reloadPage,
  configureLane,
} from '../testing/conversation-driver.ts';
import { renderPrompts, renderReply } from '../testing/render-turns.tsx';
import { listTexts, readHook, renderText, renderWithPlayground } from '../testing/render-with-playground.tsx';
import type { ScriptedResponse } from '../testing/scripted-gateway.ts';

const literals = ['9007199254740993', '-12345678901234567890', '1.0', '0.10', '1e400', '-0'];
/** Compact JSON, so that the formatted text differs from it but has the same digits. */
const json = `{"values":[${literals.join(',')}],"twice":{"key":71,"key":72}}`;

/** Returns the numbers of the JSON above that are missing from the text. */
function findMissing(text: string): string[] {
  const numbers = new Set(text.match(/-?\d[\d.eE+-]*/g));
  return [...literals, '71', '72'].filter((literal) => !numbers.has(literal));
}

/** Returns the text of the last reply with a line break between texts. */
const renderLastReply = (bench: Bench) => listTexts(renderReply(bench).element).join('\n');

async function listExports(bench: Bench): Promise<string[]> {
  const data = bench.getOpenSession();
  return [
    (await bench.sessionFiles.exporter.buildJson(data.session.id))?.pieces.join('').replaceAll('\\"', '"') ??
      '',
    buildSessionMarkdown(data),
  ];
}

describe('received digits', () => {
  it('keeps the digits of a JSON answer on screen, after a reload and in exports', async () => {
    const { bench } = await createConversation((answer) => answer.sendAnswer(json));
    configureLane(bench, { fields: { response_format: 'json_object' } });
    await sendAndWait(bench, 'Go');
    expect(findMissing(renderLastReply(bench))).toEqual([]);
    expect(renderLastReply(bench)).toContain('Valid JSON');
    for (const text of await listExports(bench)) expect(findMissing(text)).toEqual([]);
    expect(findMissing(renderLastReply(await reloadPage(bench)))).toEqual([]);
  });

  it('keeps the digits of a JSON answer that was cut off', async () => {
    const { bench } = await createConversation((answer) => {
      answer.sendText(`{"whole":${json},"cut":12`);
      answer.response.end();
    });
    configureLane(bench, { fields: { response_format: 'json_object' } });
    await sendAndWait(bench, 'Go');
    expect(findMissing(renderLastReply(bench))).toEqual([]);
  });

  it.each([
    ['as text', JSON.stringify(json)],
    ['as an object', json],
  ])(
    'keeps the digits of tool arguments %s and of tool results, also when they are sent',
    async (_name, argumentsJson) => {
      const { bench, gateway } = await createConversation((answer: ScriptedResponse) => {
        answer.openStream();
        const call = `{"id":"call_1","type":"function","function":{"name":"pay","arguments":${argumentsJson}}}`;
        answer.writeRaw(`data: {"choices":[{"index":0,"delta":{"tool_calls":[${call}]}}]}\n\n`);
        answer.sendFinishReason('tool_calls');
        answer.sendDone();
      });
      await sendAndWait(bench, 'Go');
      expect(findMissing(renderLastReply(bench))).toEqual([]);
      expect(findMissing(createSampleResult('get_weather', json, undefined))).toEqual(['71']);

      const { id, laneIds } = bench.getOpenSession().session;
      const [row] = readHook(bench, usePendingRows).rows;
      const [callAnswer] = (row && matchLaneResults(row, {})[0]?.results) ?? [];
      if (!row || !callAnswer) throw new Error('No call waits for a result');
      bench.drafts.change(id, (draft) => withResult(draft, row.promptId, callAnswer.key, { text: json }));
      gateway.setChatScript((reply) => reply.sendAnswer('Done.'));
      await readHook(bench, () => usePendingResults(laneIds))?.send([]);
      expect(findMissing(renderPrompts(bench).at(-1)?.text ?? '')).toEqual([]);
      const escapedJson = JSON.stringify(json).slice(1, -1);
      expect(gateway.posts[1]?.text.split(escapedJson)).toHaveLength(3);
      for (const text of await listExports(bench)) expect(findMissing(text)).toEqual([]);
    },
  );

  it('keeps the digits of extra fields, tools and seed in requests, copies and other lanes', async () => {
    const { bench, gateway } = await createConversation();
    const tools = '[{"type":"function","function":{"name":"f","parameters":{"maximum":9007199254740993}}}]';
    const fields = { 'Extra provider fields': json, tools, seed: '12345678901234567890' };
    configureLane(bench, { fields });
    await sendAndWait(bench, 'Go');
    const requestText = gateway.posts[0]?.text ?? '';
    for (const field of ['"seed":12345678901234567890,', `"tools":${tools},`, json.slice(1)])
      expect(requestText).toContain(field);

    bench.view.setState({ isParametersOverlayOpen: true });
    const { user } = renderWithPlayground(<Parameters />, { playground: bench });
    await user.click(screen.getByRole('button', { name: 'Copy as JSON' }));
    const copiedText = await navigator.clipboard.readText();
    expect(findMissing(copiedText)).toEqual([]);
    expect(copiedText).toContain('"seed": 12345678901234567890');

    bench.actions.addLane();
    configureLane(bench, { fields: { ...fields, seed: '12345678901234567891' } }, 1);
    const strip = renderText(bench, <DifferencesStrip />);
    expect(strip).toBe('seed 12345678901234567890 / 12345678901234567891');
  });

  it('compares texts by their digits', () => {
    for (const literal of literals) {
      const [left, right] = [`{"n":${literal}}`, `{"n":${String(Number(literal))}}`];
      const { canShowInline, differenceCount } = diffTexts(left, right);
      expect(canShowInline && differenceCount === 0, literal).toBe(false);
    }
  });
});
