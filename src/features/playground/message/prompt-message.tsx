import { use, useRef, type ReactNode } from 'react';

import { toMessageFields } from '../../../conversation/request/message-fields.ts';
import type { TurnId } from '../../../conversation/session/types.ts';
import { canHaveVariables } from '../../../conversation/session/variables.ts';
import type { Message } from '../../../gateway/wire.ts';
import { hasLongWord } from '../../../lib/text/long-word.ts';
import { usePlayground } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';
import { useToolbar } from '../../../ui/hooks/use-toolbar.ts';
import { Copy, Pencil, Trash2 } from '../../../ui/icons.tsx';
import { messageBandLook } from '../conversation/band-look.ts';
import { RowSeen } from '../conversation/row-visibility-context.ts';
import { foundLook, useFound } from '../find/use-current-hit.ts';
import { editButton, messageField } from '../playground-focus-targets.ts';
import { laterLook } from '../reply/later-look.ts';
import { useOpened } from '../use-open-panel.ts';
import { FoldedText } from './collapsible-text.tsx';
import { MessageBranch } from './message-branch.tsx';
import { MessageEditor } from './message-editor.tsx';
import { PromptImage } from './prompt-image.tsx';

interface Props {
  message: Message;
  /** What is typed into its editor is kept under this. */
  draftKey: string;
  turnIds: readonly TurnId[];
  isLatest: boolean;
  versions: ReactNode;
  onSave: (message: Message, run: boolean) => void;
}

const saidLook = classes(
  'flex min-w-0 items-start justify-between gap-6 min-[760px]:in-[.one-lane]:pr-13',
  'max-[760px]:flex-col max-[760px]:gap-2 max-[760px]:pr-4',
);
const codeLook = classes('wrap-anywhere [font:var(--m-12)]');
const imagesLook = classes(
  'flex max-w-1/2 flex-none flex-wrap justify-end gap-2 max-[760px]:max-w-full max-[760px]:justify-start',
  '[&_*]:data-missing:text-warn-ink [&>span]:max-w-65 [&>span]:gap-1 [&>span]:overflow-hidden',
);
const versionsLook = classes(
  'versions col-2 empty:hidden in-[.one-lane]:max-[760px]:col-1 max-phone:col-span-full',
);

/** One message that a person wrote, of any role: its words, images and names, and what can be done with it. */
export function PromptMessage({ message, draftKey, turnIds, isLatest, versions, onSave }: Props) {
  const { actions } = usePlayground();
  const [editing, setEditing] = useOpened(`editor of ${draftKey}`);
  const isSeen = use(RowSeen);
  const acts = useRef<HTMLSpanElement>(null);
  const toolbar = useToolbar(acts);
  const isFound = useFound(draftKey) !== undefined;
  const fields = toMessageFields(message);
  const role = message.role.charAt(0).toUpperCase() + message.role.slice(1);

  const giveUp = (from: EventTarget | undefined) => {
    setEditing(false);
    // The editor takes the focus with it: back to the composer or to Edit, whichever opened it.
    requestAnimationFrame(() => {
      const target = from instanceof HTMLTextAreaElement ? from : acts.current?.querySelector('button');
      target?.focus();
    });
  };

  return (
    <article
      className={classes(messageBandLook, 'data-hit:relative', foundLook, !isLatest && 'group/older')}
      aria-label={`${role} message`}
      data-message={draftKey}
      data-hit={isFound || undefined}
    >
      <div className="lane-column">
        <span>
          {message.role === 'user' ? 'You' : role}
          {message.name !== undefined && (
            <small
              title={`name: ${message.name}`}
              className="block truncate text-ink-2 [font:500_12px/16px_var(--mono)]"
            >
              {message.name}
            </small>
          )}
        </span>
        {editing ? (
          <MessageEditor
            message={message}
            draftKey={draftKey}
            canRun
            note="Your current version is kept. You can switch back at any time."
            onCancel={giveUp}
            onSave={(next, run) => {
              setEditing(false);
              messageField.focus();
              onSave(next, run);
            }}
          />
        ) : (
          <div className={saidLook}>
            <div className="min-w-0 flex-1">
              {message.role === 'tool' && (
                <span className={classes(codeLook, 'text-ink-3')}>answers {message.tool_call_id}</span>
              )}
              {fields.text !== '' && (
                <p
                  dir="auto"
                  data-said="prompt"
                  className={hasLongWord(fields.text) ? 'unbroken' : undefined}
                >
                  <FoldedText message={draftKey} text={fields.text} fills={canHaveVariables(message)} />
                </p>
              )}
              {fields.toolCalls !== '' && (
                <pre className={classes(codeLook, 'mt-1 whitespace-pre-wrap text-ink-2')}>
                  {fields.toolCalls}
                </pre>
              )}
            </div>
            {fields.images.length > 0 && (
              <div className={imagesLook}>
                {fields.images.map((part, index) => (
                  <PromptImage key={index} part={part} number={index + 1} />
                ))}
              </div>
            )}
          </div>
        )}
        <span
          className={classes('message-tools phone:in-[.one-lane]:-ml-12', laterLook)}
          ref={acts}
          {...toolbar}
          aria-label="Message"
        >
          {isSeen && !editing && (
            <>
              <IconButton label="Edit" size="small" {...editButton.here} onClick={() => setEditing(true)}>
                <Pencil className="icon-14" aria-hidden />
              </IconButton>
              <IconButton label="Copy" size="small" onClick={() => void copyText(fields.text)}>
                <Copy className="icon-14" aria-hidden />
              </IconButton>
              <MessageBranch turnId={turnIds[0] ?? ''} at="prompt" />
              <IconButton
                label="Delete"
                tip={
                  turnIds.length > 1
                    ? `Delete this and everything after it, in ${turnIds.length} lanes`
                    : 'Delete this and everything after it'
                }
                size="small"
                onClick={() => void actions.deletePrompt(turnIds)}
              >
                <Trash2 className="icon-14" aria-hidden />
              </IconButton>
            </>
          )}
        </span>
        <span className={versionsLook}>{versions}</span>
      </div>
    </article>
  );
}
