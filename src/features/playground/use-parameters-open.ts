import { useSyncExternalStore } from 'react';
import type { Playground } from '../../state/playground.ts';
import { usePlayground, usePrefs, useView } from '../../state/react.tsx';

/** Below this the sidebar lies over the conversation. */
const wide = '(min-width: 1200px)';

function subscribe(onChange: () => void): () => void {
  const media = matchMedia(wide);
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
}

/** Beside the conversation the choice is kept; over it the sidebar is opened on purpose each time. */
export function useParametersOpen(): [boolean, (open: boolean) => void] {
  const { prefs, view } = usePlayground();
  const isWide = useSyncExternalStore(subscribe, () => matchMedia(wide).matches);
  const kept = usePrefs((state) => state.parametersOpen);
  const overlay = useView((state) => state.parametersOverlay);
  return isWide ?
      [kept, (open) => prefs.setState({ parametersOpen: open })]
    : [overlay, (open) => view.setState({ parametersOverlay: open })];
}

/** The same for a key: opens what is closed and closes what is open. */
export function toggleParameters({ prefs, view }: Playground): void {
  if (matchMedia(wide).matches) prefs.setState(({ parametersOpen }) => ({ parametersOpen: !parametersOpen }));
  else view.setState(({ parametersOverlay }) => ({ parametersOverlay: !parametersOverlay }));
}
