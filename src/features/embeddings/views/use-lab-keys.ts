import { useEffect } from 'react';

import { cutsOf } from '../../../embedding/model-dimensions.ts';
import { usePlayground } from '../../../state/react.tsx';
import { shownSet, type LabStore } from '../lab-store.ts';
import { useLab } from '../use-lab.ts';

const typing = 'textarea, select, input:not([type=checkbox], [type=radio], [type=range]), [contenteditable]';
const overlays = 'dialog[open], [popover="auto"]:popover-open, .list:popover-open';

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.matches(typing);
}

/** One size shorter or longer; undefined is the full one. */
function changeCut(store: LabStore, by: -1 | 1): void {
  const state = store.getState();
  const set = shownSet(state);
  if (!set) return;
  const cuts = cutsOf(set.dimensions);
  const now = state.cut === undefined ? cuts.length - 1 : cuts.findIndex((cut) => cut >= (state.cut ?? 0));
  const next = cuts[Math.max(0, now) + by];
  if (next !== undefined) store.setState({ cut: next === set.dimensions ? undefined : next });
}

/** The other model, where two are loaded. */
function changeModel(store: LabStore): void {
  const { shownSlot, sets } = store.getState();
  const other = shownSlot === 'A' ? 'B' : 'A';
  if (sets[other]) store.setState({ shownSlot: other });
}

/** The lab's single keys: `/` finds, `[` and `]` change the size, `M` the model. Not while one types, nor where they are switched off. */
export function useLabKeys(): void {
  const { store } = useLab();
  const { prefs } = usePlayground();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing)
        return;
      if (isTyping(event) || !prefs.getState().singleKeys || document.querySelector(overlays)) return;
      if (event.key === '/') {
        const field = document.querySelector<HTMLElement>('[data-find]');
        if (field) field.focus();
        else store.setState({ tab: 'nearest' });
      } else if (event.key === '[') changeCut(store, -1);
      else if (event.key === ']') changeCut(store, 1);
      else if (event.key === 'm' || event.key === 'M') changeModel(store);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [store, prefs]);
}
