import { createContext, use, type ComponentProps, type ReactNode } from 'react';

/** Renders a button that is no item of a toolbar. */
export const renderPlainButton = (props: ComponentProps<'button'>): ReactNode => <button {...props} />;

/** How a `ButtonElement` is rendered: as a plain button, or as an item of the toolbar around it. */
export const RenderButtonContext = createContext(renderPlainButton);

/** The element of `Button`, `IconButton` and `Menu`. */
export function ButtonElement(props: ComponentProps<'button'>) {
  return use(RenderButtonContext)(props);
}
