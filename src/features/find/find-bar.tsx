import {
  useRef,
  useEffect,
  useLayoutEffect,
  type KeyboardEvent as ReactKeyboardEvent,
  type RefObject,
} from 'react';

import { formatHitPosition, type FindScope } from '../../conversation/find/hits.ts';
import { useFind, useSessionServices } from '../../state/contexts.tsx';
import { closeFind } from '../../state/find/find-store.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { ArrowDown, Search, X } from '../../ui/icons.tsx';
import { ArrowUp } from '../../ui/late-icons.tsx';
import { isOverlayOpen } from '../../ui/overlays/is-overlay-open.ts';
import { sessionFindField } from '../workspace/playground-focus-targets.ts';
import { getScrollView } from '../workspace/scroll-view.ts';
import { findHitMessage } from './hit-highlights.ts';
import { useHitHighlights } from './use-hit-highlights.ts';
import { useHits, useHitNavigation } from './use-hits.ts';

import './find.css';

const scopes: readonly { value: FindScope; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'prompts', label: 'Prompts' },
  { value: 'answers', label: 'Answers' },
  { value: 'reasoning', label: 'Reasoning' },
];

/** Find in session: searches all turns, including turns that are not mounted, and moves between hits. */
export function FindBar({ scroller, isFlat }: { scroller: RefObject<HTMLElement | null>; isFlat: boolean }) {
  const { find } = useSessionServices();
  const query = useFind((state) => state.query);
  const scope = useFind((state) => state.scope);
  const currentHit = useFind((state) => state.currentHit);
  const isFromHistory = useFind((state) => state.isFromHistory);
  const bar = useRef<HTMLDivElement>(null);
  const results = useHits();
  const stepToHit = useHitNavigation(results);
  useHitHighlights(scroller, { ...results, currentHit });
  useFindKeys(stepToHit);
  useScrollCompensation(bar, scroller, isFlat);
  useWorkspaceWidth(bar);
  const hasNoHits = results.hits.length === 0;

  const close = () => {
    const message = currentHit && scroller.current ? findHitMessage(scroller.current, currentHit) : undefined;
    closeFind(find);
    const next = message ?? scroller.current;
    if (next && next !== scroller.current && next.tabIndex < 0) next.tabIndex = -1;
    next?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: ReactKeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };

  return (
    <search
      ref={bar}
      aria-label="Find in session"
      className="sticky top-9 z-2 flex-none border-b border-line bg-raised"
      onKeyDown={onKeyDown}
    >
      <div className="sticky left-0 flex min-h-10 w-(--workspace-width) max-w-full items-center gap-1 py-1.5 pr-2 pl-4 max-phone:flex-wrap max-phone:px-2">
        <label className="flex h-7 w-65 min-w-0 items-center gap-2 rounded-2 border border-edge bg-raised px-2 text-ink-3 focus-within:border-ink focus-within:shadow-[inset_0_0_0_1px_var(--ink)] max-phone:h-11 max-phone:flex-1">
          <Search className="icon-14" aria-hidden />
          <input
            type="search"
            aria-label="Find in session"
            className="w-full min-w-0 bg-transparent text-13 text-ink outline-none placeholder:text-ink-3"
            dir="auto"
            placeholder="Find in session"
            spellCheck={false}
            autoComplete="off"
            autoFocus
            value={query}
            {...sessionFindField.attributes}
            onInput={(event) =>
              find.setState({ query: event.currentTarget.value, isFromHistory: false, recordId: undefined })
            }
            onFocus={(event) => {
              event.currentTarget.select();
              find.setState({ isInputFocused: true });
            }}
            onBlur={() => find.setState({ isInputFocused: false })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              stepToHit(event.shiftKey ? -1 : 1);
            }}
          />
        </label>
        <span
          role="status"
          aria-live="off"
          className="min-w-16 pr-1 pl-2 text-right text-12 font-500 whitespace-nowrap text-ink-2"
        >
          {formatHitPosition(results.hits, currentHit, query)}
        </span>
        <IconButton
          label="Previous hit"
          shortcut="Shift F3"
          disabled={hasNoHits}
          onClick={() => stepToHit(-1)}
        >
          <ArrowUp className="icon-14" aria-hidden />
        </IconButton>
        <IconButton label="Next hit" shortcut="F3" disabled={hasNoHits} onClick={() => stepToHit(1)}>
          <ArrowDown className="icon-14" aria-hidden />
        </IconButton>
        {isFromHistory && (
          <a
            href="/history"
            className="ml-2 border-l border-line-2 py-1 pl-3 text-12 whitespace-nowrap text-ink-2 underline decoration-line-2 underline-offset-3 hover:text-ink"
          >
            Back to History
          </a>
        )}
        <span className="min-w-0 flex-1" />
        <Segmented
          label="Find in"
          value={scope}
          choices={scopes}
          onChange={(value) => find.setState({ scope: value })}
        />
        <IconButton label="Close find" shortcut="Esc" onClick={close}>
          <X className="icon-14" aria-hidden />
        </IconButton>
      </div>
    </search>
  );
}

/** Handles F3 and Shift+F3 for the next and previous hit, wherever the focus is. */
function useFindKeys(stepToHit: (step: 1 | -1) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'F3' || event.ctrlKey || event.metaKey || event.altKey || isOverlayOpen()) return;
      event.preventDefault();
      stepToHit(event.shiftKey ? -1 : 1);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [stepToHit]);
}

/** Adjusts the scroll position so that the text does not move when the bar appears or disappears. */
function useScrollCompensation(
  bar: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  isFlat: boolean,
): void {
  useLayoutEffect(() => {
    const element = scroller.current && getScrollView(scroller.current, isFlat).element;
    const height = bar.current?.offsetHeight ?? 0;
    if (!element) return undefined;
    element.scrollTop += height;
    return () => {
      element.scrollTop -= height;
    };
  }, [bar, scroller, isFlat]);
}

/** Sets `--workspace-width` on an element that spans all lanes, which may be wider than the visible area. */
function useWorkspaceWidth(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current;
    const workspace = element?.closest('main');
    if (!element || !workspace) return undefined;
    const resizeObserver = new ResizeObserver(() =>
      element.style.setProperty('--workspace-width', `${workspace.clientWidth}px`),
    );
    resizeObserver.observe(workspace);
    return () => resizeObserver.disconnect();
  }, [part]);
}
