import { pluralize } from '../../../lib/format.ts';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { GatewayLabel } from '../../health/gateway-label.tsx';
import { useTrialViewStore, useFullTrialState } from '../use-trial.ts';
import { listRetiredColumns, listRetiredCases } from './retired.ts';

/** Items that were replaced or removed after being answered. They are exported, but not counted. */
export function RetiredDialog() {
  const view = useTrialViewStore();
  const state = useFullTrialState();
  const columns = listRetiredColumns(state);
  const cases = listRetiredCases(state);
  return (
    <Dialog title="Retired" isWide onClose={() => view.setState({ dialog: undefined })}>
      <p className="mb-3 text-12 text-pretty text-ink-2">
        Replaced or removed after being answered. Exported, but not counted.
      </p>
      {columns.map(({ id, setup, changesText, answers }) => (
        <details key={id} className="border-t border-line py-2">
          <summary className="cursor-pointer">
            <b className="font-[550]">Column {setup.model}</b> <GatewayLabel name={setup.gateway} />{' '}
            <span className="text-12 text-ink-3">
              {changesText === '' ? '' : `${changesText}, `}
              {pluralize(answers.length, 'answer')}
            </span>
          </summary>
          <AnswerList answers={answers} />
        </details>
      ))}
      {cases.map(({ id, number, text, answers }) => (
        <details key={id} className="border-t border-line py-2">
          <summary className="cursor-pointer">
            <b className="font-[550]">Case {number}</b>{' '}
            <span className="text-12 text-ink-3" dir="auto">
              {text}
            </span>
          </summary>
          <AnswerList answers={answers} />
        </details>
      ))}
    </Dialog>
  );
}

function AnswerList({ answers }: { answers: readonly { name: string; preview: string }[] }) {
  return (
    <ul className="mt-1 max-h-60 overflow-y-auto pl-4 text-12" tabIndex={0} aria-label="Answers">
      {answers.map(({ name, preview }) => (
        <li key={name} className="truncate" dir="auto">
          <span className="text-ink-3">{name}: </span>
          {preview}
        </li>
      ))}
    </ul>
  );
}
