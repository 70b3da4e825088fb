import { Link2 } from 'lucide-react';

import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { MoreOnPhones } from '../phone/more-on-phones.tsx';
import { authorName } from '../places.ts';

interface Props {
  name: string;
  onName: (name: string) => void;
  onLink: () => void;
}

/** Small tools beside the Image button: an image by URL, and the author's name, which the menu beside Send leads to. */
export function ComposerTools({ name, onName, onLink }: Props) {
  return (
    <>
      <MoreOnPhones />
      <IconButton label="Link an image" tip="Add an image by URL" onClick={onLink}>
        <Link2 className="icon-14" aria-hidden />
      </IconButton>
      <input
        className="author-name quiet-field"
        aria-label="Author name"
        {...authorName.here}
        tabIndex={name === '' ? -1 : 0}
        dir="auto"
        placeholder="name"
        title="Author name, sent as “name”"
        spellCheck={false}
        value={name}
        onInput={(event) => onName(event.currentTarget.value)}
      />
    </>
  );
}
