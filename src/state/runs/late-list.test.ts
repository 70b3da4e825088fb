import { describe, expect, it } from 'vitest';

import { aGate } from '../../testing/builders.ts';
import { createLateList } from './late-list.ts';

/** A stored list that is read once it is let, and refuses to be before. */
function aStored(list: readonly string[]) {
  let stored = list;
  let isBroken = false;
  const gate = aGate();
  const late = createLateList<string>({
    read: async () => {
      await gate.opened;
      if (isBroken) throw new Error('The disk does not answer.');
      return stored;
    },
    write: (next) => (stored = next),
  });
  return {
    late,
    stored: () => stored,
    letRead: gate.open,
    breakDown: (broken: boolean) => (isBroken = broken),
    here: () => late.state.getState(),
  };
}

describe('a list that is changed before it was read', () => {
  it('keeps what is stored, and has what was added after it, here and where it is stored', async () => {
    const { late, here, stored, letRead } = aStored(['stored']);
    late.change((list) => [...list, 'added']);
    late.change((list) => [...list, 'and another']);
    expect(here()).toEqual(['added', 'and another']);
    expect(stored()).toEqual(['stored']);
    letRead();
    await late.read();
    expect(here()).toEqual(['stored', 'added', 'and another']);
    expect(stored()).toEqual(['stored', 'added', 'and another']);
  });

  it('loses only what is taken away again', async () => {
    const { late, here, stored, letRead } = aStored(['stored']);
    late.change((list) => [...list, 'sent']);
    late.change((list) => list.filter((each) => each !== 'sent'));
    expect(here()).toEqual([]);
    letRead();
    await late.read();
    expect(here()).toEqual(['stored']);
    expect(stored()).toEqual(['stored']);
  });

  it('writes over nothing that could not be read, and tries again at the next change', async () => {
    const { late, here, stored, letRead, breakDown } = aStored(['stored']);
    letRead();
    breakDown(true);
    late.change((list) => [...list, 'added']);
    await late.read();
    expect(here()).toEqual(['added']);
    expect(stored()).toEqual(['stored']);
    breakDown(false);
    late.change((list) => [...list, 'later']);
    await late.read();
    expect(stored()).toEqual(['stored', 'added', 'later']);
  });

  it('is not written by being read', async () => {
    const { late, here, stored, letRead } = aStored([]);
    const before = stored();
    letRead();
    await late.read();
    expect(stored()).toBe(before);
    late.change(() => ['one']);
    expect(here()).toEqual(['one']);
    expect(stored()).toEqual(['one']);
  });
});
