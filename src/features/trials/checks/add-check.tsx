import { limits } from '../../../trials/trial.ts';
import { buttonLook } from '../../../ui/controls/button.tsx';
import { ChevronDown, Plus } from '../../../ui/icons.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { useTrial, useTrialViewStore, useWholeTrial } from '../use-trial.ts';
import { kindRows, newCheck } from './describe-check.ts';

/** A menu of the kinds of checks; the one that is picked opens in its editor. */
export function AddCheck({ look }: { look: 'quiet' | 'button' }) {
  const trial = useTrial();
  const view = useTrialViewStore();
  const { trial: data } = useWholeTrial();
  const isFull = data.checks.length >= limits.checks;
  return (
    <Menu
      label={look === 'quiet' ? 'New check' : 'Add check'}
      className={look === 'quiet' ? buttonLook({ look, size: 'small' }) : buttonLook()}
      items={kindRows.map(({ kind, label, about }) => ({
        label,
        hint: about,
        onPick: () => {
          const id = trial.addCheck(newCheck(kind, data));
          view.setState({ shows: 'checks', panel: { name: 'check', id } });
        },
        ...(isFull ? { disabledBecause: `at most ${limits.checks}` } : {}),
      }))}
    >
      <Plus className="icon-14" aria-hidden />
      {look === 'quiet' ? 'New check' : 'Add check'}
      {look === 'button' && <ChevronDown className="icon-14" aria-hidden />}
    </Menu>
  );
}
