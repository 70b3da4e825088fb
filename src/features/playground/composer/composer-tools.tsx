import { clsx } from 'clsx';

import { TextField } from '../../../ui/controls/field.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Link2 } from '../../../ui/icons.tsx';
import { PhoneComposerMenu } from '../phone/phone-composer-menu.tsx';
import { authorName } from '../playground-focus-targets.ts';

interface Props {
  name: string;
  onNameChange: (name: string) => void;
  onLink: () => void;
  /** True if the other tools are expanded below the single row that phones show. */
  isExpanded: boolean;
  onExpandedChange: (isExpanded: boolean) => void;
  isOneRow: boolean;
}

/**
 * Tools next to the Image button: an image by URL, and the author's name, whose field is opened from the menu next to
 * Send.
 */
export function ComposerTools({ name, onNameChange, onLink, isExpanded, onExpandedChange, isOneRow }: Props) {
  return (
    <>
      <PhoneComposerMenu isOpen={isExpanded} onOpenChange={onExpandedChange} isOneRow={isOneRow} />
      <IconButton
        label="Link an image"
        tip="Add an image by URL"
        className={clsx(!isExpanded && 'max-phone:hidden')}
        onClick={onLink}
      >
        <Link2 className="icon-14" aria-hidden />
      </IconButton>
      <TextField
        variant="quiet"
        className={clsx(
          'max-phone:max-w-22.5',
          !isExpanded && 'max-phone:hidden',
          // Hidden while it is empty and not focused; a menu item focuses it.
          name === '' && [
            'not-focus:absolute not-focus:bottom-0 not-focus:left-3 not-focus:max-h-0.5 not-focus:w-6 not-focus:min-w-0',
            'not-focus:border-0 not-focus:p-0 not-focus:opacity-0',
          ],
        )}
        aria-label="Author name"
        {...authorName.attributes}
        tabIndex={name === '' ? -1 : 0}
        dir="auto"
        placeholder="name"
        title="Author name, sent as “name”"
        spellCheck={false}
        value={name}
        onInput={(event) => onNameChange(event.currentTarget.value)}
      />
    </>
  );
}
