import { shownSet } from '../lab-store.ts';
import { useLabState } from '../use-lab.ts';
import { ViewBlank, ViewFrame } from './view-frame.tsx';

/** The Similarity view of the set that is shown; takes everything from the lab. */
export function SimilarityView() {
  const set = useLabState(shownSet);
  return (
    <ViewFrame title="Similarity">
      {set ? null : <ViewBlank>Embed some texts first. Then this view shows what their vectors say.</ViewBlank>}
    </ViewFrame>
  );
}
