import type { PrefsStore, Theme } from '../state/prefs-store.ts';

const darkQuery = '(prefers-color-scheme: dark)';

/** Applies the theme to the page; `system` follows the system setting. */
export function applyTheme(theme: Theme): void {
  const systemTheme = matchMedia(darkQuery).matches ? 'dark' : 'light';
  const resolvedTheme = theme === 'system' ? systemTheme : theme;
  document.documentElement.dataset['theme'] = resolvedTheme;
  const themeColorMeta = document.querySelector('meta[name="theme-color"]');
  themeColorMeta?.setAttribute('content', resolvedTheme === 'dark' ? '#100f0d' : '#f0efeb');
}

/** Keeps the page in the chosen theme and density, following the system setting if that is chosen. */
export function syncTheme(prefs: PrefsStore): void {
  const applyPrefs = () => {
    const { theme, density } = prefs.getState();
    applyTheme(theme);
    document.documentElement.dataset['density'] = density;
  };
  applyPrefs();
  prefs.subscribe(applyPrefs);
  matchMedia(darkQuery).addEventListener('change', applyPrefs);
}
