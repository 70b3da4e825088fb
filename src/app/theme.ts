import type { PrefsStore, Theme } from '../state/prefs-store.ts';

const darkQuery = '(prefers-color-scheme: dark)';

/** Puts the theme on the page; `system` is what the system says now. */
export function showTheme(theme: Theme): void {
  const system = matchMedia(darkQuery).matches ? 'dark' : 'light';
  const shown = theme === 'system' ? system : theme;
  document.documentElement.dataset['theme'] = shown;
  const bar = document.querySelector('meta[name="theme-color"]');
  bar?.setAttribute('content', shown === 'dark' ? '#100f0d' : '#f0efeb');
}

/** Keeps the page in the theme and density that were chosen, and in the system's where that is the choice. */
export function followTheme(prefs: PrefsStore): void {
  const show = () => {
    const { theme, density } = prefs.getState();
    showTheme(theme);
    document.documentElement.dataset['density'] = density;
  };
  show();
  prefs.subscribe(show);
  matchMedia(darkQuery).addEventListener('change', show);
}
