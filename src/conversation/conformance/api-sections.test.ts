import { expect, it } from 'vitest';

import page from '../../documentation/gateway-api.md?raw';
import { apiHeadingOf, paragraphOf } from './api-sections.ts';

it('every section that a finding may name has its paragraph on the shipped page', () => {
  const sections = [
    '§2.1',
    '§2.4',
    '§2.5',
    '§2.6',
    '§2.7',
    '§4',
    '§5.1',
    '§5.4',
    '§6.1',
    '§6.3',
    '§6.4',
    '§6.5',
    '§6.8',
    '§7',
  ];
  for (const section of [...sections, '§99']) {
    const paragraph = paragraphOf(page, apiHeadingOf(section));
    expect(paragraph, section).toMatch(new RegExp(`^## ${apiHeadingOf(section)}\n`));
    expect(paragraph.match(/^## /gm), section).toHaveLength(1);
  }
});
