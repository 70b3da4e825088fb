import { ArrowDown } from 'lucide-react';
import { Fragment, useMemo, useRef } from 'react';
import { rowsOf } from '../../../conversation/rows.ts';
import { useSessionParts } from '../../../state/react.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyConversation } from './empty-conversation.tsx';
import { PromptBand } from './prompt-band.tsx';
import { SystemBand } from './system-band.tsx';
import { TurnView } from './turn-view.tsx';
import { useFollowEnd } from './use-follow-end.ts';

/** All turns of all lanes in one scroll area: prompts as bands, the replies beneath in their lanes. */
export function Conversation() {
  const parts = useSessionParts(({ session, lanes, prompts, turns }) => ({ session, lanes, prompts, turns }));
  const rows = useMemo(() => (parts ? rowsOf({ ...parts, runs: {} }) : []), [parts]);
  const scroller = useRef<HTMLElement>(null);
  const { following, toEnd } = useFollowEnd(scroller);
  const laneIds = parts?.session.laneIds ?? [];
  return (
    <div className="scroll-area">
      <section className="scroll" aria-label="Conversation" tabIndex={-1} ref={scroller}>
        <div className="scroll-content">
          <SystemBand />
          {rows.length === 0 && <EmptyConversation />}
          {rows.map((row) => (
            <Fragment key={row.promptId}>
              <PromptBand promptId={row.promptId} turnId={row.cells[0]?.turnId ?? ''} />
              <div className="turn">
                {laneIds.map((laneId, index) => {
                  const cell = row.cells.find((each) => each.laneId === laneId);
                  if (!cell) return <div key={laneId} className="reply" />;
                  return <TurnView key={laneId} turnId={cell.turnId} laneIndex={index} number={row.number} />;
                })}
              </div>
            </Fragment>
          ))}
        </div>
      </section>
      {!following && (
        <Button className="newest" size="small" onClick={toEnd}>
          <ArrowDown className="i s" aria-hidden />
          Newest
        </Button>
      )}
    </div>
  );
}
