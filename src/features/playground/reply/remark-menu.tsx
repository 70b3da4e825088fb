import { Bookmark, Check } from 'lucide-react';

import type { Turn } from '../../../conversation/session/types.ts';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import { useMessageActions } from '../message/use-message-actions.ts';
import { marks, type Mark } from './remark-marks.ts';

const choices: readonly Mark[] = ['good', 'bad', 'star'];

/** Marks an answer good, bad or starred, or begins a note on it. */
export function RemarkMenu({ turn, onNote }: { turn: Turn; onNote: () => void }) {
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
