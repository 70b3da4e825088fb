import type { Check } from '../../../trials/trial.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/field.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { X } from '../../../ui/icons.tsx';
import { Trash2 } from '../../../ui/late-icons.tsx';
import { checksHeading, getCheckTarget, sidePanel } from '../trial-focus-targets.ts';
import { useTrial, useTrialViewStore, useFullTrialState } from '../use-trial.ts';
import { CheckPreview } from './check-preview.tsx';
import { describeCheck, checkKindRows, hasExpectedValue, hasField } from './describe-check.ts';
import { SettingsFields } from './settings-fields.tsx';

/** Editor for a check: its target, the expected value, and its results for existing answers. */
export function CheckEditor({ checkId }: { checkId: string }) {
  const trial = useTrial();
  const view = useTrialViewStore();
  const { trial: data } = useFullTrialState();
  const index = data.checks.findIndex(({ id }) => id === checkId);
  const check = data.checks[index];
  if (!check) return null;
  const edit = (change: Partial<Check>) => trial.editCheck({ ...check, ...change });
  const { kind, expected } = check;
  const neighbour = data.checks[index + 1] ?? data.checks[index - 1];
  return (
    <aside
      aria-label="Check"
      data-region
      {...sidePanel.attributes}
      {...getNextFocusAttributes(getCheckTarget(checkId))}
      className="flex min-h-0 w-110 flex-none flex-col overflow-y-auto border-l border-line bg-bench max-tablet:w-93 max-phone:fixed max-phone:inset-0 max-phone:z-20 max-phone:w-full max-phone:border-l-0"
    >
      <header className="flex h-12 flex-none items-center gap-2.5 border-b border-line pr-2 pl-4">
        <h2 className="min-w-0 truncate text-15 font-[600]">{check.name}</h2>
        <span className="min-w-0 flex-1 truncate text-12 text-ink-3">{describeCheck(check)}</span>
        <IconButton label="Close check" onClick={() => view.setState({ panel: undefined })}>
          <X className="icon-16" aria-hidden />
        </IconButton>
      </header>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2.5 border-b border-line px-4 py-3 text-12 text-ink-2">
        <span>Name</span>
        <TextField
          aria-label="Name"
          className="w-full max-w-none"
          value={check.name}
          onInput={(event) => edit({ name: event.currentTarget.value })}
        />
        <span>Kind</span>
        <Select
          label="Kind"
          value={kind}
          options={checkKindRows.map((row) => ({ value: row.kind, label: row.label }))}
          onChange={(next) => {
            const row = checkKindRows.find((item) => item.kind === next);
            const { field: _, expected: __, ...rest } = check;
            trial.editCheck({
              ...rest,
              kind: next,
              settings: row?.settings ?? {},
              ...(hasField(next) && check.field !== undefined ? { field: check.field } : {}),
              ...(hasExpectedValue(next) ? { expected: expected ?? { text: '' } } : {}),
            });
          }}
        />
        {hasField(kind) && (
          <>
            <span>Field</span>
            <TextField
              aria-label="Field"
              placeholder="Whole answer, or a path such as team"
              spellCheck={false}
              className="w-full max-w-none"
              value={check.field ?? ''}
              onInput={(event) => {
                const { field: _, ...rest } = check;
                const field = event.currentTarget.value;
                trial.editCheck(field === '' ? rest : { ...rest, field });
              }}
            />
          </>
        )}
        {hasExpectedValue(kind) && (
          <>
            <span>Expected</span>
            <Select
              label="Expected"
              value={expected && 'value' in expected ? `value ${expected.value}` : 'text'}
              options={[
                { value: 'text', label: 'Fixed text' },
                ...data.fields.map((field) => ({
                  value: `value ${field}`,
                  label: field,
                  note: 'case value',
                })),
              ]}
              onChange={(value) =>
                edit({ expected: value === 'text' ? { text: '' } : { value: value.slice('value '.length) } })
              }
            />
            {expected && 'text' in expected && (
              <>
                <span />
                <TextArea
                  aria-label="Expected text"
                  variant="code"
                  className="max-h-40 min-h-8"
                  dir="auto"
                  spellCheck={false}
                  placeholder={kind === 'equals' || kind === 'number within' ? '' : 'One per line'}
                  value={expected.text}
                  onText={(next) => edit({ expected: { text: next } })}
                />
              </>
            )}
          </>
        )}
        <SettingsFields check={check} onSettings={(settings) => edit({ settings })} />
      </div>
      <CheckPreview check={check} />
      <footer className="mt-auto flex gap-2 px-4 py-3">
        <Button
          {...getNextFocusAttributes(neighbour ? getCheckTarget(neighbour.id) : checksHeading)}
          onClick={() => {
            view.setState({ panel: undefined });
            trial.removeCheck(check.id);
          }}
        >
          <Trash2 className="icon-14" aria-hidden />
          Remove check
        </Button>
      </footer>
    </aside>
  );
}
