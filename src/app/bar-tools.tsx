import { Contrast, Moon, Presentation as PresentIcon, Search, Settings2, Sun } from 'lucide-react';

import type { Theme } from '../state/prefs-store.ts';
import { usePlayground, usePrefs, useRoute, useSession } from '../state/react.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { KeyNames } from '../ui/display/key-names.tsx';
import type { PageStateStore } from './page-state.ts';
import { settingsButton } from './page/places.ts';

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
        {...settingsButton.here}
        onClick={() =>
          pageState.setState(({ open }) => ({ open: open === 'settings' ? undefined : 'settings' }))
        }
      >
        <Settings2 className="i" aria-hidden />
      </IconButton>
    </>
  );
}

const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const words: Record<Theme, string> = { system: 'system', light: 'light', dark: 'dark' };
const icons = { system: Contrast, light: Sun, dark: Moon };

/** Steps through light, dark and the system's own. */
function ThemeButton() {
  const { prefs } = usePlayground();
  const theme = usePrefs((state) => state.theme);
  const Icon = icons[theme];
  return (
    <IconButton
      label={`Theme: ${words[theme]}`}
      data-step
      onClick={() => prefs.setState({ theme: next[theme] })}
    >
      <Icon className="i" aria-hidden />
    </IconButton>
  );
}
