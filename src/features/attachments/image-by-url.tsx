import { clsx } from 'clsx';
import { useState } from 'react';

import type { DraftImage } from '../../conversation/session/draft.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/field.tsx';
import { AttachmentLine } from './attachment-row.tsx';
import { getHost } from './use-stored-image.ts';

interface Props {
  onAdd: (image: DraftImage) => void;
  onCancel: () => void;
}

/** Form that attaches an image by URL. The URL is sent unchanged; Bench does not fetch it, the provider does. */
export function ImageByUrl({ onAdd, onCancel }: Props) {
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState('');
  const add = () => {
    const trimmedUrl = url.trim();
    if (!/^(?:https?:\/\/[^\s/]|data:image\/)/i.test(trimmedUrl)) {
      setProblem('Enter a full URL that starts with https:// or http://.');
      return;
    }
    const isDataUrl = /^data:/i.test(trimmedUrl);
    onAdd({ url: trimmedUrl, name: isDataUrl ? 'Image' : getHost(trimmedUrl), detail: 'auto' });
  };
  return (
    <AttachmentLine>
      {/* The field is wide enough for a URL if there is space. */}
      <span className="flex max-w-120 min-w-14 flex-[1_1_220px]">
        <TextField
          type="url"
          className="max-w-none flex-1"
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
            if (event.key !== 'Enter' && event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            if (event.key === 'Enter') add();
            else onCancel();
          }}
        />
      </span>
      <Button size="small" onClick={add}>
        Add
      </Button>
      <Button size="small" variant="ghost" onClick={onCancel}>
        Cancel
      </Button>
      <span className={clsx(problem !== '' && 'text-warn-ink')}>
        {problem === '' ? 'The provider fetches this link.' : problem}
      </span>
    </AttachmentLine>
  );
}
