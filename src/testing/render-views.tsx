/** Renders the views of the app for a tab's state in Node, as HTML and as text. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

import { buildPromptRows } from '../conversation/session/prompt-rows.ts';
import { getRun } from '../conversation/session/turn-tree.ts';
import { PromptBand } from '../features/playground/message/prompt-band.tsx';
import { TurnView } from '../features/playground/reply/turn-view.tsx';
import type { Playground } from '../state/create-playground.ts';
import type { EmbeddingJob } from '../state/embedding/embedding-job-types.ts';
import type { Lab } from '../state/lab/lab.ts';
import { getCurrentSession } from '../state/sessions/session-store.ts';
import { PlaygroundProvider } from '../state/use-playground.tsx';

/**
 * Returns the current markup of this part of the app. Effects do not run, so answers, whose Markdown is drawn by
 * effects, are missing.
 */
export function renderMarkup(
  playground: Playground,
  part: ReactNode,
  queryClient = new QueryClient(),
): string {
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <PlaygroundProvider playground={withCurrentStores(playground)}>{part}</PlaygroundProvider>
    </QueryClientProvider>,
  );
}

/** Returns the visible text of the markup. */
export function getTextContent(markup: string): string {
  return markup
    .replace(/<(?:svg|style)\b.*?<\/(?:svg|style)>/gs, '')
    .replace(/<\/?(?:b|i|em|strong|span|a|code)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, '\n')
    .replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (match, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return ENTITIES[name ?? ''] ?? match;
    })
    .replace(/\n+/g, '\n')
    .trim();
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00A0' };

/** One rendered reply: its markup, its text and the texts of its answer. */
export interface RenderedReply {
  markup: string;
  text: string;
}

/** Returns the visible replies, row by row and lane by lane. */
export function renderReplies(playground: Playground): RenderedReply[] {
  const data = getCurrentSession(playground.session.getState());
  if (!data) return [];
  return buildPromptRows(data).flatMap((row) =>
    row.cells.map(({ laneId, turnId }) => {
      const laneIndex = data.session.laneIds.indexOf(laneId);
      const markup = renderMarkup(
        playground,
        <TurnView turnId={turnId} laneIndex={laneIndex} turnNumber={row.number} />,
      );
      const run = getRun(data, data.turns[turnId]);
      const texts = (run?.choices ?? []).flatMap(({ parts }) =>
        parts.flatMap((part) => ('text' in part ? [part.text] : [])),
      );
      return { markup, text: [...texts, getTextContent(markup)].join('\n') };
    }),
  );
}

/** Returns the markup and text of each prompt, in order. */
export function renderPrompts(playground: Playground): RenderedReply[] {
  const data = getCurrentSession(playground.session.getState());
  if (!data) return [];
  const rows = buildPromptRows(data);
  return rows.map(({ promptId, cells }, index) => {
    const turnIds = cells.map((cell) => cell.turnId);
    const isLatest = index === rows.length - 1;
    const markup = renderMarkup(
      playground,
      <PromptBand promptId={promptId} turnIds={turnIds} isLatest={isLatest} />,
    );
    return { markup, text: getTextContent(markup) };
  });
}

/** Returns the current value of a hook; `queryClient` collects the queries that it would have sent. */
export function readHook<T>(playground: Playground, useHook: () => T, queryClient?: QueryClient): T {
  const results: T[] = [];
  function Reader() {
    results.push(useHook());
    return null;
  }
  renderMarkup(playground, <Reader />, queryClient);
  for (const result of results) return result;
  throw new Error('The hook was not called');
}

/** Returns the current text of this part of the embeddings lab. */
export function renderLabText(
  playground: Playground,
  lab: Lab,
  part: ReactNode,
  queryClient?: QueryClient,
): string {
  const state = lab.state.getState();
  const { A, B } = state.jobs;
  const withCurrentState = (job: EmbeddingJob) => ({ ...job, state: withInitialState(job.state) });
  const jobs = { ...(A ? { A: withCurrentState(A) } : {}), ...(B ? { B: withCurrentState(B) } : {}) };
  const currentLab = {
    ...lab,
    state: withInitialState({ ...lab.state, getState: () => ({ ...state, jobs }) }),
  };
  return getTextContent(
    renderMarkup(
      { ...playground, lazyLab: { ...playground.lazyLab, getLab: () => currentLab } },
      part,
      queryClient,
    ),
  );
}

/** Server rendering reads a store's initial state; this replaces it with the current one. */
function withInitialState<Store extends { getState: () => unknown }>(store: Store): Store {
  return { ...store, getInitialState: store.getState };
}

function withCurrentStores(playground: Playground): Playground {
  return {
    ...playground,
    renderedSession: withInitialState(playground.session),
    prefs: withInitialState(playground.prefs),
    learnedModels: { ...playground.learnedModels, state: withInitialState(playground.learnedModels.state) },
    signals: { ...playground.signals, state: withInitialState(playground.signals.state) },
    view: withInitialState(playground.view),
    inspector: withInitialState(playground.inspector),
    notices: withInitialState(playground.notices),
    queue: { ...playground.queue, state: withInitialState(playground.queue.state) },
    library: { ...playground.library, damagedCount: withInitialState(playground.library.damagedCount) },
    router: { ...playground.router, state: withInitialState(playground.router.state) },
    presets: { ...playground.presets, state: withInitialState(playground.presets.state) },
    storage: withInitialState(playground.storage),
    heldRuns: { ...playground.heldRuns, heldRunIds: withInitialState(playground.heldRuns.heldRunIds) },
    recorder: { ...playground.recorder, problem: withInitialState(playground.recorder.problem) },
    drafts: { ...playground.drafts, state: withInitialState(playground.drafts.state) },
    ...(playground.playhead ? { playhead: withInitialState(playground.playhead) } : {}),
  };
}
