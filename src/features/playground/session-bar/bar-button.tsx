import { classes } from '../../../ui/cn.ts';
import { Button } from '../../../ui/controls/button.tsx';
import type { IconComponent } from '../../../ui/icons.tsx';

interface BarButtonProps {
  icon: IconComponent;
  label: string;
  onClick: () => void;
  className?: string;
  /** Where the bar becomes narrow, or tiles of the lanes need room in it, the words of some give way before others. */
  wordsGo?: keyof typeof wordsGone;
  /** It stays in its place, where the focus may be. */
  disabledBecause?: string | undefined;
}

const besideTiles = 'group-has-data-lane-rail/bar:@max-[1400px]:hidden';
const wordsGone = {
  first: classes(besideTiles, '@max-[1080px]:hidden'),
  next: classes(besideTiles, '@max-[900px]:hidden'),
  third: besideTiles,
  last: 'group-has-data-lane-rail/bar:@max-[900px]:hidden',
};
/** The words on a tool of the bar. */
export const toolWordsLook = (wordsGo: keyof typeof wordsGone = 'third') =>
  classes('words truncate phone:max-[900px]:hidden', wordsGone[wordsGo]);

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
      look="tool"
      className={className}
      aria-label={label}
      title={disabledBecause ?? label}
      aria-disabled={disabledBecause !== undefined}
      onClick={() => disabledBecause === undefined && onClick()}
    >
      <Icon className="icon-14" aria-hidden />
      <span className={toolWordsLook(wordsGo)}>{label}</span>
    </Button>
  );
}
