import { clsx } from 'clsx';

import { Button } from '../../ui/controls/button.tsx';
import type { IconComponent } from '../../ui/icons.tsx';

interface BarLabelProps {
  /** Order in which labels are hidden when the bar is narrow or lane tiles need the space. */
  priority?: 'first' | 'next' | 'third' | 'last' | undefined;
  className?: string;
  children: string;
}

interface BarButtonProps {
  icon: IconComponent;
  label: string;
  onClick: () => void;
  className?: string;
  labelPriority?: BarLabelProps['priority'];
  disabledReason?: string | undefined;
}

/** Label of a tool, hidden if the bar has no space for it. */
export function BarLabel({ priority = 'third', className, children }: BarLabelProps) {
  return (
    <span
      className={clsx(
        'truncate phone:in-data-inspected:hidden phone:@max-[860px]/session-bar:hidden',
        priority === 'last'
          ? 'phone:group-has-data-lane-rail/bar:@max-[900px]/session-bar:hidden'
          : 'phone:group-has-data-lane-rail/bar:@max-[1400px]/session-bar:hidden',
        priority === 'first' && 'phone:@max-[1080px]/session-bar:hidden',
        priority === 'next' && 'phone:@max-[900px]/session-bar:hidden',
        className,
      )}
    >
      {children}
    </span>
  );
}

/** Tool of the session bar, which closes its menu on phones. A narrow bar hides the label; the name stays. */
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
      popoverTarget="session-tools"
      popoverTargetAction="hide"
      className={className}
      aria-label={label}
      title={disabledReason ?? label}
      disabled={disabledReason !== undefined}
      onClick={onClick}
    >
      <Icon className="icon-14" aria-hidden />
      <BarLabel priority={labelPriority}>{label}</BarLabel>
    </Button>
  );
}
