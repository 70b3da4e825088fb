import { Check, CornerDownLeft, Scissors, Wrench } from 'lucide-react';
import { useId, useMemo, useRef, type KeyboardEvent } from 'react';

import { checkJson } from '../../../conversation/reply/json-check.ts';
import type { CallAnswer, WrittenResult } from '../../../conversation/request/tool-results-pending.ts';
import { sampleError, sampleResult } from '../../../conversation/request/tool-sample.ts';
import type { ToolCall } from '../../../gateway/wire.ts';
import { plural } from '../../../lib/format.ts';
import { placeOf } from '../../../lib/json-scan.ts';
import { isDeeperThan, mostJsonLevels, mostLaidOutLetters, parseJson, type Json } from '../../../lib/json.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { lampLook } from '../../../ui/display/lamp.tsx';
import { JsonText } from './json-text.tsx';

interface CardProps {
  call: ToolCall;
  live: boolean;
  /** The answer broke off inside the arguments. */
  isCut: boolean;
  /** The id came with the call; otherwise it was made here. */
  hasOwnId: boolean;
  /** Undefined where the call is not to be answered here. */
  answer: CallAnswer | undefined;
  /** The entry of the request's tools, for a sample of what it returns. */
  tool: Json | undefined;
  /** The lanes that this one result goes to, where they are several. */
  sharedWith: string | undefined;
  onWrite: (result: WrittenResult) => void;
  /** What answers every call of this function, where the person said so. */
  remembered: WrittenResult | undefined;
  onRemember: (result: WrittenResult | undefined) => void;
  onSend: () => void;
}

/** One call: what was asked at the left, what to answer at the right. */
export function ToolCallCard(props: CardProps) {
  const { call, live, isCut, hasOwnId, answer } = props;
  const name = call.function.name;
  return (
    <div
      role="group"
      aria-label={`Tool call ${name}`}
      className={`card tc ${answer && !answer.isReady ? 'need' : ''}`}
    >
      <header>
        <Wrench className="i s" aria-hidden />
        <b>{name === '' ? 'Unnamed call' : name}</b>
        <span className="rid" title={hasOwnId ? undefined : 'No ID received; Bench adds one to the request.'}>
          {hasOwnId ? call.id : 'no id'}
        </span>
        <span className="grow" />
        {live && <span className="st live">Arriving</span>}
        {isCut && (
          <span className="st warn">
            <Scissors className="i" aria-hidden />
            Cut off
          </span>
        )}
        {answer && <AnswerStatus answer={answer} />}
      </header>
      <div className="io">
        <div>
          <h3>Arguments</h3>
          <Arguments text={call.function.arguments} live={live} isCut={isCut} />
        </div>
        {answer && <ResultField {...props} answer={answer} />}
      </div>
    </div>
  );
}

function AnswerStatus({ answer }: { answer: CallAnswer }) {
  if (!answer.isReady) {
    return (
      <span className="st warn">
        <CornerDownLeft className="i" aria-hidden />
        Needs a result
      </span>
    );
  }
  return (
    <span className="st ok">
      <Check className="i" aria-hidden />
      {answer.isError ? 'Error ready' : 'Result ready'}
    </span>
  );
}

/** Arguments are text until they have all come: nothing is read from what is cut. */
function Arguments({ text, live, isCut }: { text: string; live: boolean; isCut: boolean }) {
  const readable = useMemo(() => {
    const reading = live || text.length > mostLaidOutLetters ? undefined : parseJson(text);
    return reading?.ok ? readableJson(reading.value, text) : undefined;
  }, [text, live]);
  const check = useMemo(
    () => (live || isCut || readable !== undefined ? undefined : checkJson(text)),
    [text, live, isCut, readable],
  );
  if (readable !== undefined) return <JsonText text={readable} />;
  return (
    <>
      {text === '' && !live ? <p className="mut">None.</p> : <JsonText text={text} />}
      {isCut && <p className="er">Incomplete: the answer was cut off during this call.</p>}
      {check?.state === 'open' && <p className="er">Not JSON: the end is missing.</p>}
      {check?.state === 'broken' && <p className="er">Not JSON from {placeWords(text, check.at)}.</p>}
    </>
  );
}

function ResultField({
  call,
  answer,
  tool,
  sharedWith,
  remembered,
  onRemember,
  onWrite,
  onSend,
}: CardProps & { answer: CallAnswer }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { name } = call.function;
  const write = (text: string, isError = answer.isError) => {
    const result: WrittenResult = isError && readsAsError(text) ? { text, isError: true } : { text };
    onWrite(result);
  };
  const isRemembered = remembered !== undefined && remembered.text === answer.text;
  const fill = (text: string, isError: boolean) => {
    // Typed into the field, so that undo brings back what was there.
    if (field.current) typeOver(field.current, text);
    write(text, isError);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  return (
    <div className="result">
      <h3>
        <label htmlFor={id}>Result to send back</label>
      </h3>
      <TextArea
        ref={field}
        id={id}
        className="area mono"
        aria-label={`Result for ${name}`}
        aria-describedby={`${id}said`}
        dir="auto"
        rows={3}
        spellCheck={false}
        value={answer.text}
        onText={(text) => write(text)}
        onKeyDown={onKeyDown}
      />
      <footer>
        <p className="mut" id={`${id}said`}>
          {resultWords(answer)} {sharedWith && `Will be sent to ${sharedWith}. `}
          {answer.writtenFor !== undefined && (
            <>
              Written for the call with <code className="mono">{shortened(answer.writtenFor)}</code>. Type
              here to answer this one differently.
            </>
          )}
        </p>
        <label className="flex min-h-6 cursor-pointer items-center gap-2 text-12 text-ink-2">
          <input
            type="checkbox"
            className={lampLook}
            checked={isRemembered}
            disabled={!answer.isReady}
            onChange={() =>
              onRemember(
                isRemembered
                  ? undefined
                  : { text: answer.text, ...(answer.isError ? { isError: true as const } : {}) },
              )
            }
          />
          Remember this result for {name}
        </label>
        <span className="grow" />
        <Button
          size="small"
          look="quiet"
          onClick={() => fill(sampleResult(name, call.function.arguments, tool), false)}
        >
          Insert sample
        </Button>
        <Button size="small" look="quiet" onClick={() => fill(sampleError, true)}>
          Return an error
        </Button>
      </footer>
    </div>
  );
}

function resultWords({ text, isReady }: CallAnswer): string {
  if (!isReady) return 'JSON or plain text.';
  const length = plural(text.length, 'character');
  if (parseJson(text).ok) return `Valid JSON, ${length}. Plain text works too.`;
  const check = checkJson(text);
  const looksLikeJson = /^\s*[[{]/.test(text);
  if (!looksLikeJson) return `Plain text, ${length}.`;
  const why = check.state === 'broken' ? `breaks at ${placeWords(text, check.at)}` : 'its end is missing';
  return `Not valid JSON (${why}): it will be sent as plain text, ${length}.`;
}

function placeWords(text: string, at: number): string {
  const { line, column } = placeOf(text, at);
  return `line ${line}, column ${column}`;
}

/** An error may be reworded; what was written in its place is a result like any other. */
function readsAsError(text: string): boolean {
  return /^\s*\{\s*"error"/.test(text);
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

const mostLetters = 44;

/** JSON text on one line where it is short, else two spaces deep; `asCame` where it nests too deep to be laid out. */
export function readableJson(value: Json, asCame: string): string {
  if (isDeeperThan(mostJsonLevels, value)) return asCame;
  const deep = JSON.stringify(value, null, 2);
  // Blanks are most of a deep one, yet no text that is as short as that on one line is longer than this.
  if (deep.length > mostLetters ** 2) return deep;
  const flat = deep.replaceAll(/\n\s*/g, ' ');
  return flat.length <= mostLetters ? flat : deep;
}

/**
 * Puts `text` in place of all that is in the field as if it was typed: undo brings the old text back. Where the
 * browser does not type for a script, the caller's own state does it without that.
 */
function typeOver(field: HTMLTextAreaElement, text: string): void {
  field.focus();
  field.select();
  document.execCommand('insertText', false, text);
}
