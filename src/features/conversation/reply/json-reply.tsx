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
import { StatusLabel } from '../../../ui/display/status-label.tsx';
import { createFocusTarget } from '../../../ui/focus/focus-target.ts';
import { CheckIcon } from '../../../ui/icons.tsx';
import { useSchemaReport } from '../../lanes/use-schema-report.ts';
import { JsonTree } from '../../tools/json-tree.tsx';
import { JsonLines } from './json-lines.tsx';
import { SchemaFaults } from './schema-faults.tsx';

interface JsonReplyProps {
  /** Raw text, including its code fence. */
  text: string;
  reply: JsonReplyText;
  live: boolean;
  requestedFormat: RequestedFormat | undefined;
  laneId: LaneId;
}

type JsonViewMode = 'tree' | 'text';

const viewModes: readonly { value: JsonViewMode; label: string }[] = [
  { value: 'tree', label: 'Tree' },
  { value: 'text', label: 'Text' },
];

/** Reply in JSON: with its schema faults above numbered lines or, without a schema, as a tree or text. */
export function JsonReply({ text, reply, live, requestedFormat, laneId }: JsonReplyProps) {
  const id = useId();
  const [chosenView, setChosenView] = useState<JsonViewMode>();
  const check = useMemo(() => (live ? checkLiveJson(reply.text) : checkJson(reply.text)), [reply.text, live]);
  const value = useMemo(() => {
    const isTooLong = reply.text.length > (live ? maxLiveChars : maxFormattedJsonChars);
    if (check.state === 'broken' || isTooLong) return undefined;
    const parsed = check.state === 'whole' ? parseExactJson(reply.text) : undefined;
    return parsed?.ok ? parsed.value : parsePartialJson(reply.text, parseExactJson);
  }, [reply.text, live, check]);
  const schema = requestedFormat?.schema;
  const formattedJson = useMemo(
    () => (schema === undefined ? undefined : formatJsonReply(text, reply)),
    [schema, text, reply],
  );
  const schemaReport = useSchemaReport(formattedJson, schema, live);
  const hasTree = value !== undefined && listJsonMembers(value) !== undefined;
  // A code fence that was not requested is still shown as a code block, as it was while streaming.
  const isTextDefault = schema !== undefined || (requestedFormat === undefined && reply.hasCodeFence);
  const view = hasTree ? (chosenView ?? (isTextDefault ? 'text' : 'tree')) : 'text';
  const getLineTarget = (line: number) => createFocusTarget(`line ${line} of ${id}`);
  return (
    <div className="mt-0.5 mb-3">
      {schemaReport && (
        <SchemaFaults
          report={schemaReport}
          laneId={laneId}
          getLineTarget={getLineTarget}
          onShow={() => setChosenView('text')}
        />
      )}
      {view === 'tree' && hasTree ? (
        <JsonTree
          value={value}
          failingPath={schemaReport?.faults.find(({ kind }) => kind !== 'wrapped')?.path}
        />
      ) : formattedJson && !isPlainText(reply, check) ? (
        <JsonLines
          text={formattedJson.text}
          faults={schemaReport?.faults ?? noFaults}
          getLineTarget={getLineTarget}
        />
      ) : (
        <Markdown text={getDisplayText(text, reply, check)} isLive={live} hasCaret={live} />
      )}
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-12 normal-nums">
        {hasTree && (
          <Segmented label="Show JSON as" value={view} choices={viewModes} onChange={setChosenView} />
        )}
        {/* The faults above already report invalid JSON. */}
        {(schemaReport === undefined || schemaReport.state === 'unusable') && (
          <JsonValidity
            text={reply.text}
            check={check}
            live={live}
            requestedFormat={requestedFormat}
            hasCodeFence={reply.hasCodeFence}
          />
        )}
      </div>
    </div>
  );
}

const noFaults: readonly SchemaFault[] = [];

const fence = '````````';

function isPlainText(reply: JsonReplyText, check: JsonCheck): boolean {
  return check.state === 'broken' && !/^\s*[[{"]/.test(reply.text);
}

/** Returns plain text unchanged; text that starts as JSON becomes a code block with the exact content. */
function getDisplayText(text: string, reply: JsonReplyText, check: JsonCheck): string {
  return isPlainText(reply, check) || reply.hasCodeFence ? text : `${fence}json\n${text}\n${fence}`;
}

interface JsonValidityProps {
  text: string;
  check: JsonCheck;
  live: boolean;
  requestedFormat: RequestedFormat | undefined;
  hasCodeFence: boolean;
}

function JsonValidity({ text, check, live, requestedFormat, hasCodeFence }: JsonValidityProps) {
  if (check.state === 'broken') {
    const { line, column } = getLineAndColumn(text, check.offset);
    return (
      <FieldError className="basis-full">
        Invalid JSON at line {line}, column {column}: expected {check.expected}
        {check.offset < text.length && <>, got {JSON.stringify(getNextChars(text, check.offset))}</>}.
      </FieldError>
    );
  }
  if (live) return <span className="text-ink-3">Partial JSON</span>;
  if (check.state !== 'whole') {
    return <FieldError className="basis-full">Incomplete JSON: the end is missing.</FieldError>;
  }
  if (requestedFormat?.type === 'json_object' && !/^\s*\{/.test(text)) {
    return <FieldError className="basis-full">Valid JSON, but json_object requires an object.</FieldError>;
  }
  return (
    <>
      <StatusLabel tone="ok" icon={<CheckIcon aria-hidden />}>
        Valid JSON
      </StatusLabel>
      {requestedFormat && hasCodeFence && (
        <span className="text-ink-3">Wrapped in a code fence, so programs cannot parse it directly.</span>
      )}
    </>
  );
}

function getNextChars(text: string, offset: number): string {
  const excerpt = text.slice(offset, offset + 16);
  return excerpt.length < text.length - offset ? `${excerpt}…` : excerpt;
}
