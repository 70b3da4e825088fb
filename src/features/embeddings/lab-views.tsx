import { lazy, Suspense } from 'react';

import { shownSet, type LabTab } from './lab-store.ts';
import { TextsPanel } from './texts-panel.tsx';
import { useLabState } from './use-lab.ts';
import { CompareView } from './views/compare-view.tsx';
import { DimensionsView } from './views/dimensions-view.tsx';
import { MapView } from './views/map-view.tsx';
import { NearestView } from './views/nearest-view.tsx';
import { SimilarityView } from './views/similarity-view.tsx';

const WireView = lazy(async () => ({ default: (await import('./wire-view.tsx')).WireView }));

/** What a tab shows. `hasFind`: the field for a query stands elsewhere already. */
export function LabViews({ tab, hasFind }: { tab: LabTab; hasFind: boolean }) {
  const isThere = useLabState((state) => shownSet(state) !== undefined);
  if (tab === 'wire') {
    return (
      <Suspense fallback={null}>
        <WireView />
      </Suspense>
    );
  }
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
        Each text becomes a vector. The cosine of two vectors says how close they are: 1 is the same direction, 0 has
        nothing in common.
      </p>
      <p>Write texts, take an example or a file, then embed.</p>
    </div>
  );
}
