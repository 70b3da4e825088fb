import { clsx } from 'clsx';
import { useId, useState } from 'react';

import { getCurrencySign } from '../../../lib/money.ts';
import { inputVariants } from '../../../ui/controls/field.tsx';
import { formatBudgetProblem } from '../format-problems.ts';
import { budgetField } from '../trial-focus-targets.ts';
import { useFullTrialState, useTrial } from '../use-trial.ts';

/**
 * Field for the budget of a trial in the currency of its prices. Without known prices in one currency, a budget can
 * only be removed.
 */
export function BudgetField() {
  const trial = useTrial();
  const { trial: data, costs, columnPrices } = useFullTrialState();
  const { budget } = data;
  const [typedText, setTypedText] = useState<string>();
  const noteId = useId();
  const problem = costs.budgetProblem;
  const currency = budget?.currency ?? columnPrices.find((price) => price !== undefined)?.currency;
  const text = typedText ?? (budget ? String(budget.amount) : '');
  const amount = parseAmount(text);
  const isInvalid = text.trim() !== '' && amount === undefined;
  const note = isInvalid
    ? 'Must be an amount above 0, such as 1.50. Not used.'
    : problem && formatBudgetProblem(problem);
  const isWarning = isInvalid || budget !== undefined;
  const setBudget = (nextText: string) => {
    const nextAmount = parseAmount(nextText);
    if (nextText.trim() === '') trial.setBudget(undefined);
    else if (nextAmount !== undefined && currency !== undefined)
      trial.setBudget({ amount: nextAmount, currency });
  };
  // After the first run, a number is not used before it is complete, since "1" of "10" could pause the trial.
  const finishTyping = () => {
    if (typedText === undefined || isInvalid) return;
    setBudget(typedText);
    setTypedText(undefined);
  };
  return (
    <div className="mt-2 text-12 text-ink-2">
      <label className="flex items-center gap-1.5">
        <span className="flex-1">Budget</span>
        {currency !== undefined && <span className="text-ink-3">{getCurrencySign(currency)}</span>}
        <input
          {...budgetField.attributes}
          type="text"
          inputMode="decimal"
          aria-label="Budget"
          aria-invalid={isInvalid || undefined}
          aria-describedby={note === undefined ? undefined : noteId}
          className={clsx(
            inputVariants({ size: 'line' }),
            'max-w-31 min-w-18 text-right font-sans text-13 font-550 text-ink normal-nums disabled:opacity-60 max-phone:text-[16px]',
          )}
          placeholder="none"
          disabled={problem !== undefined && !budget}
          value={text}
          onChange={(event) => {
            setTypedText(event.currentTarget.value);
            if (data.state.name === 'draft') setBudget(event.currentTarget.value);
          }}
          onKeyDown={(event) => event.key === 'Enter' && finishTyping()}
          onBlur={finishTyping}
        />
      </label>
      {note !== undefined && (
        <p id={noteId} className={clsx('mt-1 text-pretty', isWarning ? 'text-err-ink' : 'text-ink-3')}>
          {note}
        </p>
      )}
    </div>
  );
}

/** Returns the amount; `undefined` if it is not a number above 0. */
function parseAmount(text: string): number | undefined {
  const trimmedText = text.trim();
  if (!/^\d*\.?\d+$|^\d+\.$/.test(trimmedText)) return undefined;
  const amount = Number(trimmedText);
  return amount > 0 && Number.isFinite(amount) ? amount : undefined;
}
