import { describe, expect, it } from 'vitest';

import { deriveTitle, defaultTitle } from './edit-session.ts';

const getTitle = (content: string) => deriveTitle([{ role: 'user', content }]);

describe('session title', () => {
  it('uses the first line with text, without Markdown', () => {
    expect(getTitle('\n\n## Compare `a` and b\nin detail')).toBe('Compare `a` and b');
    expect(getTitle('> - quoted')).toBe('quoted');
  });

  it('truncates at a word boundary to 60 characters and an ellipsis', () => {
    const title = getTitle('word '.repeat(30));
    expect(title).toMatch(/word…$/);
    expect(Array.from(title).length).toBeLessThanOrEqual(61);
  });

  it('leaves no space before the ellipsis', () => {
    expect(getTitle(`${'x'.repeat(40)}   ${'y'.repeat(40)}`)).toBe(`${'x'.repeat(40)}…`);
  });

  it('never splits a character', () => {
    const title = getTitle('🙂'.repeat(100));
    expect(title).toBe(`${'🙂'.repeat(60)}…`);
  });

  it('uses the first text after an image, or a default title without text', () => {
    const image = { type: 'image_url' as const, image_url: { url: 'data:,' } };
    expect(deriveTitle([{ role: 'user', content: [image, { type: 'text', text: 'What is this' }] }])).toBe(
      'What is this',
    );
    expect(deriveTitle([{ role: 'user', content: [image] }])).toBe(defaultTitle);
    expect(getTitle(' \n> \n')).toBe(defaultTitle);
    expect(deriveTitle([])).toBe(defaultTitle);
  });
});
