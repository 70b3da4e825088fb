import { clsx } from 'clsx';

import { helpButton } from '../features/help/help-focus-targets.ts';
import { usePresentationBlocker } from '../features/trials/use-presentation-blocker.ts';
import {
  usePrefs,
  useRoute,
  useSession,
  useAppServices,
  useLazyTrials,
  useSessionServices,
  useView,
} from '../state/contexts.tsx';
import type { Theme } from '../state/prefs-store.ts';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { KeyboardShortcut } from '../ui/display/keyboard-shortcut.tsx';
import { CircleHelp, Contrast, Moon, PresentationIcon, Search, Settings2, Sun } from '../ui/icons.tsx';
import { openHelp } from './open-help.ts';
import { openPresentation } from './open-presentation.ts';
import type { PageStateStore } from './page-state.ts';
import { settingsButton } from './page/app-focus-targets.ts';

/** The button in the bar that opens the command palette; an icon if there is no room for text. */
export function CommandField({ pageState }: { pageState: PageStateStore }) {
  return (
    <button
      type="button"
      className={clsx(
        'flex h-7 w-full items-center gap-2 rounded-2 border pr-1.25 pl-2.25 whitespace-nowrap text-ink-3 hover:bg-raised hover:text-ink-2',
        '[&_kbd]:min-w-3 [&_kbd]:border-0 [&_kbd]:bg-transparent [&_kbd]:px-px',
        'max-tablet:justify-center max-tablet:border-transparent max-tablet:px-0 max-phone:h-11 tablet:border-line-2 tablet:bg-paper',
      )}
      aria-haspopup="dialog"
      onClick={() => pageState.setState({ openOverlay: 'palette' })}
    >
      <Search className="icon-16" aria-hidden />
      <span className="min-w-0 truncate max-tablet:sr-only">Search or run a command</span>
      <span className="ml-auto flex-none max-tablet:hidden" aria-hidden>
        <KeyboardShortcut keys={[['Mod', 'K']]} />
      </span>
    </button>
  );
}

/** The buttons for presenting, theme, help and settings. */
export function BarTools({ pageState }: { pageState: PageStateStore }) {
  const isPlayground = useRoute().screen === 'playground';
  const { view } = useSessionServices();
  const isHelpOpen = useView(({ help }) => help !== undefined);
  const hasTurns = useSession((data) => Object.keys(data.turns).length > 0) ?? false;
  const lazyTrials = useLazyTrials();
  const trialBlocker = usePresentationBlocker();
  const disabledReason = isPlayground ? (hasTurns ? undefined : 'No messages yet') : trialBlocker;
  return (
    <>
      <IconButton
        label="Present"
        shortcut="Alt Shift P"
        disabled={disabledReason !== undefined}
        aria-description={disabledReason}
        {...(disabledReason === undefined ? {} : { tip: `Present: ${disabledReason}` })}
        onClick={() => openPresentation({ lazyTrials, pageState })}
      >
        <PresentationIcon className="icon-16" aria-hidden />
      </IconButton>
      <ThemeButton />
      <IconButton
        label="Help"
        shortcut="F1"
        aria-expanded={isHelpOpen}
        {...helpButton.attributes}
        onClick={() => (isHelpOpen ? view.setState({ help: undefined }) : openHelp(view))}
      >
        <CircleHelp className="icon-16" aria-hidden />
      </IconButton>
      <IconButton
        label="Settings"
        shortcut="Ctrl ,"
        aria-haspopup="dialog"
        {...settingsButton.attributes}
        onClick={() =>
          pageState.setState(({ openOverlay }) => ({
            openOverlay: openOverlay === 'settings' ? undefined : 'settings',
          }))
        }
      >
        <Settings2 className="icon-16" aria-hidden />
      </IconButton>
    </>
  );
}

const nextThemes: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const themeLabels: Record<Theme, string> = { system: 'system', light: 'light', dark: 'dark' };
const themeIcons = { system: Contrast, light: Sun, dark: Moon };

/** Cycles through light, dark and system theme. */
function ThemeButton() {
  const { prefs } = useAppServices();
  const theme = usePrefs((state) => state.theme);
  const Icon = themeIcons[theme];
  return (
    <IconButton
      label={`Theme: ${themeLabels[theme]}`}
      onClick={() => prefs.setState({ theme: nextThemes[theme] })}
    >
      <Icon className="icon-16" aria-hidden />
    </IconButton>
  );
}
