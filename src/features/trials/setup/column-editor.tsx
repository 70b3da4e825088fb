import { clsx } from 'clsx';
import { useId, useState } from 'react';

import type { Setup } from '../../../conversation/session/types.ts';
import { withModelChoice } from '../../../conversation/setup/model-key.ts';
import {
  PARAMS,
  getParamState,
  withSent,
  withText,
  type ParamRow,
  type Params,
} from '../../../conversation/setup/params.ts';
import { getColumnLetter, type ColumnId } from '../../../trials/trial.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { inputVariants } from '../../../ui/controls/field.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { X } from '../../../ui/icons.tsx';
import { ModelPicker } from '../../models/model-picker.tsx';
import { casesGrid, sidePanel } from '../trial-focus-targets.ts';
import { useTrial, useTrialViewStore, useFullTrialState } from '../use-trial.ts';
import { SetupSection } from './setup-section.tsx';
import { getPromptText, withPromptText } from './trial-prompt.ts';

const fieldClasses =
  'w-full resize-none rounded-2 border border-edge bg-raised px-2.5 py-2 text-13 field-sizing-content min-h-15 max-h-60';

/** Editor of a column's setup: model, system prompt and all request fields. */
export function ColumnEditor({ columnId }: { columnId: ColumnId }) {
  const trial = useTrial();
  const view = useTrialViewStore();
  const { trial: data, columnStats, hasAnswers, loading } = useFullTrialState();
  const columnIndex = data.columns.findIndex(({ id }) => id === columnId);
  const column = data.columns[columnIndex];
  const endedCount = (columnStats[columnIndex]?.answered ?? 0) + (columnStats[columnIndex]?.missing ?? 0);
  const isAnswered =
    column?.savedAnswers !== undefined || (hasAnswers && (loading !== undefined || endedCount > 0));
  const [editedSetup, setEditedSetup] = useState<Setup>();
  if (!column) return null;
  // A column with answers is replaced only on a button press, not on every key.
  const setup = editedSetup ?? column.setup;
  const updateSetup = (next: Setup) => (isAnswered ? setEditedSetup(next) : trial.setSetup(column.id, next));
  const letter = getColumnLetter(columnIndex);
  return (
    <aside
      aria-label={`Column ${letter}`}
      data-region
      {...sidePanel.attributes}
      {...getNextFocusAttributes(casesGrid)}
      className="flex min-h-0 w-93 flex-none flex-col overflow-y-auto border-l border-line bg-bench max-phone:fixed max-phone:inset-0 max-phone:z-20 max-phone:w-full max-phone:border-l-0"
    >
      <header className="flex h-11 flex-none items-center gap-2 border-b border-line pr-2 pl-4">
        <LaneTile letter={letter} />
        <h2 className="text-13 font-[600]">Column {letter}</h2>
        <span className="grow" />
        <IconButton label="Close column" onClick={() => view.setState({ panel: undefined })}>
          <X className="icon-16" aria-hidden />
        </IconButton>
      </header>
      {isAnswered && (
        <p className="border-b border-line bg-warn-wash px-4 py-2.5 text-12 text-pretty text-warn-ink">
          This column has answers. Changing its setup replaces it. The old column moves to Retired.
        </p>
      )}
      <SetupSection title="Model">
        <ModelPicker
          label="Model"
          kind="chat"
          value={setup}
          onPick={(choice) => updateSetup(withModelChoice(setup, choice))}
        />
      </SetupSection>
      <SetupSection title="System prompt">
        <TextArea
          aria-label={`System prompt, column ${letter}`}
          className={fieldClasses}
          dir="auto"
          spellCheck={false}
          value={setup.system}
          onText={(system) => updateSetup({ ...setup, system })}
        />
      </SetupSection>
      <CustomPrompt columnId={columnId} letter={letter} isReadOnly={isAnswered} />
      <SetupSection title="Request parameters">
        <ul>
          {PARAMS.map((row) => (
            <ParamLine
              key={row.name}
              row={row}
              params={setup.params}
              onParams={(params) => updateSetup({ ...setup, params })}
            />
          ))}
        </ul>
      </SetupSection>
      {editedSetup && (
        <footer
          {...getNextFocusAttributes(sidePanel)}
          className="sticky bottom-0 flex gap-2 border-t border-line bg-bench px-4 py-3"
        >
          <Button
            variant="primary"
            onClick={() => {
              setEditedSetup(undefined);
              trial.setSetup(column.id, editedSetup);
            }}
          >
            Replace column {letter}
          </Button>
          <Button onClick={() => setEditedSetup(undefined)}>Discard changes</Button>
        </footer>
      )}
    </aside>
  );
}

/** Prompt for this column only, instead of the trial's. */
function CustomPrompt({
  columnId,
  letter,
  isReadOnly,
}: {
  columnId: ColumnId;
  letter: string;
  isReadOnly: boolean;
}) {
  const trial = useTrial();
  const { trial: data } = useFullTrialState();
  const column = data.columns.find(({ id }) => id === columnId);
  const columnMessages = column?.messages;
  if (isReadOnly && !columnMessages) return null;
  return (
    <SetupSection title="Prompt">
      <label className="flex items-center gap-2 text-12 text-ink-2">
        <Switch
          label="Custom prompt"
          checked={columnMessages !== undefined}
          onChange={(isCustom) =>
            !isReadOnly && trial.setColumnPrompt(columnId, isCustom ? data.messages : undefined)
          }
        />
        Custom prompt
      </label>
      {columnMessages && (
        <TextArea
          aria-label={`Prompt, column ${letter}`}
          className={`mt-2 ${fieldClasses}`}
          dir="auto"
          spellCheck={false}
          readOnly={isReadOnly}
          value={getPromptText(columnMessages)}
          onText={(text) => trial.setColumnPrompt(columnId, withPromptText(columnMessages, text))}
        />
      )}
    </SetupSection>
  );
}

interface ParamLineProps {
  row: ParamRow;
  params: Params;
  onParams: (params: Params) => void;
}

/** Request field: whether it is sent, and its value. */
function ParamLine({ row, params, onParams }: ParamLineProps) {
  const { name, control } = row;
  const setting = params[name];
  const state = getParamState(params, name);
  const isSent = state.state !== 'unset';
  const problemId = useId();
  const problem = state.state === 'problem' ? state.problem : undefined;
  const isMultiline = !['number', 'switch', 'words', 'constant'].includes(control.type);
  const text = setting?.text ?? '';
  return (
    <li className="flex flex-wrap items-center gap-x-1.5 py-0.5" title={row.description}>
      <Checkbox
        label={`Send ${name}`}
        checked={isSent}
        onChange={(sent) => onParams(withSent(params, name, sent))}
      />
      <span className="min-w-0 flex-1 [font:var(--m-12)]">{name}</span>
      {isSent && control.type === 'number' && (
        <input
          type="text"
          inputMode="decimal"
          className={clsx(
            inputVariants({ size: 'line' }),
            'max-w-31 min-w-14 text-right font-sans text-[13px] leading-none font-550 normal-nums',
            'max-phone:min-w-17.5 max-phone:text-[16px]',
          )}
          aria-label={name}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={problem && problemId}
          value={text}
          onInput={(event) => onParams(withText(params, name, event.currentTarget.value))}
        />
      )}
      {isSent && control.type === 'switch' && (
        <Switch
          label={name}
          checked={text === 'true'}
          onChange={(checked) => onParams(withText(params, name, String(checked)))}
        />
      )}
      {isSent && control.type === 'words' && (
        <Select
          label={name}
          value={text}
          options={[...new Set([...control.options, text])].map((word) => ({ value: word, label: word }))}
          onChange={(word) => onParams(withText(params, name, word))}
        />
      )}
      {isSent && control.type === 'constant' && <span className="text-12 text-ink-3">{control.label}</span>}
      {isSent && isMultiline && (
        <TextArea
          aria-label={name}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={problem && problemId}
          variant="code"
          className="my-1 max-h-60 basis-full"
          spellCheck={false}
          value={text}
          onText={(next) => onParams(withText(params, name, next))}
        />
      )}
      {problem !== undefined && (
        <span id={problemId} className="basis-full text-12 text-err-ink">
          {problem}
        </span>
      )}
    </li>
  );
}
