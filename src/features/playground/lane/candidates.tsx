import { Rows3, SquareCheck } from 'lucide-react';
import { useState } from 'react';

import type { Run, Turn } from '../../../conversation/types.ts';
import { usePlayground } from '../../../state/react.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChoiceView } from './choice-view.tsx';
import { VersionStepper } from './version-stepper.tsx';

/** The candidates of n > 1: one at a time behind a stepper, or all beneath each other. The one chosen goes on. */
export function Candidates({ turn, run, raw }: { turn: Turn; run: Run; raw: boolean }) {
  const { actions } = usePlayground();
  const [all, setAll] = useState(false);
  const shown = turn.shownChoice ?? 0;
  const count = run.choices.length;
  return (
    <>
      <div className="candidates-bar">
        <VersionStepper
          what="candidate"
          shown={shown + 1}
          count={count}
          onStep={(step) => actions.showChoice(turn.id, shown + step)}
        />
        <Button size="small" look="quiet" aria-pressed={all} onClick={() => setAll(!all)}>
          <Rows3 className="i s" aria-hidden />
          {all ? 'Show one' : 'Show all'}
        </Button>
      </div>
      {all ? (
        run.choices.map((_, index) => (
          <section key={index} className="candidate" aria-label={`Candidate ${index + 1} of ${count}`}>
            <h3>
              Candidate {index + 1}
              {index === shown ? (
                <span className="st ok">
                  <SquareCheck className="i" aria-hidden />
                  Goes on in the conversation
                </span>
              ) : (
                <Button size="small" look="quiet" onClick={() => actions.showChoice(turn.id, index)}>
                  Go on with this one
                </Button>
              )}
            </h3>
            <ChoiceView turn={turn} run={run} index={index} raw={raw} />
          </section>
        ))
      ) : (
        <ChoiceView turn={turn} run={run} index={shown} raw={raw} />
      )}
    </>
  );
}
