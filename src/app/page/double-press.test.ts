import { describe, expect, it } from 'vitest';

import { createPressGuard, type Press } from './double-press.ts';

const here = { x: 100, y: 40 };
const control = (name: string, place?: Press['place'], more: Partial<Press> = {}): Press => ({
  node: {},
  name,
  ...(place ? { place } : {}),
  ...more,
});

/** A guard, and which of these presses are stray; each comes so many ms after the one before. */
function strays(presses: readonly (Press | 'something else')[], everyMs = 100): boolean[] {
  let ms = 0;
  const guard = createPressGuard(() => ms);
  return presses.map((press) => {
    ms += everyMs;
    if (press !== 'something else') return guard.isStray(press);
    guard.forget();
    return false;
  });
}

describe('the second press of a double click', () => {
  it.each([
    ['on Stop, which took the place of Send', control('Send', here), control('Stop', here)],
    ['on Delete of the next row, which moved up', control('Delete', here), control('Delete', here)],
    ['on a button of the dialog that has opened', control('Erase', here), control('Erase everything', here)],
    ['on what a hand that trembles hits', control('Save', here), control('Edit', { x: 104, y: 36 })],
  ])('does nothing %s', (_, first, second) => expect(strays([first, second])).toEqual([false, true]));

  it('does nothing on the same button under another name, by pointer or key', () => {
    for (const button of [control('Pause', here), control('Pause')])
      expect(strays([button, { ...button, name: 'Resume' }])).toEqual([false, true]);
  });

  it('counts by key or assistive technology on another control, where one went by a step of its own', () => {
    expect(strays([control('Delete'), control('Undo')])).toEqual([false, false]);
    expect(strays([control('Remove lane', here), control('Undo')])).toEqual([false, false]);
  });

  it('by key does nothing where the app put the focus, because what was pressed first is gone', () => {
    const gone = { isGone: () => true };
    expect(strays([control('Save', undefined, gone), control('Send')])).toEqual([false, true]);
    expect(strays([control('Remove image', undefined, gone), control('Remove image')])).toEqual([
      false,
      true,
    ]);
    const there = { isGone: () => false };
    expect(strays([control('Message', undefined, there), control('Regenerate')])).toEqual([false, false]);
  });

  it('does nothing however slow the system lets a double click be', () => {
    const presses = [control('Send', here), control('Stop', here, { isRepeated: true })];
    expect(strays(presses, 900)).toEqual([false, true]);
  });

  it('is none after half a second, elsewhere, or when something was done in between', () => {
    expect(strays([control('Send', here), control('Stop', here)], 500)).toEqual([false, false]);
    expect(strays([control('Send', here), control('Stop', { x: 160, y: 40 })])).toEqual([false, false]);
    expect(strays([control('Send', here), 'something else', control('Stop', here)])).not.toContain(true);
    expect(strays([control('Send'), control('Stop', here)])).toEqual([false, false]);
    expect(strays([control('Remove image', here), control('Message')])).toEqual([false, false]);
  });

  it('counts on the same control, and on steps of the same name', () => {
    const add = control('Add lane', here);
    expect(strays([add, add, add])).not.toContain(true);
    const step = () => control('Next version', here, { isStep: true });
    expect(strays([step(), step(), step()])).not.toContain(true);
    expect(strays([step(), control('Delete', here)])).toEqual([false, true]);
    const theme = control('Theme: dark', here, { isStep: true });
    expect(strays([theme, { ...theme, name: 'Theme: light' }])).not.toContain(true);
  });
});

it('a burst of presses is one press, however long it lasts', () => {
  const stop = control('Stop', here);
  const burst = [control('Send', here), stop, stop, stop, stop, stop, stop, stop];
  expect(strays(burst)).toEqual([false, true, true, true, true, true, true, true]);
});
