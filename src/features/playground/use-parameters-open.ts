import { flushSync } from 'react-dom';

import type { ParamName } from '../../conversation/setup/params.ts';
import type { Playground } from '../../state/create-playground.ts';
import { closeInspector } from '../../state/runs/inspector-actions.ts';
import { usePlayground, usePrefs, useView } from '../../state/use-playground.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { getParameterRowTarget } from './playground-focus-targets.ts';

/** Below this the sidebar lies over the conversation. */
const wideQuery = '(min-width: 1200px)';

/** Beside the conversation the choice is kept; over it, told last, the sidebar is opened on purpose each time. */
export function useParametersOpen(): [
  isOpen: boolean,
  setIsOpen: (isOpen: boolean) => void,
  isOverlay: boolean,
] {
  const { prefs, view } = usePlayground();
  const isWide = useMediaQuery(wideQuery);
  const isOpenBeside = usePrefs((state) => state.parametersOpen);
  const isOpenAsOverlay = useView((state) => state.isParametersOverlayOpen);
  const fitsLanes = useView((state) => state.fitsLanes);
  return isWide
    ? [isOpenBeside && !fitsLanes, (open) => setOpenBeside({ prefs, view }, open), false]
    : [isOpenAsOverlay, (open) => view.setState({ isParametersOverlayOpen: open }), true];
}

/** Lanes that are to fit have its room: they give it back. */
function setOpenBeside({ prefs, view }: Pick<Playground, 'prefs' | 'view'>, open: boolean): void {
  if (open) view.setState({ fitsLanes: false });
  prefs.setState({ parametersOpen: open });
}

/** The same for a key: opens what is closed and closes what is open. */
export function toggleParameters({ prefs, view }: Playground): void {
  const isOpen = prefs.getState().parametersOpen && !view.getState().fitsLanes;
  if (matchMedia(wideQuery).matches) setOpenBeside({ prefs, view }, !isOpen);
  else
    view.setState(({ isParametersOverlayOpen }) => ({ isParametersOverlayOpen: !isParametersOverlayOpen }));
}

/** Brings the row of a field on screen, in place of the inspector where that is open, and the focus into it. */
export function showParameter({ prefs, view, inspector }: Playground, name: ParamName): boolean {
  flushSync(() => {
    closeInspector(inspector);
    if (matchMedia(wideQuery).matches) setOpenBeside({ prefs, view }, true);
    else view.setState({ isParametersOverlayOpen: true });
  });
  return getParameterRowTarget(name).focus();
}
