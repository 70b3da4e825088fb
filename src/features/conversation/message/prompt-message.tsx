import { clsx } from 'clsx';
import { upperFirst } from 'es-toolkit';
import { use, useRef, type ReactNode } from 'react';

import { toMessageFields } from '../../../conversation/request/message-fields.ts';
import { maxLanes } from '../../../conversation/session/lanes.ts';
import type { TurnId } from '../../../conversation/session/types.ts';
import { canHaveVariables } from '../../../conversation/session/variables.ts';
import type { Message } from '../../../gateway/wire.ts';
import { formatBytes } from '../../../lib/format.ts';
import { collapseText } from '../../../lib/text/collapsed-text.ts';
import { hasLongWord } from '../../../lib/text/long-word.ts';
import { useSessionServices, useSession, useAppServices } from '../../../state/contexts.tsx';
import { reportFailure } from '../../../state/notices.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton, iconButtonVariants } from '../../../ui/controls/icon-button.tsx';
import { Toolbar } from '../../../ui/controls/toolbar.tsx';
import { Copy, Pencil, Trash2, GitBranch } from '../../../ui/late-icons.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { copyMessage } from '../../attachments/copied-message.ts';
import { useCurrentHit, useExpanded } from '../../find/use-current-hit.ts';
import { BandColumns, MessageBand } from '../../workspace/message-band.tsx';
import { editButton, messageField } from '../../workspace/playground-focus-targets.ts';
import { RowVisibilityContext } from '../../workspace/row-visibility-context.ts';
import { useOpenPanel } from '../../workspace/use-open-panel.ts';
import { usePrinting } from '../use-printing.ts';
import { MessageEditor } from './message-editor.tsx';
import { MessageText } from './message-text.tsx';
import { PromptFile } from './prompt-file.tsx';
import { PromptImage } from './prompt-image.tsx';

interface Props {
  message: Message;
  /** Key of the editor's draft. */
  draftKey: string;
  turnIds: readonly TurnId[];
  isLatest: boolean;
  versions: ReactNode;
  onSave: (message: Message, shouldRun: boolean) => void;
}

/** Message of any role written by the user: text, files, images, names and actions. */
export function PromptMessage({ message, draftKey, turnIds, isLatest, versions, onSave }: Props) {
  const { actions } = useSessionServices();
  const [isEditing, setIsEditing] = useOpenPanel(`editor of ${draftKey}`);
  const wasVisible = use(RowVisibilityContext);
  const actionsRef = useRef<HTMLSpanElement>(null);
  const hasCurrentHit = useCurrentHit(draftKey) !== undefined;
  const fields = toMessageFields(message);
  const role = upperFirst(message.role);

  const cancelEdit = (previousFocus: EventTarget | undefined) => {
    setIsEditing(false);
    // The editor had the focus. Returns it to the composer or the Edit button, depending on which of them opened the
    // editor.
    requestAnimationFrame(() => {
      const target =
        previousFocus instanceof HTMLTextAreaElement
          ? previousFocus
          : actionsRef.current?.querySelector('button');
      target?.focus();
    });
  };

  return (
    <MessageBand
      className={clsx(
        'border-b max-phone:py-3',
        'data-hit:relative data-hit:shadow-[inset_3px_0_0_var(--needle)]',
        !isLatest && 'group/older',
      )}
      aria-label={`${role} message`}
      data-message={draftKey}
      data-hit={hasCurrentHit || undefined}
    >
      <BandColumns>
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
        {isEditing ? (
          <MessageEditor
            message={message}
            draftKey={draftKey}
            canRun
            note="The current version is kept. You can switch back at any time."
            onCancel={cancelEdit}
            onSave={(next, shouldRun) => {
              setIsEditing(false);
              messageField.focus();
              onSave(next, shouldRun);
            }}
          />
        ) : (
          <div
            className={clsx(
              'flex min-w-0 items-start justify-between gap-6 phone:in-data-[layout=one-lane]:pr-13',
              'max-phone:flex-col max-phone:gap-2 max-phone:pr-4',
            )}
          >
            <div className="max-w-full min-w-0 flex-1">
              {message.role === 'tool' && (
                <span className="wrap-anywhere text-ink-3 [font:var(--m-12)]">
                  result for {message.tool_call_id}
                </span>
              )}
              {fields.text !== '' && (
                <p
                  dir="auto"
                  data-text-kind="prompt"
                  className={hasLongWord(fields.text) ? 'unbroken' : undefined}
                >
                  <CollapsibleText
                    messageKey={draftKey}
                    text={fields.text}
                    hasVariables={canHaveVariables(message)}
                  />
                </p>
              )}
              {fields.files.length > 0 && (
                <div className="flex flex-wrap gap-1.5 not-first:mt-1.5">
                  {fields.files.map((file, index) => (
                    <PromptFile key={index} file={file} />
                  ))}
                </div>
              )}
              {fields.toolCalls !== '' && (
                <pre className="mt-1 wrap-anywhere whitespace-pre-wrap text-ink-2 [font:var(--m-12)]">
                  {fields.toolCalls}
                </pre>
              )}
            </div>
            {fields.images.length > 0 && (
              <div
                className={clsx(
                  'flex max-w-1/2 flex-none flex-wrap justify-end gap-2 max-phone:max-w-full max-phone:justify-start',
                  '[&_*]:data-missing:text-warn-ink [&>span]:max-w-65 [&>span]:gap-1 [&>span]:overflow-hidden',
                )}
              >
                {fields.images.map((part, index) => (
                  <PromptImage key={index} part={part} number={index + 1} />
                ))}
              </div>
            )}
          </div>
        )}
        <Toolbar
          render={
            <span
              className={clsx(
                '-my-px flex justify-end self-start phone:in-data-[layout=one-lane]:-ml-12 print:hidden',
                'max-phone:col-span-full max-phone:mt-0.5 max-phone:-mb-2.5 max-phone:ml-5.5 max-phone:justify-start',
                '[transition:opacity_90ms] [@media(hover:hover)]:group-[:not(:hover,:focus-within)]/older:opacity-0',
              )}
              ref={actionsRef}
            />
          }
          aria-label="Message"
        >
          {wasVisible && !isEditing && (
            <>
              <IconButton
                label="Edit"
                size="small"
                {...editButton.attributes}
                onClick={() => setIsEditing(true)}
              >
                <Pencil className="icon-14" aria-hidden />
              </IconButton>
              <IconButton label="Copy" size="small" onClick={() => void copyMessage(message)}>
                <Copy className="icon-14" aria-hidden />
              </IconButton>
              <MessageBranch turnId={turnIds[0] ?? ''} branchPoint="prompt" />
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
        </Toolbar>
        <span className="col-2 empty:hidden max-phone:col-span-full">{versions}</span>
      </BandColumns>
    </MessageBand>
  );
}

interface CollapsibleTextProps {
  /** Key of the message. */
  messageKey: string;
  text: string;
  hasVariables: boolean;
}

/**
 * Text written by the user. Of a long text, only the first lines are shown until the user expands it or it contains a
 * hit.
 */
function CollapsibleText({ messageKey, text, hasVariables }: CollapsibleTextProps) {
  const [isExpanded = false, setIsExpanded] = useExpanded(messageKey, 'prompt');
  const isOpen = usePrinting() || isExpanded;
  const collapsed = collapseText(text);
  if (collapsed === undefined) return <MessageText text={text} hasVariables={hasVariables} />;
  return (
    <>
      <MessageText text={isOpen ? text : collapsed.start} hasVariables={hasVariables} />
      <Button
        size="small"
        className="mt-2 flex"
        aria-expanded={isOpen}
        onClick={() => setIsExpanded(!isOpen)}
      >
        {isOpen ? 'Show less' : `Show all, ${formatBytes(collapsed.bytes)}`}
      </Button>
    </>
  );
}

/** Menu that branches the conversation, up to and including this message, into a lane or a new session. */
function MessageBranch({ turnId, branchPoint }: { turnId: TurnId; branchPoint: 'prompt' | 'reply' }) {
  const { actions } = useSessionServices();
  const { notices } = useAppServices();
  const isLaneLimitReached = useSession((data) => data.session.laneIds.length >= maxLanes) ?? false;
  return (
    <Menu
      label="Branch"
      className={iconButtonVariants({ size: 'small' })}
      items={[
        {
          label: 'Into a new lane',
          onPick: () => actions.branchToLane(turnId, branchPoint),
          ...(isLaneLimitReached ? { disabledReason: `Limit: ${maxLanes} lanes` } : {}),
        },
        {
          label: 'Into a new session',
          onPick: () => reportFailure(notices, actions.branchToSession(turnId, branchPoint)),
        },
      ]}
    >
      <GitBranch className="icon-14" aria-hidden />
    </Menu>
  );
}
