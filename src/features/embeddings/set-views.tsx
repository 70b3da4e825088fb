/**
 * The views of what is embedded. They come with the screen: packed together both are smaller, and what was embedded
 * last is on screen after one fetch.
 */
import { lazyView } from '../../ui/hooks/lazy-view.tsx';
import type { LabTab } from './lab/lab-store.ts';
import { MapView } from './map/map-view.tsx';
import { NearestView } from './nearest/nearest-view.tsx';
import { SimilarityView } from './similarity/similarity-view.tsx';
import { DimensionsView } from './views/dimensions-view.tsx';
import type { ShownView } from './views/use-vectors.ts';

const CompareView = lazyView(async () => (await import('./views/compare-view.tsx')).CompareView);

interface SetViewsProps {
  shown: ShownView;
  tab: LabTab;
  /** The field for a query stands elsewhere already. */
  hasFind: boolean;
}

export function SetViews({ shown, tab, hasFind }: SetViewsProps) {
  switch (tab) {
    case 'overview':
      return (
        <div className="lab-overview">
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
