import { trialLimits } from '../../../trials/trial.ts';
import { buttonVariants } from '../../../ui/controls/button.tsx';
import { ChevronDown, Plus } from '../../../ui/icons.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { useTrial, useTrialViewStore, useFullTrialState } from '../use-trial.ts';
import { checkKindRows, createCheck } from './describe-check.ts';

/** Menu of check kinds. A check of the selected kind opens in its editor. */
export function AddCheck({ look }: { look: 'quiet' | 'button' }) {
  const trial = useTrial();
  const view = useTrialViewStore();
  const { trial: data } = useFullTrialState();
  const isFull = data.checks.length >= trialLimits.checks;
  return (
    <Menu
      label="Add check"
      className={look === 'quiet' ? buttonVariants({ variant: 'ghost', size: 'small' }) : buttonVariants()}
      items={checkKindRows.map(({ kind, label, description }) => ({
        label,
        hint: description,
        onPick: () => {
          const id = trial.addCheck(createCheck(kind, data));
          view.setState({ pane: 'checks', panel: { name: 'check', id } });
        },
        ...(isFull ? { disabledReason: `At most ${trialLimits.checks} checks` } : {}),
      }))}
    >
      <Plus className="icon-14" aria-hidden />
      Add check
      {look === 'button' && <ChevronDown className="icon-14" aria-hidden />}
    </Menu>
  );
}
