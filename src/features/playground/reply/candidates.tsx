import { Rows3, SquareCheck } from 'lucide-react';
import { useState } from 'react';

import { candidateAt, candidatesOf } from '../../../conversation/session/candidates.ts';
import type { Run, Turn } from '../../../conversation/session/types.ts';
import { usePlayground } from '../../../state/react.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { VersionStepper } from '../message/version-stepper.tsx';
import { ChoiceView } from './choice-view.tsx';

/** The candidates of n > 1: one at a time behind a stepper, or all beneath each other. The one chosen goes on. */
export function Candidates({ turn, run, raw }: { turn: Turn; run: Run; raw: boolean }) {
  const { actions } = usePlayground();
  const [all, setAll] = useState(false);
  const candidates = candidatesOf(run);
  const shown = candidates.indexOf(candidateAt(run, turn.shownChoice));
  const count = candidates.length;
  // The first one is 0 for a turn, wherever the gateway began to count: what was said after it stays after it.
  const show = (place: number) => actions.showChoice(turn.id, place === 0 ? 0 : (candidates[place] ?? 0));
  return (
    <>
      <div className="candidates-bar">
        <VersionStepper
          what="candidate"
          shown={shown + 1}
          count={count}
          onStep={(step) => show(shown + step)}
        />
        <Button size="small" look="quiet" aria-pressed={all} onClick={() => setAll(!all)}>
          <Rows3 className="i s" aria-hidden />
          {all ? 'Show one' : 'Show all'}
        </Button>
      </div>
      {all ? (
        candidates.map((choice, place) => (
          <section key={choice} className="candidate" aria-label={`Candidate ${place + 1} of ${count}`}>
            <h3>
              Candidate {place + 1}
              {place === shown ? (
                <span className="st ok">
                  <SquareCheck className="i" aria-hidden />
                  Used in the conversation
                </span>
              ) : (
                <Button size="small" look="quiet" onClick={() => show(place)}>
                  Continue with this one
                </Button>
              )}
            </h3>
            <ChoiceView turn={turn} run={run} choice={choice} raw={raw} />
          </section>
        ))
      ) : (
        <ChoiceView turn={turn} run={run} choice={turn.shownChoice} raw={raw} />
      )}
    </>
  );
}
