import { useStatus } from '../features/health/use-status.ts';
import { useFirstModel } from '../features/models/use-default-model.ts';
import { messageField } from '../features/playground/playground-focus-targets.ts';
import { Undo } from '../features/playground/undo.tsx';
import { useRoute } from '../state/use-playground.tsx';
import { classes } from '../ui/cn.ts';
import { LiveRegion } from '../ui/display/live-region.tsx';
import { lazyView } from '../ui/hooks/lazy-component.tsx';
import { Overlays } from './app-overlays.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import type { PageStateStore } from './page-state.ts';
import { content } from './page/app-focus-targets.ts';
import { useDocumentTitle } from './page/use-document-title.ts';
import { usePartsInAdvance } from './page/use-preload-chunks.ts';
import { screenOf, unknownScreen } from './screens.tsx';
import { TopBar } from './top-bar.tsx';

const Login = lazyView('The log-in', async () => (await import('./login-screen.tsx')).Login, {
  fetch: 'when wanted',
});
const Banners = lazyView('What concerns the page', async () => (await import('./banners.tsx')).Banners, {
  waiting: null,
  fetch: 'first',
});

/** Full height, no page scroll: what scrolls does so in its own box. A flat window scrolls as a whole. */
const pageLook = classes(
  'grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)] overflow-clip',
  'flat:data-[screen=playground]:h-auto flat:data-[screen=playground]:min-h-dvh flat:data-[screen=playground]:overflow-visible',
  'flat:data-[screen=playground]:grid-rows-[auto_auto_minmax(auto,1fr)]',
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
  const { path, View } = screenOf(route) ?? unknownScreen;
  useDocumentTitle();
  useFirstModel();
  const mayOthersCome = usePartsInAdvance();
  return (
    <LiveRegion>
      <div className={pageLook} data-screen={route.screen}>
        <SkipLink isPlayground={route.screen === 'playground'} />
        <TopBar pageState={pageState} />
        {/* Nothing of theirs is fetched before one can write. */}
        {mayOthersCome && <Banners pageState={pageState} />}
        {/* In the third row also before the banners are here. */}
        <div
          id="content"
          className="row-start-3 grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] flat:in-data-[screen=playground]:grid-rows-[minmax(auto,1fr)]"
          {...content.here}
        >
          <ErrorBoundary key={path}>
            <View />
          </ErrorBoundary>
        </div>
      </div>
      <Undo />
      <Overlays pageState={pageState} />
    </LiveRegion>
  );
}

/** The first tab stop: past the bars, into the composer where there is one. */
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
      {isPlayground ? 'Skip to message' : 'Skip to content'}
    </a>
  );
}
