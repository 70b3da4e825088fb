import { describe, expect, it } from 'vitest';

import { buildFaultsMessage, validateReply } from './json-check-schema.ts';
import { parseJsonReply, formatJsonReply } from './json-reply-text.ts';

const text = { type: 'string' };
const incident = {
  type: 'object',
  properties: {
    title: text,
    severity: { enum: ['low', 'medium', 'high'] },
    service: text,
    started_at: text,
    impact: text,
    next_step: text,
    steps: { type: 'array', items: { type: 'object', properties: { who: text }, required: ['who'] } },
  },
  required: ['title', 'severity', 'service', 'started_at', 'impact', 'next_step'],
  additionalProperties: false,
};

function validateText(raw: string, isStreaming = false, schema: typeof incident | object = incident) {
  const reply = parseJsonReply(raw, isStreaming, true);
  if (!reply) throw new Error('no reply');
  return validateReply(formatJsonReply(raw, reply), { ...schema }, isStreaming);
}

const completeReply = {
  title: 'Slow',
  severity: 'high',
  service: 'checkout',
  started_at: '14:06',
  impact: 'p99',
  next_step: 'Roll back',
};

describe('all faults of a reply', () => {
  it('are told at once: missing first, then wrong, unexpected and wrapped, each with its line', () => {
    const {
      started_at: _,
      impact: __,
      ...rest
    } = { ...completeReply, severity: 'critical', sources: ['log'] };
    const reading = validateText(`\`\`\`json\n${JSON.stringify(rest, null, 2)}\n\`\`\``);
    expect(reading.faults.map(({ kind, message, line }) => [kind, message, line])).toEqual([
      ['missing', 'started_at is missing.', 2],
      ['missing', 'impact is missing.', 2],
      ['wrong', 'severity must be one of "low", "medium", "high"; it is "critical".', 4],
      ['unexpected', 'Unexpected field: sources.', 7],
      ['wrapped', 'Wrapped in a code fence that a program must strip.', 1],
    ]);
    expect([reading.state, reading.fitCount, reading.fields.length]).toEqual(['fails', 3, 6]);
    expect(buildFaultsMessage(reading.faults)).toContain('- impact is missing.');
  });

  it('are in lists and objects, too, at the line of the reply as it is laid out', () => {
    const reading = validateText(
      JSON.stringify({ ...completeReply, started_at: 1406, steps: [{ who: 'A' }, {}] }),
    );
    expect(reading.faults.map(({ message, line }) => [message, line])).toEqual([
      ['steps[1].who is missing.', 12],
      ['started_at must be text; it is a number.', 5],
    ]);
    expect([reading.fitCount, reading.fields.length]).toEqual([5, 7]);
  });

  it('are none where it fits: an optional field that is left out does not count', () => {
    const reading = validateText(JSON.stringify(completeReply));
    expect([reading.state, reading.fitCount, reading.fields.length]).toEqual(['fits', 6, 6]);
  });

  it('of a choice between shapes are one, not one for each shape', () => {
    const schema = {
      type: 'object',
      properties: { pay: { anyOf: [text, { type: 'number' }] } },
      required: ['pay'],
    };
    const reading = validateText('{"pay": true}', false, schema);
    expect(reading.faults.map(({ message }) => message)).toEqual(['pay matches none of the allowed shapes.']);
  });

  it('behind references count by field, and a reply that is a list counts as one', () => {
    const schema = { $ref: '#/$defs/it', $defs: { it: incident } };
    expect(validateText('{"title": 4}', false, schema)).toMatchObject({ state: 'fails', fitCount: 0 });
    expect(validateText('{"title": 4}', false, schema).fields).toHaveLength(6);
    const list = { type: 'array', items: { type: 'number' } };
    expect(validateText('[1, 2]', false, list)).toMatchObject({ state: 'fits', fitCount: 1 });
    expect(validateText('[1, "2", "3"]', false, list).faults).toHaveLength(2);
  });

  it('are told of what is not JSON, and of what has no end, with the fields that arrived', () => {
    expect(validateText('Sure!').faults.at(-1)?.message).toBe(
      'Not JSON from line 1, column 1: expected a value.',
    );
    const cut = validateText('{"title": "A",\n "severity": "low",');
    expect(cut.fitCount).toBe(2);
    expect(cut.faults.at(-1)).toMatchObject({
      kind: 'wrong',
      message: 'Incomplete JSON: the end is missing.',
    });
  });

  it('wait for the end: while it streams only what fits so far is counted', () => {
    const reading = validateText(
      '{"title": "A", "severity": "critical", "service": "B", "started_at": "14',
      true,
    );
    expect([reading.state, reading.fitCount, reading.faults.length]).toEqual(['so far', 2, 0]);
  });

  it('say why a schema cannot be used', () => {
    expect(validateText('{}', false, { $ref: '#/nowhere' })).toMatchObject({ state: 'unusable' });
  });
});
