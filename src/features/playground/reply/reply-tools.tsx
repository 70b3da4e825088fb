import { Bookmark, Check, ChevronDown, Copy, Pencil, RotateCw, TextQuote, Trash2 } from 'lucide-react';
import { useRef } from 'react';

import { textOfContent } from '../../../conversation/request/request.ts';
import { answerVersions } from '../../../conversation/session/tree.ts';
import type { Turn } from '../../../conversation/session/types.ts';
import type { Message } from '../../../gateway/wire.ts';
import { wordsOfMarkdown } from '../../../markdown/tree/words-of-markdown.ts';
import { usePlayground, useSessionParts } from '../../../state/react.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';
import { useToolbar } from '../../../ui/hooks/use-toolbar.ts';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import { InspectButton } from '../inspector/inspect-button.tsx';
import { MessageBranch } from '../message/message-branch.tsx';
import { useMessageActions } from '../message/use-message-actions.ts';
import { VersionStepper } from '../message/version-stepper.tsx';
import { editButton } from '../places.ts';
import { marks, type Mark } from './remark-marks.ts';

interface Props {
  turn: Turn;
  /** The answer shown, as a message. */
  message: Message;
  /** The raw text is shown. */
  raw: boolean;
  onRaw: (raw: boolean) => void;
  onEdit: () => void;
  onNote: () => void;
}

/** What can be done with an answer, and the stepper through its versions. */
export function ReplyTools({ turn, message, raw, onRaw, onEdit, onNote }: Props) {
  const { actions } = usePlayground();
  const versionIds = useSessionParts((data) => answerVersions(data, turn).map((version) => version.id)) ?? [];
  const bar = useRef<HTMLDivElement>(null);
  const toolbar = useToolbar(bar);
  const text = textOfContent(message.content);
  return (
    <div className="rbar" ref={bar} {...toolbar} aria-label="Answer">
      <span className="tools">
        <IconButton label="Copy" size="small" disabled={text === ''} onClick={() => void copyText(text)}>
          <Copy className="i s" aria-hidden />
        </IconButton>
        <Menu
          label="More ways to copy"
          className="ib s"
          placement="start"
          items={[
            { label: 'As Markdown', onPick: () => void copyText(text) },
            { label: 'As plain text', onPick: () => void copyText(wordsOfMarkdown(text)) },
            { label: 'As a message in JSON', onPick: () => void copyText(JSON.stringify(message, null, 2)) },
          ]}
        >
          <ChevronDown className="i s" aria-hidden />
        </Menu>
        <IconButton label="Regenerate" size="small" onClick={() => void actions.regenerate([turn.id])}>
          <RotateCw className="i s" aria-hidden />
        </IconButton>
        <IconButton label="Edit" size="small" {...editButton.here} onClick={onEdit}>
          <Pencil className="i s" aria-hidden />
        </IconButton>
        <MessageBranch turnId={turn.id} at="reply" />
        <IconButton
          label="Delete"
          tip="Delete this version and everything after it"
          size="small"
          onClick={() => void actions.deleteTurns([turn.id])}
        >
          <Trash2 className="i s" aria-hidden />
        </IconButton>
        <IconButton
          label="Show raw text"
          size="small"
          aria-pressed={raw}
          disabled={text === ''}
          onClick={() => onRaw(!raw)}
        >
          <TextQuote className="i s" aria-hidden />
        </IconButton>
        <InspectButton turn={turn} />
        <RemarkMenu turn={turn} onNote={onNote} />
      </span>
      <VersionStepper
        shown={versionIds.indexOf(turn.id) + 1}
        count={versionIds.length}
        onStep={(step) => actions.stepAnswer(turn.id, step)}
      />
    </div>
  );
}

const choices: readonly Mark[] = ['good', 'bad', 'star'];

/** Marks an answer good, bad or starred, or begins a note on it. */
function RemarkMenu({ turn, onNote }: { turn: Turn; onNote: () => void }) {
  const { remark } = useMessageActions();
  const { mark, text } = turn.remark ?? {};
  const items: MenuItem[] = choices.map((choice) => {
    const { word, icon: Icon } = marks[choice];
    const isSet = mark === choice;
    return {
      label: word,
      icon: isSet ? <Check className="i s" aria-hidden /> : <Icon className="i s" aria-hidden />,
      ...(isSet ? { hint: 'remove' } : {}),
      onPick: () => remark(turn.id, { mark: isSet ? undefined : choice, text }),
    };
  });
  items.push({
    label: text === undefined ? 'Add a note' : 'Edit the note',
    startsGroup: true,
    onPick: onNote,
  });
  return (
    <Menu label="Mark" className="ib s" items={items}>
      <Bookmark className="i s" aria-hidden />
    </Menu>
  );
}
