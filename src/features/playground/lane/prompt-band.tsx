import { Copy, Pencil, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { promptVersions } from '../../../conversation/tree.ts';
import { textOfContent } from '../../../conversation/request.ts';
import type { ContentPart, Message } from '../../../gateway/wire.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { usePlayground, useSession, useSessionParts } from '../../../state/react.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PromptEditor } from './prompt-editor.tsx';
import { ToolResultsView } from './tool-results-view.tsx';
import { VersionStepper } from './version-stepper.tsx';

/** What was said, as a band over the lanes that share it: text, images, versions, and what can be done with it. */
export function PromptBand({ promptId, turnId }: { promptId: string; turnId: string }) {
  const { actions } = usePlayground();
  const prompt = useSession((data) => data.prompts[promptId]);
  const versionIds = useSessionParts((data) => {
    const turn = data.turns[turnId];
    return turn ? promptVersions(data, turn).map((version) => version.id) : [];
  });
  const [editing, setEditing] = useState(false);
  const acts = useRef<HTMLSpanElement>(null);
  const editedFrom = useRef<Element>(null);
  if (!prompt) return null;
  const edit = () => {
    editedFrom.current = document.activeElement;
    setEditing(true);
  };
  const giveUp = () => {
    setEditing(false);
    // The editor takes the focus with it: back to the composer or to Edit, whichever opened it.
    requestAnimationFrame(() => {
      const from = editedFrom.current;
      const target = from instanceof HTMLTextAreaElement ? from : acts.current?.querySelector('button');
      target?.focus();
    });
  };
  const message = prompt.messages[0];
  const text = message ? textOfContent(message.content) : '';
  return (
    <>
      {prompt.results && <ToolResultsView results={prompt.results} />}
      {message && (
        <article className="band" aria-label={`${roleName(message)} message`}>
          <div className="col">
            <span>{message.role === 'user' ? 'You' : roleName(message)}</span>
            {editing ?
              <PromptEditor
                text={text}
                onCancel={giveUp}
                onSave={(next, run) => {
                  setEditing(false);
                  document.getElementById('composer')?.focus();
                  void actions.editPrompt(turnId, [withContent(message, next), ...prompt.messages.slice(1)], run);
                }}
              />
            : <div className="um">
                <p dir="auto">{text}</p>
                <PromptImages content={message.content} />
              </div>
            }
            <span className="acts" ref={acts}>
              {!editing && (
                <>
                  <IconButton label="Edit" size="small" onClick={edit}>
                    <Pencil className="i s" aria-hidden />
                  </IconButton>
                  <IconButton label="Copy" size="small" onClick={() => void copyText(text)}>
                    <Copy className="i s" aria-hidden />
                  </IconButton>
                  <IconButton label="Delete" size="small" onClick={() => void actions.deletePrompt(turnId)}>
                    <Trash2 className="i s" aria-hidden />
                  </IconButton>
                </>
              )}
            </span>
            <span className="versions">
              <VersionStepper
                shown={(versionIds?.indexOf(promptId) ?? 0) + 1}
                count={versionIds?.length ?? 1}
                onStep={(step) => actions.stepPrompt(turnId, step)}
              />
            </span>
          </div>
        </article>
      )}
    </>
  );
}

function roleName(message: Message): string {
  return message.role.charAt(0).toUpperCase() + message.role.slice(1);
}

/** The same message with other words; images stay. */
function withContent(message: Message, text: string): Message {
  if (message.role === 'tool' || !Array.isArray(message.content)) return { ...message, content: text };
  const images = message.content.filter((part) => part.type !== 'text');
  const content: ContentPart[] = text === '' ? images : [{ type: 'text', text }, ...images];
  return { ...message, content };
}

function PromptImages({ content }: { content: Message['content'] }) {
  if (!Array.isArray(content)) return null;
  const images = content.filter((part) => part.type === 'image_url');
  return (
    <>
      {images.map((part, index) => (
        <PromptImage key={index} url={part.image_url.url} index={index} />
      ))}
    </>
  );
}

function PromptImage({ url, index }: { url: string; index: number }) {
  // Only what is already here is shown; an address elsewhere is named, never fetched.
  if (!url.startsWith('data:image/')) return <span className="chip">{url}</span>;
  return <img className="photo" src={url} alt={`Attachment ${index + 1}`} />;
}
