import type { FieldProblem } from '../../../state/embedding/embedding-job-types.ts';
import type { LeftOutField } from '../../../state/lab/lab-fields.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useLab } from '../hooks/use-lab.ts';
import { fieldsOfQuery, fieldsOfTexts } from '../lab-focus-targets.ts';

interface FieldFixProps {
  field: FieldProblem;
  of: LeftOutField['of'];
  onLeaveOut: () => void;
  disabled: boolean;
}

/** Button that leaves a refused field out of the request or adds a missing one. */
export function FieldFix({ field: { name, is }, of, onLeaveOut, disabled }: FieldFixProps) {
  const { addField, show } = useLab();
  const add = () => {
    addField(name, of);
    const place = of === 'texts' ? fieldsOfTexts : fieldsOfQuery;
    requestAnimationFrame(() => {
      if (place.focus() || of === 'query') return;
      // Narrow windows show the texts in a tab of their own.
      show('texts');
      requestAnimationFrame(() => place.focus());
    });
  };
  return (
    <Button size="small" disabled={disabled} onClick={is === 'missing' ? add : onLeaveOut}>
      {is === 'missing' ? `Add ${name}` : `Leave ${name} out`}
    </Button>
  );
}

/** Describes the problem with the field in a sentence. */
export function describeFieldProblem({ name, is }: FieldProblem): string {
  if (is === 'missing') return `The gateway requires the field ${name}.`;
  return is === 'refused'
    ? `The gateway rejected the field ${name}.`
    : `The field ${name} requests vectors that cannot be compared.`;
}
