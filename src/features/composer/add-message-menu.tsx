import { useState } from 'react';

import { parseMessageFields, type Role } from '../../conversation/request/message-fields.ts';
import { toImagePart } from '../../conversation/request/message-images.ts';
import type { DraftImage } from '../../conversation/session/draft.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { lazyOverlay } from '../../ui/hooks/lazy-component.tsx';
import { ChevronUp } from '../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { useMessageActions } from '../conversation/message/use-message-actions.ts';

const ToolMessageDialog = lazyOverlay(
  'The tool message',
  async () => (await import('./tool-message-dialog.tsx')).ToolMessageDialog,
);

interface Props {
  text: string;
  images: readonly DraftImage[];
  name: string;
  targets: readonly LaneId[];
  /** Called when the message has been added to the conversation. */
  onAdded: () => void;
  /** Opens the field for the author's name. */
  onEditName: () => void;
}

const roles: readonly Role[] = ['user', 'assistant', 'system', 'tool'];

/** Menu that adds the draft to the conversation as a message of any role, without sending it. */
export function AddMessageMenu({ text, images, name, targets, onAdded, onEditName }: Props) {
  const { addMessage } = useMessageActions();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const isEmpty = text.trim() === '' && images.length === 0;

  const add = (role: Role, toolCallId = '') => {
    const parts = role === 'tool' ? [] : images.map(toImagePart);
    const result = parseMessageFields({ role, text, images: parts, name, toolCallId, toolCalls: '' });
    if (!result.ok) return;
    addMessage(result.message, targets);
    onAdded();
  };
  const items = roles.map((role): MenuItem => {
    const label = `Add as ${role} message`;
    const disabledReason = getAddBlocker(role, isEmpty, images.length > 0, targets.length);
    return {
      label,
      onPick: () => (role === 'tool' ? setIsDialogOpen(true) : add(role)),
      ...(disabledReason === undefined ? {} : { disabledReason }),
    };
  });
  items.push({
    label: 'Author name',
    hint: name === '' ? 'sent as name' : name,
    startsGroup: true,
    onPick: onEditName,
  });
  return (
    <>
      <Menu label="Add a message" items={items}>
        <ChevronUp className="icon-14" aria-hidden />
      </Menu>
      {isDialogOpen && (
        <ToolMessageDialog
          targets={targets}
          onClose={() => setIsDialogOpen(false)}
          onAdd={(toolCallId) => {
            setIsDialogOpen(false);
            add('tool', toolCallId);
          }}
        />
      )}
    </>
  );
}

function getAddBlocker(
  role: Role,
  isEmpty: boolean,
  hasImages: boolean,
  targetCount: number,
): string | undefined {
  if (targetCount === 0) return 'Choose a lane first';
  // The content of a tool message is text and may be empty (§2.2).
  if (role === 'tool') return hasImages ? 'Remove the images first' : undefined;
  return isEmpty ? 'Write a message first' : undefined;
}
