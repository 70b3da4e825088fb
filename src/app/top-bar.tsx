import { clsx } from 'clsx';
import { useRef } from 'react';
import { useStore } from 'zustand';

import { HealthBadge } from '../features/health/health-badge.tsx';
import { useFocusedGateway } from '../features/health/use-focused-gateway.ts';
import { describeReportedLimit } from '../gateway/http/reported-limit.ts';
import { useQueue, useRoute, useSessionState, useAppServices } from '../state/contexts.tsx';
import { toPath } from '../state/route.ts';
import { iconButtonVariants } from '../ui/controls/icon-button.tsx';
import { MenuIcon } from '../ui/icons.tsx';
import { BarTools, CommandField } from './bar-tools.tsx';
import type { PageStateStore } from './page-state.ts';
import { workspacesMenu } from './page/app-focus-targets.ts';
import { playgroundScreen, findScreen, screens } from './screens.tsx';

const workspaces = screens.filter(({ workspace }) => workspace);

interface TopBarProps {
  pageState: PageStateStore;
}

/** The top bar: navigation, requests of the last minute and gateway health. */
export function TopBar({ pageState }: TopBarProps) {
  const nav = useRef<HTMLElement>(null);
  const sessionId = useSessionState((state) => state.currentId);
  const currentScreen = findScreen(useRoute());
  const homePath = toPath({ screen: 'playground', ...(sessionId === undefined ? {} : { sessionId }) });

  return (
    <header
      className="isolate flex h-12 items-center border-b border-line bg-bench px-4 max-phone:px-1 phone:@max-4xl/page:px-3 flat:in-data-[screen=playground]:h-11"
      data-region="top-bar"
      data-behind-sheet
    >
      <button
        type="button"
        className={clsx(iconButtonVariants(), 'phone:hidden')}
        aria-label="Workspaces menu"
        popoverTarget="workspaces"
        {...workspacesMenu.attributes}
      >
        <MenuIcon className="icon-20" aria-hidden />
      </button>
      <a
        className={clsx(
          'mr-7 flex items-center gap-2.25 font-sans text-[15px] leading-5 font-650 tracking-[-0.01em] phone:@max-4xl/page:mr-2',
          'max-phone:mr-0 max-phone:ml-0.5 max-phone:gap-2 max-phone:text-[16px] max-phone:in-data-[screen=playground]:hidden',
        )}
        href={homePath}
        tabIndex={-1}
        aria-hidden
      >
        <svg
          className="size-5 fill-none stroke-ink stroke-[1.75] forced-colors:stroke-[CanvasText]"
          viewBox="0 0 20 20"
        >
          <path d="M2.5 3v14M6.25 3v8M10 3v14M13.75 3v8" />
          <path className="stroke-needle forced-colors:stroke-[Highlight]" d="M17.5 3v14" />
        </svg>
        <span className="@max-4xl/page:hidden">Bench</span>
      </a>
      {/* A menu on phones, a plain row elsewhere. */}
      <nav
        ref={nav}
        id="workspaces"
        popover="auto"
        className={clsx(
          'bg-transparent text-inherit phone:static phone:flex phone:h-auto phone:w-auto phone:gap-1 phone:self-stretch phone:overflow-visible',
          'max-phone:inset-[48px_auto_auto_8px] max-phone:min-w-50 max-phone:flex-col max-phone:rounded-3 max-phone:border',
          'max-phone:border-line-2 max-phone:bg-raised max-phone:p-1 max-phone:shadow-e-2 max-phone:open:flex',
        )}
        aria-label="Workspaces"
      >
        {workspaces.map((screen) => (
          <a
            key={screen.path}
            className={clsx(
              'relative flex items-center px-2.5 font-500 text-ink-2 hover:text-ink aria-[current=page]:text-ink',
              'focus-visible:rounded-[9px] focus-visible:-outline-offset-6 phone:@max-4xl/page:px-2',
              'max-phone:min-h-11 max-phone:rounded-2 max-phone:px-3 max-phone:text-[15px]',
            )}
            href={screen === playgroundScreen ? homePath : screen.path}
            aria-current={screen === currentScreen ? 'page' : undefined}
            onClick={() => nav.current?.hidePopover()}
          >
            {screen.title}
            {screen === currentScreen && (
              <span
                className={clsx(
                  'absolute inset-x-2.5 -bottom-px h-0.5 bg-needle phone:@max-4xl/page:inset-x-2',
                  'max-phone:inset-[8px_auto_8px_2px] max-phone:h-auto max-phone:w-0.5',
                )}
                aria-hidden
              />
            )}
          </a>
        ))}
        {/* On phones the bar has no room for the tools, so they are here. What they open closes this menu. */}
        <span className="hidden gap-2 max-phone:mt-1 max-phone:flex max-phone:border-t max-phone:border-line max-phone:px-1 max-phone:pt-1">
          <BarTools pageState={pageState} />
        </span>
      </nav>
      <div className="ml-auto flex items-center gap-3 max-phone:gap-0 max-phone:pr-0.5 max-phone:[anchor-name:--top-r] phone:min-w-0 phone:pl-3">
        <span className="w-64 min-w-36 shrink max-tablet:w-7 max-tablet:min-w-0 max-tablet:flex-none max-phone:w-11">
          <CommandField pageState={pageState} />
        </span>
        <BarDivider className="max-tablet:hidden" />
        <RateMeter />
        <HealthBadge />
        <BarDivider />
        <span className="-mx-1 flex w-31 flex-none gap-1 max-phone:hidden">
          <BarTools pageState={pageState} />
        </span>
      </div>
    </header>
  );
}

function BarDivider({ className }: { className?: string }) {
  return <span className={clsx('h-4 w-px flex-none bg-line-2 @max-4xl/page:hidden', className)} />;
}

const maxMeterTicks = 50;
const stepPx = 3;

/** Returns the path of the ticks from one index to another; every tenth tick is taller. */
function buildMeterPath(from: number, to: number): string {
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => {
    const index = from + offset;
    return `M${index * stepPx + 1.5} ${index % 10 === 0 ? 1 : 4}V13`;
  }).join('');
}

/** Shows the requests of the last minute against the limit; nothing without a limit. */
export function RateMeter() {
  const gatewayName = useFocusedGateway();
  const { gateways } = useAppServices();
  const { queue, signals } = gateways.getServices(gatewayName);
  const reportedLimit = useStore(signals.state, (state) => state.limit);
  const usedCount = useQueue((state) => state.sentAt.length, gatewayName);
  // Read in the selector, since the server's limit arrives with a change of the queue's state.
  const limit = useQueue(() => queue.getLimit(), gatewayName);
  if (limit === 0) return null;
  const tickCount = Math.min(limit, maxMeterTicks);
  const filledCount = Math.min(tickCount, Math.ceil((usedCount / limit) * tickCount));
  const isFull = usedCount >= limit;
  return (
    <>
      <span
        className={clsx(
          'flex flex-none items-center gap-2 font-sans text-12 whitespace-nowrap',
          isFull ? 'text-warn-ink' : 'text-ink-2 max-phone:hidden',
        )}
        title={describeReportedLimit(reportedLimit)}
      >
        <svg
          className="block fill-none stroke-1 max-tablet:hidden"
          viewBox={`0 0 ${tickCount * stepPx} 14`}
          width={tickCount * stepPx}
          height="14"
          role="img"
          aria-label={`${usedCount} of ${limit} requests used this minute`}
        >
          <path
            className="stroke-line-2 forced-colors:stroke-[GrayText]"
            d={buildMeterPath(filledCount, tickCount)}
          />
          <path className="stroke-ink forced-colors:stroke-[CanvasText]" d={buildMeterPath(0, filledCount)} />
        </svg>
        <span>
          <b className={clsx('font-600', !isFull && 'text-ink')}>{usedCount}</b> of {limit}
          <span className="@max-4xl/page:hidden"> this minute</span>
        </span>
      </span>
      <BarDivider />
    </>
  );
}
