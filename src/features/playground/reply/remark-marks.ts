import type { Remark } from '../../../state/sessions/message-actions.ts';
import { Star, ThumbsDown, ThumbsUp, type IconComponent } from '../../../ui/icons.tsx';

export type RemarkMark = NonNullable<Remark['mark']>;

/** The marks of an answer, each with its word and its shape. */
export const remarkMarks: Readonly<Record<RemarkMark, { word: string; icon: IconComponent }>> = {
  good: { word: 'Good', icon: ThumbsUp },
  bad: { word: 'Bad', icon: ThumbsDown },
  star: { word: 'Starred', icon: Star },
};
