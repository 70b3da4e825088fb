import { describe, expect, it } from 'vitest';

import { deriveTitle, defaultTitle } from './edit-session.ts';

const getTitle = (content: string) => deriveTitle([{ role: 'user', content }]);

describe('the title of a session', () => {
  it('is the first line that has words, without its markdown', () => {
    expect(getTitle('\n\n## Compare `a` and b\nin detail')).toBe('Compare `a` and b');
    expect(getTitle('> - quoted')).toBe('quoted');
  });

  it('is cut at a word, in at most sixty characters and an ellipsis', () => {
    const title = getTitle('word '.repeat(30));
    expect(title).toMatch(/word…$/);
    expect(Array.from(title).length).toBeLessThanOrEqual(61);
  });

  it('ends with a letter before the ellipsis', () => {
    expect(getTitle(`${'x'.repeat(40)}   ${'y'.repeat(40)}`)).toBe(`${'x'.repeat(40)}…`);
  });

  it('never cuts a character in two', () => {
    const title = getTitle('🙂'.repeat(100));
    expect(title).toBe(`${'🙂'.repeat(60)}…`);
  });

  it('is the first text where an image comes first, and a plain name where nothing was written', () => {
    const image = { type: 'image_url' as const, image_url: { url: 'data:,' } };
    expect(deriveTitle([{ role: 'user', content: [image, { type: 'text', text: 'What is this' }] }])).toBe(
      'What is this',
    );
    expect(deriveTitle([{ role: 'user', content: [image] }])).toBe(defaultTitle);
    expect(getTitle(' \n> \n')).toBe(defaultTitle);
    expect(deriveTitle([])).toBe(defaultTitle);
  });
});
