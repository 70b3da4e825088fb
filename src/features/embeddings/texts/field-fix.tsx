import type { FieldProblem } from '../../../state/embedding/embedding-job-types.ts';
import type { OmittedField } from '../../../state/lab/lab-fields.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useLab } from '../hooks/use-lab.ts';
import { labQueryFields, labTextFields } from '../lab-focus-targets.ts';

interface FieldFixProps {
  field: FieldProblem;
  target: OmittedField['of'];
  onOmit: () => void;
  disabled: boolean;
}

/** Button that omits a rejected field from requests or adds a missing one. */
export function FieldFix({ field: { name, kind }, target, onOmit, disabled }: FieldFixProps) {
  const { addField, showTab } = useLab();
  const add = () => {
    addField(name, target);
    const focusTarget = target === 'texts' ? labTextFields : labQueryFields;
    requestAnimationFrame(() => {
      if (focusTarget.focus() || target === 'query') return;
      // Narrow layouts show the texts in a separate tab.
      showTab('texts');
      requestAnimationFrame(() => focusTarget.focus());
    });
  };
  return (
    <Button size="small" disabled={disabled} onClick={kind === 'missing' ? add : onOmit}>
      {kind === 'missing' ? `Add ${name}` : `Leave ${name} out`}
    </Button>
  );
}

/** Describes the problem with the field in a sentence. */
export function describeFieldProblem({ name, kind }: FieldProblem): string {
  if (kind === 'missing') return `The gateway requires the field ${name}.`;
  return kind === 'refused'
    ? `The gateway rejected the field ${name}.`
    : `The field ${name} requests vectors that cannot be compared.`;
}
