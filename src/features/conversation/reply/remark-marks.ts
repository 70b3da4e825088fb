import type { Remark } from '../../../state/sessions/message-actions.ts';
import { type IconComponent } from '../../../ui/icons.tsx';
import { Star, ThumbsDown, ThumbsUp } from '../../../ui/late-icons.tsx';

export type RemarkMark = NonNullable<Remark['mark']>;

/** Label and icon of each mark of an answer. */
export const remarkMarks: Readonly<Record<RemarkMark, { word: string; icon: IconComponent }>> = {
  good: { word: 'Good', icon: ThumbsUp },
  bad: { word: 'Bad', icon: ThumbsDown },
  star: { word: 'Starred', icon: Star },
};
