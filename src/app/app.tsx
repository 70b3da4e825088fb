import { useStatus } from '../features/health/use-status.ts';
import { useFirstModel } from '../features/models/use-first-model.ts';
import { PlaygroundScreen } from '../features/playground/playground.tsx';
import { Undo } from '../features/playground/undo.tsx';
import { useRoute } from '../state/react.tsx';
import type { Route } from '../state/route.ts';
import { LiveRegion } from '../ui/display/live-region.tsx';
import { lazyView } from '../ui/hooks/lazy-view.tsx';
import { Banners } from './banners.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Login } from './login.tsx';
import { Overlays } from './overlays.tsx';
import type { PageStateStore } from './page-state.ts';
import { useDocumentTitle } from './page/use-document-title.ts';
import { usePartsInAdvance } from './page/use-parts-in-advance.ts';
import { TopBar } from './top-bar.tsx';
import { UnknownScreen } from './unknown-screen.tsx';

import './app.css';

const waiting = <main className="screen" aria-busy />;
const screen = { waiting, isInAdvance: false };
const Gallery = lazyView('This page', async () => (await import('./gallery/gallery.tsx')).Gallery, screen);
const HistoryScreen = lazyView(
  'The history',
  async () => (await import('../features/history/history-screen.tsx')).HistoryScreen,
  screen,
);
const EmbeddingsScreen = lazyView(
  'The embeddings lab',
  async () => (await import('../features/embeddings/embeddings-screen.tsx')).EmbeddingsScreen,
  screen,
);

/** The app: the bar, what concerns the whole page, and the screen that the address names. */
export function App({ pageState }: { pageState: PageStateStore }) {
  const { data: status } = useStatus();
  if (status?.loginRequired) {
    return <Login />;
  }
  return <Workspace pageState={pageState} />;
}

function Workspace({ pageState }: { pageState: PageStateStore }) {
  const route = useRoute();
  useDocumentTitle();
  useFirstModel();
  usePartsInAdvance();
  return (
    <LiveRegion>
      <div className="app">
        <SkipLink isPlayground={route.screen === 'playground'} />
        <TopBar pageState={pageState} />
        <Banners pageState={pageState} />
        <div id="content" className="content">
          <ErrorBoundary key={route.screen}>
            <Screen route={route} />
          </ErrorBoundary>
        </div>
      </div>
      <Undo />
      <Overlays pageState={pageState} />
    </LiveRegion>
  );
}

function Screen({ route }: { route: Route }) {
  switch (route.screen) {
    case 'playground':
      return <PlaygroundScreen />;
    case 'embeddings':
      return <EmbeddingsScreen />;
    case 'history':
      return <HistoryScreen />;
    case 'gallery':
      return <Gallery />;
    default:
      return <UnknownScreen />;
  }
}

/** The first tab stop: past the bars, into the composer where there is one. */
function SkipLink({ isPlayground }: { isPlayground: boolean }) {
  return (
    <a
      className="skip"
      href="#content"
      onClick={(event) => {
        event.preventDefault();
        const composer = 'textarea[aria-label^="Message"]';
        const content = document.querySelector('#content');
        content
          ?.querySelector<HTMLElement>(isPlayground ? composer : 'input, textarea, main a, main button')
          ?.focus();
      }}
    >
      {isPlayground ? 'Skip to message' : 'Skip to content'}
    </a>
  );
}
