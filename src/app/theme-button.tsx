import { Contrast, Moon, Sun } from 'lucide-react';

import type { Theme } from '../state/prefs-store.ts';
import { usePlayground, usePrefs } from '../state/react.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';

const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const words: Record<Theme, string> = { system: 'system', light: 'light', dark: 'dark' };
const icons = { system: Contrast, light: Sun, dark: Moon };

/** Steps through light, dark and the system's own. */
export function ThemeButton() {
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
