import { clsx } from 'clsx';
import { useId, useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react';

import { checkJson } from '../../conversation/reply/json-check.ts';
import type { CallResult, DraftToolResult } from '../../conversation/request/pending-tool-results.ts';
import { sampleError, createSampleResult } from '../../conversation/request/tool-sample.ts';
import type { findRememberedResult, RememberedScope } from '../../conversation/session/draft.ts';
import type { ToolCall } from '../../gateway/wire.ts';
import { indentJson } from '../../lib/exact-json.ts';
import { pluralize } from '../../lib/format.ts';
import { getLineAndColumn, findTooDeepOffset } from '../../lib/json-scan.ts';
import { maxJsonDepth, maxFormattedJsonChars, parseJson, type Json } from '../../lib/json.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { FieldError } from '../../ui/controls/field.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { TextArea, typeInto } from '../../ui/controls/text-area.tsx';
import { cardVariants } from '../../ui/display/card.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { StatusLabel } from '../../ui/display/status-label.tsx';
import { CheckIcon, CornerDownLeft, Scissors, Wrench } from '../../ui/icons.tsx';
import { Copy } from '../../ui/late-icons.tsx';
import { JsonText } from './json-text.tsx';

type RememberedResult = NonNullable<ReturnType<typeof findRememberedResult>>;

interface ToolCallCardProps {
  call: ToolCall;
  live: boolean;
  /** True if the answer ended inside the arguments. */
  isCutOff: boolean;
  /** True if the ID was received with the call; otherwise it was generated here. */
  hasOwnId: boolean;
  /** Result of the call; undefined if none can be added here. */
  callResult: CallResult | undefined;
  /** Tool definition from the request, used to generate a sample result. */
  tool: Json | undefined;
  /** Lanes that share this result, if there are several. */
  sharedWith: string | undefined;
  onWrite: (result: DraftToolResult) => void;
  /** Result that the user chose for later calls like this one. */
  remembered: RememberedResult | undefined;
  onRemember: (remembered: RememberedResult | undefined) => void;
  onSend: () => void;
}

const maxIdChars = 24;

/** Call ID. A long ID, possibly thousands of characters, is shortened and has a copy button. */
function CallId({ id }: { id: string }) {
  if (id.length <= maxIdChars) return <span className="min-w-0 text-12 wrap-anywhere">{id}</span>;
  return (
    <span className="inline-flex min-w-0 items-center gap-1 text-12">
      {id.slice(0, maxIdChars)}…
      <IconButton label="Copy call ID" size="small" onClick={() => void copyText(id)}>
        <Copy className="icon-14" aria-hidden />
      </IconButton>
    </span>
  );
}

/** Tool call with the arguments on the left and the result on the right; stacked if space is limited. */
export function ToolCallCard(props: ToolCallCardProps) {
  const { call, live, isCutOff, hasOwnId, callResult } = props;
  const name = call.function.name;
  return (
    <div
      role="group"
      aria-label={`Tool call ${name}`}
      className={cardVariants({ tone: callResult && !callResult.isReady ? 'due' : 'plain' })}
    >
      <header className="flex min-h-8.5 flex-wrap items-center gap-x-2 border-b border-line px-3">
        <Wrench className="icon-14 text-ink-3" aria-hidden />
        <b className="wrap-anywhere [font:600_12px/18px_var(--mono)]">
          {name === '' ? 'Unnamed call' : name}
        </b>
        {hasOwnId ? (
          <CallId id={call.id} />
        ) : (
          <span title="No ID received. Bench adds one to the request.">no ID</span>
        )}
        <span className="min-w-0 flex-1" />
        {live && <StatusLabel tone="live">Streaming</StatusLabel>}
        {isCutOff && (
          <StatusLabel tone="warn" icon={<Scissors aria-hidden />}>
            Cut off
          </StatusLabel>
        )}
        {callResult && <ResultStatus callResult={callResult} />}
      </header>
      {/* Arguments and result share grid rows, so that the actions on the result are below both. */}
      <div
        className={clsx(
          callResult &&
            'grid-cols-[5fr_7fr] grid-rows-[min-content_minmax(min-content,1fr)_auto] @min-[560px]:grid',
        )}
      >
        <div
          className={clsx(
            'min-w-0 border-line px-3 pt-2 pb-2.25',
            callResult && '[grid-area:1/1/span_2] @min-[560px]:border-r',
          )}
        >
          <h3 className="mb-0.5 text-11 text-ink-3">Arguments</h3>
          <CallArguments text={call.function.arguments} live={live} isCutOff={isCutOff} />
        </div>
        {callResult && <ResultField {...props} callResult={callResult} />}
      </div>
    </div>
  );
}

function ResultStatus({ callResult }: { callResult: CallResult }) {
  if (!callResult.isReady) {
    return (
      <StatusLabel tone="warn" icon={<CornerDownLeft aria-hidden />}>
        Needs a result
      </StatusLabel>
    );
  }
  return (
    <StatusLabel tone="ok" icon={<CheckIcon aria-hidden />}>
      {callResult.isError ? 'Error ready' : 'Result ready'}
    </StatusLabel>
  );
}

/** Arguments of a call, shown as text until they are complete, because truncated JSON is not parsed. */
function CallArguments({ text, live, isCutOff }: { text: string; live: boolean; isCutOff: boolean }) {
  const formatted = useMemo(() => {
    const parsed = live || text.length > maxFormattedJsonChars ? undefined : parseJson(text);
    return parsed?.ok ? formatToolJson(text) : undefined;
  }, [text, live]);
  const check = useMemo(
    () => (live || isCutOff || formatted !== undefined ? undefined : checkJson(text)),
    [text, live, isCutOff, formatted],
  );
  if (formatted !== undefined) return <JsonText text={formatted} />;
  return (
    <>
      {text === '' && !live ? <p className="mt-1 text-12 text-ink-3">None.</p> : <JsonText text={text} />}
      {isCutOff && <ArgumentsFault>Incomplete: the answer was cut off during this call.</ArgumentsFault>}
      {check?.state === 'open' && <ArgumentsFault>Incomplete JSON: the end is missing.</ArgumentsFault>}
      {check?.state === 'broken' && (
        <ArgumentsFault>Invalid JSON at {formatPosition(text, check.offset)}.</ArgumentsFault>
      )}
    </>
  );
}

function ArgumentsFault({ children }: { children: ReactNode }) {
  return (
    <FieldError icon={false} className="mt-1">
      {children}
    </FieldError>
  );
}

function ResultField({
  call,
  callResult,
  tool,
  sharedWith,
  remembered,
  onRemember,
  onWrite,
  onSend,
}: ToolCallCardProps & { callResult: CallResult }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { name } = call.function;
  const write = (text: string, isError = callResult.isError) => {
    const result: DraftToolResult = isError && looksLikeError(text) ? { text, isError: true } : { text };
    onWrite(result);
  };
  const isRemembered = remembered !== undefined && remembered.result.text === callResult.text;
  const remember = (scope: RememberedScope) =>
    onRemember({
      scope,
      result: { text: callResult.text, ...(callResult.isError ? { isError: true as const } : {}) },
    });
  const fill = (text: string, isError: boolean) => {
    // Inserts the text as if typed, so that undo restores the previous text.
    if (field.current) typeInto(field.current, text, 0);
    write(text, isError);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSend();
  };
  return (
    // This layer lies over both columns and passes pointer events through to the arguments.
    <div
      className={clsx(
        'pointer-events-none min-w-0 grid-cols-subgrid grid-rows-subgrid border-line [grid-area:1/1/-1/-1]',
        '[&>*]:pointer-events-auto [&>*]:not-last:col-start-2 [&>textarea]:w-[calc(100%-18px)]',
        '@max-[560px]:border-t @min-[560px]:grid',
      )}
    >
      <h3 className="mb-0.5 px-3 pt-2 text-11 text-ink-3">
        <label htmlFor={id}>Result to send back</label>
      </h3>
      <TextArea
        ref={field}
        id={id}
        variant="code"
        className="mr-2 mb-2 ml-2.5 max-h-80 min-h-11.5 overflow-y-auto"
        aria-label={`Result for ${name}`}
        aria-describedby={`${id}said`}
        dir="auto"
        rows={3}
        spellCheck={false}
        value={callResult.text}
        onText={(text) => write(text)}
        onKeyDown={onKeyDown}
      />
      <footer className="col-span-full flex min-h-8.5 flex-wrap items-center gap-x-1 gap-y-0.5 border-t border-line py-1 pr-1.5 pl-3">
        <p
          className="mt-1 flex-[1_1_180px] text-12 text-pretty text-ink-3 normal-nums @max-[400px]:basis-full"
          id={`${id}said`}
        >
          {describeResult(callResult)} {sharedWith && `Will be sent to ${sharedWith}. `}
          {callResult.copiedFrom !== undefined && (
            <>
              Copied from the call with{' '}
              <code className="font-mono text-mono-12 wrap-anywhere">{truncate(callResult.copiedFrom)}</code>.
              Type here to give this call a different result.
            </>
          )}
        </p>
        <span className="flex flex-wrap gap-x-3 gap-y-0.5">
          <label className="flex min-h-6 cursor-pointer items-center gap-2 text-12 text-ink-2">
            <Checkbox
              checked={isRemembered}
              disabled={!callResult.isReady}
              onChange={() => (isRemembered ? onRemember(undefined) : remember('function'))}
            />
            Remember this result for {name}
          </label>
          <label className="flex min-h-6 cursor-pointer items-center gap-2 text-12 text-ink-2">
            <Checkbox
              checked={isRemembered && remembered.scope === 'arguments'}
              disabled={!isRemembered}
              onChange={() => remember(remembered?.scope === 'arguments' ? 'function' : 'arguments')}
            />
            Only for these arguments
          </label>
        </span>
        <span className="ml-auto flex flex-wrap gap-x-1">
          <Button
            size="small"
            variant="ghost"
            onClick={() => fill(createSampleResult(name, call.function.arguments, tool), false)}
          >
            Insert sample
          </Button>
          <Button size="small" variant="ghost" onClick={() => fill(sampleError, true)}>
            Return an error
          </Button>
        </span>
      </footer>
    </div>
  );
}

function describeResult({ text, isReady }: CallResult): string {
  if (!isReady) return 'JSON or plain text.';
  const length = pluralize(text.length, 'character');
  if (parseJson(text).ok) return `Valid JSON, ${length}. Plain text works too.`;
  const check = checkJson(text);
  const looksLikeJson = /^\s*[[{]/.test(text);
  if (!looksLikeJson) return `Plain text, ${length}.`;
  const reason =
    check.state === 'broken' ? `error at ${formatPosition(text, check.offset)}` : 'the end is missing';
  return `Not valid JSON (${reason}). It will be sent as plain text, ${length}.`;
}

function formatPosition(text: string, offset: number): string {
  const { line, column } = getLineAndColumn(text, offset);
  return `line ${line}, column ${column}`;
}

/** Returns true if the text is still an error object; any other text is a normal result. */
function looksLikeError(text: string): boolean {
  return /^\s*\{\s*"error"/.test(text);
}

function truncate(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

const maxLineChars = 44;

/**
 * Formats valid JSON on one line if it is short enough, otherwise indented by two spaces. Returns the text unchanged if
 * it is nested too deeply.
 */
export function formatToolJson(text: string): string {
  if (findTooDeepOffset(text, maxJsonDepth) !== undefined) return text;
  const indented = indentJson(text);
  // Deeply nested JSON is mostly indentation. If the indented text is longer than this, it cannot fit on one line.
  if (indented.length > maxLineChars ** 2) return indented;
  const singleLine = indented.replaceAll(/\n\s*/g, ' ');
  return singleLine.length <= maxLineChars ? singleLine : indented;
}
