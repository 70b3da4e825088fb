import { useId, useState, type ReactNode } from 'react';

import { getHelpLink } from '../../../lib/help-link.ts';
import { useAppServices } from '../../../state/contexts.tsx';
import { reportFailure } from '../../../state/notices.ts';
import { countsTimeoutsAsFailed } from '../../../trials/checks/score-answer.ts';
import { getColumnLetter, getTrialRules, trialLimits, type Column } from '../../../trials/trial.ts';
import { ButtonElement } from '../../../ui/controls/button-element.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { NumberField } from '../../../ui/controls/number-field.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { Plus, SlidersHorizontal, X } from '../../../ui/icons.tsx';
import { Clock, Columns3, CopyPlus, Rows3, Upload } from '../../../ui/late-icons.tsx';
import { GatewayLabel } from '../../health/gateway-label.tsx';
import { SimilarCases } from '../cases/similar-cases.tsx';
import { AddCheck } from '../checks/add-check.tsx';
import { describeCheck } from '../checks/describe-check.ts';
import { formatUnknownGateway } from '../format-problems.ts';
import { casesGrid, getCheckTarget, sidePanel } from '../trial-focus-targets.ts';
import { createSameSetupTrial } from '../trial-handlers.ts';
import { useTrial, useTrialViewStore, useFullTrialState } from '../use-trial.ts';
import { BudgetField } from './budget-field.tsx';
import { PromptField } from './prompt-field.tsx';
import { SetupSection } from './setup-section.tsx';

/** Everything that a trial consists of, except its cases, which are shown beside it. */
export function SetupPanel() {
  const view = useTrialViewStore();
  const isDraft = useFullTrialState().trial.state.name === 'draft';
  return (
    <aside
      aria-label="Setup"
      data-region
      {...getNextFocusAttributes(sidePanel, casesGrid)}
      className="flex min-h-0 w-83 flex-none flex-col overflow-y-auto border-r border-line bg-bench max-phone:w-full max-phone:border-r-0 phone:@max-4xl/page:w-70"
    >
      {!isDraft && (
        <header className="flex h-11 flex-none items-center border-b border-line pr-2 pl-4">
          <h2 className="text-13 font-[600]">Setup</h2>
          <span className="grow" />
          <IconButton label="Close setup" onClick={() => view.setState({ isSetupOpen: false })}>
            <X className="icon-16" aria-hidden />
          </IconButton>
        </header>
      )}
      <SystemPromptField />
      <PromptField />
      <ChecksSection />
      <RunSettingsSection />
      <ColumnsSection />
      <CasesSection />
    </aside>
  );
}

function SystemPromptField() {
  const trial = useTrial();
  const { trial: data, hasAnswers } = useFullTrialState();
  const system = getSharedSystemPrompt(data.columns);
  const fieldClasses =
    'w-full resize-none rounded-2 border border-edge bg-raised px-2.5 py-2 text-13 field-sizing-content min-h-15 max-h-60';
  return (
    <SetupSection title="System prompt">
      <TextArea
        aria-label="System prompt"
        className={fieldClasses}
        dir="auto"
        spellCheck={false}
        readOnly={hasAnswers}
        placeholder={system === undefined ? 'Differs between columns. Edit a column to change it.' : 'None'}
        value={system ?? ''}
        onText={(text) => trial.setSystem(text)}
      />
      {hasAnswers && (
        <p className="mt-1.5 text-12 text-pretty text-ink-3">
          Read-only: this trial has answers. Editing a column replaces it, and the old one moves to Retired.
        </p>
      )}
    </SetupSection>
  );
}

function ChecksSection() {
  const view = useTrialViewStore();
  const { trial } = useFullTrialState();
  return (
    <SetupSection title="Checks" actions={<AddCheck look="quiet" />}>
      {trial.checks.length === 0 && (
        <p className="text-12 text-pretty text-ink-2">
          A check scores each answer as passed or failed. One check decides the verdict.
        </p>
      )}
      <ul>
        {trial.checks.map((check) => (
          <li key={check.id}>
            <ButtonElement
              type="button"
              className="-mx-1.5 flex w-[calc(100%+12px)] items-baseline gap-2 rounded-2 px-1.5 py-1 hover:bg-hover"
              {...getCheckTarget(check.id).attributes}
              onClick={() => view.setState({ pane: 'checks', panel: { name: 'check', id: check.id } })}
            >
              <span className="min-w-0 flex-1">
                <b className="block truncate font-[550]">{check.name}</b>
                <span className="block truncate text-12 text-ink-3">{describeCheck(check)}</span>
              </span>
              {check.id === trial.decides && <span className="text-12 text-ink-3">decides</span>}
            </ButtonElement>
          </li>
        ))}
      </ul>
    </SetupSection>
  );
}

function RunSettingsSection() {
  const trial = useTrial();
  const { trial: data } = useFullTrialState();
  const isOrderFixed = data.plan !== undefined;
  const rules = getTrialRules(data);
  return (
    <SetupSection title="Request settings">
      <div className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-2 text-12 text-ink-2">
        <SettingField
          label="Repeats"
          value={data.repeats}
          min={1}
          max={trialLimits.repeats}
          onValue={trial.setRepeats}
        />
        <SettingField
          label="About the same within"
          unit="points"
          value={data.margin}
          min={0}
          max={100}
          onValue={(margin) => trial.edit({ margin })}
        />
        {isOrderFixed ? (
          <>
            <span>Seed</span>
            <FixedValue>{data.seed}</FixedValue>
          </>
        ) : (
          <SettingField
            label="Seed"
            value={data.seed}
            min={0}
            max={999_999_999}
            onValue={(seed) => trial.edit({ seed })}
          />
        )}
        <SettingField
          label="Timeout"
          unit="s without data"
          value={Math.round(data.giveUpAfterMs / 1000)}
          min={1}
          max={86_400}
          onValue={(seconds) => trial.edit({ giveUpAfterMs: seconds * 1000 })}
        />
        <span>Baseline</span>
        <Select
          label="Baseline"
          value={data.baseline}
          options={data.columns.map(({ id, setup }, index) => ({
            value: id,
            label: `${getColumnLetter(index)} ${setup.model.split('/').at(-1) ?? ''}`,
          }))}
          onChange={(baseline) => trial.edit({ baseline })}
        />
        <span>Timeouts</span>
        {rules === 1 ? (
          <FixedValue>left out</FixedValue>
        ) : (
          <Select
            label="Timeouts"
            value={countsTimeoutsAsFailed(data) ? 'failed' : 'left out'}
            options={[
              { value: 'failed', label: 'count as failed' },
              { value: 'left out', label: 'left out' },
            ]}
            onChange={(choice) => trial.setTimeoutsLeftOut(choice === 'left out')}
          />
        )}
        <span>Group</span>
        {isOrderFixed && rules === 2 ? (
          // Groups are drawn as a whole, so they cannot change once the order is fixed.
          <FixedValue>{data.groupField ?? 'none'}</FixedValue>
        ) : (
          <Select
            label="Group"
            value={data.groupField ?? ''}
            options={[
              { value: '', label: 'none' },
              ...data.fields.map((field) => ({ value: field, label: field })),
            ]}
            onChange={(field) => trial.setGroup(field === '' ? undefined : field)}
          />
        )}
      </div>
      <BudgetField />
      {data.groupField !== undefined && (
        <p className="mt-1.5 text-12 text-pretty text-ink-3">
          Cases with the same {data.groupField} count as one.
        </p>
      )}
    </SetupSection>
  );
}

/** Value that the first run has fixed. */
function FixedValue({ children }: { children: ReactNode }) {
  return (
    <span className="text-right text-13 font-[550] text-ink" title="Fixed by the first run">
      {children}
    </span>
  );
}

const copiedAnswersHelp = getHelpLink('Trials', 'Compare with the answers of an earlier trial');

function ColumnsSection() {
  const { notices, router } = useAppServices();
  const trial = useTrial();
  const view = useTrialViewStore();
  const { trial: data, order, unknownGateways } = useFullTrialState();
  const isFull = data.columns.length >= trialLimits.columns;
  const isDraft = data.state.name === 'draft';
  const addColumn = () => {
    const id = trial.addColumn();
    // Only in a draft the model can be chosen in the header of the new column.
    if (!isDraft) view.setState({ panel: { name: 'column', id }, shouldFocusPanel: true });
  };
  return (
    <SetupSection title="Columns">
      <ul className="mb-2">
        {data.columns.map(({ id, setup }, index) => (
          <li key={id}>
            <ButtonElement
              type="button"
              className="-mx-1.5 flex w-[calc(100%+12px)] items-center gap-2 rounded-2 px-1.5 py-1 hover:bg-hover"
              onClick={() => view.setState({ panel: { name: 'column', id } })}
            >
              <LaneTile letter={getColumnLetter(index)} />
              <span className="sr-only">Column {getColumnLetter(index)}, </span>
              <span className="truncate font-[550]">{setup.model === '' ? 'no model' : setup.model}</span>
              <GatewayLabel name={setup.gateway} />
              {id === data.baseline && <span className="ml-auto text-12 text-ink-3">baseline</span>}
            </ButtonElement>
          </li>
        ))}
      </ul>
      {unknownGateways.map((unknownGateway) => (
        <p key={unknownGateway.column} className="mb-2 text-12 text-pretty text-err-ink">
          {formatUnknownGateway(unknownGateway)}
        </p>
      ))}
      <div className="flex flex-wrap gap-1.5">
        <Button size="small" disabled={isFull} onClick={addColumn}>
          <Plus className="icon-14" aria-hidden />
          Add column
        </Button>
        <Button size="small" disabled={isFull} onClick={() => view.setState({ dialog: { name: 'values' } })}>
          <SlidersHorizontal className="icon-14" aria-hidden />
          Values of a parameter
        </Button>
        <Button size="small" disabled={isFull} onClick={() => reportFailure(notices, trial.addLaneColumns())}>
          <Columns3 className="icon-14" aria-hidden />
          Columns from lanes
        </Button>
        <Button
          size="small"
          disabled={isFull}
          data-help={copiedAnswersHelp}
          onClick={() => view.setState({ dialog: { name: 'copied baseline' } })}
        >
          <Clock className="icon-14" aria-hidden />
          Use answers of a trial
        </Button>
        <Button
          size="small"
          disabled={order.length === 0}
          title={order.length === 0 ? 'Add cases first' : 'Compares the baseline with itself in a new trial'}
          data-help={copiedAnswersHelp}
          onClick={() => reportFailure(notices, createSameSetupTrial(router, trial))}
        >
          <CopyPlus className="icon-14" aria-hidden />
          Same setup twice
        </Button>
      </div>
      <p className="mt-2 text-12 text-pretty text-ink-3">
        Each column has its own setup. Column headers show the differences. All columns are compared with the
        baseline.
      </p>
    </SetupSection>
  );
}

function CasesSection() {
  const view = useTrialViewStore();
  const { trial } = useFullTrialState();
  const retiredCount = trial.retired.caseIds.length + trial.retired.columns.length;
  return (
    <SetupSection title="Cases">
      <div className="flex flex-wrap gap-1.5">
        <Button size="small" onClick={() => view.setState({ dialog: { name: 'import cases' } })}>
          <Upload className="icon-14" aria-hidden />
          Import cases
        </Button>
        <Button size="small" onClick={() => view.setState({ dialog: { name: 'case' } })}>
          <Rows3 className="icon-14" aria-hidden />
          Add case
        </Button>
        {retiredCount > 0 && (
          <Button size="small" variant="ghost" onClick={() => view.setState({ dialog: { name: 'retired' } })}>
            Retired {retiredCount}
          </Button>
        )}
      </div>
      <SimilarCases />
    </SetupSection>
  );
}

interface SettingFieldProps {
  label: string;
  unit?: string;
  value: number;
  min: number;
  max: number;
  onValue: (value: number) => void;
}

/** Field for a whole number with its label, as two grid cells. Rejects other input with an error message. */
function SettingField({ label, unit, value, min, max, onValue }: SettingFieldProps) {
  const [typedText, setTypedText] = useState<string>();
  const problemId = useId();
  const text = typedText ?? String(value);
  const parsedValue = Number(text);
  const isValid =
    text.trim() !== '' && Number.isInteger(parsedValue) && parsedValue >= min && parsedValue <= max;
  return (
    <>
      <span>
        {label}
        {!isValid && (
          <span id={problemId} className="block text-err-ink">
            Must be {min} to {max}. Not used.
          </span>
        )}
      </span>
      <span
        className="flex items-center justify-end gap-1.5"
        onBlur={() => isValid && setTypedText(undefined)}
      >
        <NumberField
          label={label}
          text={text}
          startText={String(value)}
          step={1}
          min={min}
          max={max}
          invalid={!isValid}
          describedBy={isValid ? undefined : problemId}
          onUnset={() => setTypedText('')}
          onChange={(next) => {
            setTypedText(next);
            const number = Number(next);
            if (next.trim() !== '' && Number.isInteger(number) && number >= min && number <= max)
              onValue(number);
          }}
        />
        {unit !== undefined && <span className="text-12 text-ink-3">{unit}</span>}
      </span>
    </>
  );
}

/** Returns the system prompt shared by all columns without copied answers, or `undefined` if they differ. */
function getSharedSystemPrompt(columns: readonly Column[]): string | undefined {
  const editableColumns = columns.filter(({ savedAnswers }) => !savedAnswers);
  const [first] = editableColumns;
  return first && editableColumns.every(({ setup }) => setup.system === first.setup.system)
    ? first.setup.system
    : undefined;
}
