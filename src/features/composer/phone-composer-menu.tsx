import { clsx } from 'clsx';

import { findDifferingParams } from '../../conversation/session/differing-params.ts';
import { PARAMS, getParamState, type Params } from '../../conversation/setup/params.ts';
import { useSessionShallow, useSessionServices } from '../../state/contexts.tsx';
import { cn } from '../../ui/cn.ts';
import { iconButtonVariants } from '../../ui/controls/icon-button.tsx';
import { Plus, SlidersHorizontal } from '../../ui/icons.tsx';
import { useCloseOnEscape } from '../workspace/use-close-on-escape.ts';

interface Props {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  /** True if nothing is shown below the field; the buttons then overlay it. */
  isOneRow: boolean;
}

/** Buttons of the composer on phones: one expands the other tools, and one opens the parameters as a sheet. */
export function PhoneComposerMenu({ isOpen, onOpenChange, isOneRow }: Props) {
  const { view } = useSessionServices();
  useCloseOnEscape(isOpen, () => onOpenChange(false));
  const laneParams = useSessionShallow((data) =>
    data.session.laneIds.map((id) => data.lanes[id]?.setup.params ?? {}),
  );
  const sentFieldCount = countSentParams(laneParams ?? []);
  const differingCount = findDifferingParams(laneParams ?? []).length;
  return (
    <>
      <button
        type="button"
        className={cn(iconButtonVariants(), 'relative -order-2 max-phone:rounded-3 phone:hidden')}
        aria-label="More message options"
        aria-expanded={isOpen}
        onClick={() => onOpenChange(!isOpen)}
      >
        <Plus
          className={clsx(
            'icon-20 transition-[rotate] duration-(--d-2) ease-(--ease-out)',
            isOpen && 'rotate-45',
          )}
          aria-hidden
        />
      </button>
      <button
        type="button"
        className={cn(
          iconButtonVariants(),
          'relative -order-1 max-phone:rounded-3 phone:hidden',
          isOneRow && 'ml-auto',
        )}
        aria-label={`Parameters, ${sentFieldCount} sent${differingCount > 0 ? `, ${differingCount} ${differingCount === 1 ? 'differs' : 'differ'}` : ''}`}
        onClick={() => view.setState({ isParametersOverlayOpen: true })}
      >
        <SlidersHorizontal className="icon-20" aria-hidden />
        {sentFieldCount > 0 && (
          <sup
            className="absolute top-1 right-0.75 h-3.75 min-w-3.75 rounded-[8px] bg-ink px-0.75 text-center text-[10px]/3.75 font-600 text-on-ink normal-nums"
            aria-hidden
          >
            {sentFieldCount}
          </sup>
        )}
      </button>
    </>
  );
}

/** Counts the fields that at least one lane sends. */
function countSentParams(laneParams: readonly Params[]): number {
  return PARAMS.filter(({ name }) =>
    laneParams.some((params) => getParamState(params, name).state === 'sent'),
  ).length;
}
