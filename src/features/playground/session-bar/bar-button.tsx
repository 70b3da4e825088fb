import { cn } from '../../../ui/cn.ts';
import { Button } from '../../../ui/controls/button.tsx';
import type { IconComponent } from '../../../ui/icons.tsx';

interface BarButtonProps {
  icon: IconComponent;
  label: string;
  onClick: () => void;
  className?: string;
  /** Where the bar becomes narrow, or tiles of the lanes need room in it, the words of some give way before others. */
  labelPriority?: keyof typeof labelHideClasses;
  /** It stays in its place, where the focus may be. */
  disabledReason?: string | undefined;
}

const besideTiles = 'group-has-data-lane-rail/bar:@max-[1400px]:hidden';
const labelHideClasses = {
  first: cn(besideTiles, '@max-[1080px]:hidden'),
  next: cn(besideTiles, '@max-[900px]:hidden'),
  third: besideTiles,
  last: 'group-has-data-lane-rail/bar:@max-[900px]:hidden',
};
/** The words on a tool of the bar. */
export const toolWordsLook = (labelPriority: keyof typeof labelHideClasses = 'third') =>
  cn('words truncate phone:max-[900px]:hidden', labelHideClasses[labelPriority]);

/** A tool of the session bar: its words give way where the bar is narrow, its name does not. */
export function BarButton({
  icon: Icon,
  label,
  onClick,
  className = '',
  labelPriority,
  disabledReason,
}: BarButtonProps) {
  return (
    <Button
      look="tool"
      className={className}
      aria-label={label}
      title={disabledReason ?? label}
      aria-disabled={disabledReason !== undefined}
      onClick={() => disabledReason === undefined && onClick()}
    >
      <Icon className="icon-14" aria-hidden />
      <span className={toolWordsLook(labelPriority)}>{label}</span>
    </Button>
  );
}
