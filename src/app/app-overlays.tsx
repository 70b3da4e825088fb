import { useMemo } from 'react';
import { useStore } from 'zustand';

import { Palette } from '../features/palette/palette.tsx';
import {
  useAppServices,
  useLazyLab,
  useLazyTrials,
  useLibraryServices,
  useRoute,
  useRunServices,
  useSessionServices,
  useView,
} from '../state/contexts.tsx';
import { setPanelOpen } from '../state/sessions/view-store.ts';
import { useAnnounce } from '../ui/display/live-region.tsx';
import { lazyOverlay, lazyComponent } from '../ui/hooks/lazy-component.tsx';
import type { CommandContext } from './commands/command.ts';
import { useShortcuts } from './commands/use-shortcuts.ts';
import type { Overlay, PageStateStore } from './page-state.ts';

const CommandOptions = lazyComponent(
  'The command list',
  async () => (await import('./commands/command-options.tsx')).CommandOptions,
  { loadTiming: 'first' },
);
const ShortcutsSheet = lazyOverlay(
  'The list of keyboard shortcuts',
  async () => (await import('./commands/shortcuts-sheet.tsx')).ShortcutsSheet,
);
const SettingsPanel = lazyOverlay(
  'The settings',
  async () => (await import('./settings/settings-panel.tsx')).SettingsPanel,
);
const Presentation = lazyOverlay(
  'The presentation',
  async () => (await import('../features/stage/presentation.tsx')).Presentation,
);

/** Handles shortcuts, announces events to screen readers and renders the overlay that is open. */
export function AppOverlays({ pageState }: { pageState: PageStateStore }) {
  const app = useAppServices();
  const library = useLibraryServices();
  const runs = useRunServices();
  const session = useSessionServices();
  const lazyLab = useLazyLab();
  const lazyTrials = useLazyTrials();
  const announce = useAnnounce();
  const context = useMemo(
    (): CommandContext => ({
      ...app,
      ...library,
      ...runs,
      ...session,
      lazyLab,
      lazyTrials,
      pageState,
      announce,
    }),
    [app, library, runs, session, lazyLab, lazyTrials, pageState, announce],
  );
  useShortcuts(context);
  const openOverlay = useStore(pageState, (state) => state.openOverlay);
  const isAtSummary = useView(({ openPanels }) => openPanels.includes('stage at the summary'));
  const isPlayground = useRoute().screen === 'playground';
  // A command may have opened another overlay in the meantime.
  const createCloseHandler = (overlay: Overlay) => () => {
    if (pageState.getState().openOverlay === overlay) pageState.setState({ openOverlay: undefined });
  };
  return (
    <>
      {openOverlay === 'keys' && <ShortcutsSheet onClose={createCloseHandler('keys')} />}
      {openOverlay === 'palette' && (
        <Palette onClose={createCloseHandler('palette')}>
          {(field) => <CommandOptions context={context} field={field} />}
        </Palette>
      )}
      {openOverlay === 'settings' && <SettingsPanel onClose={createCloseHandler('settings')} />}
      {(openOverlay === 'presentation' || isAtSummary) && isPlayground && (
        <Presentation
          startsAtSummary={isAtSummary}
          onClose={() => {
            createCloseHandler('presentation')();
            setPanelOpen(session.view, 'stage at the summary', false);
          }}
        />
      )}
    </>
  );
}
