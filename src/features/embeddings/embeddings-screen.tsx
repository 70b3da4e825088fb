import { use } from 'react';

import { connectEngine } from '../../embedding/engine/engine-messages.ts';
import type { VectorEngine } from '../../embedding/engine/engine.ts';
import { getDemoModelNote } from '../../embedding/items/demo-note.ts';
import { useLazyLab, useLibraryServices, useAppServices, useSessionServices } from '../../state/contexts.tsx';
import { getShownSet, countStaleTexts, type LabTab, type ModelSlot } from '../../state/lab/lab-state.ts';
import { openLab } from '../../state/lab/lab.ts';
import { createScriptUrl } from '../../ui/app-script-url.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../../ui/controls/tabs.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { ListPlus } from '../../ui/late-icons.tsx';
import {
  useJobAnnouncements,
  useEscapeStopsJob,
  useDefaultEmbeddingModel,
  useRequestedSet,
} from './hooks/use-lab-screen.ts';
import { useFormatModel, useLab, useLabState } from './hooks/use-lab.ts';
import { JobPanel } from './job-panel.tsx';
import { JobStrip } from './job-strip.tsx';
import { LabBar } from './lab-bar.tsx';
import { MapView } from './map/map-view.tsx';
import { NearestView } from './nearest/nearest-view.tsx';
import { SimilarityView } from './similarity/similarity-view.tsx';
import { createStarterInput, textStarters } from './texts/starter-texts.ts';
import { TextsPanel } from './texts/texts-panel.tsx';
import { WireView } from './texts/wire-view.tsx';
import type { HelperMessage } from './vector-worker.ts';
import { default as workerAddress } from './vector-worker.ts?worker&url';
import { CompareView } from './views/compare-view.tsx';
import { DimensionsView } from './views/dimensions-view.tsx';
import { useSetView, type SetViewModel } from './views/use-vector-query.ts';
import { ViewEmptyState } from './views/view-frame.tsx';

/**
 * Embeddings lab: shows which texts are alike, how certain the result is, and the effect of fewer dimensions or another
 * model.
 */
export function EmbeddingsScreen() {
  const { actions } = useSessionServices();
  const { page, gateways, unsaved } = useAppServices();
  const { storage } = useLibraryServices();
  const lazyLab = useLazyLab();
  use(
    lazyLab.load(() => openLab({ lazyLab, storage, page, actions, gateways, unsaved }, createVectorEngine())),
  );
  return <Lab />;
}

/** Layouts. `wide`: four views together; `middle`: the texts beside one view; `small`: one panel at a time. */
type LabLayout = 'wide' | 'middle' | 'small';

const views: readonly LabTab[] = ['map', 'similarity', 'nearest', 'dimensions', 'compare', 'wire'];
const tabsByWidth: Record<LabLayout, readonly LabTab[]> = {
  wide: ['overview', ...views],
  middle: views,
  small: ['texts', ...views],
};

function Lab() {
  useJobAnnouncements();
  useDefaultEmbeddingModel();
  useEscapeStopsJob();
  useRequestedSet();
  const { showTab } = useLab();
  const isWide = useMediaQuery('(width >= 1200px)');
  const isMiddle = useMediaQuery('(width >= 900px)');
  const layout: LabLayout = isWide ? 'wide' : isMiddle ? 'middle' : 'small';
  const tab = useLabState((state) => state.tab);
  const set = useLabState(getShownSet);
  const note = set && getDemoModelNote(set.model);
  const tabs = tabsByWidth[layout];
  const activeTab = tabs.includes(tab) ? tab : (tabs[0] ?? tab);
  const hasSidePanel = layout !== 'small';
  const isStale = useLabState((state) => countStaleTexts(state) !== undefined);
  // The search field is hidden while other texts are being embedded, because the current results are about to be
  // replaced.
  const hasFindField = hasSidePanel && set !== undefined && !isStale;

  return (
    <main className={`${gridClasses[layout]} min-h-0 bg-paper`} data-region>
      <LabBar isShort={layout === 'small' && activeTab !== 'texts'} />
      <JobPanel />
      {hasSidePanel && <TextsPanel className="col-start-1 row-start-3" hasFindField={hasFindField} />}
      <Tabs
        value={activeTab}
        onValueChange={showTab}
        render={
          <section
            className={`flex min-h-0 max-w-full min-w-0 flex-col ${hasSidePanel ? 'col-start-2 row-span-2 row-start-2' : ''}`}
            aria-label="Results"
          />
        }
      >
        <div className="flex flex-none flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line bg-bench px-4 @max-4xl/page:px-2">
          <LabTabs tabs={tabs} />
          <span className="grow" />
          <ModelSwitch />
          {note !== undefined && <span className="text-12 text-ink-3">{note}</span>}
        </div>
        <JobStrip />
        <TabPanel
          value={activeTab}
          className="min-h-0 flex-[1_1_0] overflow-hidden @max-4xl/page:h-[max(440px,72vh)] @max-4xl/page:min-h-110 @max-4xl/page:flex-none"
        >
          <LabViews tab={activeTab} hasFindField={hasFindField} />
        </TabPanel>
      </Tabs>
    </main>
  );
}

/** The bar, then the job, then the texts beside the results. */
const gridClasses: Record<LabLayout, string> = {
  wide: 'grid grid-cols-[420px_minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)]',
  middle: 'grid grid-cols-[340px_minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)]',
  // In one column, the views scroll with the screen below the bar.
  small: 'grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)] overflow-auto',
};

/** Content of a tab. `hasFindField`: the query field is already shown elsewhere. */
function LabViews({ tab, hasFindField }: { tab: LabTab; hasFindField: boolean }) {
  const setView = useSetView();
  const isEmbedding = useLabState((state) => state.activeSlot !== undefined);
  if (tab === 'wire') return <WireView />;
  if (tab === 'texts') return <TextsPanel hasFindField={false} />;
  if (setView) return <SetViews setView={setView} tab={tab} hasFindField={hasFindField} />;
  if (isEmbedding) return <ViewEmptyState>Results appear once the texts are embedded.</ViewEmptyState>;
  return tab === 'compare' ? <CompareView /> : <NoEmbeddings />;
}

function NoEmbeddings() {
  const { edit } = useLab();
  return (
    <EmptyState
      scope="part"
      title="Find similar texts"
      texts={[
        'Each text becomes a vector. Similarity scores run from 0 (unrelated) to 1 (same meaning).',
        'Paste texts, choose an example or open a file, then press Embed.',
      ]}
    >
      <ul className="w-140 max-w-full" aria-label="Example texts">
        {textStarters.map(({ id, name, description }) => (
          <li key={id} className="border-b border-line first:border-t">
            <button
              type="button"
              className="flex w-full items-center gap-3 px-2 py-2.75 text-left text-14 text-ink-2 normal-nums hover:bg-hover hover:text-ink"
              onClick={() => edit(createStarterInput(id))}
            >
              <ListPlus className="icon-16 flex-none text-ink-3" aria-hidden />
              <span>
                <b className="font-600 text-ink">{name}</b> {description}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </EmptyState>
  );
}

interface SetViewsProps {
  setView: SetViewModel;
  tab: LabTab;
  /** True if the query field is already shown elsewhere. */
  hasFindField: boolean;
}

/** Views of the embedded set. */
function SetViews({ setView, tab, hasFindField }: SetViewsProps) {
  switch (tab) {
    case 'overview':
      return (
        <div className="grid h-full grid-cols-[minmax(0,484fr)_minmax(0,536fr)] grid-rows-[minmax(0,1.55fr)_minmax(0,1fr)] gap-px bg-line">
          <MapView setView={setView} />
          <SimilarityView setView={setView} />
          <NearestView hasField={!hasFindField} />
          <DimensionsView setView={setView} />
        </div>
      );
    case 'map':
      return <MapView setView={setView} />;
    case 'similarity':
      return <SimilarityView setView={setView} />;
    case 'nearest':
      return <NearestView hasField={!hasFindField} />;
    case 'dimensions':
      return <DimensionsView setView={setView} />;
    default:
      return <CompareView />;
  }
}

const tabLabels: Record<LabTab, string> = {
  overview: 'Overview',
  texts: 'Texts',
  map: 'Map',
  similarity: 'Similarity',
  nearest: 'Nearest',
  dimensions: 'Dimensions',
  compare: 'Compare',
  wire: 'Wire',
};

/** Tabs of the lab. */
function LabTabs({ tabs }: { tabs: readonly LabTab[] }) {
  return (
    <TabList className="flex min-w-0 [scrollbar-width:none] overflow-x-auto" aria-label="Views">
      {tabs.map((tab) => (
        <Tab
          key={tab}
          value={tab}
          className="h-[34px] flex-none px-2.5 text-13 text-ink-2 shadow-[inset_0_-2px_transparent] outline-offset-[-3px] hover:text-ink data-active:font-semibold data-active:text-ink data-active:shadow-[inset_0_-2px_var(--needle)] @max-4xl/page:h-11"
        >
          {tabLabels[tab]}
        </Tab>
      ))}
    </TabList>
  );
}

/** Switches the views between two models; renders nothing if there is only one. */
function ModelSwitch() {
  const { showSlot } = useLab();
  const sets = useLabState((state) => state.sets);
  const visibleSlot = useLabState((state) => state.shownSlot);
  const formatModel = useFormatModel();
  const { A, B } = sets;
  if (!A || !B) return null;
  const createChoice = (slot: ModelSlot, model: string) => ({
    value: slot,
    label: `${slot}, ${model}`,
    content: (
      <>
        <LaneTile letter={slot} />
        <span className="sr-only">{model}</span>
      </>
    ),
  });
  return (
    <span
      className="inline-flex items-center gap-1.5 text-12 whitespace-nowrap"
      title="Press M to switch models"
    >
      <span className="text-ink-3">Model in views</span>
      <Segmented
        label="Model in views"
        value={visibleSlot}
        choices={[createChoice('A', formatModel(A)), createChoice('B', formatModel(B))]}
        onChange={showSlot}
      />
    </span>
  );
}

/** Maximum number of helper threads; more have little benefit, because they share one memory. */
const maxHelpers = 3;

/** Creates the vector engine; its worker starts with the first call. */
function createVectorEngine(): VectorEngine {
  return connectEngine(async (onLost) => {
    const startWorker = () => new Worker(createScriptUrl(workerAddress), { type: 'module' });
    const worker = startWorker();
    const helpers = Array.from(
      { length: Math.min(maxHelpers, Math.max(0, navigator.hardwareConcurrency - 1)) },
      startWorker,
    );
    for (const helper of helpers) {
      const { port1, port2 } = new MessageChannel();
      helper.postMessage({ role: 'is-helper', port: port1 } satisfies HelperMessage, [port1]);
      worker.postMessage({ role: 'has-helper', port: port2 } satisfies HelperMessage, [port2]);
    }
    const stop = () => [worker, ...helpers].forEach((thread) => thread.terminate());
    for (const thread of [worker, ...helpers]) {
      thread.addEventListener('error', () => {
        stop();
        onLost(
          'The vector engine has stopped. Your texts and vectors are kept. Embed again to load them. Stored vectors are not requested again.',
        );
      });
    }
    return { port: worker, stop };
  });
}
