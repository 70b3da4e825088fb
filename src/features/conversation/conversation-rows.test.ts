import { expect, it } from 'vitest';

import { isSameGroup } from './conversation-rows.tsx';

const laneIds = ['a'];
const createGroupProps = () => ({
  rows: [{ promptId: 'p', number: 1, cells: [{ laneId: 'a', turnId: 't' }] }],
  laneIds,
  index: 0,
  isMounted: true,
  wasNear: false,
  isScrollTarget: false,
  isLast: false,
});

it('re-renders a group of rows for each changed property, but not for equal rows', () => {
  expect(isSameGroup(createGroupProps(), createGroupProps())).toBe(true);
  const changes = {
    index: 1,
    isMounted: false,
    wasNear: true,
    isScrollTarget: true,
    isLast: true,
    laneIds: ['b'],
    rows: [{ promptId: 'p', number: 1, cells: [{ laneId: 'a', turnId: 'other' }] }],
  };
  for (const [name, value] of Object.entries(changes))
    expect(isSameGroup(createGroupProps(), { ...createGroupProps(), [name]: value }), name).toBe(false);
});
