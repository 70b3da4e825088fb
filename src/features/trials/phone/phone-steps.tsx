import { formatCount, pluralize } from '../../../lib/format.ts';
import { useAppServices } from '../../../state/contexts.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Plus } from '../../../ui/icons.tsx';
import { Upload } from '../../../ui/late-icons.tsx';
import { ChecksView } from '../checks/checks-view.tsx';
import { getCaseValue } from '../grid/case-rows.ts';
import { findMainField } from '../grid/field-sizes.ts';
import { useCaseRows } from '../grid/use-case-rows.ts';
import { useFieldSizes } from '../grid/use-field-sizes.ts';
import { SetupPanel } from '../setup/setup-panel.tsx';
import { runTrial } from '../trial-handlers.ts';
import { phoneSteps, type PhoneStep } from '../trial-view.ts';
import { useTrial, useTrialView, useTrialViewStore, useFullTrialState } from '../use-trial.ts';
import { getRunBlocker } from '../verdict/format-plan.ts';
import { PlanRegion } from '../verdict/plan-region.tsx';

const maxListedCases = 200;

/** Draft of a trial on phones, one step at a time, with Run at the bottom. */
export function PhoneSteps() {
  const { notices } = useAppServices();

  const trial = useTrial();
  const view = useTrialViewStore();
  const state = useFullTrialState();
  const step = useTrialView((viewState) => viewState.phoneStep);
  const disabledReason = getRunBlocker(state);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="border-b border-line bg-bench px-4 py-2">
        <Segmented
          label="Step"
          value={step}
          choices={phoneSteps.map((value) => ({ value, label: value }))}
          onChange={(next: PhoneStep) => view.setState({ phoneStep: next })}
        />
      </div>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        {step === 'Cases' && <CaseList />}
        {step === 'Columns' && (
          <>
            <h2 className="sr-only">Columns</h2>
            <SetupPanel />
          </>
        )}
        {step === 'Checks' && <ChecksView />}
        {step === 'Plan' && <PlanRegion />}
      </div>
      <footer className="sticky bottom-0 z-1 flex-none border-t border-line bg-bench px-4 py-2.5 [anchor-name:--bottom-bar]">
        {disabledReason !== undefined && <p className="mb-1.5 text-12 text-warn-ink">{disabledReason}</p>}
        <Button
          variant="primary"
          className="w-full"
          disabled={disabledReason !== undefined}
          onClick={() => runTrial({ notices }, trial)}
        >
          Run {pluralize(state.plan.requests, 'request')}
        </Button>
      </footer>
    </div>
  );
}

function CaseList() {
  const view = useTrialViewStore();
  const { trial, cases } = useFullTrialState();
  const rows = useCaseRows();
  const mainField = findMainField(useFieldSizes());
  const otherField = trial.fields.find((field) => field !== mainField) ?? '';
  return (
    <>
      <p className="flex items-center gap-2 border-b border-line px-4 py-2">
        <b className="font-[600]">{pluralize(rows.length, 'case')}</b>
        <span className="grow" />
        <Button size="small" onClick={() => view.setState({ dialog: { name: 'import cases' } })}>
          <Upload className="icon-14" aria-hidden />
          Import cases
        </Button>
        <Button size="small" onClick={() => view.setState({ dialog: { name: 'case' } })}>
          <Plus className="icon-14" aria-hidden />
          Add case
        </Button>
      </p>
      <ul>
        {rows.slice(0, maxListedCases).map(({ caseId, number }) => (
          <li key={caseId}>
            <button
              type="button"
              className="flex min-h-11 w-full items-baseline gap-3 border-b border-line px-4 py-2.5"
              onClick={() => view.setState({ dialog: { name: 'case', caseId } })}
            >
              <span className="w-7 flex-none text-12 text-ink-3">{number}</span>
              <span className="min-w-0 flex-1 truncate text-14" dir="auto">
                {getCaseValue(cases.get(caseId), mainField)}
              </span>
              <span className="max-w-24 truncate text-12 text-ink-3">
                {getCaseValue(cases.get(caseId), otherField)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {rows.length > maxListedCases && (
        <p className="px-4 py-3 text-12 text-ink-3">And {formatCount(rows.length - maxListedCases)} more.</p>
      )}
    </>
  );
}
