import { flushSync } from 'react-dom';

import type { ParamName } from '../../conversation/setup/params.ts';
import { usePrefs, useView, useAppServices, useSessionServices } from '../../state/contexts.tsx';
import type { AppServices, RunServices, SessionServices } from '../../state/create-playground.ts';
import { closeInspector } from '../../state/runs/inspector-actions.ts';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { getParameterRowTarget } from './playground-focus-targets.ts';

type SidebarStores = Pick<AppServices, 'prefs'> & Pick<SessionServices, 'view'>;

/** Media query for a sidebar beside the conversation; below this width it is an overlay. */
const wideQuery = '(min-width: 1200px)';

/**
 * Returns the state of the sidebar. Beside the conversation the user's choice is persisted; an overlay (last value
 * true) has to be opened each time.
 */
export function useParametersOpen(): [
  isOpen: boolean,
  setIsOpen: (isOpen: boolean) => void,
  isOverlay: boolean,
] {
  const { prefs } = useAppServices();
  const { view } = useSessionServices();
  const isWide = useMediaQuery(wideQuery);
  const isOpenBeside = usePrefs((state) => state.parametersOpen);
  const isOpenAsOverlay = useView((state) => state.isParametersOverlayOpen);
  // Both use the space of the sidebar.
  const isSpaceUsed = useView((state) => state.fitsLanes || state.help !== undefined);
  return isWide
    ? [isOpenBeside && !isSpaceUsed, (open) => setOpenBeside({ prefs, view }, open), false]
    : [isOpenAsOverlay, (open) => view.setState({ isParametersOverlayOpen: open }), true];
}

/** Opens or closes the sidebar. Opening it ends the fitting of lanes and the help, because it uses their space. */
function setOpenBeside({ prefs, view }: SidebarStores, open: boolean): void {
  if (open) view.setState({ fitsLanes: false, help: undefined });
  prefs.setState({ parametersOpen: open });
}

/** Toggles the sidebar, for use by a shortcut. */
export function toggleParameters({ prefs, view }: SidebarStores): void {
  const { fitsLanes, help } = view.getState();
  const isOpen = prefs.getState().parametersOpen && !fitsLanes && help === undefined;
  if (matchMedia(wideQuery).matches) setOpenBeside({ prefs, view }, !isOpen);
  else
    view.setState(({ isParametersOverlayOpen }) => ({ isParametersOverlayOpen: !isParametersOverlayOpen }));
}

/** Shows the row of a field, closing the inspector, and focuses it. Returns whether it received the focus. */
export function showParameter(
  { prefs, view, inspector }: SidebarStores & Pick<RunServices, 'inspector'>,
  name: ParamName,
): boolean {
  flushSync(() => {
    closeInspector(inspector);
    if (matchMedia(wideQuery).matches) setOpenBeside({ prefs, view }, true);
    else view.setState({ isParametersOverlayOpen: true });
  });
  return getParameterRowTarget(name).focus();
}
