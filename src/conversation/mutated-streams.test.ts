/**
 * Applies the mutations from testing/cases/mutations.ts to recorded streams of real gateways: no text may be lost, and
 * no ending invented.
 */
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { createDemoGateway } from '../demo-gateway/gateway.ts';
import { toBytes } from '../gateway/__fixtures__/segments.ts';
import { streamRows } from '../gateway/__fixtures__/stream-rows.ts';
import { messageKeys } from '../gateway/errors/error-value.ts';
import { createResponseDecoder } from '../gateway/stream/response-decoder.ts';
import type { TapeEntry } from '../gateway/stream/tape.ts';
import { isRecord, parseJson } from '../lib/json.ts';
import { wordPattern, createRandomSource, mutations, withWords } from '../testing/cases/mutations.ts';
import { createDemoPost } from '../testing/demo-requests.ts';
import { getCaseCount } from '../testing/seeds.ts';
import { foldTape } from './reply/fold-tape.ts';
import { createRun } from './reply/run.ts';
import type { Run } from './session/types.ts';

const utf8 = new TextEncoder();
const maxStreamChars = 64 * 1024;
const recordedStreams: string[] = [];

beforeAll(async () => {
  for (const { bytes, status = 200 } of streamRows) {
    const text = status === 200 ? new TextDecoder().decode(toBytes(bytes)) : '';
    // Fields named __proto__ are rejected by design.
    const hasProtoField = text.includes('"__proto__":');
    if (text.startsWith('data:') && text.length < maxStreamChars && !hasProtoField)
      recordedStreams.push(withWords(text));
  }
  const gateway = createDemoGateway();
  const baseBody = {
    messages: [{ role: 'user', content: 'How do I list the models?' }],
    demo_tokens_per_second: 0,
  };
  const modelsResponse = await gateway(
    new Request('http://demo.test/v1/models', { headers: { authorization: 'Bearer fk-test' } }),
  );
  const models = [...(await modelsResponse.text()).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
  for (const model of models) {
    const body = {
      ...baseBody,
      model,
      stream: true,
      max_tokens: 40,
      stream_options: { include_usage: true },
    };
    const response = await gateway(createDemoPost('/v1/chat/completions', body));
    if (response.ok) recordedStreams.push(withWords(await response.text()));
  }
});

type End = Extract<TapeEntry, { end: unknown }>;

const endEntries: readonly End[] = [
  { at: 0, end: 'closed' },
  { at: 0, end: 'aborted' },
  { at: 0, end: 'lost', error: { source: 'network', kind: 'connection-lost', message: 'gone' } },
  { at: 0, end: 'timeout', error: { source: 'app', kind: 'timeout', message: 'late' } },
];

function createTape(packets: readonly Uint8Array[], end: End): TapeEntry[] {
  const decoder = createResponseDecoder({ isError: false });
  return [
    { at: 0, request: { model: 'm/1', messages: [], stream: true }, requestId: 'r' },
    { at: 0, status: 200, headers: { 'content-type': 'text/event-stream' } },
    ...packets.flatMap((packet) => decoder.push(packet, 0)),
    ...decoder.end(0, end.end === 'closed'),
    end,
  ];
}

const foldToRun = (tape: readonly TapeEntry[]) =>
  foldTape(createRun('run', 'session', { model: 'm/1', system: '', params: {} }), tape);

/** Serializes everything that the screen shows of a run, collapsed or not. */
const stringifyVisible = ({ choices, notes, leftOver, phase, usage }: Run) =>
  JSON.stringify([choices, notes, leftOver, phase, usage]);

function getTapeText(tape: readonly TapeEntry[]): string {
  return tape
    .flatMap((entry) => {
      if ('data' in entry) return [entry.event ?? '', entry.id ?? '', entry.data];
      if ('comment' in entry) return [entry.comment];
      if ('outside' in entry) return [entry.outside];
      return 'body' in entry ? [entry.body] : [];
    })
    .join('\n');
}

/** Returns the text of a line without field names and numbers that belong to the format. */
function getLineText(line: string): string {
  const [, name = '', value = ''] = /^(data|event|id|retry)?:? ?(.*)$/s.exec(line) ?? [];
  return name === 'retry' || name === 'id' ? '' : name === '' && !line.startsWith(':') ? line : value;
}

/** Returns the text on a tape, without comments, event names and event IDs. */
function getPayloadText(tape: readonly TapeEntry[]): string {
  return tape
    .flatMap((entry) => {
      if ('outside' in entry) return [entry.outside];
      const payload = 'data' in entry ? entry.data : 'body' in entry ? entry.body : '';
      const parsed = parseJson(payload);
      // For duplicate keys JSON keeps the last value; the inspector shows both.
      return [parsed.ok ? JSON.stringify(withoutExtras(parsed.value)) : payload];
    })
    .join('\n');
}

/** Removes unknown fields next to the choices, which only the inspector shows. */
function withoutExtras(value: unknown): unknown {
  if (!isRecord(value) || !Object.hasOwn(value, 'choices')) return value;
  const keptNames = new Set(['choices', 'error', 'usage', ...messageKeys]);
  return Object.fromEntries(Object.entries(value).filter(([name]) => keptNames.has(name)));
}

const collectWords = (text: string) => new Set(text.match(wordPattern));
const endPattern =
  /\[DONE\]|"finish_reason":\s*(?!null|""|false)|"finish_r\\u0065ason"|"block_?r(?:e|\\u0065)ason":|^\s*\{.*"(?:message|text)":/is;

const scenario = fc.record({
  stream: fc.nat(),
  steps: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  seed: fc.nat(),
  end: fc.oneof(fc.constant<End>({ at: 0, end: 'closed' }), fc.constantFrom(...endEntries)),
});

describe('mutated gateway streams', () => {
  it('uses more than 30 distinct mutations and 100 recorded streams', () => {
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
    expect(mutations.length).toBeGreaterThan(30);
    expect(recordedStreams.length).toBeGreaterThan(100);
  });

  it('keeps all text on the tape and on screen and derives the correct ending', () => {
    fc.assert(
      fc.property(scenario, ({ stream, steps, seed, end }) => {
        const chance = createRandomSource(seed);
        const appliedMutations = steps.flatMap((step) => mutations[step % mutations.length] ?? []);
        const bytes = appliedMutations.reduce<Uint8Array>(
          (current, { change }) => change(current, chance),
          utf8.encode(recordedStreams[stream % recordedStreams.length] ?? ''),
        );
        const text = new TextDecoder().decode(bytes);
        const failureMessage = `${appliedMutations.map(({ name }) => name).join(', then ')}, ${end.end}: ${JSON.stringify(text)}`;
        const tape = createTape([bytes], end);
        const run = foldToRun(tape);

        const tapeText = getTapeText(tape);
        const lines = text.split(/\r\n|\r|\n/);
        const lostLines = lines.filter(
          (line) => line.trim() !== '' && !tapeText.includes(getLineText(line).trim()),
        );
        expect([lostLines, failureMessage]).toEqual([[], failureMessage]);

        const visibleText = stringifyVisible(run);
        const unseenWords = [...collectWords(getPayloadText(tape))].filter(
          (word) => !visibleText.includes(word),
        );
        expect([unseenWords, failureMessage]).toEqual([[], failureMessage]);

        const { phase } = run;
        const expectedCutPhase = end.end === 'aborted' ? 'stopped' : 'truncated';
        expect([expectedCutPhase, 'complete', 'failed'], failureMessage).toContain(phase.name);
        if (phase.name === 'complete') expect(text, failureMessage).toMatch(endPattern);
        if (phase.name === 'failed') expect(phase.error?.message, failureMessage).not.toBe('');
        const hasOutsideText = tape.some((entry) => 'outside' in entry && !entry.ofEvent);
        if (hasOutsideText) expect(phase.name, failureMessage).not.toBe('complete');

        const splitOffset = chance.drawBelow(bytes.length + 1);
        expect(
          foldToRun(createTape([bytes.subarray(0, splitOffset), bytes.subarray(splitOffset)], end)),
          failureMessage,
        ).toEqual(run);
      }),
      { numRuns: getCaseCount(600) },
    );
  });
});
