import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';

import { useServerReach } from '../features/health/use-health.ts';
import { useOnline } from '../features/health/use-online.ts';
import { saveSessionFile, useSessionFileServices } from '../features/session-files/session-file-actions.ts';
import { messageField } from '../features/workspace/playground-focus-targets.ts';
import {
  useSession,
  useStorageProblem,
  useAppServices,
  useRunServices,
  useLibraryServices,
} from '../state/contexts.tsx';
import { reportFailure } from '../state/notices.ts';
import { ButtonElement } from '../ui/controls/button-element.tsx';
import { getNextFocusAttributes } from '../ui/focus/focus-target.ts';
import { WifiOff } from '../ui/icons.tsx';
import { CloudOff, HardDrive, RefreshCw, ServerOff, Unplug } from '../ui/late-icons.tsx';
import type { PageStateStore } from './page-state.ts';

/** Strips under the top bar for conditions of the whole page; none while everything works. */
export function Banners({ pageState }: { pageState: PageStateStore }) {
  const isOnline = useOnline();
  const serverReach = useServerReach();
  return (
    <div className="min-h-0" data-behind-sheet {...getNextFocusAttributes(messageField)}>
      {!isOnline && <OfflineBanner />}
      {serverReach.isServerUnreachable && (
        <Banner
          tone="warn"
          role="status"
          icon={<ServerOff className="icon-16" aria-hidden />}
          title="The Bench server is not responding."
          action={{
            label: serverReach.isChecking ? 'Checking…' : 'Check again',
            onClick: serverReach.checkNow,
          }}
        >
          Your work is kept, but nothing can be sent. Start the server with <code>npm start</code>.
        </Banner>
      )}
      <StorageBanners />
      <WorkerBanner pageState={pageState} />
    </div>
  );
}

/** Reports a service worker that existed before Bench: it may have read traffic earlier and can no longer do so. */
function WorkerBanner({ pageState }: { pageState: PageStateStore }) {
  const foreignWorker = useStore(pageState, (state) => state.foreignWorker);
  if (foreignWorker === 'remains')
    return (
      <Banner
        tone="warn"
        role="alert"
        icon={<Unplug className="icon-16" aria-hidden />}
        title="A service worker from another app can read what you send."
      >
        Another app at this address installed it, and Bench could not remove it. Remove it in the browser's
        settings for this site, then reload.
      </Banner>
    );
  if (foreignWorker !== 'removed') return null;
  return (
    <Banner
      tone="warn"
      role="status"
      icon={<Unplug className="icon-16" aria-hidden />}
      title="A service worker from another app was removed."
      action={{ label: 'Dismiss', onClick: () => pageState.setState({ foreignWorker: 'none' }) }}
    >
      Another app at this address installed it. It may have read what you sent.
    </Banner>
  );
}

/** Shows each problem of the browser's storage in its own strip. */
export function StorageBanners() {
  const fileServices = useSessionFileServices();
  const { recorder } = useRunServices();
  const { storage } = useLibraryServices();
  const { notices } = useAppServices();
  const { message: storageProblem, isSlow } = useStorageProblem();
  const { mode, isBlocked, isOutdated, deletionCount } = useStore(storage);
  const currentId = useSession((data) => data.session.id);

  const saveAsFile = (sessionId: string) =>
    reportFailure(notices, saveSessionFile(fileServices, sessionId, 'json'));

  return (
    <>
      {mode === 'opening' && isBlocked && (
        <Banner
          tone="warn"
          role="status"
          icon={<RefreshCw className="icon-16" aria-hidden />}
          title="An older version of Bench is open in another tab."
        >
          Close or reload that tab to open your stored sessions. You can work here meanwhile; changes are
          saved once they open.
        </Banner>
      )}
      {mode === 'opening' && !isBlocked && (
        <Banner
          tone="warn"
          role="status"
          icon={<HardDrive className="icon-16" aria-hidden />}
          title="Still opening your stored sessions."
        >
          You can work here meanwhile; changes are saved once they open.
        </Banner>
      )}
      {isOutdated && (
        <Banner
          tone="warn"
          role="status"
          icon={<RefreshCw className="icon-16" aria-hidden />}
          title="A newer version of Bench is open in another tab."
          action={{ label: 'Reload', onClick: () => location.reload() }}
        >
          This tab can no longer save. Reload to continue.
        </Banner>
      )}
      {deletionCount > 0 && (
        <Banner
          tone="warn"
          role="alert"
          icon={<CloudOff className="icon-16" aria-hidden />}
          title="Bench's data in this browser was deleted."
          {...(currentId === undefined
            ? {}
            : { action: { label: 'Save this session as a file', onClick: () => saveAsFile(currentId) } })}
        >
          Another tab or the browser deleted it. The contents of this tab are kept and saved again. All other
          sessions are lost.
        </Banner>
      )}
      {storageProblem !== undefined && !isOutdated && mode !== 'read-only' && (
        <Banner
          tone="warn"
          role="status"
          icon={<CloudOff className="icon-16" aria-hidden />}
          title="Changes could not be saved."
          action={{ label: 'Save now', onClick: () => void recorder.flush({ strict: true }) }}
        >
          They are kept in this tab until they can be saved. Free up space or delete old sessions. The browser
          reports: {storageProblem}
        </Banner>
      )}
      {isSlow && !isOutdated && (
        <Banner
          tone="warn"
          role="status"
          icon={<CloudOff className="icon-16" aria-hidden />}
          title="Saving is slow in this browser."
        >
          Changes are kept in this tab until they are saved.
        </Banner>
      )}
      {mode === 'read-only' && (
        <Banner
          tone="warn"
          role="status"
          icon={<RefreshCw className="icon-16" aria-hidden />}
          title="The data in this browser was saved by a newer version of Bench."
          action={{ label: 'Reload', onClick: () => location.reload() }}
        >
          This older version can read and export your sessions. Changes are not saved.
        </Banner>
      )}
      {mode === 'memory' && (
        <Banner
          tone="warn"
          role="status"
          icon={<HardDrive className="icon-16" aria-hidden />}
          title="Storage is blocked in this browser."
        >
          Everything works, but sessions are lost when you close this tab.
        </Banner>
      )}
    </>
  );
}

export function OfflineBanner() {
  return (
    <Banner
      tone="ink"
      role="alert"
      icon={<WifiOff className="icon-16" aria-hidden />}
      title="You are offline."
    >
      You can still read and edit.
    </Banner>
  );
}

interface BannerProps {
  tone: 'ink' | 'warn';
  role: 'alert' | 'status';
  icon: ReactNode;
  title: string;
  action?: { label: string; onClick: () => void };
  children: ReactNode;
}

function Banner({ tone, role, icon, title, action, children }: BannerProps) {
  return (
    <div
      className={clsx(
        'flex min-h-9 items-center gap-2.5 border-b px-4 py-1.5 font-sans text-13',
        tone === 'ink'
          ? 'border-ink bg-ink text-on-ink'
          : 'border-[color-mix(in_oklab,var(--warn)_45%,var(--line))] bg-warn-wash [&>svg]:text-warn-ink',
      )}
      role={role}
    >
      {icon}
      <p className="min-w-0 flex-1 wrap-anywhere [&_code]:font-mono [&_code]:text-mono-12">
        <b className="font-600">{title}</b> {children}
      </p>
      {action && (
        <ButtonElement
          type="button"
          className="min-h-6 px-1 font-600 whitespace-nowrap underline underline-offset-3 max-phone:min-h-11"
          onClick={action.onClick}
        >
          {action.label}
        </ButtonElement>
      )}
    </div>
  );
}
