import { lazyView } from '../../ui/hooks/lazy-view.tsx';
import type { LabTab } from './lab/lab-store.ts';
import { SetViews } from './set-views.tsx';
import { TextsPanel } from './texts/texts-panel.tsx';
import { useShownView } from './views/use-vectors.ts';

const waiting = <div aria-busy />;
const WireView = lazyView(async () => (await import('./texts/wire-view.tsx')).WireView, waiting);

/** What a tab shows. `hasFind`: the field for a query stands elsewhere already. */
export function LabViews({ tab, hasFind }: { tab: LabTab; hasFind: boolean }) {
  const shown = useShownView();
  if (tab === 'wire') return <WireView />;
  if (tab === 'texts') return <TextsPanel hasFind={false} />;
  return shown ? <SetViews shown={shown} tab={tab} hasFind={hasFind} /> : <Blank />;
}

function Blank() {
  return (
    <div className="blank">
      <h2>Find similar texts</h2>
      <p>
        Each text becomes a vector. The cosine of two vectors says how close they are: 1 means the same
        direction, 0 means unrelated directions.
      </p>
      <p>Paste texts, choose an example or open a file, then press Embed.</p>
    </div>
  );
}
