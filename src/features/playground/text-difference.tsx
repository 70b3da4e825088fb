import { Diff } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

import { Button } from '../../ui/button.tsx';

const TextDifferenceDialog = lazy(async () => {
  const { TextDifferenceDialog: loaded } = await import('./text-difference-dialog.tsx');
  return { default: loaded };
});

/** Opens the difference between the texts of two answers. */
export function TextDifference() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" aria-label="Compare texts" title="Compare texts" onClick={() => setOpen(true)}>
        <Diff className="i s" aria-hidden />
        <span className="words">Compare texts</span>
      </Button>
      {open && (
        <Suspense fallback={null}>
          <TextDifferenceDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
