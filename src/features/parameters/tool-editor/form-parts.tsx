import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

import { FieldError } from '../../../ui/controls/field.tsx';
import { useFocusSuccessor } from '../../../ui/focus/use-focus-successor.ts';
import type { IconComponent } from '../../../ui/icons.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';

interface FormFieldProps extends ComponentProps<'input'> {
  /** True if the field contains a JSON name or value. */
  isCode?: boolean;
}

/** Single-line field that fills its place in the form. */
export function FormField({ isCode = false, className, ref, ...rest }: FormFieldProps) {
  return (
    <input
      {...rest}
      ref={useFocusSuccessor(ref)}
      className={clsx(
        'h-6.5 min-w-0 rounded-2 border border-edge bg-raised px-2',
        'aria-invalid:border-err aria-invalid:inset-ring aria-invalid:inset-ring-err',
        isCode ? '[font:var(--m-12)]' : 'text-13 normal-nums pointer-coarse:text-[16px]',
        className,
      )}
    />
  );
}

/** Line of form elements side by side, wrapped if necessary. */
export function FormLine({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-x-2 gap-y-1">{children}</div>;
}

/** Title above a field or a section of the form. */
export function FormTitle({ as: Element = 'span', children }: { as?: 'span' | 'h3'; children: ReactNode }) {
  return <Element className="text-11 text-ink-3 normal-nums">{children}</Element>;
}

/** Icon that is close to its button's label. */
export function FormIcon({ icon: Icon }: { icon: IconComponent }) {
  return <Icon className="relative left-px -mr-px icon-14" aria-hidden />;
}

type EditorProps = Pick<
  ComponentProps<typeof JsonEditor>,
  'label' | 'value' | 'onChange' | 'problem' | 'placeholder'
>;

interface FormBesideJsonProps extends EditorProps {
  form: ReactNode;
  title: string;
  /** Actions on the text. */
  tools: ReactNode;
  onKeyDown?: ComponentProps<'div'>['onKeyDown'];
}

/** Form on the left and its JSON on the right, as two editors of the same value; stacked if space is limited. */
export function FormBesideJson({ form, title, tools, onKeyDown, ...editor }: FormBesideJsonProps) {
  return (
    <div className="@container/editors" onKeyDown={onKeyDown}>
      <div className="grid grid-cols-2 items-start gap-5 @max-[800px]/editors:grid-cols-1">
        {form}
        <div className="sticky top-0 grid gap-1.5 @max-[800px]/editors:static">
          <FormLine>
            <FormTitle as="h3">{title}</FormTitle>
            <span className="min-w-0 flex-1" />
            {tools}
          </FormLine>
          <JsonEditor {...editor} minLines={18} className="[--editor-max:min(520px,56vh)]" />
          {editor.problem && <FieldError>{editor.problem.message}</FieldError>}
        </div>
      </div>
    </div>
  );
}
