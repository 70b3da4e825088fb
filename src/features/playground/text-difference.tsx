import { Diff } from 'lucide-react';
import { useState } from 'react';

import { Button } from '../../ui/button.tsx';
import { lazyView } from '../../ui/lazy-view.tsx';

const TextDifferenceDialog = lazyView(
  async () => (await import('./text-difference-dialog.tsx')).TextDifferenceDialog,
);

/** Opens the difference between the texts of two answers. */
export function TextDifference() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" aria-label="Compare texts" title="Compare texts" onClick={() => setOpen(true)}>
        <Diff className="i s" aria-hidden />
        <span className="words">Compare texts</span>
      </Button>
      {open && <TextDifferenceDialog onClose={() => setOpen(false)} />}
    </>
  );
}
