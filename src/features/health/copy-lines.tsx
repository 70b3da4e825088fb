import { useState } from 'react';

import { Button } from '../../ui/controls/button.tsx';
import { copyText } from '../../ui/display/copy-text.ts';

/** Lines to be put into a file, with a button that copies them. */
export function CopyLines({ lines }: { lines: string }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    const copied = await copyText(lines);
    setSaid(copied ? 'Copied.' : 'The browser blocked copying. Select the lines and copy them.');
  };
  return (
    <>
      <pre>{lines}</pre>
      <div className="offers">
        <Button size="small" onClick={() => void copy()}>
          Copy these lines
        </Button>
        <span role="status" className="mut">
          {said}
        </span>
      </div>
    </>
  );
}
