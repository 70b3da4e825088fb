import { useMemo, useState } from 'react';

import { textOfContent } from '../../../conversation/request/request.ts';
import { pathOf } from '../../../conversation/session/tree.ts';
import type { LaneId, SessionData } from '../../../conversation/session/types.ts';
import { variablesIn } from '../../../conversation/session/variables.ts';
import { plural } from '../../../lib/format.ts';
import { useSession, useSessionParts } from '../../../state/react.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/field.tsx';
import { useMessageActions } from '../message/use-message-actions.ts';

const none: Readonly<Record<string, string>> = {};

/** A value for each {{name}} that the next request uses; those without one stand first in the eye. */
export function VariablesTable({ text, laneIds }: { text: string; laneIds: readonly LaneId[] }) {
  const { setVariable } = useMessageActions();
  const parts = useSessionParts(({ session, lanes, prompts, turns }) => ({ session, lanes, prompts, turns }));
  const values = useSession((data) => data.session.variables) ?? none;
  const [showsAll, setShowsAll] = useState(false);
  const [kept, setKept] = useState<readonly string[]>([]);
  const said = useMemo(() => (parts ? namesInUse({ ...parts, runs: {} }, laneIds) : []), [parts, laneIds]);
  const { written, all } = useMemo(() => namesOf(text, said), [text, said]);
  if (all.length === 0) return null;

  const isFilled = (name: string) => Object.hasOwn(values, name);
  // A row that one is writing in does not go away when it is filled.
  const shown = all.filter(
    (name) => showsAll || written.includes(name) || !isFilled(name) || kept.includes(name),
  );
  const unfilled = all.filter((name) => !isFilled(name)).length;
  const hidden = all.length - shown.length;
  return (
    <section className="values" aria-label="Values">
      {shown.map((name) => (
        <label key={name} className={isFilled(name) ? '' : 'unset'}>
          <code title={`{{${name}}}`}>{`{{${name}}}`}</code>
          <TextField
            aria-label={`Value of ${name}`}
            dir="auto"
            placeholder="no value"
            spellCheck={false}
            value={isFilled(name) ? values[name] : ''}
            onFocus={() => setKept((known) => (known.includes(name) ? known : [...known, name]))}
            onInput={(event) => setVariable(name, event.currentTarget.value)}
          />
        </label>
      ))}
      <p className="values-line">
        {unfilled > 0 && (
          <span className="warn-text">
            {plural(unfilled, 'name')} without a value: {unfilled === 1 ? 'it is' : 'they are'} sent as
            written.
          </span>
        )}
        {hidden > 0 && (
          <Button look="quiet" size="small" onClick={() => setShowsAll(true)}>
            Show {plural(hidden, shown.length === 0 ? 'value' : 'more value')}
          </Button>
        )}
        {showsAll && (
          <Button look="quiet" size="small" onClick={() => setShowsAll(false)}>
            Show fewer
          </Button>
        )}
      </p>
    </section>
  );
}

function namesOf(text: string, said: readonly string[]): { written: string[]; all: string[] } {
  const written = variablesIn([text]);
  return { written, all: [...new Set([...written, ...said])] };
}

/** The {{names}} that these lanes' next requests fill: in their system prompts and in what was said on their paths. */
function namesInUse(data: SessionData, laneIds: readonly LaneId[]): string[] {
  const texts = laneIds.flatMap((laneId) => {
    const lane = data.lanes[laneId];
    if (!lane) return [];
    const messages = pathOf(data, lane).flatMap((turn) => data.prompts[turn.promptId]?.messages ?? []);
    const filled = messages.filter(({ role }) => role === 'user' || role === 'system');
    return [lane.setup.system, ...filled.map((message) => textOfContent(message.content))];
  });
  return variablesIn(texts.filter((text) => text.includes('{{')));
}
