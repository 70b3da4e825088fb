import { uniqBy } from 'es-toolkit';
import { useMemo, useState } from 'react';

import { useAppServices } from '../../../state/contexts.tsx';
import { readExtraFields, type OmittedField } from '../../../state/lab/lab-fields.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { useFormatModel, useLab, useLabState } from '../hooks/use-lab.ts';
import { labQueryFields, labTextFields } from '../lab-focus-targets.ts';

const variants = {
  texts: {
    label: 'Extra fields for texts',
    example: '{ "input_type": "document" }',
    focusTarget: labTextFields,
  },
  query: {
    label: 'Extra fields for the query',
    example: '{ "input_type": "query" }',
    focusTarget: labQueryFields,
  },
};

/** Additional fields of text or query requests, as one JSON object. */
export function ExtraFields({ target }: { target: OmittedField['of'] }) {
  const { edit, changeFind } = useLab();
  const text = useLabState((state) => (target === 'texts' ? state.input.fields : state.find.fields));
  const [isOpenByUser, setIsOpenByUser] = useState<boolean>();
  const reading = useMemo(() => readExtraFields(text), [text]);
  const { label, example, focusTarget } = variants[target];
  const isOpen = isOpenByUser ?? text !== '';
  const names = reading.ok ? Object.keys(reading.fields ?? {}).join(', ') : 'not sent';
  return (
    <details
      className="min-w-0"
      open={isOpen}
      onToggle={(event) => {
        if (event.currentTarget.open !== isOpen) setIsOpenByUser(event.currentTarget.open);
      }}
    >
      <summary className="min-h-6 w-fit max-w-full cursor-pointer text-12 leading-6 wrap-anywhere text-ink-2">
        {label}
        {!isOpen && names !== '' && <span className="text-ink-3">: {names}</span>}
      </summary>
      <div className="grid gap-1 py-1" style={{ '--editor-max': '122px' }} {...focusTarget.attributes}>
        <JsonEditor
          label={label}
          value={text}
          isPlain={!isOpen}
          placeholder={example}
          problem={reading.ok ? undefined : toEditorProblem(reading)}
          onChange={(fields) => {
            // Keeps the section open when the user empties the field.
            setIsOpenByUser(true);
            if (target === 'texts') edit({ fields });
            else changeFind({ fields });
          }}
        />
        {!reading.ok && <p className="text-12 text-pretty text-err-ink">{reading.problem}</p>}
        {target === 'query' && <OmittedFieldsNote target="query" />}
      </div>
    </details>
  );
}

function toEditorProblem({ problem, offset }: { problem: string; offset?: number }) {
  return offset === undefined ? { message: problem } : { message: problem, offset };
}

/** Lists the fields left out for the chosen models, with a button to send them again. */
export function OmittedFieldsNote({ target }: { target: OmittedField['of'] }) {
  const { restoreFields } = useLab();
  const { getModelKey } = useAppServices().gateways;
  const formatModel = useFormatModel();
  const leftOut = useLabState((state) => state.input.leftOut);
  const models = useLabState((state) => state.input.models);
  return uniqBy([models.A, models.B], getModelKey).map((choice) => {
    const key = getModelKey(choice);
    const fields = (leftOut ?? []).flatMap((omitted) =>
      omitted.of === target && getModelKey(omitted) === key ? [omitted.field] : [],
    );
    if (fields.length === 0) return null;
    return (
      <span key={key} className="inline-flex min-w-0 flex-wrap items-center gap-x-1.5 text-12 text-ink-3">
        <span className="wrap-anywhere">
          Not sent to {formatModel(choice)}:{' '}
          <span className="font-mono text-mono-12 text-ink-2">{fields.join(', ')}</span>
        </span>
        <Button size="small" onClick={() => restoreFields(choice, target)}>
          Restore
        </Button>
      </span>
    );
  });
}
