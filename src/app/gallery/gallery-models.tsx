import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState, type ReactNode } from 'react';
import { createStore } from 'zustand/vanilla';

import { createEmptySession } from '../../conversation/session/edit-session.ts';
import { defaultParams } from '../../conversation/setup/params.ts';
import { LaneHeader } from '../../features/lanes/lane-header.tsx';
import { ModelListStatus } from '../../features/models/model-list-status.tsx';
import { ModelRow } from '../../features/models/model-row.tsx';
import { getModelsKey, useModels } from '../../features/models/use-models.ts';
import type { ModelList } from '../../gateway/models/models.ts';
import { ReplacedServices, useSessionServices, useAppServices } from '../../state/contexts.tsx';
import { defaultPrefs, type Prefs } from '../../state/prefs-store.ts';
import { getCurrentSession, type SessionState } from '../../state/sessions/session-store.ts';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';

const removedModelId = 'tallow/kiln-vl-3b';

const cachedModelList: ModelList = {
  models: [
    {
      id: 'tallow/kiln-vl-12b',
      kind: 'chat',
      abilities: { vision: true, tools: true },
      contextTokens: 131_072,
      raw: {},
    },
    {
      id: 'tallow/kiln-vl-32b',
      kind: 'chat',
      abilities: { vision: true, thinking: true },
      contextTokens: 65_536,
      raw: {},
    },
    { id: 'saltmarsh/kilter-9b', kind: 'chat', abilities: {}, raw: {} },
  ],
  text: '',
  hasMore: false,
  latencyMs: 84,
};

/** The picker's open list during a refresh: the last known models and a note that they are being updated. */
export function RefreshingModels() {
  return (
    <PendingModelList>
      <ModelPanel />
    </PendingModelList>
  );
}

function ModelPanel() {
  const list = useModels();
  const models = list.data?.models ?? [];
  const isNarrow = useMediaQuery('(width < 900px)');
  return (
    <div
      className={clsx(
        'model-picker group/models min-w-42 overflow-hidden rounded-3 border border-line-2 bg-raised font-sans text-13 text-ink',
        'normal-nums shadow-e-2',
      )}
      data-layout={isNarrow ? 'stacked' : 'columns'}
    >
      <header className="flex flex-wrap items-center gap-1.25 px-3 pt-2 pb-1.5 text-12 text-ink-3">
        <ModelListStatus lists={[{ list }]} count={models.length} total={models.length} />
      </header>
      <div
        className="relative max-h-[min(396px,60vh)] [scrollbar-width:thin] overflow-y-auto overscroll-contain p-1"
        role="listbox"
        aria-label="Models"
        tabIndex={0}
      >
        {models.map((model, index) => (
          <div
            key={model.id}
            role="option"
            aria-selected={index === 0}
            className="flex cursor-pointer items-center gap-1.5 rounded-2 px-2 text-13 whitespace-nowrap aria-selected:bg-hover"
          >
            <ModelRow
              option={{ id: model.id, label: model.id, choice: { model: model.id }, model }}
              learned={{}}
              firstTokenMs={[402, undefined, 'unmeasured' as const][index]}
              query="kil"
              isFavourite={index === 1}
              onToggleFavourite={() => undefined}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

/** A lane whose model is no longer listed. */
export function RemovedModel({ index }: { index: number }) {
  return (
    <PendingModelList>
      <RemovedModelLane index={index} />
    </PendingModelList>
  );
}

function RemovedModelLane({ index }: { index: number }) {
  const laneId = getCurrentSession(useSessionServices().session.getState())?.session.laneIds[0] ?? '';
  return (
    <div className="bg-paper" data-layout="one-lane">
      <div className="relative isolate grid border-b border-line">
        <LaneHeader laneId={laneId} index={index} />
      </div>
    </div>
  );
}

/** Provides a known model list whose refresh never finishes. */
function PendingModelList({ children }: { children: ReactNode }) {
  const { environment, gateways } = useAppServices();
  const [{ client, pendingServices }] = useState(() => {
    const client = new QueryClient();
    client.setQueryData(getModelsKey(), cachedModelList, { updatedAt: 1 });
    const data = createEmptySession(environment, [
      { model: removedModelId, system: '', params: defaultParams },
    ]);
    const session = createStore<SessionState>(() => ({
      currentId: data.session.id,
      open: { [data.session.id]: data },
      unreadable: [],
    }));
    const pendingServices = {
      session,
      renderedSession: session,
      prefs: createStore<Prefs>(() => ({
        ...defaultPrefs,
        recentModels: [removedModelId],
        listedModels: [removedModelId],
      })),
      gateways: {
        ...gateways,
        getClient: () => ({
          ...gateways.getClient(),
          listModels: () => new Promise<never>(() => undefined),
        }),
      },
    };
    return { client, pendingServices };
  });
  return (
    <QueryClientProvider client={client}>
      <ReplacedServices services={pendingServices}>{children}</ReplacedServices>
    </QueryClientProvider>
  );
}
