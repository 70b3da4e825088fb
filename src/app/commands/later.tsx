/** What the app does beyond its first seconds: commands, keys, the tools of the bar, and what lies over the page. */
import { Presentation as PresentIcon, Search, Settings2 } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';

import { RunAnnouncer } from '../../features/playground/run-announcer.tsx';
import { usePlayground, useRoute, useSession } from '../../state/react.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { KeyNames } from '../../ui/display/key-names.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { lazyView } from '../../ui/hooks/lazy-view.tsx';
import { useIdleLoad } from '../../ui/hooks/use-idle-load.ts';
import type { Overlay, PageStateStore } from '../page-state.ts';
import { useFocusKeeper } from '../page/use-focus-keeper.ts';
import { ThemeButton } from '../theme-button.tsx';
// Not by itself: what is typed right after Ctrl+K is meant for its field, which must be there within the same moment.
import { CommandPalette } from './command-palette.tsx';
import type { CommandContext } from './command.ts';
import { useShortcuts } from './use-shortcuts.ts';

const loadKeys = () => import('./keys-sheet.tsx');
const loadSettings = () => import('../settings/settings-panel.tsx');
const loadShare = () => import('../../features/playground/session-bar/share-setup.tsx');
const loadStage = () => import('../../features/playground/presentation/presentation.tsx');

/** They must open also when the network has gone. */
const loadAll = () => Promise.all([loadSettings(), loadKeys(), loadStage(), loadShare()]);

const KeysSheet = lazyView(async () => (await loadKeys()).KeysSheet);
const SettingsPanel = lazyView(async () => (await loadSettings()).SettingsPanel);
const ShareSetup = lazyView(async () => (await loadShare()).ShareSetup);
const Presentation = lazyView(async () => (await loadStage()).Presentation);

/** Listens for keys, says what happens, and shows what was opened over the page. */
export function Overlays({ pageState }: { pageState: PageStateStore }) {
  const playground = usePlayground();
  const say = useAnnounce();
  const context = useMemo(
    (): CommandContext => ({ playground, pageState, say }),
    [playground, pageState, say],
  );
  useShortcuts(context);
  useFocusKeeper();
  useIdleLoad(loadAll);
  const open = useStore(pageState, (state) => state.open);
  const isPlayground = useRoute().screen === 'playground';
  // A command may have opened something else in the meantime.
  const close = (which: Overlay) => () => {
    if (pageState.getState().open === which) pageState.setState({ open: undefined });
  };
  return (
    <>
      {isPlayground && <RunAnnouncer />}
      {open === 'keys' && <KeysSheet onClose={close('keys')} />}
      {open === 'palette' && <CommandPalette context={context} onClose={close('palette')} />}
      {open === 'settings' && <SettingsPanel onClose={close('settings')} />}
      {open === 'presentation' && isPlayground && <Presentation onClose={close('presentation')} />}
      {open === 'share' && <ShareSetup onClose={close('share')} />}
    </>
  );
}

/** The field in the bar that opens the commands; an icon where there is no room for words. */
export function CommandField({ pageState }: { pageState: PageStateStore }) {
  return (
    <button
      type="button"
      className="cmd"
      aria-label="Search or run a command"
      aria-haspopup="dialog"
      onClick={() => pageState.setState({ open: 'palette' })}
    >
      <Search className="i" aria-hidden />
      <span>Search or run a command</span>
      <KeyNames keys={[['Mod', 'K']]} />
    </button>
  );
}

/** Present, theme, settings. */
export function BarTools({ pageState }: { pageState: PageStateStore }) {
  const isPlayground = useRoute().screen === 'playground';
  const hasTurns = useSession((data) => Object.keys(data.turns).length > 0) ?? false;
  const reason = !isPlayground ? 'Only in the playground' : hasTurns ? undefined : 'No messages yet';
  return (
    <>
      <IconButton
        label="Present"
        shortcut="Alt Shift P"
        aria-disabled={reason !== undefined}
        aria-description={reason}
        {...(reason === undefined ? {} : { tip: `Present: ${reason}` })}
        onClick={() => reason === undefined && pageState.setState({ open: 'presentation' })}
      >
        <PresentIcon className="i" aria-hidden />
      </IconButton>
      <ThemeButton />
      <IconButton
        label="Settings"
        shortcut="Ctrl ,"
        aria-haspopup="dialog"
        data-opens-settings
        onClick={() =>
          pageState.setState(({ open }) => ({ open: open === 'settings' ? undefined : 'settings' }))
        }
      >
        <Settings2 className="i" aria-hidden />
      </IconButton>
    </>
  );
}
