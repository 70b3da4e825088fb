import { Check, Copy } from 'lucide-react';
import { useState } from 'react';

import { fieldsOf, type Params } from '../../../conversation/setup/params.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';
import { useAnnounce } from '../../../ui/display/live-region.tsx';

const outcomes = {
  none: 'Copy as JSON',
  copied: 'Copied',
  refused: 'The browser did not allow copying',
};

/** Copies the model and the fields that are sent, as they go into the body. */
export function CopyParams({ params, model }: { params: Params; model: string }) {
  const [outcome, setOutcome] = useState<keyof typeof outcomes>('none');
  const announce = useAnnounce();

  const copy = async () => {
    const body = JSON.stringify({ model, ...fieldsOf(params) }, null, 2);
    const ended = (await copyText(body)) ? 'copied' : 'refused';
    setOutcome(ended);
    announce(`${outcomes[ended]}.`);
  };

  return (
    <span className="flex" onPointerLeave={() => setOutcome('none')} onBlur={() => setOutcome('none')}>
      <IconButton size="small" label="Copy as JSON" tip={outcomes[outcome]} onClick={() => void copy()}>
        {outcome === 'copied' ? <Check className="i s" aria-hidden /> : <Copy className="i s" aria-hidden />}
      </IconButton>
    </span>
  );
}
