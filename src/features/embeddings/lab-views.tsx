import { lazyView } from '../../ui/lazy-view.tsx';
import { useIdleLoad } from '../../ui/use-idle-load.ts';
import { shownSet, type LabTab } from './lab-store.ts';
import { TextsPanel } from './texts-panel.tsx';
import { useLabState } from './use-lab.ts';

const load = {
  map: () => import('./views/map-view.tsx'),
  similarity: () => import('./views/similarity-view.tsx'),
  nearest: () => import('./views/nearest-view.tsx'),
  dimensions: () => import('./views/dimensions-view.tsx'),
};
const waiting = <div aria-busy />;
const MapView = lazyView(async () => (await load.map()).MapView, waiting);
const SimilarityView = lazyView(async () => (await load.similarity()).SimilarityView, waiting);
const NearestView = lazyView(async () => (await load.nearest()).NearestView, waiting);
const DimensionsView = lazyView(async () => (await load.dimensions()).DimensionsView, waiting);
const CompareView = lazyView(async () => (await import('./views/compare-view.tsx')).CompareView, waiting);
const WireView = lazyView(async () => (await import('./wire-view.tsx')).WireView, waiting);

/** Fetches the views that are shown as soon as something is embedded. */
async function loadViews(): Promise<void> {
  await Promise.all(Object.values(load).map((one) => one()));
}

/** What a tab shows. `hasFind`: the field for a query stands elsewhere already. */
export function LabViews({ tab, hasFind }: { tab: LabTab; hasFind: boolean }) {
  useIdleLoad(loadViews);
  const isThere = useLabState((state) => shownSet(state) !== undefined);
  if (tab === 'wire') return <WireView />;
  if (tab === 'texts') return <TextsPanel hasFind={false} />;
  if (!isThere) return <Blank />;
  switch (tab) {
    case 'overview':
      return (
        <div className="lab-overview">
          <MapView />
          <SimilarityView />
          <NearestView hasField={!hasFind} />
          <DimensionsView />
        </div>
      );
    case 'map':
      return <MapView />;
    case 'similarity':
      return <SimilarityView />;
    case 'nearest':
      return <NearestView hasField={!hasFind} />;
    case 'dimensions':
      return <DimensionsView />;
    default:
      return <CompareView />;
  }
}

function Blank() {
  return (
    <div className="blank">
      <h2>See which texts mean the same</h2>
      <p>
        Each text becomes a vector. The cosine of two vectors says how close they are: 1 is the same
        direction, 0 has nothing in common.
      </p>
      <p>Write texts, take an example or a file, then embed.</p>
    </div>
  );
}
