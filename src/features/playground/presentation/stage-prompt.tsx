import type { ImagePart } from '../../../conversation/request/images.ts';
import { textOfContent } from '../../../conversation/request/request.ts';
import { fieldsOfMessage } from '../../../conversation/request/written-message.ts';
import type { PromptId } from '../../../conversation/session/types.ts';
import { useSession } from '../../../state/react.tsx';
import { MessageText } from '../message/message-text.tsx';
import { useStoredImage } from '../message/use-stored-image.ts';

/** What was asked, large; lanes that were asked something else have it beneath their name. */
export function StagePrompt({ promptIds }: { promptIds: readonly PromptId[] }) {
  const isShared = new Set(promptIds).size === 1;
  return (
    <header className="qh">
      <StageMark />
      {isShared ? (
        <PromptWords promptId={promptIds[0] ?? ''} />
      ) : (
        <p className="mut">Different prompt in each lane</p>
      )}
    </header>
  );
}

/** The mark of Bench, beside what is asked. */
export function StageMark() {
  return (
    <svg
      className="mark size-5 fill-none stroke-ink stroke-[1.75] forced-colors:stroke-[CanvasText]"
      viewBox="0 0 20 20"
      aria-hidden
    >
      <path d="M2.5 3v14M6.25 3v8M10 3v14M13.75 3v8" />
      <path className="stroke-needle forced-colors:stroke-[Highlight]" d="M17.5 3v14" />
    </svg>
  );
}

/** The words and pictures of one prompt. */
export function PromptWords({ promptId }: { promptId: PromptId }) {
  const prompt = useSession((data) => data.prompts[promptId]);
  if (!prompt) return null;
  const said = prompt.messages.filter(({ role }) => role === 'user');
  const shown = said.length > 0 ? said : prompt.messages;
  const images = shown.flatMap((message) => fieldsOfMessage(message).images);
  const results = prompt.results?.length ?? 0;
  return (
    <div className="asked">
      {shown.map((message, index) => (
        <p key={index} dir="auto">
          <MessageText text={textOfContent(message.content)} fills />
        </p>
      ))}
      {shown.length === 0 && results > 0 && (
        <p>{results === 1 ? 'Tool result' : `${results} tool results`}</p>
      )}
      {images.length > 0 && (
        <div className="asked-images">
          {images.map((part, index) => (
            <StageImage key={index} part={part} number={index + 1} />
          ))}
        </div>
      )}
    </div>
  );
}

/** An image that is elsewhere is not named: its address may be nobody's business. */
function StageImage({ part, number }: { part: ImagePart; number: number }) {
  const image = useStoredImage(part.image_url.url);
  if (image.state === 'here') return <img src={image.src} alt={`Attachment ${number}`} />;
  return <span className="mut">{image.state === 'loading' ? '' : `Image ${number}`}</span>;
}
