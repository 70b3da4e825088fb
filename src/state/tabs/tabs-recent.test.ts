import { describe, expect, it } from 'vitest';

import { changeLane } from '../../conversation/session/edit.ts';
import type { SessionData } from '../../conversation/session/types.ts';
import { anEnvironment, aSession, laneOf } from '../../testing/builders.ts';
import { createRecentStates, withOwnNews } from './tabs-recent.ts';

const withModel = (data: SessionData, model: string) =>
  changeLane(data, laneOf(data).id, (lane) => ({ ...lane, setup: { ...lane.setup, model } }));

describe('what a tab itself had a moment ago', () => {
  it('is known for two seconds, the oldest first, of the records that changed only', () => {
    let time = 10_000;
    const recent = createRecentStates(() => time);
    const first = aSession(anEnvironment());
    const [second, third] = [withModel(first, 'second'), withModel(first, 'third')];
    const { id } = laneOf(first);
    recent.note(first, second);
    time += 1500;
    recent.note(second, third);
    expect(recent.of(id)).toEqual([laneOf(first), laneOf(second)]);
    expect(recent.of(first.session.id)).toEqual([]);
    time += 500;
    expect(recent.of(id)).toEqual([laneOf(second)]);
    const renamed = { ...third, session: { ...third.session, title: 'New' } };
    recent.note(third, renamed);
    time += 1999;
    expect(recent.of(id)).toEqual([]);
    expect(recent.of(first.session.id)).toEqual([first.session]);
  });
});

describe('what another tab wrote', () => {
  it('goes over what is here, but for the fields that it has as they were here a moment ago', () => {
    const mine = { title: 'Mine', order: ['a'], setup: { model: 'new', system: 'old' } };
    const recent = [{ title: 'First', order: ['a'], setup: { model: 'old', system: 'old' } }];
    const theirs = { title: 'Theirs', order: ['a', 'b'], setup: { model: 'old', system: 'new' } };
    expect(withOwnNews(mine, recent, theirs)).toEqual({
      title: 'Theirs',
      order: ['a', 'b'],
      setup: { model: 'new', system: 'new' },
    });
  });

  it('takes away what it has taken away, and leaves no empty field in its place', () => {
    expect(withOwnNews({ kept: 1, tip: 'a' }, [], { kept: 2 })).toStrictEqual({ kept: 2 });
  });

  it('does not take away what was added here a moment ago', () => {
    expect(withOwnNews({ kept: 1, tip: 'a' }, [{ kept: 1 }], { kept: 2 })).toStrictEqual({
      kept: 2,
      tip: 'a',
    });
  });
});
