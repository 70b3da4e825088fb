import { Star, ThumbsDown, ThumbsUp, type LucideIcon } from 'lucide-react';

import type { Remark } from '../../../state/sessions/message-actions.ts';

export type Mark = NonNullable<Remark['mark']>;

/** The marks of an answer, each with its word and its shape. */
export const marks: Readonly<Record<Mark, { word: string; icon: LucideIcon }>> = {
  good: { word: 'Good', icon: ThumbsUp },
  bad: { word: 'Bad', icon: ThumbsDown },
  star: { word: 'Starred', icon: Star },
};
