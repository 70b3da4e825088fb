import { expect, it } from 'vitest';

import { collectTexts, findUnknownFields, findUnreadTexts } from './known-fields.ts';

it('takes for said only what says something under a name that is not known', () => {
  const value = {
    content: 'known',
    object: 'about the object',
    is_final: true,
    is_first: false,
    empty: [null, '', {}],
    blank: { a: null, b: [] },
    partly: { a: null, b: 'Salut' },
    nothing: null,
    utterance: 'Bonjour',
    sources: [{ url: 'a' }],
    count: 7,
  };
  expect(findUnknownFields(value, /^content$/)).toEqual([
    ['partly', { a: null, b: 'Salut' }],
    ['utterance', 'Bonjour'],
    ['sources', [{ url: 'a' }]],
    ['count', 7],
  ]);
});

it('finds the texts in a value, nine levels down and 50 of them', () => {
  const createNested = (levels: number): unknown =>
    levels === 0 ? 'found' : { inner: createNested(levels - 1) };
  expect([9, 10].map((levels) => collectTexts(createNested(levels)))).toEqual([['found'], []]);
  expect(collectTexts({ model: 'm', note: 'a', list: ['b', ' ', 7, null, { text: 'c' }] })).toEqual([
    'a',
    'b',
    'c',
  ]);
  const sixty = Array.from({ length: 60 }, (_, index) => `text ${index}`);
  expect(collectTexts(sixty)).toEqual(sixty.slice(0, 50));
  expect(collectTexts([sixty.slice(0, 40), sixty.slice(40)])).toEqual(sixty.slice(0, 50));
  // What stands behind so much else is not looked for.
  expect(collectTexts([...sixty.map((_, index) => index), 'last'])).toEqual([]);
});

it('knows which texts of a value were not said yet', () => {
  expect(findUnreadTexts({ text: 'Hello', more: ['lo', 'world'], signature: 'x' }, 'Hello')).toEqual([
    'world',
  ]);
  expect(findUnreadTexts('world', 'Hello')).toEqual([]);
  expect(findUnreadTexts(null, 'Hello')).toEqual([]);
});
