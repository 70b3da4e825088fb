import { describe, expect, it } from 'vitest';

import { fillMessage, fillVariables, splitVariables, findVariables } from './variables.ts';

describe('variables', () => {
  it('splits text into plain pieces and variables', () => {
    expect(splitVariables('Say {{ a }}{{b}} now')).toStrictEqual([
      { text: 'Say ' },
      { text: '{{ a }}', name: 'a' },
      { text: '{{b}}', name: 'b' },
      { text: ' now' },
    ]);
    expect(splitVariables('{{a}}')).toStrictEqual([{ text: '{{a}}', name: 'a' }]);
    expect(splitVariables('')).toEqual([]);
  });

  it('fills variables in the system prompt', () => {
    expect(fillMessage({ role: 'system', content: 'Be {{a}}.' }, { a: 'brief' }).content).toBe('Be brief.');
  });

  it('finds each variable once, in order', () => {
    expect(findVariables(['{{b}} {{ a }}', '{{b}} {{größe}} {{1x}} {{}} {not}'])).toEqual([
      'b',
      'a',
      'größe',
    ]);
  });

  it('fills variables that have a value and keeps all others', () => {
    expect(fillVariables('{{a}} {{ b }} {{c}}', { a: '1', b: '$& {{a}}' })).toBe('1 $& {{a}} {{c}}');
    expect(fillVariables('{{constructor}} {{toString}}', {})).toBe('{{constructor}} {{toString}}');
    expect(fillVariables('{{a}}', { a: '' })).toBe('');
  });

  it('fills variables in user messages and text parts, but not in answers and tool results', () => {
    const values = { a: '1' };
    expect(fillMessage({ role: 'user', content: '{{a}}', name: '{{a}}' }, values)).toEqual({
      role: 'user',
      content: '1',
      name: '{{a}}',
    });
    const image = { type: 'image_url' as const, image_url: { url: 'data:{{a}}' } };
    expect(fillMessage({ role: 'user', content: [{ type: 'text', text: '{{a}}' }, image] }, values)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: '1' }, image],
    });
    for (const message of [
      { role: 'assistant' as const, content: '{{a}}' },
      { role: 'tool' as const, content: '{{a}}', tool_call_id: 'c' },
    ]) {
      expect(fillMessage(message, values)).toEqual(message);
    }
  });
});
