import { clsx } from 'clsx';
import { useMemo, useState } from 'react';

import { getWrittenText } from '../../conversation/request/message-files.ts';
import { getLanePath } from '../../conversation/session/turn-tree.ts';
import type { LaneId, SessionData } from '../../conversation/session/types.ts';
import { canHaveVariables, findVariables } from '../../conversation/session/variables.ts';
import { pluralize } from '../../lib/format.ts';
import { useSession, useSessionShallow } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/field.tsx';
import { useMessageActions } from './message/use-message-actions.ts';

const noVariables: Readonly<Record<string, string>> = {};

/** Table with a value for each {{name}} used by the next request; empty values are highlighted. */
export function VariablesTable({ text, laneIds }: { text: string; laneIds: readonly LaneId[] }) {
  const { setVariable } = useMessageActions();
  const sessionData = useSessionShallow(({ session, lanes, prompts, turns }) => ({
    session,
    lanes,
    prompts,
    turns,
  }));
  const values = useSession((data) => data.session.variables) ?? noVariables;
  const [showsAll, setShowsAll] = useState(false);
  const [touchedNames, setTouchedNames] = useState<readonly string[]>([]);
  const usedNames = useMemo(
    () => (sessionData ? findUsedNames({ ...sessionData, runs: {} }, laneIds) : []),
    [sessionData, laneIds],
  );
  const { textNames, allNames } = useMemo(() => collectNames(text, usedNames), [text, usedNames]);
  if (allNames.length === 0) return null;

  const isFilled = (name: string) => Object.hasOwn(values, name);
  // A row being edited stays when it is filled.
  const visibleNames = allNames.filter(
    (name) => showsAll || textNames.includes(name) || !isFilled(name) || touchedNames.includes(name),
  );
  const unfilledCount = allNames.filter((name) => !isFilled(name)).length;
  const collapsedCount = allNames.length - visibleNames.length;
  return (
    <section
      className="mx-2 mt-2 grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] gap-x-3 gap-y-1 border-b border-line px-1.5 pt-1.5 pb-2"
      aria-label="Values"
    >
      {visibleNames.map((name) => (
        <label key={name} className="flex min-w-0 items-center gap-1.5">
          <code
            title={`{{${name}}}`}
            className={clsx(
              'max-w-1/2 flex-none truncate font-mono text-[12px]/4.5 font-600',
              isFilled(name) ? 'text-ink' : 'text-warn-ink',
            )}
          >
            {`{{${name}}}`}
          </code>
          <TextField
            className={clsx(
              'max-w-none min-w-0 flex-1 max-phone:min-w-0',
              !isFilled(name) && 'border-warn-ink',
            )}
            aria-label={`Value of ${name}`}
            dir="auto"
            placeholder="no value"
            spellCheck={false}
            value={isFilled(name) ? values[name] : ''}
            onFocus={() =>
              setTouchedNames((current) => (current.includes(name) ? current : [...current, name]))
            }
            onInput={(event) => setVariable(name, event.currentTarget.value)}
          />
        </label>
      ))}
      <p className="col-span-full flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-ink-3 normal-nums">
        {unfilledCount > 0 && (
          <span className="text-warn-ink">
            {pluralize(unfilledCount, 'variable is', 'variables are')} empty and will be sent as {'{{name}}'}.
          </span>
        )}
        {collapsedCount > 0 && (
          <Button variant="ghost" size="small" onClick={() => setShowsAll(true)}>
            Show {pluralize(collapsedCount, visibleNames.length === 0 ? 'value' : 'more value')}
          </Button>
        )}
        {showsAll && (
          <Button variant="ghost" size="small" onClick={() => setShowsAll(false)}>
            Show fewer
          </Button>
        )}
      </p>
    </section>
  );
}

function collectNames(
  text: string,
  usedNames: readonly string[],
): { textNames: string[]; allNames: string[] } {
  const textNames = findVariables([text]);
  return { textNames, allNames: [...new Set([...textNames, ...usedNames])] };
}

/** Returns the {{names}} used by the next requests of these lanes, in system prompts and earlier messages. */
function findUsedNames(data: SessionData, laneIds: readonly LaneId[]): string[] {
  const texts = laneIds.flatMap((laneId) => {
    const lane = data.lanes[laneId];
    if (!lane) return [];
    const messages = getLanePath(data, lane).flatMap((turn) => data.prompts[turn.promptId]?.messages ?? []);
    const filledMessages = messages.filter(canHaveVariables);
    return [lane.setup.system, ...filledMessages.map((message) => getWrittenText(message.content))];
  });
  return findVariables(texts.filter((text) => text.includes('{{')));
}
