import { expect, it } from 'vitest';

import page from '../../documentation/gateway-api.md?raw';
import { findApiSection } from './api-sections.ts';

it('finds every section that a finding may cite on the API page', () => {
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
  for (const section of sections) {
    const part = findApiSection(page, section);
    expect(part, section).toMatch(/^## /);
    expect(part, section).toContain(section);
    expect(part.match(/^## /gm), section).toHaveLength(1);
  }
  expect(findApiSection(page, '§99')).toMatch(/^## What the gateway does/);
});
