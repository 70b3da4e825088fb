import { createContext, use, type ComponentProps, type MouseEvent, type ReactNode } from 'react';

import { useFocusSuccessor } from '../focus/use-focus-successor.ts';

/** Renders a button that is no item of a toolbar. */
export const renderPlainButton = (props: ComponentProps<'button'>): ReactNode => <button {...props} />;

/** How a `ButtonElement` is rendered: as a plain button, or as an item of the toolbar around it. */
export const RenderButtonContext = createContext(renderPlainButton);

/** Browsers take the focus from a button with the attribute `disabled`, so a disabled one only ignores presses. */
const disabledProps = {
  'aria-disabled': true,
  // Also prevents the submission of its form.
  onClick: (event: MouseEvent) => event.preventDefault(),
};

/** The element of all buttons. It keeps the focus if it is disabled, and moves it to its successor if it is removed. */
export function ButtonElement({ ref, disabled = false, ...rest }: ComponentProps<'button'>) {
  const focusRef = useFocusSuccessor(ref);
  return use(RenderButtonContext)({ ...rest, ...(disabled && disabledProps), ref: focusRef });
}
