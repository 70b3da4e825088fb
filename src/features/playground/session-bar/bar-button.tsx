import { clsx } from 'clsx';

import { Button } from '../../../ui/controls/button.tsx';
import type { IconComponent } from '../../../ui/icons.tsx';

interface BarButtonProps {
  icon: IconComponent;
  label: string;
  onClick: () => void;
  className?: string;
  /** Order in which labels are hidden when the bar is narrow or lane tiles need the space. */
  labelPriority?: keyof typeof labelHideClasses;
  /** Disabled reason. A disabled button stays focusable, because it may have the focus. */
  disabledReason?: string | undefined;
}

const besideTiles = 'group-has-data-lane-rail/bar:@max-[1400px]:hidden';
const labelHideClasses = {
  first: clsx(besideTiles, '@max-[1080px]:hidden'),
  next: clsx(besideTiles, '@max-[900px]:hidden'),
  third: besideTiles,
  last: 'group-has-data-lane-rail/bar:@max-[900px]:hidden',
};
/** Classes of the label of a tool. */
export const toolWordsLook = (labelPriority: keyof typeof labelHideClasses = 'third') =>
  clsx('words truncate phone:max-[900px]:hidden', labelHideClasses[labelPriority]);

/** Tool of the session bar. A narrow bar hides the label; the accessible name stays. */
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
      variant="tool"
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
