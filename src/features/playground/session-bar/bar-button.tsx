import type { LucideIcon } from 'lucide-react';

import { Button } from '../../../ui/controls/button.tsx';

interface BarButtonProps {
  icon: LucideIcon;
  label: string;
  onClick: () => void;
  className?: string;
  /** Where the bar becomes narrow, its words give way before those of the others. */
  wordsGo?: 'first' | 'next';
  /** It stays in its place, where the focus may be. */
  disabledBecause?: string | undefined;
}

const wordsGone = { first: '@max-[1080px]:hidden', next: '@max-[900px]:hidden' };

/** A tool of the session bar: its words give way where the bar is narrow, its name does not. */
export function BarButton({
  icon: Icon,
  label,
  onClick,
  className = '',
  wordsGo,
  disabledBecause,
}: BarButtonProps) {
  return (
    <Button
      look="quiet"
      className={className}
      aria-label={label}
      title={disabledBecause ?? label}
      aria-disabled={disabledBecause !== undefined}
      onClick={() => disabledBecause === undefined && onClick()}
    >
      <Icon className="icon-14" aria-hidden />
      <span className={`words ${wordsGo ? wordsGone[wordsGo] : ''}`}>{label}</span>
    </Button>
  );
}
