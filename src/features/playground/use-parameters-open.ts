import type { Playground } from '../../state/playground.ts';
import { usePlayground, usePrefs, useView } from '../../state/react.tsx';
import { useMedia } from '../../ui/hooks/use-media.ts';

/** Below this the sidebar lies over the conversation. */
const wide = '(min-width: 1200px)';

/** Beside the conversation the choice is kept; over it, told last, the sidebar is opened on purpose each time. */
export function useParametersOpen(): [isOpen: boolean, open: (open: boolean) => void, isOverlay: boolean] {
  const { prefs, view } = usePlayground();
  const isWide = useMedia(wide);
  const kept = usePrefs((state) => state.parametersOpen);
  const overlay = useView((state) => state.parametersOverlay);
  return isWide
    ? [kept, (open) => prefs.setState({ parametersOpen: open }), false]
    : [overlay, (open) => view.setState({ parametersOverlay: open }), true];
}

/** The same for a key: opens what is closed and closes what is open. */
export function toggleParameters({ prefs, view }: Playground): void {
  if (matchMedia(wide).matches) prefs.setState(({ parametersOpen }) => ({ parametersOpen: !parametersOpen }));
  else view.setState(({ parametersOverlay }) => ({ parametersOverlay: !parametersOverlay }));
}
