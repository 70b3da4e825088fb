import { differingParams } from '../../../conversation/differing-params.ts';
import { useSessionParts } from '../../../state/react.tsx';

/** The values of this lane that are not the same in all lanes. */
export function LaneChips({ laneId }: { laneId: string }) {
  const chips = useSessionParts((data) => {
    const params = data.session.laneIds.map((id) => data.lanes[id]?.setup.params ?? {});
    const own = data.lanes[laneId]?.setup.params ?? {};
    return differingParams(params).map((name) => `${name} ${own[name]?.sent ? own[name].text : 'not sent'}`);
  });
  return (
    <>
      {chips?.map((chip) => (
        <span key={chip} className="chip diff" title={chip}>
          {chip.length > 34 ? `${chip.slice(0, 33)}…` : chip}
        </span>
      ))}
    </>
  );
}
