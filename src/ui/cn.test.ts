import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { cn } from './cn.ts';

const stylesheet = readFileSync(new URL('styles.css', import.meta.url), 'utf8');

/** Returns the names of a scale in `styles.css`, such as `11` and `mono-12` for `text`. */
function listTokens(scale: string): string[] {
  return [...stylesheet.matchAll(new RegExp(`^  --${scale}-((?:(?!--)[a-z0-9-])+):`, 'gm'))].map(
    (match) => match[1] ?? '',
  );
}

const scales = [
  { prefix: 'text', scale: 'text', first: 'text-18', beside: ['text-ink-3', 'text-center'] },
  { prefix: 'font', scale: 'font-weight', first: 'font-650', beside: ['font-sans'] },
  { prefix: 'rounded', scale: 'radius', first: 'rounded-full', beside: [] },
  { prefix: 'shadow', scale: 'shadow', first: 'shadow-none', beside: [] },
  { prefix: 'animate', scale: 'animate', first: 'animate-none', beside: [] },
  { prefix: 'bg', scale: 'color', first: 'bg-[red]', beside: ['bg-center'] },
  { prefix: 'text', scale: 'color', first: 'text-[red]', beside: ['text-12', 'text-left'] },
  { prefix: 'border', scale: 'color', first: 'border-[red]', beside: ['border', 'border-t-0'] },
];

it.each(scales)(
  'merges the $scale tokens as $prefix utilities and keeps other properties',
  ({ prefix, scale, first, beside }) => {
    const tokens = listTokens(scale);
    expect(tokens).not.toEqual([]);
    for (const token of tokens) {
      const utility = `${prefix}-${token}`;
      expect(cn(first, beside, utility), utility).toBe([...beside, utility].join(' '));
      expect(cn(utility, beside), utility).toBe([utility, ...beside].join(' '));
    }
  },
);

it('merges the icon sizes with each other and with other sizes', () => {
  expect(cn('icon-14', 'icon-16')).toBe('icon-16');
  expect(cn('size-3 stroke-2', 'icon-20')).toBe('icon-20');
});
