import { use, useId, useRef, type KeyboardEvent } from 'react';

import { demoNoteOf } from '../../embedding/items/demo-note.ts';
import { shownSet, staleCount, type LabTab, type Slot } from '../../state/lab/lab-state.ts';
import { openLab } from '../../state/lab/lab.ts';
import { usePlayground } from '../../state/use-playground.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Blank } from '../../ui/display/empty-state.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { Tag } from '../../ui/display/tag.tsx';
import { useMedia } from '../../ui/hooks/use-media-query.ts';
import {
  useAnnouncedJob,
  useEscapeStopsJob,
  useFirstEmbeddingModel,
  useWantedSet,
} from './hooks/use-lab-screen.ts';
import { useLab, useLabState } from './hooks/use-lab.ts';
import { JobPanel } from './job-panel.tsx';
import { JobStrip } from './job-strip.tsx';
import { LabBar } from './lab-bar.tsx';
import { MapView } from './map/map-view.tsx';
import { NearestView } from './nearest/nearest-view.tsx';
import { SimilarityView } from './similarity/similarity-view.tsx';
import { TextsPanel } from './texts/texts-panel.tsx';
import { WireView } from './texts/wire-view.tsx';
import { createVectorEngine } from './vector-engine.ts';
import { CompareView } from './views/compare-view.tsx';
import { DimensionsView } from './views/dimensions-view.tsx';
import { useShownView, type ShownView } from './views/use-vectors.ts';
import { ViewBlank } from './views/view-frame.tsx';

/** The embeddings lab: texts in; which are alike, how sure that is, and what a smaller size or another model would change. */
export function EmbeddingsScreen() {
  const playground = usePlayground();
  use(playground.lab.open(() => openLab(playground, createVectorEngine())));
  return <Lab />;
}

/** wide: four views at once. middle: the texts beside one view. small: one thing at a time. */
type LabWidth = 'wide' | 'middle' | 'small';

const views: readonly LabTab[] = ['map', 'similarity', 'nearest', 'dimensions', 'compare', 'wire'];
const tabsOf: Record<LabWidth, readonly LabTab[]> = {
  wide: ['overview', ...views],
  middle: views,
  small: ['texts', ...views],
};

function Lab() {
  useAnnouncedJob();
  useFirstEmbeddingModel();
  useEscapeStopsJob();
  useWantedSet();
  const panelId = useId();
  const isWide = useMedia('(width >= 1200px)');
  const isMiddle = useMedia('(width >= 900px)');
  const width: LabWidth = isWide ? 'wide' : isMiddle ? 'middle' : 'small';
  const tab = useLabState((state) => state.tab);
  const set = useLabState(shownSet);
  const note = set && demoNoteOf(set.model);
  const tabs = tabsOf[width];
  const shown = tabs.includes(tab) ? tab : (tabs[0] ?? tab);
  const hasSide = width !== 'small';
  const isStale = useLabState((state) => staleCount(state) !== undefined);
  // What the field would look through is on its way out while other texts are embedded.
  const hasFind = hasSide && set !== undefined && !isStale;

  return (
    <main className={`${grids[width]} min-h-0 bg-paper`} data-region>
      <LabBar isShort={width === 'small' && shown !== 'texts'} />
      <JobPanel />
      {hasSide && <TextsPanel className="col-start-1 row-start-3" hasFind={hasFind} />}
      <section
        className={`flex min-h-0 max-w-full min-w-0 flex-col ${hasSide ? 'col-start-2 row-span-2 row-start-2' : ''}`}
        aria-label="Results"
      >
        <div className="flex flex-none flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line bg-bench px-4 max-[900px]:px-2">
          <LabTabs tabs={tabs} shown={shown} panelId={panelId} />
          <span className="grow" />
          <ModelSwitch />
          {note !== undefined && <Tag>{note}</Tag>}
        </div>
        <JobStrip />
        <div
          id={panelId}
          className="min-h-0 flex-[1_1_0] overflow-hidden max-[900px]:h-[max(440px,72vh)] max-[900px]:min-h-110 max-[900px]:flex-none"
          role="tabpanel"
          aria-labelledby={`${panelId}-${shown}`}
        >
          <LabViews tab={shown} hasFind={hasFind} />
        </div>
      </section>
    </main>
  );
}

/** The bar, then the job, then the texts beside the results. */
const grids: Record<LabWidth, string> = {
  wide: 'grid grid-cols-[420px_minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)]',
  middle: 'grid grid-cols-[340px_minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)]',
  // One column: the views scroll with the screen, the bar above them.
  small: 'grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)] overflow-auto',
};

/** What a tab shows. `hasFind`: the field for a query stands elsewhere already. */
function LabViews({ tab, hasFind }: { tab: LabTab; hasFind: boolean }) {
  const shown = useShownView();
  const isEmbedding = useLabState((state) => state.active !== undefined);
  if (tab === 'wire') return <WireView />;
  if (tab === 'texts') return <TextsPanel hasFind={false} />;
  if (shown) return <SetViews shown={shown} tab={tab} hasFind={hasFind} />;
  if (isEmbedding) return <ViewBlank>The results appear when the texts are embedded.</ViewBlank>;
  return tab === 'compare' ? <CompareView /> : <NothingEmbedded />;
}

function NothingEmbedded() {
  return (
    <Blank
      of="part"
      title="Find similar texts"
      texts={[
        'Each text becomes a vector. The cosine of two vectors says how close they are: 1 means the same direction, 0 means unrelated directions.',
        'Paste texts, choose an example or open a file, then press Embed.',
      ]}
    />
  );
}

interface SetViewsProps {
  shown: ShownView;
  tab: LabTab;
  /** The field for a query stands elsewhere already. */
  hasFind: boolean;
}

/** The views of what is embedded. */
function SetViews({ shown, tab, hasFind }: SetViewsProps) {
  switch (tab) {
    case 'overview':
      return (
        <div className="grid h-full grid-cols-[minmax(0,484fr)_minmax(0,536fr)] grid-rows-[minmax(0,1.55fr)_minmax(0,1fr)] gap-px bg-line">
          <MapView shown={shown} />
          <SimilarityView shown={shown} />
          <NearestView hasField={!hasFind} />
          <DimensionsView shown={shown} />
        </div>
      );
    case 'map':
      return <MapView shown={shown} />;
    case 'similarity':
      return <SimilarityView shown={shown} />;
    case 'nearest':
      return <NearestView hasField={!hasFind} />;
    case 'dimensions':
      return <DimensionsView shown={shown} />;
    default:
      return <CompareView />;
  }
}

const labels: Record<LabTab, string> = {
  overview: 'Overview',
  texts: 'Texts',
  map: 'Map',
  similarity: 'Similarity',
  nearest: 'Nearest',
  dimensions: 'Dimensions',
  compare: 'Compare',
  wire: 'Wire',
};

interface LabTabsProps {
  tabs: readonly LabTab[];
  shown: LabTab;
  panelId: string;
}

/** The views of the lab: one tab stop, arrows choose. */
function LabTabs({ tabs, shown, panelId }: LabTabsProps) {
  const { show } = useLab();
  const buttons = useRef<Partial<Record<LabTab, HTMLButtonElement | null>>>({});
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.indexOf(shown);
    const places: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    const next = tabs[(place + tabs.length) % tabs.length] ?? shown;
    show(next);
    buttons.current[next]?.focus();
  };
  return (
    <div
      className="flex min-w-0 [scrollbar-width:none] overflow-x-auto"
      role="tablist"
      tabIndex={-1}
      aria-label="Views"
      onKeyDown={onKeyDown}
    >
      {tabs.map((tab) => (
        <button
          key={tab}
          ref={(button) => {
            buttons.current[tab] = button;
          }}
          type="button"
          role="tab"
          id={`${panelId}-${tab}`}
          aria-selected={tab === shown}
          aria-controls={panelId}
          tabIndex={tab === shown ? 0 : -1}
          className="h-[34px] flex-none px-2.5 text-13 text-ink-2 shadow-[inset_0_-2px_transparent] outline-offset-[-3px] hover:text-ink aria-selected:font-semibold aria-selected:text-ink aria-selected:shadow-[inset_0_-2px_var(--needle)] max-[900px]:h-11"
          onClick={() => show(tab)}
        >
          {labels[tab]}
        </button>
      ))}
    </div>
  );
}

/** Which of two models the views show; nothing while there is only one. */
function ModelSwitch() {
  const { showSlot } = useLab();
  const sets = useLabState((state) => state.sets);
  const shown = useLabState((state) => state.shownSlot);
  const { A, B } = sets;
  if (!A || !B) return null;
  const choice = (slot: Slot, model: string) => ({
    value: slot,
    label: `${slot}, ${model}`,
    shown: (
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
      <span className="text-ink-3">Shown model</span>
      <Segmented
        label="Model shown in the views"
        value={shown}
        choices={[choice('A', A.model), choice('B', B.model)]}
        onChange={showSlot}
      />
    </span>
  );
}
