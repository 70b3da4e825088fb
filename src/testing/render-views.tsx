/** What the views of the app say of a tab's state, drawn in Node: as HTML, and as the words in it. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

import { buildRows } from '../conversation/session/prompt-rows.ts';
import { getRun } from '../conversation/session/turn-tree.ts';
import { PromptBand } from '../features/playground/message/prompt-band.tsx';
import { TurnView } from '../features/playground/reply/turn-view.tsx';
import type { Playground } from '../state/create-playground.ts';
import type { EmbeddingJob } from '../state/embedding/embedding-job-types.ts';
import type { Lab } from '../state/lab/lab.ts';
import { getCurrentSession } from '../state/sessions/session-store.ts';
import { PlaygroundProvider } from '../state/use-playground.tsx';

/** The markup of this part of the app as it is now. Effects do not run: markdown is drawn by them, so texts of answers are not in it. */
export function markupOf(playground: Playground, part: ReactNode, queries = new QueryClient()): string {
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <PlaygroundProvider playground={asOfNow(playground)}>{part}</PlaygroundProvider>
    </QueryClientProvider>,
  );
}

/** The words of a markup, as a person reads them. */
export function wordsIn(markup: string): string {
  return markup
    .replace(/<(?:svg|style)\b.*?<\/(?:svg|style)>/gs, '')
    .replace(/<\/?(?:b|i|em|strong|span|a|code)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, '\n')
    .replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return ENTITIES[name ?? ''] ?? whole;
    })
    .replace(/\n+/g, '\n')
    .trim();
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00A0' };

/** One reply as it is drawn: the markup of its message, its words, and the texts of its answer. */
export interface DrawnReply {
  markup: string;
  words: string;
}

/** The replies on screen, row by row, each row by lane. */
export function drawnReplies(playground: Playground): DrawnReply[] {
  const data = getCurrentSession(playground.session.getState());
  if (!data) return [];
  return buildRows(data).flatMap((row) =>
    row.cells.map(({ laneId, turnId }) => {
      const laneIndex = data.session.laneIds.indexOf(laneId);
      const markup = markupOf(
        playground,
        <TurnView turnId={turnId} laneIndex={laneIndex} number={row.number} />,
      );
      const run = getRun(data, data.turns[turnId]);
      const texts = (run?.choices ?? []).flatMap(({ parts }) =>
        parts.flatMap((part) => ('text' in part ? [part.text] : [])),
      );
      return { markup, words: [...texts, wordsIn(markup)].join('\n') };
    }),
  );
}

/** The bands of what was said, in order: the markup and the words of each. */
export function drawnPrompts(playground: Playground): DrawnReply[] {
  const data = getCurrentSession(playground.session.getState());
  if (!data) return [];
  const rows = buildRows(data);
  return rows.map(({ promptId, cells }, index) => {
    const turnIds = cells.map((cell) => cell.turnId);
    const isLatest = index === rows.length - 1;
    const markup = markupOf(
      playground,
      <PromptBand promptId={promptId} turnIds={turnIds} isLatest={isLatest} />,
    );
    return { markup, words: wordsIn(markup) };
  });
}

/** What a hook of the views answers now; `queries` holds what it would have asked for. */
export function readHook<T>(playground: Playground, useHook: () => T, queries?: QueryClient): T {
  const answers: T[] = [];
  function Reader() {
    answers.push(useHook());
    return null;
  }
  markupOf(playground, <Reader />, queries);
  for (const answer of answers) return answer;
  throw new Error('The hook was not called');
}

/** What this part of the embeddings lab says now. */
export function labWords(playground: Playground, lab: Lab, part: ReactNode, queries?: QueryClient): string {
  const state = lab.state.getState();
  const { A, B } = state.jobs;
  const ofNow = (job: EmbeddingJob) => ({ ...job, state: now(job.state) });
  const jobs = { ...(A ? { A: ofNow(A) } : {}), ...(B ? { B: ofNow(B) } : {}) };
  const shown = { ...lab, state: now({ ...lab.state, getState: () => ({ ...state, jobs }) }) };
  return wordsIn(
    markupOf({ ...playground, lazyLab: { ...playground.lazyLab, getLab: () => shown } }, part, queries),
  );
}

/** React draws on a server from a store's first state; here it is the current one. */
function now<Store extends { getState: () => unknown }>(store: Store): Store {
  return { ...store, getInitialState: store.getState };
}

function asOfNow(playground: Playground): Playground {
  return {
    ...playground,
    renderedSession: now(playground.session),
    prefs: now(playground.prefs),
    learnedModels: { ...playground.learnedModels, state: now(playground.learnedModels.state) },
    signals: { ...playground.signals, state: now(playground.signals.state) },
    view: now(playground.view),
    inspector: now(playground.inspector),
    notices: now(playground.notices),
    queue: { ...playground.queue, state: now(playground.queue.state) },
    library: { ...playground.library, damagedCount: now(playground.library.damagedCount) },
    router: { ...playground.router, route: now(playground.router.route) },
    presets: { ...playground.presets, state: now(playground.presets.state) },
    storage: now(playground.storage),
    heldRuns: { ...playground.heldRuns, heldRunIds: now(playground.heldRuns.heldRunIds) },
    recorder: { ...playground.recorder, problem: now(playground.recorder.problem) },
    drafts: { ...playground.drafts, state: now(playground.drafts.state) },
    ...(playground.playhead ? { playhead: now(playground.playhead) } : {}),
  };
}
