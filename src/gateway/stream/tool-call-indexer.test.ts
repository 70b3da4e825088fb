import { expect, it } from 'vitest';

import { createToolCallIndexer, type IndexedFragment, type ToolCallFragment } from './tool-call-indexer.ts';

const openArguments = '{"p"';
const fullArguments = '{"p":1}';

/** Pieces in their order of arrival, and the slot of each. */
const rows: [name: string, pieces: [ToolCallFragment, IndexedFragment][]][] = [
  [
    'an id that gets its index later, with the name again and nothing else, is the same call',
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
    'an id that comes again without its index, with the name and nothing else, is the same call',
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
    'an id under another index with another name is another call',
    [
      [
        { id: 'A', name: 'f', index: 0, arguments: openArguments },
        { slot: 0, isNew: true, id: 'A', name: 'f' },
      ],
      [
        { id: 'A', name: 'g', index: 1 },
        { slot: 1, isNew: true, id: 'A', name: 'g' },
      ],
      // Each continues under its own index.
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
    'an id under another index without a name goes on, though the arguments are whole',
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
    'another id under an index without a name goes on while the arguments are open',
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
    'another id under an index goes on with a call without arguments only while nothing is named',
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
    'another id without an index is another call where it has another name or begins arguments',
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
    'another id before any arguments is another call',
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
    'a new index without an id goes on with the open call before it, unless it begins one of its own',
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
    'the same name again begins another call once the arguments are whole, another name once there are any',
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
    'what is known to be a call of its own is one, whatever it repeats',
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
    'a late id is said once, an empty one never',
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
