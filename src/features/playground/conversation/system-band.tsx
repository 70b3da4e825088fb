import { laneLetter } from '../../../conversation/session/tree.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { usePlayground, useSessionParts, useView } from '../../../state/react.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';

/**
 * The system prompt, edited where it stands: one field over all lanes that share it, one per lane where
 * they differ. It is sent first, and only when it is not empty.
 */
export function SystemBand() {
  const lanes =
    useSessionParts((data) => data.session.laneIds.flatMap((laneId) => data.lanes[laneId] ?? [])) ?? [];
  const scope = useView((view) => view.scope);
  const texts = lanes.map((lane) => lane.setup.system);
  const isShared = texts.every((text) => text === texts[0]) && scope === undefined;
  if (isShared) return <SystemField laneIds={lanes.map((lane) => lane.id)} system={texts[0] ?? ''} />;
  return (
    <div className="band-split">
      {lanes.map((lane, index) => (
        <SystemField
          key={lane.id}
          laneIds={[lane.id]}
          system={lane.setup.system}
          letter={laneLetter(index)}
        />
      ))}
    </div>
  );
}

function SystemField({
  laneIds,
  system,
  letter,
}: {
  laneIds: readonly LaneId[];
  system: string;
  letter?: string;
}) {
  const { actions } = usePlayground();
  const isSent = system.trim() !== '';
  return (
    <div className="band sys" {...(isSent ? { role: 'article', 'aria-label': 'System message' } : {})}>
      <div className="col">
        <span>{letter === undefined ? 'System' : <LaneTile letter={letter} />}</span>
        <TextArea
          aria-label={letter === undefined ? 'System prompt' : `System prompt, lane ${letter}`}
          dir="auto"
          rows={1}
          value={system}
          placeholder="Add a system prompt"
          onText={(next) => actions.changeSetups(laneIds, (setup) => ({ ...setup, system: next }))}
        />
        <span />
      </div>
    </div>
  );
}
