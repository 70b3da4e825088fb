import { useState } from 'react';

import { parseMessageFields, type Role } from '../../conversation/request/message-fields.ts';
import { toImagePart } from '../../conversation/request/message-images.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { useView } from '../../state/contexts.tsx';
import { lazyOverlay } from '../../ui/hooks/lazy-component.tsx';
import { ChevronUp } from '../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { useMessageActions } from '../conversation/message/use-message-actions.ts';
import { authorName } from '../workspace/playground-focus-targets.ts';
import type { ComposerDraft } from './use-composer-draft.ts';

const ToolMessageDialog = lazyOverlay(
  'The tool message',
  async () => (await import('./tool-message-dialog.tsx')).ToolMessageDialog,
);

const roles: readonly Role[] = ['user', 'assistant', 'system', 'tool'];

/** Menu that adds the draft to the conversation as a message of any role, without sending it. */
export function AddMessageMenu({ draft, targets }: { draft: ComposerDraft; targets: readonly LaneId[] }) {
  const { addMessage } = useMessageActions();
  const name = useView((state) => state.author);
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const { messageText: text, files, images, isEmpty } = draft;

  const add = (role: Role, toolCallId = '') => {
    const attachments = { files, images: images.map(toImagePart) };
    const result = parseMessageFields({ role, text, ...attachments, name, toolCallId, toolCalls: '' });
    if (!result.ok) return;
    addMessage(result.message, targets);
    draft.clear();
  };
  const getBlocker = (role: Role) => {
    if (targets.length === 0) return 'Choose a lane first';
    // The content of a tool message is text and may be empty (§2.2).
    if (role === 'tool' && files.length > 0) return 'Remove the files first';
    if (role === 'tool') return images.length > 0 ? 'Remove the images first' : undefined;
    return isEmpty ? 'Write a message first' : undefined;
  };
  const items = roles.map((role): MenuItem => {
    const label = `Add as ${role} message`;
    const disabledReason = getBlocker(role);
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
    onPick: () => authorName.focus(),
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
