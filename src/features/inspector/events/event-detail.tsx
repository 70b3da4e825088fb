import { Fragment, useMemo, type ReactNode } from 'react';

import { getEntryText, type TraceEvent } from '../../../conversation/trace/trace-events.ts';
import { formatTraceJson, type JsonLine } from '../../../conversation/trace/trace-json.ts';
import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import { formatCount, formatDuration, pluralize } from '../../../lib/format.ts';
import { parseJson } from '../../../lib/json.ts';
import { shortenBase64 } from '../../../lib/text/shorten-base64.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';
import { StatusLabel } from '../../../ui/display/status-label.tsx';
import { Clock, Copy } from '../../../ui/late-icons.tsx';
import { JsonTokenView } from '../../tools/json-token-view.tsx';
import { PanelHeader, PanelNote } from '../panel-layout.tsx';

interface EventDetailProps {
  event: TraceEvent;
  entry: TapeEntry;
  isSlow: boolean;
}

/** Raw event, with fields unknown to the specification marked. */
export function EventDetail({ event, entry, isSlow }: EventDetailProps) {
  const raw = getEntryText(entry);
  const { lines, unknownPaths } = useMemo(
    () => (parseJson(raw).ok ? formatTraceJson(raw) : { lines: undefined, unknownPaths: [] }),
    [raw],
  );
  const { number, unit } = formatDuration(event.gapMs);
  const sinceText = event.number === 1 ? 'after the request was sent' : 'after the previous event';
  const gapText = `${number} ${unit} ${sinceText}`;
  return (
    <section aria-label={`Event ${event.number}`}>
      <PanelHeader
        title={`Event ${formatCount(event.number)}`}
        status={<Gap isSlow={isSlow} text={gapText} />}
      >
        <IconButton label="Copy event" size="small" onClick={() => void copyText(raw)}>
          <Copy className="icon-14" aria-hidden />
        </IconButton>
      </PanelHeader>
      {event.delayMs !== undefined && event.delayMs >= minDelayMs && (
        <PanelNote>{Math.round(event.delayMs)} ms late: busy page or slow network.</PanelNote>
      )}
      {'data' in entry && entry.event !== undefined && (
        <PanelNote>
          Event name: <code>{entry.event}</code>.
        </PanelNote>
      )}
      {lines ? (
        <RawJson lines={lines} label={`Event ${event.number}, raw`} />
      ) : (
        <RawFrame label={`Event ${event.number}, raw`}>{shortenBase64(raw.slice(0, maxRawChars))}</RawFrame>
      )}
      {'comment' in entry && <PanelNote>Keep-alive comment without data.</PanelNote>}
      {'outside' in entry && <PanelNote>This text is not part of any event.</PanelNote>}
      {'data' in entry && entry.unterminated && (
        <PanelNote>The stream ended before the blank line that closes this event.</PanelNote>
      )}
      <UnknownFieldNotes paths={unknownPaths} />
    </section>
  );
}

/** Text of the event in a frame that scrolls. */
function RawFrame({ label, children }: { label: string; children: ReactNode }) {
  return (
    <pre
      className="max-h-[46vh] overflow-y-auto rounded-2 border border-line-2 bg-paper px-3 py-2.5 font-mono text-mono-12 wrap-anywhere whitespace-pre-wrap"
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      {children}
    </pre>
  );
}

/** Time since the previous event; in the warning colour if the stream stalled. */
function Gap({ isSlow, text }: { isSlow: boolean; text: string }) {
  if (!isSlow) return <span className="text-12 text-ink-3">{text}</span>;
  return (
    <StatusLabel tone="warn" icon={<Clock aria-hidden />}>
      {text}
    </StatusLabel>
  );
}

/** Minimum delay that is reported, in ms; a frame more or less is not noticeable. */
const minDelayMs = 20;
const maxRawChars = 100_000;
const reasoningPathPattern =
  /\.(?:delta|message)\.(?:reasoning|reasoning_content|reasoning_text|reasoning_details|thinking|thinking_blocks)$/;

const mediaPathPattern =
  /^(?:citations|search_results)$|\.(?:delta|message)\.(?:images?|citations|search_results)$/;

/** Lists fields outside the specification on one line, the first ones with their purpose. */
function UnknownFieldNotes({ paths }: { paths: readonly string[] }) {
  if (paths.length === 0) return null;
  const purposes = new Set(paths.map(getFieldPurpose));
  const [onlyPurpose] = purposes.size === 1 ? purposes : [];
  return (
    <PanelNote>
      {paths.slice(0, maxNames).map((path, index) => (
        <Fragment key={path}>
          {index > 0 && ', '}
          <code>{path}</code>
          {onlyPurpose === undefined && ` (${purposeLabels[getFieldPurpose(path)]})`}
        </Fragment>
      ))}
      {paths.length > maxNames && ` and ${paths.length - maxNames} more`}
      {paths.length === 1 ? ' is' : ' are'} not in the API description.
      {onlyPurpose !== undefined && ` ${purposeTexts[onlyPurpose]}`}
    </PanelNote>
  );
}

type FieldPurpose = 'reasoning' | 'media' | 'other';

function getFieldPurpose(path: string): FieldPurpose {
  if (reasoningPathPattern.test(path)) return 'reasoning';
  return mediaPathPattern.test(path) ? 'media' : 'other';
}

const maxNames = 12;
const purposeTexts: Record<FieldPurpose, string> = {
  reasoning: 'Shown as reasoning, separate from the answer.',
  media: 'Shown with the answer.',
  other: 'Not shown in the answer.',
};
const purposeLabels: Record<FieldPurpose, string> = {
  reasoning: 'reasoning',
  media: 'shown with the answer',
  other: 'not shown',
};

interface RawJsonProps {
  lines: readonly JsonLine[];
  label: string;
}

/** Maximum number of lines shown; more lines would be slow and of no use. */
const maxLines = 2_000;

/** Formatted JSON in which fields that are not in the specification are marked. */
function RawJson({ lines, label }: RawJsonProps) {
  return (
    <RawFrame label={label}>
      {lines.slice(0, maxLines).map(({ depth, tokens }, lineIndex) => (
        <span key={lineIndex}>
          {'  '.repeat(depth)}
          {tokens.map(({ text, kind, isUnknownField }, index) =>
            isUnknownField ? (
              <mark
                key={index}
                className="bg-warn-wash text-warn-ink underline decoration-dotted decoration-1 underline-offset-3"
                title="Not in the API description"
              >
                {text}
              </mark>
            ) : (
              <JsonTokenView key={index} kind={kind}>
                {text}
              </JsonTokenView>
            ),
          )}
          {'\n'}
        </span>
      ))}
      {lines.length > maxLines && (
        <span className="text-ink-3">{`… ${pluralize(lines.length - maxLines, 'more line')}. Copy includes all lines.`}</span>
      )}
    </RawFrame>
  );
}
