import { laneLetter } from '../../../conversation/session/tree.ts';
import { usePlayground, useSessionParts, useView } from '../../../state/react.tsx';

/** Which lanes the next message goes to, where there are several: one lettered checkbox a lane. */
export function Targets() {
  const { view } = usePlayground();
  const laneIds = useSessionParts((data) => data.session.laneIds) ?? [];
  const notTo = useView((state) => state.notTo);
  if (laneIds.length < 2) return null;
  return (
    <span className="to" role="group" aria-label="Send to">
      To
      {laneIds.map((laneId, index) => {
        const letter = laneLetter(index);
        const isTarget = !notTo.includes(laneId);
        return (
          <label key={laneId} className={`lane-${letter.toLowerCase()}`} title={`Lane ${letter}`}>
            <input
              type="checkbox"
              aria-label={`To lane ${letter}`}
              checked={isTarget}
              onChange={() =>
                view.setState({ notTo: isTarget ? [...notTo, laneId] : notTo.filter((id) => id !== laneId) })
              }
            />
            <b className={`lt ${isTarget ? '' : 'off'}`} aria-hidden>
              {letter}
            </b>
          </label>
        );
      })}
    </span>
  );
}
