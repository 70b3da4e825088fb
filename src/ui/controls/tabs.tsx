import { Tabs as KitTabs } from '@base-ui/react/tabs';
import type { ComponentProps } from 'react';

/** Connects the `TabList` and `TabPanel` inside it. `value` is the selected tab. */
export const Tabs = KitTabs.Root;

/** A row of tabs with one tab stop; Left, Right, Home and End select. */
export function TabList(props: ComponentProps<typeof KitTabs.List>) {
  return <KitTabs.List activateOnFocus {...props} />;
}

/** A tab of a `TabList`. It is drawn by the caller; `data-active` marks the selected one. */
export const Tab = KitTabs.Tab;

/** Content of the tab with this value, named by the tab. It is no tab stop, because it contains some. */
export function TabPanel(props: ComponentProps<typeof KitTabs.Panel>) {
  return <KitTabs.Panel tabIndex={undefined} {...props} />;
}
