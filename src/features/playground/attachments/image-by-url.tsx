import { useState } from 'react';

import type { DraftImage } from '../../../conversation/session/draft.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { hostOf } from '../message/use-stored-image.ts';

interface Props {
  onAdd: (image: DraftImage) => void;
  onCancel: () => void;
}

/** An image by its address: the address is sent as it is, and the provider fetches it, not Bench. */
export function ImageByUrl({ onAdd, onCancel }: Props) {
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState('');
  const add = () => {
    const address = url.trim();
    if (!/^(?:https?:\/\/[^\s/]|data:image\/)/i.test(address)) {
      setProblem('Enter a full URL that starts with https:// or http://.');
      return;
    }
    const isData = /^data:/i.test(address);
    onAdd({ url: address, name: isData ? 'Image' : hostOf(address), detail: 'auto' });
  };
  return (
    <div className="cp-more">
      <input
        className="nf tx url-field"
        type="url"
        aria-label="Image URL"
        placeholder="https://…"
        autoFocus
        aria-invalid={problem !== ''}
        value={url}
        onInput={(event) => {
          setUrl(event.currentTarget.value);
          setProblem('');
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Enter') add();
          else onCancel();
        }}
      />
      <Button size="small" onClick={add}>
        Add
      </Button>
      <Button size="small" look="quiet" onClick={onCancel}>
        Cancel
      </Button>
      <span className={problem === '' ? '' : 'warn-text'}>
        {problem === '' ? 'Sent as a link; the provider downloads it.' : problem}
      </span>
    </div>
  );
}
