import { askedFormat, jsonReplyOf } from '../../../conversation/json-check-reply.ts';
import { isLive } from '../../../conversation/run.ts';
import type { Part, Run, Turn } from '../../../conversation/types.ts';
import { Markdown } from '../../../markdown/markdown.tsx';
import { JsonReply } from './json-reply.tsx';
import { ReasoningView } from './reasoning-view.tsx';
import { ToolCalls } from './tool-calls.tsx';

/** The parts of one candidate. A reply that is JSON, or was to be, is shown as such. */
export function ChoiceView({ turn, run, index }: { turn: Turn; run: Run; index: number }) {
  const live = isLive(run);
  const parts = run.choices[index]?.parts ?? [];
  const lastIndex = parts.length - 1;
  const asked = askedFormat(run.setup.params);
  const isOneText = parts.filter((part) => part.type === 'text').length === 1;
  return (
    <>
      {parts.map((part, at) => {
        const growing = live && at === lastIndex;
        const reply = isOneText && part.type === 'text' ? jsonReplyOf(part.text, live, asked !== undefined) : undefined;
        if (reply && part.type === 'text') {
          return <JsonReply key={at} text={part.text} reply={reply} live={live} asked={asked} />;
        }
        return <PartView key={at} part={part} live={growing} />;
      })}
      {parts.some((part) => part.type === 'tool-call') && <ToolCalls turn={turn} run={run} choice={index} />}
    </>
  );
}

function PartView({ part, live }: { part: Part; live: boolean }) {
  switch (part.type) {
    case 'text':
      return <Markdown text={part.text} live={live} caret={live} />;
    case 'thinking':
      return <ReasoningView part={part} live={live} />;
    case 'refusal':
      return (
        <div className="refusal">
          <b>Refused</b>
          <Markdown text={part.text} live={live} caret={live} />
        </div>
      );
    case 'tool-call':
      return null;
  }
}
