import { clsx } from 'clsx';

import { useStatus } from '../features/health/use-status.ts';
import { useDefaultModel } from '../features/models/use-default-model.ts';
import { messageField } from '../features/workspace/playground-focus-targets.ts';
import { Toasts } from '../features/workspace/toasts.tsx';
import { useRoute, useView } from '../state/contexts.tsx';
import { LiveRegion } from '../ui/display/live-region.tsx';
import { lazyComponent } from '../ui/hooks/lazy-component.tsx';
import { AppOverlays } from './app-overlays.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import type { PageStateStore } from './page-state.ts';
import { content } from './page/app-focus-targets.ts';
import { useDocumentTitle } from './page/use-document-title.ts';
import { usePreloadChunks } from './page/use-preload-chunks.ts';
import { findScreen, notFoundScreen } from './screens.tsx';
import { TopBar } from './top-bar.tsx';

const LoginScreen = lazyComponent(
  'The login form',
  async () => (await import('./login-screen.tsx')).LoginScreen,
  {
    loadTiming: 'on demand',
  },
);
const Banners = lazyComponent('The notices', async () => (await import('./banners.tsx')).Banners, {
  fallback: null,
  loadTiming: 'first',
});
const PageTooltip = lazyComponent(
  'The tooltips',
  async () => (await import('../ui/overlays/page-tooltip.tsx')).PageTooltip,
  { fallback: null, loadTiming: 'first' },
);
const HelpDrawer = lazyComponent(
  'The help',
  async () => (await import('../features/help/help-drawer.tsx')).HelpDrawer,
  { fallback: null },
);

/** The app: top bar, page-wide strips, and the screen for the current URL. */
export function App({ pageState }: { pageState: PageStateStore }) {
  const { data: status } = useStatus();
  if (status?.loginRequired) {
    return <LoginScreen />;
  }
  return <Workspace pageState={pageState} />;
}

function Workspace({ pageState }: { pageState: PageStateStore }) {
  const route = useRoute();
  const { path, View } = findScreen(route) ?? notFoundScreen;
  useDocumentTitle();
  useDefaultModel();
  const canPreload = usePreloadChunks();
  const help = useView((view) => view.help);
  return (
    <LiveRegion>
      {/* Each region scrolls on its own. In a flat viewport the whole page scrolls. */}
      <div
        className={clsx(
          '@container/page grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)] overflow-clip',
          'flat:data-[screen=playground]:h-auto flat:data-[screen=playground]:min-h-dvh flat:data-[screen=playground]:overflow-visible',
          'flat:data-[screen=playground]:grid-rows-[auto_auto_minmax(auto,1fr)]',
        )}
        data-screen={route.screen}
      >
        <SkipLink isPlayground={route.screen === 'playground'} />
        <TopBar pageState={pageState} />
        {/* The code of the banners loads only once the composer is usable. */}
        {canPreload && <Banners pageState={pageState} />}
        {/* Stays in the third row before the banners have loaded. */}
        <div className="print-flow relative row-start-3 flex min-h-0">
          <div
            id="content"
            className="grid min-h-0 min-w-0 flex-1 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] flat:in-data-[screen=playground]:grid-rows-[minmax(auto,1fr)]"
            {...content.attributes}
          >
            <ErrorBoundary key={path}>
              <View />
            </ErrorBoundary>
          </div>
          {help && <HelpDrawer help={help} />}
        </div>
      </div>
      <Toasts />
      {canPreload && <PageTooltip />}
      <AppOverlays pageState={pageState} />
    </LiveRegion>
  );
}

/** The first tab stop. It skips the bars and leads to the composer, if there is one, otherwise to the content. */
function SkipLink({ isPlayground }: { isPlayground: boolean }) {
  return (
    <a
      className="fixed top-2 left-2 z-10 rounded-2 bg-ink px-3 py-1.5 font-550 text-on-ink not-focus:-translate-y-15"
      href="#content"
      onClick={(event) => {
        event.preventDefault();
        if (!isPlayground || !messageField.focus()) content.focus();
      }}
    >
      {isPlayground ? 'Skip to message field' : 'Skip to content'}
    </a>
  );
}
