/**
 * The views of what is embedded. They come with the screen: packed together both are smaller, and what was embedded
 * last is on screen after one fetch.
 */
import { lazyView } from '../../ui/lazy-view.tsx';
import type { LabTab } from './lab-store.ts';
import { DimensionsView } from './views/dimensions-view.tsx';
import { MapView } from './views/map-view.tsx';
import { NearestView } from './views/nearest-view.tsx';
import { SimilarityView } from './views/similarity-view.tsx';

const CompareView = lazyView(async () => (await import('./views/compare-view.tsx')).CompareView);

/** `hasFind`: the field for a query stands elsewhere already. */
export function SetViews({ tab, hasFind }: { tab: LabTab; hasFind: boolean }) {
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
