import { CloudOff, HardDrive, RefreshCw, ServerOff, WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';

import { useServerReach } from '../features/health/use-health.ts';
import { useOnline } from '../features/health/use-online.ts';
import { usePlayground, useStorageProblem } from '../state/react.tsx';
import type { PageStateStore } from './page-state.ts';

/** Strips under the top bar, each for something that concerns the whole page; none as long as all is well. */
export function Banners({ pageState }: { pageState: PageStateStore }) {
  const { recorder, storageMode } = usePlayground();
  const online = useOnline();
  const server = useServerReach();
  const storageProblem = useStorageProblem();
  const outdated = useStore(pageState, (state) => state.outdated);

  return (
    <div className="banners">
      {!online && <OfflineBanner />}
      {server.isGone && (
        <Banner
          tone="warn"
          role="status"
          icon={<ServerOff className="i" aria-hidden />}
          title="Bench's own server does not answer."
          action={{ label: server.isChecking ? 'Checking' : 'Check again', onAct: server.checkNow }}
        >
          Nothing can be sent until it runs again. Everything here is kept. Start it with{' '}
          <code>npm start</code>.
        </Banner>
      )}
      {outdated && (
        <Banner
          tone="warn"
          role="status"
          icon={<RefreshCw className="i" aria-hidden />}
          title="A newer Bench is open in another tab."
          action={{ label: 'Reload', onAct: () => location.reload() }}
        >
          This tab can no longer save. Reload it to go on here.
        </Banner>
      )}
      {storageProblem !== undefined && !outdated && storageMode !== 'read-only' && (
        <Banner
          tone="warn"
          role="status"
          icon={<CloudOff className="i" aria-hidden />}
          title="Saving does not work."
          action={{ label: 'Save now', onAct: () => void recorder.flush({ strict: true }) }}
        >
          What is new stays in this tab until it can be saved. Free some space, or delete old sessions. The
          browser says: {storageProblem}
        </Banner>
      )}
      {storageMode === 'read-only' && (
        <Banner
          tone="warn"
          role="status"
          icon={<RefreshCw className="i" aria-hidden />}
          title="A newer Bench keeps its sessions in this browser."
          action={{ label: 'Reload', onAct: () => location.reload() }}
        >
          This older one can read and export them. What is new here stays in this tab only.
        </Banner>
      )}
      {storageMode === 'memory' && (
        <Banner
          tone="warn"
          role="status"
          icon={<HardDrive className="i" aria-hidden />}
          title="This browser gives Bench no storage."
        >
          Everything works, but sessions are gone when this tab is closed.
        </Banner>
      )}
    </div>
  );
}

export function OfflineBanner() {
  return (
    <Banner tone="ink" role="alert" icon={<WifiOff className="i" aria-hidden />} title="You are offline.">
      Reading and editing work.
    </Banner>
  );
}

interface BannerProps {
  tone: 'ink' | 'warn';
  role: 'alert' | 'status';
  icon: ReactNode;
  title: string;
  action?: { label: string; onAct: () => void };
  children: ReactNode;
}

function Banner({ tone, role, icon, title, action, children }: BannerProps) {
  return (
    <div className={`banner ${tone}`} role={role}>
      {icon}
      <p>
        <b>{title}</b> {children}
      </p>
      {action && (
        <button type="button" onClick={action.onAct}>
          {action.label}
        </button>
      )}
    </div>
  );
}
