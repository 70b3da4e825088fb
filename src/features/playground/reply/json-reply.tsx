import { useId, useMemo, useState } from 'react';

import type { SchemaFault } from '../../../conversation/reply/json-check-schema.ts';
import {
  checkJson,
  checkLiveJson,
  maxLiveChars,
  type JsonCheck,
} from '../../../conversation/reply/json-check.ts';
import {
  formatJsonReply,
  type RequestedFormat,
  type JsonReplyText,
} from '../../../conversation/reply/json-reply-text.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { parsePartialJson } from '../../../gateway/stream/partial-json.ts';
import { listJsonMembers, parseExactJson } from '../../../lib/exact-json.ts';
import { getLineAndColumn } from '../../../lib/json-scan.ts';
import { maxFormattedJsonChars } from '../../../lib/json.ts';
import { Markdown } from '../../../markdown/draw/markdown.tsx';
import { FieldError } from '../../../ui/controls/field.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { StatusWord } from '../../../ui/display/status-label.tsx';
import { createPlace } from '../../../ui/focus/focus-target.ts';
import { Check } from '../../../ui/icons.tsx';
import { JsonTree } from '../tools/json-tree.tsx';
import { JsonLines } from './json-lines.tsx';
import { SchemaFaults } from './schema-faults.tsx';
import { useSchemaReading } from './use-schema-report.ts';

interface JsonReplyProps {
  /** Raw, with the fence around it. */
  text: string;
  reply: JsonReplyText;
  live: boolean;
  asked: RequestedFormat | undefined;
  laneId: LaneId;
}

type View = 'tree' | 'text';

const views: readonly { value: View; label: string }[] = [
  { value: 'tree', label: 'Tree' },
  { value: 'text', label: 'Text' },
];

/** A reply in JSON: against its schema with all its faults over numbered lines, else as a tree or as text. */
export function JsonReply({ text, reply, live, asked, laneId }: JsonReplyProps) {
  const id = useId();
  const [chosen, setChosen] = useState<View>();
  const check = useMemo(() => (live ? checkLiveJson(reply.text) : checkJson(reply.text)), [reply.text, live]);
  const value = useMemo(() => {
    const isTooLong = reply.text.length > (live ? maxLiveChars : maxFormattedJsonChars);
    if (check.state === 'broken' || isTooLong) return undefined;
    const reading = check.state === 'whole' ? parseExactJson(reply.text) : undefined;
    return reading?.ok ? reading.value : parsePartialJson(reply.text, parseExactJson);
  }, [reply.text, live, check]);
  const schema = asked?.schema;
  const shown = useMemo(
    () => (schema === undefined ? undefined : formatJsonReply(text, reply)),
    [schema, text, reply],
  );
  const reading = useSchemaReading(shown, schema, live);
  const hasTree = value !== undefined && listJsonMembers(value) !== undefined;
  // A fence that nobody asked for stays the code block that it streamed as.
  const isAsCame = schema !== undefined || (asked === undefined && reply.hasCodeFence);
  const view = hasTree ? (chosen ?? (isAsCame ? 'text' : 'tree')) : 'text';
  const lineAt = (line: number) => createPlace(`line ${line} of ${id}`);
  return (
    <div className="mt-0.5 mb-3">
      {reading && (
        <SchemaFaults reading={reading} laneId={laneId} placeOf={lineAt} onShow={() => setChosen('text')} />
      )}
      {view === 'tree' && hasTree ? (
        <JsonTree value={value} failing={reading?.faults.find(({ kind }) => kind !== 'wrapped')?.path} />
      ) : shown && !isWords(reply, check) ? (
        <JsonLines text={shown.text} faults={reading?.faults ?? noFaults} placeOf={lineAt} />
      ) : (
        <Markdown text={shownText(text, reply, check)} live={live} caret={live} />
      )}
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-12 normal-nums">
        {hasTree && <Segmented label="Show JSON as" value={view} choices={views} onChange={setChosen} />}
        {/* What the faults say, they say above. */}
        {(reading === undefined || reading.state === 'unusable') && (
          <Verdict text={reply.text} check={check} live={live} asked={asked} isFenced={reply.hasCodeFence} />
        )}
      </div>
    </div>
  );
}

const noFaults: readonly SchemaFault[] = [];

const fence = '````````';

function isWords(reply: JsonReplyText, check: JsonCheck): boolean {
  return check.state === 'broken' && !/^\s*[[{"]/.test(reply.text);
}

/** Words stay words; what begins as JSON is shown as code, to the letter. */
function shownText(text: string, reply: JsonReplyText, check: JsonCheck): string {
  return isWords(reply, check) || reply.hasCodeFence ? text : `${fence}json\n${text}\n${fence}`;
}

interface VerdictProps {
  text: string;
  check: JsonCheck;
  live: boolean;
  asked: RequestedFormat | undefined;
  isFenced: boolean;
}

function Verdict({ text, check, live, asked, isFenced }: VerdictProps) {
  if (check.state === 'broken') {
    const { line, column } = getLineAndColumn(text, check.offset);
    return (
      <FieldError className="basis-full">
        Not JSON from line {line}, column {column}: expected {check.expected}
        {check.offset < text.length && <>, got {JSON.stringify(nextLetters(text, check.offset))}</>}.
      </FieldError>
    );
  }
  if (live) return <span className="text-ink-3">Partial JSON</span>;
  if (check.state !== 'whole') {
    return <FieldError className="basis-full">Incomplete JSON: the end is missing.</FieldError>;
  }
  if (asked?.type === 'json_object' && !/^\s*\{/.test(text)) {
    return (
      <FieldError className="basis-full">
        Valid JSON, but not the object that json_object promises.
      </FieldError>
    );
  }
  return (
    <>
      <StatusWord tone="ok" icon={<Check aria-hidden />}>
        Valid JSON
      </StatusWord>
      {asked && isFenced && (
        <span className="text-ink-3">Wrapped in a code fence that a program must strip.</span>
      )}
    </>
  );
}

function nextLetters(text: string, at: number): string {
  const rest = text.slice(at, at + 16);
  return rest.length < text.length - at ? `${rest}…` : rest;
}
