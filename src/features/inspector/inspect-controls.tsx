import { useInspector, useRunServices, useSessionServices } from '../../state/contexts.tsx';
import { openInspector } from '../../state/runs/inspector-actions.ts';
import type { InspectorTab } from '../../state/runs/inspector-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { lazyComponent } from '../../ui/hooks/lazy-component.tsx';
import { Activity, Code, type IconComponent } from '../../ui/icons.tsx';
import { BarLabel } from '../workspace/bar-button.tsx';
import { openInspectorButton } from '../workspace/playground-focus-targets.ts';

const LaneSwitch = lazyComponent(
  'The choice of a lane',
  async () => (await import('./lane-switch.tsx')).LaneSwitch,
  { fallback: null },
);

/** Controls in the session bar: a button that opens the inspector or, while it is open, a lane selector. */
export function InspectControls() {
  const isOpen = useInspector((state) => state.isOpen);
  if (!isOpen) {
    return (
      <>
        <OpenInspectorButton tab="events" icon={Activity} label="Inspect" />
        <OpenInspectorButton tab="request" icon={Code} label="Get code" />
      </>
    );
  }
  return <LaneSwitch />;
}

function OpenInspectorButton({
  tab,
  icon: Icon,
  label,
}: {
  tab: InspectorTab;
  icon: IconComponent;
  label: string;
}) {
  const { view } = useSessionServices();
  const { inspector } = useRunServices();

  return (
    <Button
      variant="tool"
      aria-label={label}
      title={label}
      {...openInspectorButton.attributes}
      onClick={({ currentTarget }) => {
        // The button is removed before the browser would act on its `popoverTarget`.
        currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        openInspector({ inspector, view }, tab);
      }}
    >
      <Icon className="icon-14" aria-hidden />
      <BarLabel className="phone:@max-[1000px]/session-bar:hidden">{label}</BarLabel>
    </Button>
  );
}
