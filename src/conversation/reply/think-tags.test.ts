import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { StreamEvent } from '../../gateway/stream/stream-events.ts';
import { createTestSetup, withTimes } from '../../testing/builders.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import type { Choice } from '../session/types.ts';
import { applyEvents, createRun, getAnswerText } from './run.ts';
import { endThinkTag, splitThinkTags } from './think-tags.ts';

/** Folds text deltas and returns the visible reasoning and text. */
function foldDeltas(deltas: readonly string[]): { thinking: string; text: string } {
  const events = deltas.map((text) => ({ type: 'text-delta' as const, choice: 0, text }));
  const run = applyEvents(
    createRun('a', 'b', createTestSetup()),
    withTimes([...events, { type: 'end', end: 'closed' }]),
  );
  const parts = run.choices[0]?.parts ?? [];
  return {
    thinking: parts.map((part) => (part.type === 'thinking' ? part.text : '')).join(''),
    text: getAnswerText(run.choices[0]),
  };
}

describe('reasoning tags', () => {
  it('separates tagged reasoning only at the start of an answer', () => {
    const rows = [
      ['<think>Let me see.</think>\n\nFour.', 'Let me see.', '\n\nFour.'],
      ['\n <think>a</think>b', 'a', 'b'],
      ['<thinking>a</thinking>b', 'a', 'b'],
      ['<thought>a</thought>b', 'a', 'b'],
      ['<reasoning>a</reasoning>b', 'a', 'b'],
      ['<think></think>b', '', 'b'],
      ['<think>a < b </thin x </think>c', 'a < b </thin x ', 'c'],
      ['<think>never closed', 'never closed', ''],
      ['<think>cut in its end </thi', 'cut in its end </thi', ''],
      ['<think>a</think><think>b</think>c', 'ab', 'c'],
      ['<think>a</think>\n<think>b</think>c', 'ab', 'c'],
      ['<think>a</think>\n', 'a', '\n'],
      ['<think>a</think>b<think>c</think>', 'a', 'b<think>c</think>'],
      ['a<think>b</think>', '', 'a<think>b</think>'],
      ['`<think>`', '', '`<think>`'],
      ['<thin', '', '<thin'],
      ['  ', '', '  '],
      ['<think >a', '', '<think >a'],
      ['<think>a</thinking>b</think>c', 'a</thinking>b', 'c'],
    ] as const;
    expect(rows.map(([whole]) => foldDeltas([whole]))).toEqual(
      rows.map(([, thinking, text]) => ({ thinking, text })),
    );
  });

  it('recognises all common tag notations, complete, unclosed or without the opening tag', () => {
    const tagPairs = [
      ['<thoughts>', '</thoughts>'],
      ['<scratchpad>', '</scratchpad>'],
      ['<|think_start|>', '<|think_end|>'],
      ['<|BEGIN_REASONING|>', '<|END_REASONING|>'],
      ['[thinking]', '[/thinking]'],
      ['<seed:think>', '</seed:think>'],
      ['<THINK>', '</Think>'],
      ['[THINK]', '[/THINK]'],
      ['◁think▷', '◁/think▷'],
      ['<|begin_of_thought|>', '<|end_of_thought|>'],
      ['<|START_THINKING|>', '<|END_THINKING|>'],
      ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
    ] as const;
    for (const [opening, closing] of tagPairs) {
      expect(foldDeltas([`${opening}plan${closing}Four.`])).toEqual({ thinking: 'plan', text: 'Four.' });
      expect(foldDeltas([`${opening}plan, Four.`])).toEqual({ thinking: 'plan, Four.', text: '' });
      expect(foldDeltas([`plan ${closing}Four.`])).toEqual({ thinking: 'plan ', text: 'Four.' });
      expect(foldDeltas(`plan ${closing}Four.`.split(''))).toEqual({ thinking: 'plan ', text: 'Four.' });
    }
    // The lower-case form of this letter is two characters long.
    const cutDeltas = ['<THINK>\u0130zmir</THI', 'NK>Four.'];
    expect(foldDeltas(cutDeltas)).toEqual({ thinking: '\u0130zmir', text: 'Four.' });
  });

  it('ignores closing tags in reasoning from a separate field', () => {
    const foldEvents = (...events: readonly StreamEvent[]) =>
      applyEvents(
        createRun('a', 'b', createTestSetup()),
        withTimes([...events, { type: 'end', end: 'closed' }]),
      ).choices[0]?.parts;
    const field = { type: 'thinking-delta', choice: 0, text: 'It ends with </think>. ' } as const;
    const tag = { type: 'text-delta', choice: 0, text: '<thinking>' } as const;
    const textDelta = { type: 'text-delta', choice: 0, text: 'So.' } as const;
    expect(foldEvents(field, tag, textDelta)).toMatchObject([
      { type: 'thinking', text: 'It ends with </think>. So.' },
    ]);
    expect(foldEvents(tag, textDelta, field)).toMatchObject([
      { type: 'thinking', text: 'So.It ends with </think>. ' },
    ]);
  });

  it('accepts a closing tag in another notation once the answer has ended', () => {
    const rows = [
      ['<think>plan</thinking>Four.', 'plan', 'Four.'],
      ['<thinking>plan</think>Four.', 'plan', 'Four.'],
      ['<thought>plan\n[/THINK]\nFour.', 'plan\n', '\nFour.'],
      ['<think>plan</thinking>', 'plan', ''],
      ['<think>a</think><thinking>b</think>c', 'ab', 'c'],
      ['<think>They want <thinking>a</thinking> first', 'They want <thinking>a</thinking> first', ''],
      ['<think>It ends with `</thinking>`', 'It ends with `</thinking>`', ''],
      ['<think>plan</thinking>Four.</think>Five.', 'plan</thinking>Four.', 'Five.'],
    ] as const;
    for (const [whole, thinking, text] of rows) {
      expect(foldDeltas([whole])).toEqual({ thinking, text });
      expect(foldDeltas(whole.split(''))).toEqual({ thinking, text });
    }
  });

  it('treats text before a lone closing tag as reasoning, unless the tag is code or a quote', () => {
    const rows = [
      ['plan </think>answer', 'plan ', 'answer'],
      ['</think>answer', '', 'answer'],
      ['\n\n</think>\n\nanswer', '\n\n', '\n\nanswer'],
      ['plan\nwith "words"\n</think>answer', 'plan\nwith "words"\n', 'answer'],
      ['use `x`</think>answer', 'use `x`', 'answer'],
      ['plan</think>one</think>two', 'plan', 'one</think>two'],
      ['It ends with `</think>`.', '', 'It ends with `</think>`.'],
      ['```\na</think>b\n```', '', '```\na</think>b\n```'],
      ['They call it "</think>" there', '', 'They call it "</think>" there'],
      ['a<think>b</think>c', '', 'a<think>b</think>c'],
      ['<think>a</think>b</think>c', 'a', 'b</think>c'],
      ['a list[', '', 'a list['],
      ['a stray ` in one line\nplan</think>answer', 'a stray ` in one line\nplan', 'answer'],
      ['```\ncode\n```\nplan</think>answer', '```\ncode\n```\nplan', 'answer'],
    ] as const;
    for (const [whole, thinking, text] of rows) {
      expect(foldDeltas([whole])).toEqual({ thinking, text });
      expect(foldDeltas(whole.split(''))).toEqual({ thinking, text });
    }
  });

  it('removes a closing tag directly after separate reasoning but keeps it in later text', () => {
    const foldAfterReasoning = (text: string) => {
      const run = applyEvents(
        createRun('a', 'b', createTestSetup()),
        withTimes([
          { type: 'thinking-delta', choice: 0, text: 'plan' },
          { type: 'text-delta', choice: 0, text },
          { type: 'end', end: 'closed' },
        ]),
      );
      return getAnswerText(run.choices[0]);
    };
    expect(foldAfterReasoning('</think>Four.')).toBe('Four.');
    expect(foldAfterReasoning('Four. </think> Five.')).toBe('Four. </think> Five.');
  });

  it('sets the time of the first answer text after a lone closing tag', () => {
    const run = 'ab</think>c'
      .split('')
      .reduce(
        (run, text, index) =>
          applyEvents(run, [{ atMs: index, event: { type: 'text-delta', choice: 0, text } }]),
        createRun('a', 'b', createTestSetup()),
      );
    expect(run.choices[0]?.parts).toMatchObject([
      { type: 'thinking', text: 'ab', startedMs: 0, endedMs: 9 },
      { type: 'text', text: 'c' },
    ]);
    expect([run.firstTokenMs, run.firstTextMs]).toEqual([0, 10]);
  });

  it('finds tags wherever the deltas are split, including single characters', () => {
    for (const whole of [
      '\n<think>a < b</think>\n\n<b>c',
      '<think>a</think><think>b</think>c',
      '<thinking>a</thinking>b',
      '<thinker>x',
    ]) {
      const expected = foldDeltas([whole]);
      for (let index = 0; index <= whole.length; index += 1) {
        expect([index, foldDeltas([whole.slice(0, index), whole.slice(index)])]).toEqual([index, expected]);
      }
      expect(foldDeltas(whole.split(''))).toEqual(expected);
    }
  });

  it('finds tags in arbitrary text wherever the deltas are split', () => {
    const token = fc.constantFrom(
      '<think>',
      '</think>',
      '<thinking>',
      '</thinking>',
      '<',
      '>',
      '/',
      'think',
      ' ',
      '\n',
      'a',
      '<thought>',
      '[/THINK]',
      '◁/think▷',
      '`',
      '"',
    );
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 12 }),
        fc.array(fc.nat(60), { maxLength: 10 }),
        (tokens, cuts) => {
          const whole = tokens.join('');
          const bounds = [
            0,
            ...cuts.filter((cut) => cut < whole.length).toSorted((a, b) => a - b),
            whole.length,
          ];
          const deltas = bounds.slice(1).map((to, index) => whole.slice(bounds[index], to));
          expect(foldDeltas(deltas)).toEqual(foldDeltas([whole]));
        },
      ),
      { numRuns: getCaseCount(1000) },
    );
  });

  it('holds back only text that may be part of a tag', () => {
    const choice: Choice = { parts: [] };
    const splitNext = (text: string) => [splitThinkTags(choice, text), choice.held];
    expect(splitNext(' \n<thi')).toEqual([[], ' \n<thi']);
    expect(splitNext('nk>see')).toEqual([[{ type: 'thinking', text: 'see' }], undefined]);
    expect(splitNext(' me </th')).toEqual([[{ type: 'thinking', text: ' me ' }], '</th']);
    expect(splitNext('em <')).toEqual([[{ type: 'thinking', text: '</them ' }], '<']);
    expect(splitNext('/think>Four.')).toEqual([
      [
        { type: 'thinking', text: '' },
        { type: 'text', text: 'Four.' },
      ],
      undefined,
    ]);
    expect(choice).not.toHaveProperty('inThinkTag');
  });

  it('keeps unclosed reasoning as reasoning and an incomplete tag as text', () => {
    const openChoice: Choice = { parts: [], inThinkTag: 'think', held: '</th' };
    expect(endThinkTag(openChoice)).toEqual({ type: 'thinking', text: '</th' });
    expect(openChoice).toStrictEqual({ parts: [] });
    expect(endThinkTag({ parts: [], held: '<thi' })).toEqual({ type: 'text', text: '<thi' });
    expect(endThinkTag({ parts: [] })).toBeUndefined();
  });

  it('never shows part of a tag while it arrives', () => {
    const whole = '<think>Let me see.</think>Four.';
    let run = createRun('a', 'b', createTestSetup());
    for (const letter of whole) {
      run = applyEvents(run, withTimes([{ type: 'text-delta', choice: 0, text: letter }]));
      const visible = (run.choices[0]?.parts ?? []).map((part) => ('text' in part ? part.text : '')).join('');
      expect(visible).not.toMatch(/[<>]|think/);
    }
  });

  it('detects tags separately for each candidate', () => {
    const run = applyEvents(
      createRun('a', 'b', createTestSetup()),
      withTimes([
        { type: 'text-delta', choice: 0, text: '<think>a' },
        { type: 'text-delta', choice: 1, text: 'plain' },
        { type: 'text-delta', choice: 0, text: '</think>b' },
      ]),
    );
    expect(run.choices.map(getAnswerText)).toEqual(['b', 'plain']);
  });
});
