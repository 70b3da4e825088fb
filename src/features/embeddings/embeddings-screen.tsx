import { use, useId } from 'react';

import { usePlayground } from '../../state/react.tsx';
import { Tag } from '../../ui/display/tag.tsx';
import { useAnnouncedJob } from './hooks/use-announced-job.ts';
import { useFirstEmbeddingModel } from './hooks/use-first-embedding-model.ts';
import { LabControlContext } from './hooks/use-lab-control.ts';
import { useLabDeeds } from './hooks/use-lab-deeds.ts';
import { useLabWidth, type LabWidth } from './hooks/use-lab-width.ts';
import { LabContext, useLabState } from './hooks/use-lab.ts';
import { JobStrip } from './job-strip.tsx';
import { LabBar } from './lab-bar.tsx';
import { LabTabs } from './lab-tabs.tsx';
import { LabViews } from './lab-views.tsx';
import { shownSet, type LabTab } from './lab/lab-store.ts';
import { openLab } from './lab/open-lab.ts';
import { TextsPanel } from './texts/texts-panel.tsx';
import { ModelSwitch } from './views/model-switch.tsx';

import './embeddings.css';

/** The embeddings lab: texts in; which are alike, how sure that is, and what a smaller size or another model would change. */
export function EmbeddingsScreen() {
  const lab = use(openLab(usePlayground()));
  return (
    <LabContext value={lab}>
      <LabControlContext value={lab}>
        <Lab />
      </LabControlContext>
    </LabContext>
  );
}

const views: readonly LabTab[] = ['map', 'similarity', 'nearest', 'dimensions', 'compare', 'wire'];
const tabsOf: Record<LabWidth, readonly LabTab[]> = {
  wide: ['overview', ...views],
  middle: views,
  small: ['texts', ...views],
};

function Lab() {
  useLabDeeds();
  useAnnouncedJob();
  useFirstEmbeddingModel();
  const panelId = useId();
  const width = useLabWidth();
  const tab = useLabState((state) => state.tab);
  const set = useLabState(shownSet);
  const tabs = tabsOf[width];
  const shown = tabs.includes(tab) ? tab : (tabs[0] ?? tab);
  const hasSide = width !== 'small';
  const hasFind = hasSide && set !== undefined;

  return (
    <main className={`embeddings ${width}`}>
      <LabBar isShort={width === 'small' && shown !== 'texts'} />
      {hasSide && <TextsPanel hasFind={hasFind} />}
      <section className="lab" aria-label="Results">
        <div className="lab-head">
          <LabTabs tabs={tabs} shown={shown} panelId={panelId} />
          <span className="grow" />
          <ModelSwitch />
          {set?.isLexicalDemo === true && <Tag>Demo model: compares spelling, not meaning</Tag>}
        </div>
        <JobStrip />
        <div id={panelId} className="lab-panel" role="tabpanel" aria-labelledby={`${panelId}-${shown}`}>
          <LabViews tab={shown} hasFind={hasFind} />
        </div>
      </section>
    </main>
  );
}
