import { Diff } from 'lucide-react';
import { useState } from 'react';

import { lazyView } from '../../ui/hooks/lazy-view.tsx';
import { BarButton } from './session-bar/bar-button.tsx';

const TextDifferenceDialog = lazyView(
  'The comparison',
  async () => (await import('./text-difference-dialog.tsx')).TextDifferenceDialog,
);

/** Opens the difference between the texts of two answers. */
export function TextDifference({ disabledBecause }: { disabledBecause: string | undefined }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <BarButton
        icon={Diff}
        label="Compare texts"
        onClick={() => setOpen(true)}
        disabledBecause={disabledBecause}
      />
      {open && <TextDifferenceDialog onClose={() => setOpen(false)} />}
    </>
  );
}
