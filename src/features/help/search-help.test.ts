import { describe, expect, it } from 'vitest';

import { getHelpLink, parseHelpLink } from '../../lib/help-link.ts';
import { findHelpSection, helpPages } from './help-pages.ts';
import { searchHelp } from './search-help.ts';

const findHeading = (hash: string) => {
  const target = parseHelpLink(hash);
  return target && findHelpSection(target)?.heading;
};

describe('help pages', () => {
  it('gives every section of a page its own link', () => {
    for (const { title, sections } of helpPages)
      for (const { heading } of sections) expect(findHeading(getHelpLink(title, heading))).toBe(heading);
  });

  it.each([
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
  ])('finds %s, which a finding may cite', (number) => {
    const target = parseHelpLink(getHelpLink('The gateway API', number));
    const section = target && findHelpSection(target);
    expect(`${section?.heading}\n${section?.text}`).toContain(number);
  });

  it('ignores hashes of other kinds and unknown sections', () => {
    expect(parseHelpLink('#setup=abc')).toBeUndefined();
    expect(parseHelpLink('#help=parameters/<b>')).toBeUndefined();
    expect(findHeading('#help=parameters/9-9')).toBeUndefined();
  });
});

describe('search in the help', () => {
  it.each([
    ['temperature', 'temperature'],
    ['attach image', 'Attach images and files'],
    ['How do I replay an answer?', 'Replay an answer'],
    ['  KEYBOARD  shortcuts ', 'Keyboard shortcuts'],
    ['GATEWAY_PRICES', 'GATEWAY_PRICES'],
  ])('finds the section for "%s" first', (query, heading) => {
    expect(searchHelp(query)[0]?.heading).toBe(heading);
  });

  it('finds words of a paragraph and returns the text around them', () => {
    const [hit] = searchHelp('insufficient_system_resource');
    expect(hit).toMatchObject({
      pageTitle: 'Troubleshooting',
      target: { page: 'troubleshooting', section: 'the-provider-failed-while-answering' },
    });
    expect(hit?.excerpt).toContain('insufficient_system_resource');
    expect(hit?.excerpt.length).toBeLessThan(145);
  });

  it('finds nothing without words or for unknown ones', () => {
    expect(searchHelp('  ')).toEqual([]);
    expect(searchHelp('temperature xyzzy')).toEqual([]);
  });
});
