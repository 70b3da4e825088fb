import { useEffect } from 'react';

import { cutsOf } from '../../../embedding/items/model-dimensions.ts';
import { labDeeds, type LabDeed } from '../lab/lab-deeds.ts';
import { shownSet, type LabStore } from '../lab/lab-store.ts';
import { findField } from '../nearest/find-store.ts';
import { useLab } from './use-lab.ts';

/** The size that is one step shorter or longer than the one on show, where there is one. */
function nextCut(store: LabStore, by: -1 | 1): number | undefined {
  const state = store.getState();
  const set = shownSet(state);
  if (!set) return undefined;
  const cuts = cutsOf(set.dimensions);
  const now = state.cut === undefined ? cuts.length - 1 : cuts.findIndex((cut) => cut >= (state.cut ?? 0));
  return cuts[Math.max(0, now) + by];
}

function cutDeed(store: LabStore, by: -1 | 1, end: string): LabDeed {
  return {
    blockedBy: () =>
      !shownSet(store.getState())
        ? 'Nothing embedded yet'
        : nextCut(store, by) === undefined
          ? end
          : undefined,
    run: () => {
      const next = nextCut(store, by);
      const full = shownSet(store.getState())?.dimensions;
      if (next !== undefined) store.setState({ cut: next === full ? undefined : next });
    },
  };
}

/** The lab is on screen: keys and commands reach it from here on. */
export function useLabDeeds(): void {
  const { store } = useLab();
  useEffect(() => {
    const otherSlot = () => (store.getState().shownSlot === 'A' ? 'B' : 'A');
    labDeeds.setState({
      deeds: {
        find: {
          run: () => {
            if (findField.current) findField.current.focus();
            else store.setState({ tab: 'nearest' });
          },
        },
        shorter: cutDeed(store, -1, 'Already the smallest size'),
        longer: cutDeed(store, 1, 'Already the full size'),
        otherModel: {
          blockedBy: () => (store.getState().sets[otherSlot()] ? undefined : 'Only one model'),
          run: () => store.setState({ shownSlot: otherSlot() }),
        },
      },
    });
    return () => labDeeds.setState({ deeds: undefined });
  }, [store]);
}
