import { PenLine } from 'lucide-react';

import { textOfContent } from '../../../conversation/request/request.ts';
import { fieldsOfMessage } from '../../../conversation/request/written-message.ts';
import type { Turn } from '../../../conversation/session/types.ts';
import type { Message } from '../../../gateway/wire.ts';
import { Markdown } from '../../../markdown/draw/markdown.tsx';
import { usePlayground } from '../../../state/react.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { PromptImage } from '../message/prompt-image.tsx';
import { RawText } from '../message/raw-text.tsx';
import { ToolCalls } from '../tools/tool-calls.tsx';

/** An answer in a person's own words, and marked as that. */
export function WrittenReply({ turn, message, raw }: { turn: Turn; message: Message; raw: boolean }) {
  const { images } = fieldsOfMessage(message);
  const text = textOfContent(message.content);
  const hasCalls = message.role === 'assistant' && (message.tool_calls ?? []).length > 0;
  return (
    <>
      <p className="by-hand">
        <PenLine className="i s" aria-hidden />
        Written by hand{message.name !== undefined && `, as ${message.name}`}
      </p>
      {text !== '' && (raw ? <RawText text={text} /> : <Markdown text={text} live={false} />)}
      {images.map((part, index) => (
        <PromptImage key={index} part={part} number={index + 1} />
      ))}
      {hasCalls && <ToolCalls turn={turn} run={undefined} choice={0} />}
    </>
  );
}

/** A message that was kept without being sent. */
export function NotRunYet({ turn }: { turn: Turn }) {
  const { actions } = usePlayground();
  return (
    <p className="not-run">
      <span className="mut">Saved, not sent yet.</span>
      <Button size="small" onClick={() => void actions.regenerate([turn.id])}>
        Run
      </Button>
    </p>
  );
}
