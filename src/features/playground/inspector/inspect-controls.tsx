import { Activity, Code } from 'lucide-react';
import { laneLetter } from '../../../conversation/tree.ts';
import { inspectedIn, type InspectorTab } from '../../../state/inspector.ts';
import { useInspector, usePlayground, useSessionParts } from '../../../state/react.tsx';
import { Button } from '../../../ui/button.tsx';
import { LaneTile } from '../../../ui/lane-tile.tsx';
import { Segmented } from '../../../ui/segmented.tsx';

/** In the session bar: opens the inspector; while it is open, chooses the lane that it shows. */
export function InspectControls() {
  const { inspector, view } = usePlayground();
  const state = useInspector((now) => now);
  const laneIds = useSessionParts((data) => data.session.laneIds) ?? [];
  const shownLane = useSessionParts((data) => inspectedIn(data, state).laneId);
  if (state.open) {
    if (laneIds.length < 2) return null;
    const choices = laneIds.map((laneId, index) => {
      const letter = laneLetter(index);
      return { value: laneId, label: `Inspect lane ${letter}`, shown: <LaneTile letter={letter} /> };
    });
    return (
      <Segmented
        label="Inspected lane"
        value={shownLane ?? ''}
        choices={choices}
        onChange={(laneId) => inspector.setState({ laneId, turnId: undefined, picked: undefined })}
      />
    );
  }
  const open = (tab: InspectorTab) =>
    inspector.setState({ open: true, tab, laneId: view.getState().scope, turnId: undefined, picked: undefined });
  return (
    <>
      <Button look="quiet" aria-label="Inspect" title="Inspect" data-opens-inspector onClick={() => open('events')}>
        <Activity className="i s" aria-hidden />
        <span className="words">Inspect</span>
      </Button>
      <Button look="quiet" aria-label="Get code" title="Get code" onClick={() => open('request')}>
        <Code className="i s" aria-hidden />
        <span className="words">Get code</span>
      </Button>
    </>
  );
}
