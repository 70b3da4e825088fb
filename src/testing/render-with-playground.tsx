/** The `render` of Testing Library for components of Bench: with a playground, a query client and a user. */
import { IsRestoringProvider, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';

import { PlaygroundProvider } from '../state/contexts.tsx';
import { createPlayground, type Playground } from '../state/create-playground.ts';
import { createMemoryRecordStore } from '../storage/memory-record-store.ts';
import { createTestBrowser } from './browser.ts';

interface RenderOptions {
  /** The tab that the component belongs to; by default one of its own, without a server. */
  playground?: Playground | undefined;
  queryClient?: QueryClient | undefined;
}

/** Renders a part of the app; `user` operates it. */
export function renderWithPlayground(
  ui: ReactNode,
  options: RenderOptions = {},
): { user: UserEvent; container: HTMLElement; unmount: () => void } {
  const { container, unmount } = render(ui, { wrapper: createWrapper(options) });
  return { user: userEvent.setup(), container, unmount };
}

/** Returns a copy of what this part of the app shows now. It starts no queries of its own. */
export function renderOnce(playground: Playground, ui: ReactNode, queryClient?: QueryClient): HTMLElement {
  const { container, unmount } = render(<IsRestoringProvider value>{ui}</IsRestoringProvider>, {
    wrapper: createWrapper({ playground, queryClient }),
  });
  const copy = document.createElement('div');
  copy.append(...Array.from(container.childNodes, (node) => node.cloneNode(true)));
  unmount();
  return copy;
}

/** Returns the visible text of what this part of the app shows now. */
export function renderText(playground: Playground, ui: ReactNode, queryClient?: QueryClient): string {
  return getVisibleText(renderOnce(playground, ui, queryClient));
}

/** Returns the current value of a hook, which starts no queries. */
export function readHook<T>(playground: Playground, useHook: () => T, queryClient?: QueryClient): T {
  const values: T[] = [];
  function Reader() {
    values.push(useHook());
    return null;
  }
  renderOnce(playground, <Reader />, queryClient);
  for (const value of values) return value;
  throw new Error('The hook was not called');
}

const inlineTags = new Set(['A', 'B', 'CODE', 'EM', 'I', 'SPAN', 'STRONG']);

/** Returns the text of an element with a line for each part. */
export function getVisibleText(element: Element): string {
  return collectText(element).replaceAll(/\n\s*/g, '\n').trim();
}

/** Returns the text of each text node. */
export function listTexts(node: Node): string[] {
  if (node.nodeType === Node.TEXT_NODE) return [node.textContent ?? ''];
  return Array.from(node.childNodes, listTexts).flat();
}

function collectText(node: Node): string {
  if (!(node instanceof Element)) return node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '';
  if (node instanceof SVGElement || node instanceof HTMLStyleElement) return '';
  const text = Array.from(node.childNodes, collectText).join('');
  return inlineTags.has(node.tagName) ? text : `\n${text}\n`;
}

function createWrapper({
  playground = createServerlessPlayground(),
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } }),
}: RenderOptions) {
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <PlaygroundProvider playground={playground}>{children}</PlaygroundProvider>
    </QueryClientProvider>
  );
}

function createServerlessPlayground(): Playground {
  const tab = createTestBrowser().openTab({ origin: 'http://localhost' });
  tab.setOnline(false);
  return createPlayground(tab.page, createMemoryRecordStore());
}
