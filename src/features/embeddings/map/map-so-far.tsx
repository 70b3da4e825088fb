import { useMemo } from 'react';

import { formatCount } from '../../../lib/format.ts';
import { jobTexts } from '../../../state/lab/lab-state.ts';
import { emptyOverlay, type ScatterScene } from '../canvas/scatter-scene.ts';
import { useLabState } from '../hooks/use-lab.ts';
import { ViewBlank, ViewFrame } from '../views/view-frame.tsx';
import { groupsOfRows } from './map-marks.ts';
import { useScatter } from './use-scatter.ts';

const nothing = { onHover: () => {}, onPick: () => {}, onLasso: () => {} };

/** The map of what a job has so far, while it runs. */
export function MapSoFar() {
  const soFar = useLabState((state) => state.soFar);
  const total = useLabState((state) => jobTexts(state).texts.length);
  const texts = useLabState((state) => jobTexts(state).texts);
  const scene = useMemo((): ScatterScene | undefined => {
    if (!soFar) return undefined;
    const axes = { x: 'Component 1', y: 'Component 2' };
    const hasGroups = texts.some(({ group }) => group !== undefined);
    const colors = { by: 'group' as const, of: groupsOfRows(soFar.texts, texts) };
    return { xy: soFar.points, axes, ...(hasGroups ? { colors } : {}) };
  }, [soFar, texts]);
  const { host } = useScatter({ scene, overlay: emptyOverlay, drag: 'pan', events: nothing });
  return (
    <ViewFrame
      title="Map so far"
      isLive
      note={
        soFar &&
        `${formatCount(soFar.there)} of ${formatCount(total)}, updates each second${
          soFar.texts.length < soFar.there ? `, ${formatCount(soFar.texts.length)} drawn` : ''
        }`
      }
    >
      {!soFar && <ViewBlank>The map appears with the first vectors.</ViewBlank>}
      <div
        ref={host}
        className="lab-canvas"
        role="img"
        aria-label={soFar ? `Points so far, ${formatCount(soFar.texts.length)} texts` : 'No points so far'}
      />
    </ViewFrame>
  );
}
