import { Toolbar as KitToolbar } from '@base-ui/react/toolbar';
import type { ComponentProps } from 'react';

import { RenderButtonContext } from './button-element.tsx';

/**
 * A toolbar: the buttons, icon buttons and menus inside it are one tab stop; Left, Right, Home and End move between
 * them. A part that handles these keys itself provides `renderPlainButton`, which keeps its buttons out.
 */
export function Toolbar(props: ComponentProps<typeof KitToolbar.Root>) {
  return (
    <RenderButtonContext value={renderToolbarButton}>
      <KitToolbar.Root
        {...props}
        onKeyDown={(event) => {
          const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-toolbar-item]')];
          // Keys also arrive from open menus and from buttons that are not items.
          if (!items.some((item) => item === event.target)) return event.preventBaseUIHandler();
          // Base UI's toolbar does not handle these two.
          const nextItem = { Home: items[0], End: items.at(-1) }[event.key];
          if (!nextItem) return;
          event.preventDefault();
          nextItem.focus();
        }}
      />
    </RenderButtonContext>
  );
}

/** A button of a `Toolbar` that has its own look. */
export function ToolbarButton(props: ComponentProps<'button'>) {
  return <KitToolbar.Button data-toolbar-item {...props} />;
}

const renderToolbarButton = (props: ComponentProps<'button'>) => <ToolbarButton {...props} />;
