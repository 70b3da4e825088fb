import { Copy } from 'lucide-react';
import { useState } from 'react';

import { Button } from '../../../ui/controls/button.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';

/** A text as it is, to read and to copy. */
export function CodeBlock({ label, text, shown = text }: { label: string; text: string; shown?: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    setIsCopied(await copyText(text));
    setTimeout(() => setIsCopied(false), 2000);
  };
  return (
    <div className="lab-code">
      <header>
        <h4>{label}</h4>
        <Button size="small" onClick={() => void copy()}>
          <Copy className="i s" aria-hidden />
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </header>
      <pre tabIndex={0} role="region" aria-label={label}>
        {shown}
      </pre>
    </div>
  );
}
