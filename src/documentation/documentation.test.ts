import { describe, expect, it } from 'vitest';

import { PARAMS, type ParamRow } from '../conversation/setup/params.ts';
import { getPassages } from '../demo-gateway/models/documentation.ts';

const tierLabels = { portable: 'Portable', documented: 'Documented', 'passed through': 'Passed through' };

const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

/** Returns the line of facts that parameters.md has below the description of a parameter. */
function describeRow(row: ParamRow): string {
  const sentences = [`${tierLabels[row.tier]}.`, `${describeValue(row)}.`];
  if (row.demoDefault !== undefined) sentences.push(`Default of the demo gateway: ${row.demoDefault}.`);
  const isShort =
    row.control.type === 'number' || row.control.type === 'switch' || row.control.type === 'response-format';
  if (isShort || row.control.type === 'tool-choice' || row.control.type === 'words')
    sentences.push(`When first ticked: ${row.initialText}.`);
  return `*${sentences.join(' ')}*`;
}

function describeValue({ control }: ParamRow): string {
  if (control.type === 'number') {
    const kind = control.integer === true ? 'A whole number' : 'A number';
    if (control.min === undefined) return kind;
    if (control.max === undefined) return `${kind}, ${numberFormat.format(control.min)} or more`;
    return `${kind} from ${numberFormat.format(control.min)} to ${numberFormat.format(control.max)}`;
  }
  if (control.type === 'switch') return 'On or off';
  if (control.type === 'words') return `One of ${control.options.join(', ')}, or another value`;
  if (control.type === 'lines') return `Up to ${control.maxLines} lines`;
  if (control.type === 'response-format') return 'A format: text, json_object, or a schema';
  if (control.type === 'tool-choice') return 'A word, or the name of a function';
  if (control.type === 'tools') return 'A JSON array';
  if (control.type === 'constant') return `Always ${control.label}`;
  return 'A JSON object';
}

const passages = getPassages();

describe('the documentation', () => {
  it.each(PARAMS.map((row) => [row.name, row] as const))(
    'states the facts about %s as in the parameter table',
    (name, row) => {
      const passage = passages.find(({ page, heading }) => page === 'Parameters' && heading === name);
      expect(passage?.body.split('\n\n').slice(0, 2)).toEqual([row.description, describeRow(row)]);
    },
  );

  it('has unique headings and text in every section', () => {
    for (const { body } of passages) expect(body.length).toBeGreaterThan(80);
    const passageKeys = passages.map(({ page, heading }) => `${page}: ${heading}`);
    expect(new Set(passageKeys).size).toBe(passageKeys.length);
  });

  it('closes every code block it opens', () => {
    for (const { body } of passages) expect((body.match(/^```/gm) ?? []).length % 2).toBe(0);
  });

  it('is plain text without emoji, exclamation marks or em-dashes', () => {
    for (const { body } of passages)
      expect(body.replace(/```[\s\S]*?```/g, '')).not.toMatch(/[!—]|\p{Extended_Pictographic}/u);
  });
});
