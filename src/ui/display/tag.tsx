import type { ReactNode } from 'react';

interface TagProps {
  /** With these two the tag is a filter that can be pressed. */
  pressed?: boolean;
  onPress?: () => void;
  children: ReactNode;
}

/** An outlined word, such as an ability; a toggle where `onPress` is given. */
export function Tag({ pressed = false, onPress, children }: TagProps) {
  if (!onPress) return <span className="tag">{children}</span>;
  return (
    <button type="button" className="tag" aria-pressed={pressed} onClick={onPress}>
      {children}
    </button>
  );
}
