import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isRecord, parseJson, type JsonObject } from '../lib/json.ts';
import { createModelRequest, collectOutput, getReplyText, toolKit } from '../testing/demo-requests.ts';
import { getCaseCount } from '../testing/seeds.ts';
import { chatModelsWithQuirks } from './catalog.ts';
import type { DemoModel } from './model.ts';

const fields: JsonObject = { tools: toolKit, enable_thinking: true, thinking_budget: 128 };

// These models explain their calls in text, which the gateway wraps in JSON.
const toolModelIds = new Set(['demo/tools', 'demo/strict']);
const textModels = chatModelsWithQuirks.filter(({ id }) => !toolModelIds.has(id));

describe.each(textModels.map((model): [string, DemoModel] => [model.id, model]))(
  '%s in JSON mode',
  (_, model) => {
    it.each([
      ['a question', 'What can you do?'],
      ['a calculation', '12 × 12'],
      ['a request for a tool', 'weather in Oslo'],
      ['characters escaped in JSON', '"quotes" and \\'],
      ['an empty message', ''],
    ])('answers %s with one JSON object in JSON mode', (_name, message) => {
      const parsed = parseJson(getReplyText(model, createModelRequest(message, { isJsonMode: true })));
      expect(parsed.ok && isRecord(parsed.value)).toBe(true);
    });
  },
);

describe.each(chatModelsWithQuirks.map((model): [string, DemoModel] => [model.id, model]))(
  '%s',
  (_, model) => {
    it('describes the model in one sentence', () => {
      expect(model.description).toMatch(/^[A-Z].+\.$/);
    });

    it('yields only non-empty pieces for any message', () => {
      const words = [
        'weather',
        'in',
        'Paris',
        '2+2',
        '(',
        '50%',
        '1 May',
        'about',
        'tokens',
        '"',
        '`',
        '§',
        '🙂',
        'the',
        '/tokens',
      ];
      const messages = oneof(
        string({ unit: 'grapheme' }),
        array(constantFrom(...words)).map((chosenWords) => chosenWords.join(' ')),
      );
      assert(
        property(messages, (message) => {
          const pieces = collectOutput(model, createModelRequest(message, { fields }));
          const texts = pieces.map((piece) =>
            'text' in piece ? piece.text : 'thinking' in piece ? piece.thinking : piece.toolCall.arguments,
          );
          expect(texts.length).toBeGreaterThan(0);
          expect(texts).not.toContain('');
        }),
        { numRuns: getCaseCount(15) },
      );
    });

    it('returns the same output for the same request and random numbers', () => {
      const message = 'The weather in Paris, in about 200 words, and 3 × 4';
      expect(collectOutput(model, createModelRequest(message, { fields, seed: 5 }))).toEqual(
        collectOutput(model, createModelRequest(message, { fields, seed: 5 })),
      );
    });

    it.each([
      ['parentheses', '('.repeat(50_000)],
      ['digits', '1'.repeat(50_000)],
      ['numbers', '1, '.repeat(20_000)],
      ['symbols', '1+'.repeat(25_000)],
      ['letters', 'a'.repeat(50_000)],
      ['capitalised words', 'Paris Rome '.repeat(5000)],
      ['spaces', ' '.repeat(50_000)],
      ['lists', 'the sum of 1, 2 and '.repeat(3000)],
      ['words', 'the weather in paris and '.repeat(2000)],
      ['quotes', '"a '.repeat(20_000)],
      ['dates', '1 May and '.repeat(5000)],
      ['hyphens', 'a-'.repeat(25_000)],
    ])('handles a long message that consists only of %s', (_name, message) => {
      expect(collectOutput(model, createModelRequest(message, { fields })).length).toBeGreaterThan(0);
    });
  },
);
