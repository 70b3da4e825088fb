/** Streams of real gateways, gone wrong in all the ways of testing/cases/mutations.ts: nothing is lost, and no end is made up. */
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { createDemoGateway } from '../demo-gateway/gateway.ts';
import { toBytes } from '../gateway/__fixtures__/segments.ts';
import { streamRows } from '../gateway/__fixtures__/stream-rows.ts';
import { messageKeys } from '../gateway/errors/error-value.ts';
import { createResponseDecoder } from '../gateway/stream/response-decoder.ts';
import type { TapeEntry } from '../gateway/stream/tape.ts';
import { isRecord, parseJson } from '../lib/json.ts';
import { anyWord, chanceFrom, mutations, withWords } from '../testing/cases/mutations.ts';
import { demoPost } from '../testing/demo-requests.ts';
import { cases } from '../testing/seeds.ts';
import { foldTape } from './reply/fold-tape.ts';
import { newRun } from './reply/run.ts';
import type { Run } from './session/types.ts';

const utf8 = new TextEncoder();
const longest = 64 * 1024;
const recorded: string[] = [];

beforeAll(async () => {
  for (const { bytes, status = 200 } of streamRows) {
    const text = status === 200 ? new TextDecoder().decode(toBytes(bytes)) : '';
    // Fields named __proto__ are rejected on purpose.
    const isRefused = text.includes('"__proto__":');
    if (text.startsWith('data:') && text.length < longest && !isRefused) recorded.push(withWords(text));
  }
  const gateway = createDemoGateway();
  const said = {
    messages: [{ role: 'user', content: 'How do I list the models?' }],
    demo_tokens_per_second: 0,
  };
  const listed = await gateway(
    new Request('http://demo.test/v1/models', { headers: { authorization: 'Bearer fk-test' } }),
  );
  const models = [...(await listed.text()).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
  for (const model of models) {
    const body = { ...said, model, stream: true, max_tokens: 40, stream_options: { include_usage: true } };
    const answer = await gateway(demoPost('/v1/chat/completions', body));
    if (answer.ok) recorded.push(withWords(await answer.text()));
  }
});

type End = Extract<TapeEntry, { end: unknown }>;

const ends: readonly End[] = [
  { at: 0, end: 'closed' },
  { at: 0, end: 'aborted' },
  { at: 0, end: 'lost', error: { source: 'network', kind: 'connection-lost', message: 'gone' } },
  { at: 0, end: 'timeout', error: { source: 'app', kind: 'timeout', message: 'late' } },
];

function tapeOf(packets: readonly Uint8Array[], end: End): TapeEntry[] {
  const decoder = createResponseDecoder({ isError: false });
  return [
    { at: 0, request: { model: 'm/1', messages: [], stream: true }, requestId: 'r' },
    { at: 0, status: 200, headers: { 'content-type': 'text/event-stream' } },
    ...packets.flatMap((packet) => decoder.push(packet, 0)),
    ...decoder.end(0, end.end === 'closed'),
    end,
  ];
}

const runOf = (tape: readonly TapeEntry[]) =>
  foldTape(newRun('run', 'session', { model: 'm/1', system: '', params: {} }), tape);

/** All that the screen has of a run, folded or not. */
const shownOf = ({ choices, notes, leftOver, phase, usage }: Run) =>
  JSON.stringify([choices, notes, leftOver, phase, usage]);

function textOn(tape: readonly TapeEntry[]): string {
  return tape
    .flatMap((entry) => {
      if ('data' in entry) return [entry.event ?? '', entry.id ?? '', entry.data];
      if ('comment' in entry) return [entry.comment];
      if ('outside' in entry) return [entry.outside];
      return 'body' in entry ? [entry.body] : [];
    })
    .join('\n');
}

/** What a line says beside the names of fields and numbers that the format needs. */
function saidBy(line: string): string {
  const [, name = '', value = ''] = /^(data|event|id|retry)?:? ?(.*)$/s.exec(line) ?? [];
  return name === 'retry' || name === 'id' ? '' : name === '' && !line.startsWith(':') ? line : value;
}

/** The words on a tape, other than comments and the names and numbers of events. */
function spokenOn(tape: readonly TapeEntry[]): string {
  return tape
    .flatMap((entry) => {
      if ('outside' in entry) return [entry.outside];
      const said = 'data' in entry ? entry.data : 'body' in entry ? entry.body : '';
      const reading = parseJson(said);
      // Of a name that an object has twice JSON knows the last value; the inspector has both.
      return [reading.ok ? JSON.stringify(withoutExtras(reading.value)) : said];
    })
    .join('\n');
}

/** Unknown fields beside the choices are shown only in the inspector. */
function withoutExtras(value: unknown): unknown {
  if (!isRecord(value) || !Object.hasOwn(value, 'choices')) return value;
  const names = new Set(['choices', 'error', 'usage', ...messageKeys]);
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));
}

const wordsIn = (text: string) => new Set(text.match(anyWord));
const endSign =
  /\[DONE\]|"finish_reason":\s*(?!null|""|false)|"finish_r\\u0065ason"|"block_?r(?:e|\\u0065)ason":|^\s*\{.*"(?:message|text)":/is;

const story = fc.record({
  stream: fc.nat(),
  steps: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  seed: fc.nat(),
  end: fc.oneof(fc.constant<End>({ at: 0, end: 'closed' }), fc.constantFrom(...ends)),
});

describe('a stream of a gateway that goes wrong on its way', () => {
  it('is tried with each kind of mutation, and more than thirty of them', () => {
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
    expect(mutations.length).toBeGreaterThan(30);
    expect(recorded.length).toBeGreaterThan(100);
  });

  it('is all on the tape and all on screen, and ends as what it is', () => {
    fc.assert(
      fc.property(story, ({ stream, steps, seed, end }) => {
        const chance = chanceFrom(seed);
        const made = steps.flatMap((step) => mutations[step % mutations.length] ?? []);
        const bytes = made.reduce<Uint8Array>(
          (before, { change }) => change(before, chance),
          utf8.encode(recorded[stream % recorded.length] ?? ''),
        );
        const text = new TextDecoder().decode(bytes);
        const told = `${made.map(({ name }) => name).join(', then ')}, ${end.end}: ${JSON.stringify(text)}`;
        const tape = tapeOf([bytes], end);
        const run = runOf(tape);

        const onTape = textOn(tape);
        const lines = text.split(/\r\n|\r|\n/);
        const lost = lines.filter((line) => line.trim() !== '' && !onTape.includes(saidBy(line).trim()));
        expect([lost, told]).toEqual([[], told]);

        const shown = shownOf(run);
        const unseen = [...wordsIn(spokenOn(tape))].filter((word) => !shown.includes(word));
        expect([unseen, told]).toEqual([[], told]);

        const { phase } = run;
        const cutShort = end.end === 'aborted' ? 'stopped' : 'truncated';
        expect([cutShort, 'complete', 'failed'], told).toContain(phase.name);
        if (phase.name === 'complete') expect(text, told).toMatch(endSign);
        if (phase.name === 'failed') expect(phase.error?.message, told).not.toBe('');
        const isOutside = tape.some((entry) => 'outside' in entry && !entry.ofEvent);
        if (isOutside) expect(phase.name, told).not.toBe('complete');

        const at = chance.below(bytes.length + 1);
        expect(runOf(tapeOf([bytes.subarray(0, at), bytes.subarray(at)], end)), told).toEqual(run);
      }),
      { numRuns: cases(600) },
    );
  });
});
