import { toMessageFields } from '../../conversation/request/message-fields.ts';
import { getFileName, getWrittenText, listFiles } from '../../conversation/request/message-files.ts';
import type { ImagePart } from '../../conversation/request/message-images.ts';
import type { PromptId } from '../../conversation/session/types.ts';
import { canHaveVariables, findVariables } from '../../conversation/session/variables.ts';
import { useSession } from '../../state/contexts.tsx';
import { StageHead, StageTitle } from '../../ui/stage/stage-head.tsx';
import { useStoredImage } from '../attachments/use-stored-image.ts';
import { MessageText } from '../conversation/message/message-text.tsx';

interface StagePromptProps {
  promptIds: readonly PromptId[];
  /** True if the answers below need the space. */
  isSmall: boolean;
}

/** Prompt in large type. Lanes with different prompts show them below their names instead. */
export function StagePrompt({ promptIds, isSmall }: StagePromptProps) {
  const isShared = new Set(promptIds).size === 1;
  return (
    <StageHead isSmall={isSmall}>
      {isShared ? (
        <StagePromptText promptId={promptIds[0] ?? ''} isSmall={isSmall} />
      ) : (
        <p className="text-24 text-ink-3">Different prompt in each lane</p>
      )}
    </StageHead>
  );
}

interface StagePromptTextProps {
  promptId: PromptId;
  isSmall: boolean;
  inLane?: boolean;
}

/** Text and images of a prompt. */
export function StagePromptText({ promptId, isSmall, inLane = false }: StagePromptTextProps) {
  const prompt = useSession((data) => data.prompts[promptId]);
  const variables = useSession((data) => data.session.variables) ?? {};
  if (!prompt) return null;
  const userMessages = prompt.messages.filter(({ role }) => role === 'user');
  const visibleMessages = userMessages.length > 0 ? userMessages : prompt.messages;
  const images = visibleMessages.flatMap((message) => toMessageFields(message).images);
  const fileNames = visibleMessages.flatMap(({ content }) => listFiles(content).map(getFileName));
  const results = prompt.results?.length ?? 0;
  const texts = visibleMessages.filter(canHaveVariables).map(({ content }) => getWrittenText(content));
  const filledNames = findVariables(texts).filter((name) => Object.hasOwn(variables, name));
  return (
    <div className="max-h-[34vh] max-w-300 [scrollbar-width:thin] overflow-y-auto">
      {visibleMessages.map((message, index) => (
        <StageTitle key={index} dir="auto" isSmall={isSmall} inLane={inLane}>
          <MessageText text={getWrittenText(message.content)} hasVariables showsValues />
        </StageTitle>
      ))}
      {visibleMessages.length === 0 && results > 0 && (
        <StageTitle isSmall={isSmall} inLane={inLane}>
          {results === 1 ? 'Tool result' : `${results} tool results`}
        </StageTitle>
      )}
      {filledNames.length > 0 && (
        <p className="mt-2 line-clamp-2 text-[18px]/7 wrap-anywhere text-ink-3">
          {filledNames.map((name) => `${name} = ${variables[name]}`).join(' · ')}
        </p>
      )}
      {fileNames.length > 0 && (
        <p className="mt-2 text-[18px]/7 wrap-anywhere text-ink-3">{fileNames.join(', ')}</p>
      )}
      {images.length > 0 && (
        <div className="mt-3 flex gap-3">
          {images.map((part, index) => (
            <StageImage key={index} part={part} number={index + 1} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Image in a prompt. The URL of a remote image is not shown, because it may be private. */
function StageImage({ part, number }: { part: ImagePart; number: number }) {
  const image = useStoredImage(part.image_url.url);
  if (image.state === 'here')
    return (
      <img
        className="max-h-30 max-w-80 rounded-3 border border-line"
        src={image.src}
        alt={`Attachment ${number}`}
      />
    );
  return <span className="text-ink-3">{image.state === 'loading' ? '' : `Image ${number}`}</span>;
}
