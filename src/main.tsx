// First, so that its order of layers holds for every stylesheet that components bring along.
import './ui/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { App } from './app/app.tsx';
import { createBrowserPage, createWorkerHost } from './app/browser-page.ts';
import { ErrorBoundary } from './app/error-boundary.tsx';
import { removeForeignWorker } from './app/foreign-worker.ts';
import { interceptLinks } from './app/intercept-links.ts';
import { createPageState } from './app/page-state.ts';
import { guardDrops } from './app/page/drop-guard.ts';
import { limitPasteLength } from './app/page/limit-paste-length.ts';
import { openRecords } from './app/page/open-records.ts';
import { syncSavedAttribute } from './app/page/sync-saved-attribute.ts';
import { Providers } from './app/providers.tsx';
import { syncRoute } from './app/sync-route.ts';
import { syncTheme, applyTheme } from './app/theme.ts';
import { createPlayground } from './state/create-playground.ts';
import { createPrefsStore } from './state/prefs-store.ts';
import { guardCompositions } from './ui/composition-keys.ts';

async function start(root: HTMLElement): Promise<void> {
  const foreignWorker = await removeForeignWorker(createWorkerHost());
  if (foreignWorker === 'reloading') return;
  guardCompositions();
  guardDrops();
  const page = createBrowserPage();
  // Before the database answers: nothing is painted in the wrong theme.
  applyTheme(createPrefsStore(page.storage).getState().theme);
  const pageState = createPageState(foreignWorker);
  const { records, state, whenUsable } = openRecords();
  await whenUsable;
  const playground = createPlayground(page, records, state);
  syncSavedAttribute(playground.unsaved);
  limitPasteLength(playground.notices);
  syncTheme(playground.prefs);
  syncRoute(playground);
  interceptLinks(playground.router, playground.view);
  createRoot(root).render(
    <StrictMode>
      <Providers playground={playground}>
        <ErrorBoundary>
          <App pageState={pageState} />
        </ErrorBoundary>
      </Providers>
    </StrictMode>,
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root');
void start(root);
