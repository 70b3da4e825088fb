import { useMemo, useState } from 'react';

import { getContentText } from '../../../conversation/request/request.ts';
import { getLanePath } from '../../../conversation/session/turn-tree.ts';
import type { LaneId, SessionData } from '../../../conversation/session/types.ts';
import { canHaveVariables, findVariables } from '../../../conversation/session/variables.ts';
import { pluralize } from '../../../lib/format.ts';
import { useSession, useSessionShallow } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/field.tsx';
import { useMessageActions } from '../message/use-message-actions.ts';

/** As many columns as there is room for. */
const tableLook = classes(
  'mx-2 mt-2 grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] gap-x-3 gap-y-1',
  'border-b border-line px-1.5 pt-1.5 pb-2',
);
/** A name and its field, which takes the rest of the row. */
const valueLook = classes(
  'flex min-w-0 items-center gap-1.5 [&>input]:max-w-none [&>input]:min-w-0 [&>input]:flex-1',
);

const none: Readonly<Record<string, string>> = {};

/** A value for each {{name}} that the next request uses; those without one stand first in the eye. */
export function VariablesTable({ text, laneIds }: { text: string; laneIds: readonly LaneId[] }) {
  const { setVariable } = useMessageActions();
  const parts = useSessionShallow(({ session, lanes, prompts, turns }) => ({
    session,
    lanes,
    prompts,
    turns,
  }));
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
    <section className={tableLook} aria-label="Values">
      {shown.map((name) => (
        <label key={name} className={classes(valueLook, !isFilled(name) && '[&>input]:border-warn-ink')}>
          <code
            title={`{{${name}}}`}
            className={classes(
              'max-w-1/2 flex-none truncate font-mono text-[12px]/4.5 font-600',
              isFilled(name) ? 'text-ink' : 'text-warn-ink',
            )}
          >
            {`{{${name}}}`}
          </code>
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
      <p className="col-span-full flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-ink-3 normal-nums">
        {unfilled > 0 && (
          <span className="text-warn-ink">
            {pluralize(unfilled, 'name')} without a value: {unfilled === 1 ? 'it is' : 'they are'} sent as
            written.
          </span>
        )}
        {hidden > 0 && (
          <Button look="quiet" size="small" onClick={() => setShowsAll(true)}>
            Show {pluralize(hidden, shown.length === 0 ? 'value' : 'more value')}
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
  const written = findVariables([text]);
  return { written, all: [...new Set([...written, ...said])] };
}

/** The {{names}} that these lanes' next requests fill: in their system prompts and in what was said on their paths. */
function namesInUse(data: SessionData, laneIds: readonly LaneId[]): string[] {
  const texts = laneIds.flatMap((laneId) => {
    const lane = data.lanes[laneId];
    if (!lane) return [];
    const messages = getLanePath(data, lane).flatMap((turn) => data.prompts[turn.promptId]?.messages ?? []);
    const filled = messages.filter(canHaveVariables);
    return [lane.setup.system, ...filled.map((message) => getContentText(message.content))];
  });
  return findVariables(texts.filter((text) => text.includes('{{')));
}
