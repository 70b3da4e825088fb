import { expect, it } from 'vitest';

import { hasMorePages, findModelItems, type ListedModel } from './model-list.ts';

it('finds the models in lists, tables, wrappers and groups', () => {
  const a = { id: 'a', object: 'model' };
  const b = { id: 'b', owned_by: 'x' };
  const bothModels = [{ item: a }, { item: b }];
  const rows: [value: unknown, models: ListedModel[] | undefined][] = [
    [[a, b], bothModels],
    [[[a], [[b]], []], bothModels],
    [{ data: [a, b] }, bothModels],
    [{ response: { data: [a, b] } }, bothModels],
    [{ result: [a, b] }, bothModels],
    [
      { data: { x: { size: 1 }, y: null } },
      [
        { item: { size: 1 }, key: 'x' },
        { item: {}, key: 'y' },
      ],
    ],
    // A table counts as models only under a name for lists.
    [{ result: { x: { size: 1 } } }, undefined],
    [
      { result: { x: b, y: null } },
      [
        { item: b, key: 'x' },
        { item: {}, key: 'y' },
      ],
    ],
    [{ x: b, count: 1 }, [{ item: b, key: 'x' }]],
    [{ x: b, y: { size: 1 } }, [{ item: b }]],
    [a, [{ item: a }]],
    [{ chat: [a], embedding: [b], notes: ['two words'] }, bothModels],
    [{ chat: ['a', 'b'] }, [{ item: 'a' }, { item: 'b' }]],
    [{ page: { found: { data: [a] } } }, [{ item: a }]],
    [{ page: { at: 1 }, found: { list: [a] } }, [{ item: a }]],
    [{ chat: [{ name: 'a' }] }, undefined],
    [{ chat: [{ id: 'a' }] }, [{ item: { id: 'a' } }]],
    [{ count: 1 }, undefined],
    [{ data: { edges: [{ node: a }, { node: b }] } }, bothModels],
    [
      {
        providers: [
          { name: 'x', models: [a] },
          { name: 'y', models: [b] },
        ],
      },
      bothModels,
    ],
    [{ pages: [{ data: [a] }, { data: [b] }] }, bothModels],
    [{ data: [{ model: a }, { model: b, note: 'c' }] }, bothModels],
    [
      { 'x/a': { max_tokens: 1 }, 'x/b': { mode: 'chat' } },
      [
        { item: { max_tokens: 1 }, key: 'x/a' },
        { item: { mode: 'chat' }, key: 'x/b' },
      ],
    ],
    ['a', undefined],
  ];
  expect(rows.map(([value]) => [value, findModelItems(value)])).toEqual(rows);
});

it('searches for models exactly five levels deep', () => {
  const createNested = (levels: number): unknown =>
    levels === 0 ? ['a'] : { result: createNested(levels - 1) };
  expect([4, 5].map((levels) => findModelItems(createNested(levels)) ?? [])).toEqual([[{ item: 'a' }], []]);
  expect([findModelItems([[[[['a']]]]]), findModelItems([[[[[['a']]]]]])]).toEqual([[{ item: 'a' }], []]);
});

it('detects whether a response reports more pages', () => {
  const rows: [value: unknown, headers: Record<string, string>, hasMore: boolean][] = [
    [[], {}, false],
    [[], { link: '<x>; rel="next"' }, true],
    [[], { link: '<x>; rel="prev"' }, false],
    [{ has_more: true }, {}, true],
    [{ has_more: 'yes' }, {}, false],
    [{ next: 'x' }, {}, true],
    [{ next: '' }, {}, false],
    [{ total: 3 }, {}, true],
    [{ total: 2 }, {}, false],
    [{ meta: { paging: { next: 'x' } } }, {}, true],
    [{ meta: { paging: { links: { next: 'x' } } } }, {}, false],
    [{ other: { next: 'x' } }, {}, false],
    [{ '@odata.nextLink': 'x' }, {}, true],
    [{ nextPageToken: 'x' }, {}, true],
    [{ continuation_token: 'x' }, {}, true],
    [{ page: 1, total_pages: 3 }, {}, true],
    [{ page: 3, total_pages: 3 }, {}, false],
    [{ currentPage: 1, lastPage: 2 }, {}, true],
    [{ last: false }, {}, true],
    [{ last: true }, {}, false],
    [{ hasNext: true }, {}, true],
    [{ metadata: { totalElements: 3 } }, {}, true],
  ];
  expect(rows.map(([value, headers]) => [value, headers, hasMorePages(value, 2, headers)])).toEqual(rows);
});
