import { describe, expect, it } from 'vitest';

import { buildFaultsMessage, validateReply } from './json-check-schema.ts';
import { parseJsonReply, formatJsonReply } from './json-reply-text.ts';

const textSchema = { type: 'string' };
const incidentSchema = {
  type: 'object',
  properties: {
    title: textSchema,
    severity: { enum: ['low', 'medium', 'high'] },
    service: textSchema,
    started_at: textSchema,
    impact: textSchema,
    next_step: textSchema,
    steps: { type: 'array', items: { type: 'object', properties: { who: textSchema }, required: ['who'] } },
  },
  required: ['title', 'severity', 'service', 'started_at', 'impact', 'next_step'],
  additionalProperties: false,
};

function validateText(
  raw: string,
  isStreaming = false,
  schema: typeof incidentSchema | object = incidentSchema,
) {
  const reply = parseJsonReply(raw, isStreaming, true);
  if (!reply) throw new Error('The reply is missing');
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

describe('schema faults of a reply', () => {
  it('lists all faults with lines, ordered as missing, wrong, unexpected and wrapped', () => {
    const {
      started_at: _,
      impact: __,
      ...rest
    } = { ...completeReply, severity: 'critical', sources: ['log'] };
    const report = validateText(`\`\`\`json\n${JSON.stringify(rest, null, 2)}\n\`\`\``);
    expect(report.faults.map(({ kind, message, line }) => [kind, message, line])).toEqual([
      ['missing', 'started_at is missing.', 2],
      ['missing', 'impact is missing.', 2],
      ['wrong', 'severity must be one of "low", "medium", "high"; it is "critical".', 4],
      ['unexpected', 'Unexpected field: sources.', 7],
      ['wrapped', 'Wrapped in a code fence, so programs cannot parse it directly.', 1],
    ]);
    expect([report.state, report.fitCount, report.fields.length]).toEqual(['fails', 3, 6]);
    expect(buildFaultsMessage(report.faults)).toContain('- impact is missing.');
  });

  it('reports faults in nested lists and objects with their line in the formatted reply', () => {
    const report = validateText(
      JSON.stringify({ ...completeReply, started_at: 1406, steps: [{ who: 'A' }, {}] }),
    );
    expect(report.faults.map(({ message, line }) => [message, line])).toEqual([
      ['steps[1].who is missing.', 12],
      ['started_at must be a string; it is a number.', 5],
    ]);
    expect([report.fitCount, report.fields.length]).toEqual([5, 7]);
  });

  it('reports no faults for a valid reply and does not count omitted optional fields', () => {
    const report = validateText(JSON.stringify(completeReply));
    expect([report.state, report.fitCount, report.fields.length]).toEqual(['fits', 6, 6]);
  });

  it('reports one fault for a failed choice between shapes', () => {
    const schema = {
      type: 'object',
      properties: { pay: { anyOf: [textSchema, { type: 'number' }] } },
      required: ['pay'],
    };
    const report = validateText('{"pay": true}', false, schema);
    expect(report.faults.map(({ message }) => message)).toEqual(['pay matches none of the allowed schemas.']);
  });

  it('counts fields behind a reference, and a list as a single field', () => {
    const schema = { $ref: '#/$defs/it', $defs: { it: incidentSchema } };
    expect(validateText('{"title": 4}', false, schema)).toMatchObject({ state: 'fails', fitCount: 0 });
    expect(validateText('{"title": 4}', false, schema).fields).toHaveLength(6);
    const list = { type: 'array', items: { type: 'number' } };
    expect(validateText('[1, 2]', false, list)).toMatchObject({ state: 'fits', fitCount: 1 });
    expect(validateText('[1, "2", "3"]', false, list).faults).toHaveLength(2);
  });

  it('reports invalid or incomplete JSON and counts the fields that arrived', () => {
    expect(validateText('Sure!').faults.at(-1)?.message).toBe(
      'Invalid JSON at line 1, column 1: expected a value.',
    );
    const cutReport = validateText('{"title": "A",\n "severity": "low",');
    expect(cutReport.fitCount).toBe(2);
    expect(cutReport.faults.at(-1)).toMatchObject({
      kind: 'wrong',
      message: 'Incomplete JSON: the end is missing.',
    });
  });

  it('reports no faults while streaming and counts only the valid fields', () => {
    const report = validateText(
      '{"title": "A", "severity": "critical", "service": "B", "started_at": "14',
      true,
    );
    expect([report.state, report.fitCount, report.faults.length]).toEqual(['so far', 2, 0]);
  });

  it('reports an unusable schema', () => {
    expect(validateText('{}', false, { $ref: '#/nowhere' })).toMatchObject({ state: 'unusable' });
  });
});
