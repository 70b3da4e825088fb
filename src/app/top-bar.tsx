import { Menu as MenuIcon } from 'lucide-react';
import { useRef } from 'react';
import { useStore } from 'zustand';

import { HealthBadge } from '../features/health/health-badge.tsx';
import { limitSentence } from '../gateway/http/reported-limit.ts';
import { usePlayground, useQueue, useRoute, useSessionState } from '../state/react.tsx';
import { pathOfRoute } from '../state/route.ts';
import { BarTools, CommandField } from './bar-tools.tsx';
import type { PageStateStore } from './page-state.ts';
import { workspacesMenu } from './page/places.ts';
import { playgroundScreen, screenOf, screens } from './screens.tsx';

const workspaces = screens.filter(({ workspace }) => workspace);

interface TopBarProps {
  pageState: PageStateStore;
}

/** Where you are, how much of the minute is used, how the gateway does. */
export function TopBar({ pageState }: TopBarProps) {
  const nav = useRef<HTMLElement>(null);
  const sessionId = useSessionState((state) => state.currentId);
  const shown = screenOf(useRoute());
  const home = pathOfRoute({ screen: 'playground', ...(sessionId === undefined ? {} : { sessionId }) });

  return (
    <header className="top" data-region data-behind-sheet>
      <button
        type="button"
        className="ib top-menu"
        aria-label="Workspaces menu"
        popoverTarget="workspaces"
        {...workspacesMenu.here}
      >
        <MenuIcon className="i l" aria-hidden />
      </button>
      <a className="brand" href={home} tabIndex={-1} aria-hidden>
        <svg className="mark" viewBox="0 0 20 20">
          <path d="M2.5 3v14M6.25 3v8M10 3v14M13.75 3v8" />
          <path className="mark-n" d="M17.5 3v14" />
        </svg>
        <span>Bench</span>
      </a>
      {/* A menu on phones, a plain row elsewhere: app.css. */}
      <nav ref={nav} id="workspaces" popover="auto" className="tabs" aria-label="Workspaces">
        {workspaces.map((screen) => (
          <a
            key={screen.path}
            href={screen === playgroundScreen ? home : screen.path}
            aria-current={screen === shown ? 'page' : undefined}
            onClick={() => nav.current?.hidePopover()}
          >
            {screen.title}
          </a>
        ))}
        {/* Here on phones, where the bar has no room for them. */}
        <span className="nav-tools" onClick={() => nav.current?.hidePopover()}>
          <BarTools pageState={pageState} />
        </span>
      </nav>
      <div className="top-r">
        <span className="top-cmd">
          <CommandField pageState={pageState} />
        </span>
        <span className="sep" />
        <RateMeter />
        <HealthBadge />
        <span className="sep" />
        <span className="top-tools">
          <BarTools pageState={pageState} />
        </span>
      </div>
    </header>
  );
}

const mostTicks = 50;
const stepPx = 3;

/** Ticks from one index to another; every tenth of the scale is taller. */
function ticks(from: number, to: number): string {
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => {
    const index = from + offset;
    return `M${index * stepPx + 1.5} ${index % 10 === 0 ? 1 : 4}V13`;
  }).join('');
}

/** Requests of the last minute against the limit; nothing where there is none. */
export function RateMeter() {
  const { queue, signals } = usePlayground();
  const reported = useStore(signals.state, (state) => state.limit);
  const used = useQueue((state) => state.sentAt.length);
  // Read in the selector, since the server's limit arrives with a change of the queue's state.
  const limit = useQueue(() => queue.limit());
  if (limit === 0) return null;
  const count = Math.min(limit, mostTicks);
  const filled = Math.min(count, Math.ceil((used / limit) * count));
  const isFull = used >= limit;
  return (
    <>
      <span className="meter" title={limitSentence(reported)}>
        <svg
          className="rate"
          viewBox={`0 0 ${count * stepPx} 14`}
          width={count * stepPx}
          height="14"
          role="img"
          aria-label={`${used} of ${limit} requests used this minute`}
        >
          <path className="r-b" d={ticks(filled, count)} />
          <path className="r-a" d={ticks(0, filled)} />
        </svg>
        <span className={isFull ? 'num full' : 'num'}>
          <b>{used}</b> of {limit}
          <span className="per"> this min</span>
        </span>
      </span>
      <span className="sep" />
    </>
  );
}
