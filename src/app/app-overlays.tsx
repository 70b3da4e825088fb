import { useMemo } from 'react';
import { useStore } from 'zustand';

import { Palette } from '../features/palette/palette.tsx';
import { messageField } from '../features/playground/playground-focus-targets.ts';
import { setOpenPanel } from '../state/sessions/view-store.ts';
import { usePlayground, useRoute, useView } from '../state/use-playground.tsx';
import { useAnnounce } from '../ui/display/live-region.tsx';
import { useFocusKeeper } from '../ui/focus/use-focus-restore.ts';
import { lazyOverlay, lazyView } from '../ui/hooks/lazy-component.tsx';
import type { CommandContext } from './commands/command.ts';
import { useShortcuts } from './commands/use-shortcuts.ts';
import type { Overlay, PageStateStore } from './page-state.ts';

const CommandOptions = lazyView(
  'The list of commands',
  async () => (await import('./commands/command-options.tsx')).CommandOptions,
  { fetch: 'first' },
);
const KeysSheet = lazyOverlay(
  'The list of keys',
  async () => (await import('./commands/shortcuts-sheet.tsx')).KeysSheet,
);
const SettingsPanel = lazyOverlay(
  'The settings',
  async () => (await import('./settings/settings-panel.tsx')).SettingsPanel,
);
const Presentation = lazyOverlay(
  'The presentation',
  async () => (await import('../features/playground/presentation/presentation.tsx')).Presentation,
);

/** Listens for keys, says what happens, and shows what was opened over the page. */
export function Overlays({ pageState }: { pageState: PageStateStore }) {
  const playground = usePlayground();
  const say = useAnnounce();
  const context = useMemo(
    (): CommandContext => ({ playground, pageState, say }),
    [playground, pageState, say],
  );
  useShortcuts(context);
  useFocusKeeper(messageField);
  const open = useStore(pageState, (state) => state.open);
  const isAtSummary = useView(({ openPanels }) => openPanels.includes('stage at the summary'));
  const isPlayground = useRoute().screen === 'playground';
  // A command may have opened something else in the meantime.
  const close = (which: Overlay) => () => {
    if (pageState.getState().open === which) pageState.setState({ open: undefined });
  };
  return (
    <>
      {open === 'keys' && <KeysSheet onClose={close('keys')} />}
      {open === 'palette' && (
        <Palette onClose={close('palette')}>
          {(field) => <CommandOptions context={context} field={field} />}
        </Palette>
      )}
      {open === 'settings' && <SettingsPanel onClose={close('settings')} />}
      {(open === 'presentation' || isAtSummary) && isPlayground && (
        <Presentation
          startsAtSummary={isAtSummary}
          onClose={() => {
            close('presentation')();
            setOpenPanel(playground.view, 'stage at the summary', false);
          }}
        />
      )}
    </>
  );
}
