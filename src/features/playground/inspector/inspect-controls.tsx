import { Activity, Code } from 'lucide-react';

import { laneLetter } from '../../../conversation/tree.ts';
import { inspectedIn, type InspectorTab } from '../../../state/inspector.ts';
import { useInspector, usePlayground, useSession } from '../../../state/react.tsx';
import { Button } from '../../../ui/button.tsx';
import { LaneTile } from '../../../ui/lane-tile.tsx';
import { Segmented } from '../../../ui/segmented.tsx';

/** In the session bar: opens the inspector; while it is open, chooses the lane that it shows. */
export function InspectControls() {
  const { inspector, view } = usePlayground();
  const isOpen = useInspector((state) => state.open);
  const laneId = useInspector((state) => state.laneId);
  const laneIds = useSession((data) => data.session.laneIds) ?? [];
  const shownLane = useSession((data) => inspectedIn(data, { laneId }).laneId);
  if (isOpen) {
    if (laneIds.length < 2) return null;
    const choices = laneIds.map((id, index) => {
      const letter = laneLetter(index);
      return { value: id, label: `Inspect lane ${letter}`, shown: <LaneTile letter={letter} /> };
    });
    return (
      <Segmented
        label="Inspected lane"
        value={shownLane ?? ''}
        choices={choices}
        onChange={(chosen) => inspector.setState({ laneId: chosen, turnId: undefined, picked: undefined })}
      />
    );
  }
  const open = (tab: InspectorTab) =>
    inspector.setState({
      open: true,
      tab,
      laneId: view.getState().scope,
      turnId: undefined,
      picked: undefined,
    });
  return (
    <>
      <Button
        look="quiet"
        aria-label="Inspect"
        title="Inspect"
        data-opens-inspector
        onClick={() => open('events')}
      >
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
