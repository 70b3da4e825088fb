import { useState } from 'react';

import { useAppServices } from '../../../state/contexts.tsx';
import { runAndReport } from '../../../state/notices.ts';
import { findSentFields } from '../../../trials/cases.ts';
import type { CaseId } from '../../../trials/trial.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/field.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { Plus } from '../../../ui/icons.tsx';
import { Trash2 } from '../../../ui/late-icons.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { casesGrid } from '../trial-focus-targets.ts';
import { useTrial, useTrialViewStore, useFullTrialState } from '../use-trial.ts';

/** Dialog with the values of an existing or a new case. */
export function CaseDialog({ caseId }: { caseId: CaseId | undefined }) {
  const { notices } = useAppServices();
  const trial = useTrial();
  const view = useTrialViewStore();
  const { trial: data, cases, cells } = useFullTrialState();
  const existingCase = caseId === undefined ? undefined : cases.get(caseId);
  const [values, setValues] = useState<Record<string, string>>(existingCase?.values ?? {});
  const [addedFields, setAddedFields] = useState<readonly string[]>([]);
  const [newField, setNewField] = useState('');
  const sentFields = findSentFields(data);
  const fields = [...new Set([...data.fields, ...sentFields, ...Object.keys(values), ...addedFields])];
  const number = data.batches.flatMap(({ caseIds }) => caseIds).indexOf(caseId ?? '') + 1;
  const close = () => view.setState({ dialog: undefined });
  const changesSentValues =
    existingCase !== undefined &&
    sentFields.some((name) => (existingCase.values[name] ?? '') !== (values[name] ?? ''));

  const addField = () => {
    const name = newField.trim();
    if (name === '' || fields.includes(name)) return;
    setAddedFields([...addedFields, name]);
    setNewField('');
  };
  const save = async () => {
    const newValues = { values, ...(existingCase?.history ? { history: existingCase.history } : {}) };
    for (const name of fields.filter((field) => !data.fields.includes(field))) trial.addField(name);
    if (existingCase)
      await trial.editCase(existingCase.id, {
        ...newValues,
        ...(existingCase.line === undefined ? {} : { line: existingCase.line }),
      });
    else {
      const { reason, duplicates } = await trial.addCases([newValues], fields);
      if (reason !== undefined) throw new Error(reason);
      if (duplicates.length > 0) throw new Error('This case was already in the earlier trial.');
    }
    close();
  };

  return (
    <Dialog
      title={existingCase ? `Case ${number}` : 'Add case'}
      onClose={close}
      footer={
        <>
          {existingCase && (
            <Button
              {...getNextFocusAttributes(casesGrid)}
              onClick={() => {
                trial.removeCases([existingCase.id]);
                close();
              }}
            >
              <Trash2 className="icon-14" aria-hidden />
              Remove case
            </Button>
          )}
          <span className="grow" />
          <Button
            variant="primary"
            disabled={Object.values(values).every((value) => value.trim() === '')}
            onClick={() => void runAndReport(notices, save)}
          >
            {existingCase ? 'Save case' : 'Add case'}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {fields.map((name) => (
          <div key={name}>
            <p className="mb-1 text-11 text-ink-3">
              {name}
              {sentFields.includes(name) ? '' : ', not sent'}
            </p>
            <TextArea
              aria-label={name}
              variant="prose"
              className="max-h-60 min-h-8"
              dir="auto"
              spellCheck={false}
              value={values[name] ?? ''}
              onText={(text) => setValues({ ...values, [name]: text })}
            />
          </div>
        ))}
        <p className="flex items-center gap-2">
          <TextField
            aria-label="Name of a new value"
            placeholder={fields.length === 0 ? 'Value name, such as ticket' : 'Another value name'}
            spellCheck={false}
            className="w-50 max-w-none"
            value={newField}
            onInput={(event) => setNewField(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && addField()}
          />
          <Button size="small" onClick={addField}>
            <Plus className="icon-14" aria-hidden />
            Add value
          </Button>
        </p>
        {cells.size > 0 && changesSentValues && (
          <p className="text-12 text-pretty text-warn-ink">
            This changes the request. A new case replaces this one, which moves to Retired with its answers.
          </p>
        )}
      </div>
    </Dialog>
  );
}
