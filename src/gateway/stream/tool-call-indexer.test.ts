import { expect, it } from 'vitest';

import { createToolCallIndexer, type IndexedFragment, type ToolCallFragment } from './tool-call-indexer.ts';

const openArguments = '{"p"';
const fullArguments = '{"p":1}';

/** Pieces in their order of arrival, each with its slot. */
const rows: [name: string, pieces: [ToolCallFragment, IndexedFragment][]][] = [
  [
    'an ID repeated with its name and a new index belongs to the same call',
    [
      [
        { id: 'A', name: 'f', arguments: fullArguments },
        { slot: 0, isNew: true, id: 'A', name: 'f' },
      ],
      [
        { id: 'A', name: 'f', index: 0 },
        { slot: 0, isNew: false },
      ],
    ],
  ],
  [
    'an ID repeated with its name but without an index belongs to the same call',
    [
      [
        { id: 'A', name: 'f', index: 0, arguments: fullArguments },
        { slot: 0, isNew: true, id: 'A', name: 'f' },
      ],
      [
        { id: 'A', name: 'f' },
        { slot: 0, isNew: false },
      ],
      [
        { id: 'A', name: 'f', index: 0 },
        { slot: 0, isNew: false },
      ],
    ],
  ],
  [
    'a repeated ID with another index and name starts another call',
    [
      [
        { id: 'A', name: 'f', index: 0, arguments: openArguments },
        { slot: 0, isNew: true, id: 'A', name: 'f' },
      ],
      [
        { id: 'A', name: 'g', index: 1 },
        { slot: 1, isNew: true, id: 'A', name: 'g' },
      ],
      // Each call continues under its own index.
      [
        { id: 'A', index: 0, arguments: ':1}' },
        { slot: 0, isNew: false },
      ],
      [
        { id: 'A', index: 1, arguments: openArguments },
        { slot: 1, isNew: false },
      ],
    ],
  ],
  [
    'a repeated ID with another index and no name continues the call, even after complete arguments',
    [
      [
        { id: 'A', name: 'f', index: 0, arguments: fullArguments },
        { slot: 0, isNew: true, id: 'A', name: 'f' },
      ],
      [
        { id: 'A', index: 1, arguments: '\n' },
        { slot: 0, isNew: false },
      ],
    ],
  ],
  [
    'a new ID at the same index without a name continues incomplete arguments',
    [
      [
        { id: 'A', name: 'f', index: 0, arguments: openArguments },
        { slot: 0, isNew: true, id: 'A', name: 'f' },
      ],
      [
        { id: 'B', name: '', index: 0, arguments: '{}' },
        { slot: 0, isNew: false },
      ],
    ],
  ],
  [
    'a new ID at the same index continues a call without arguments only until a name arrives',
    [
      [
        { id: 'A', name: 'f', index: 0 },
        { slot: 0, isNew: true, id: 'A', name: 'f' },
      ],
      [
        { id: 'B', index: 0, arguments: openArguments },
        { slot: 0, isNew: false },
      ],
      [
        { id: 'C', name: 'g', index: 0, arguments: ':1' },
        { slot: 1, isNew: true, id: 'C', name: 'g' },
      ],
    ],
  ],
  [
    'a new ID without an index starts another call if it has a new name or starts arguments',
    [
      [
        { id: 'A', name: 'f', arguments: openArguments },
        { slot: 0, isNew: true, id: 'A', name: 'f' },
      ],
      [
        { id: 'B', name: 'g', arguments: ':' },
        { slot: 1, isNew: true, id: 'B', name: 'g' },
      ],
      [
        { id: 'C', arguments: ' {' },
        { slot: 2, isNew: true, id: 'C' },
      ],
      [
        { id: 'D', arguments: '"p"' },
        { slot: 2, isNew: false },
      ],
    ],
  ],
  [
    'a new ID before any arguments starts another call',
    [
      [
        { id: 'A', name: 'f' },
        { slot: 0, isNew: true, id: 'A', name: 'f' },
      ],
      [
        { id: 'B', arguments: 'x' },
        { slot: 1, isNew: true, id: 'B' },
      ],
    ],
  ],
  [
    'a new index without an ID continues the open call unless it starts a new one',
    [
      [
        { name: 'f', index: 0, arguments: openArguments },
        { slot: 0, isNew: true, name: 'f' },
      ],
      [
        { index: 1, arguments: ':' },
        { slot: 0, isNew: false },
      ],
      [
        { index: 2, arguments: '{"q":' },
        { slot: 1, isNew: true },
      ],
      [
        { index: 3, id: 'C', arguments: '1' },
        { slot: 2, isNew: true, id: 'C' },
      ],
    ],
  ],
  [
    'the same name starts another call after complete arguments, another name after any',
    [
      [{ name: 'f' }, { slot: 0, isNew: true, name: 'f' }],
      [{ name: 'fg' }, { slot: 0, isNew: false, name: 'g' }],
      [
        { name: 'fg', arguments: fullArguments },
        { slot: 0, isNew: false },
      ],
      [
        { name: 'fg', arguments: openArguments },
        { slot: 1, isNew: true, name: 'fg' },
      ],
      [
        { name: 'fg', arguments: ':' },
        { slot: 1, isNew: false },
      ],
      [
        { name: 'h', arguments: '1' },
        { slot: 2, isNew: true, name: 'h' },
      ],
      [{ arguments: '2' }, { slot: 2, isNew: false }],
    ],
  ],
  [
    'a known separate call remains separate whatever it repeats',
    [
      [
        { id: 'A', name: 'f', index: 0 },
        { slot: 0, isNew: true, id: 'A', name: 'f' },
      ],
      [
        { id: 'A', name: 'f', index: 0, isSeparateCall: true },
        { slot: 1, isNew: true, id: 'A', name: 'f' },
      ],
    ],
  ],
  [
    'a late ID is emitted once and an empty one never',
    [
      [
        { id: '', index: 0, arguments: openArguments },
        { slot: 0, isNew: true },
      ],
      [
        { id: 'A', index: 0 },
        { slot: 0, isNew: false, id: 'A' },
      ],
      [
        { id: 'A', index: 0 },
        { slot: 0, isNew: false },
      ],
    ],
  ],
];

it.each(rows)('assigns pieces to calls: %s', (_name, pieces) => {
  const assignSlot = createToolCallIndexer();
  expect(pieces.map(([piece]) => [piece, assignSlot(piece)])).toStrictEqual(pieces);
});

it('distinguishes at most 128 calls', () => {
  const assignSlot = createToolCallIndexer();
  const slots = Array.from({ length: 130 }, (_, index) => assignSlot({ id: `id ${index}`, name: 'f' })?.slot);
  expect(slots).toEqual([...Array.from({ length: 128 }, (_, index) => index), undefined, undefined]);
  expect(assignSlot({ id: 'id 5', arguments: '{}' })).toEqual({ slot: 5, isNew: false });
});
