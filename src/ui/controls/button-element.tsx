import { createContext, use, type ComponentProps, type ReactNode } from 'react';

import { useFocusSuccessor } from '../focus/use-focus-successor.ts';

/** Renders a button that is no item of a toolbar. */
export const renderPlainButton = (props: ComponentProps<'button'>): ReactNode => <button {...props} />;

/** How a `ButtonElement` is rendered: as a plain button, or as an item of the toolbar around it. */
export const RenderButtonContext = createContext(renderPlainButton);

/** The element of all buttons. If it is removed while focused, the focus moves to its successor. */
export function ButtonElement({ ref, ...rest }: ComponentProps<'button'>) {
  return use(RenderButtonContext)({ ...rest, ref: useFocusSuccessor(ref) });
}
