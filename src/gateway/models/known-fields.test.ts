import { expect, it } from 'vitest';

import { collectTexts, findUnknownFields, findUnreadTexts } from './known-fields.ts';

it('returns only unknown fields that have content', () => {
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

it('finds texts in a value up to nine levels deep and at most 50', () => {
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
  // Texts after this many values are not searched.
  expect(collectTexts([...sixty.map((_, index) => index), 'last'])).toEqual([]);
});

it('finds the texts of a value that have not been read yet', () => {
  expect(findUnreadTexts({ text: 'Hello', more: ['lo', 'world'], signature: 'x' }, 'Hello')).toEqual([
    'world',
  ]);
  expect(findUnreadTexts('world', 'Hello')).toEqual([]);
  expect(findUnreadTexts(null, 'Hello')).toEqual([]);
});
