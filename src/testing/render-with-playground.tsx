/** The `render` of Testing Library for components of Bench: with a playground, a query client and a user. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';

import { createPlayground, type Playground } from '../state/create-playground.ts';
import { PlaygroundProvider } from '../state/use-playground.tsx';
import { createMemoryRecordStore } from '../storage/memory-record-store.ts';
import { createTestBrowser } from './browser.ts';

interface RenderOptions {
  /** The tab that the component belongs to; by default one of its own, without a server. */
  playground?: Playground;
  queryClient?: QueryClient;
}

/** Renders a part of the app; `user` operates it. */
export function renderWithPlayground(
  ui: ReactNode,
  { playground = createOfflinePlayground(), queryClient = new QueryClient() }: RenderOptions = {},
): { user: UserEvent; container: HTMLElement; unmount: () => void } {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <PlaygroundProvider playground={playground}>{children}</PlaygroundProvider>
    </QueryClientProvider>
  );
  const { container, unmount } = render(ui, { wrapper });
  return { user: userEvent.setup(), container, unmount };
}

function createOfflinePlayground(): Playground {
  const tab = createTestBrowser().openTab({ origin: 'http://localhost' });
  tab.setOnline(false);
  return createPlayground(tab.page, createMemoryRecordStore());
}
