import { clsx } from 'clsx';

import { findDifferingParams } from '../../conversation/session/differing-params.ts';
import { PARAMS, getParamState, type ParamName } from '../../conversation/setup/params.ts';
import { useSessionShallow, useSessionServices, useView } from '../../state/contexts.tsx';
import { cn } from '../../ui/cn.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/field.tsx';
import { IconButton, iconButtonVariants } from '../../ui/controls/icon-button.tsx';
import { Link2, Paperclip, Plus, SlidersHorizontal } from '../../ui/icons.tsx';
import { authorName } from '../workspace/playground-focus-targets.ts';
import { useCloseOnEscape } from '../workspace/use-close-on-escape.ts';
import { openAttachmentPicker } from './use-picked-files.ts';

interface Props {
  onLink: () => void;
  /** True if the tools that phones hide are expanded. */
  isExpanded: boolean;
  onExpandedChange: (isExpanded: boolean) => void;
  isCompact: boolean;
  /** True if nothing is shown below the field on phones; the buttons then overlay it. */
  isOneRow: boolean;
}

/**
 * Tools below the field: files, images by URL, and the author's name, whose field is opened from the menu next
 * to Send. On phones, one button expands them, and one opens the parameters as a sheet.
 */
export function ComposerTools({ onLink, isExpanded, onExpandedChange, isCompact, isOneRow }: Props) {
  const { view } = useSessionServices();
  const name = useView((state) => state.author);
  useCloseOnEscape(isExpanded, () => onExpandedChange(false));
  const laneParams =
    useSessionShallow((data) => data.session.laneIds.map((id) => data.lanes[id]?.setup.params ?? {})) ?? [];
  const isSent = (name: ParamName) =>
    laneParams.some((params) => getParamState(params, name).state === 'sent');
  const sentFieldCount = PARAMS.filter((param) => isSent(param.name)).length;
  const differingCount = findDifferingParams(laneParams).length;
  return (
    <>
      <Button
        variant={isCompact ? 'ghost' : 'default'}
        size={isCompact ? 'normal' : 'small'}
        className={clsx('text-ink-2', !isExpanded && 'max-phone:hidden')}
        title="Attach images, text files, PDFs or audio"
        onClick={openAttachmentPicker}
      >
        <Paperclip className="icon-14" aria-hidden />
        {/* Labels stay accessible even where there is no space to show them. */}
        <span className={clsx(isCompact && 'sr-only')}>Attach</span>
      </Button>
      <button
        type="button"
        className={cn(iconButtonVariants(), 'relative -order-2 max-phone:rounded-3 phone:hidden')}
        aria-label="More message options"
        aria-expanded={isExpanded}
        onClick={() => onExpandedChange(!isExpanded)}
      >
        <Plus
          className="icon-20 transition-[rotate] duration-(--d-2) ease-(--ease-out) in-aria-expanded:rotate-45"
          aria-hidden
        />
      </button>
      <button
        type="button"
        className={cn(
          iconButtonVariants(),
          'relative -order-1 max-phone:rounded-3 phone:hidden',
          isOneRow && 'ml-auto',
        )}
        aria-label={`Parameters, ${sentFieldCount} sent${differingCount > 0 ? `, ${differingCount} ${differingCount === 1 ? 'differs' : 'differ'}` : ''}`}
        onClick={() => view.setState({ isParametersOverlayOpen: true })}
      >
        <SlidersHorizontal className="icon-20" aria-hidden />
        {sentFieldCount > 0 && (
          <sup
            className="absolute top-1 right-0.75 h-3.75 min-w-3.75 rounded-[8px] bg-ink px-0.75 text-center text-[10px]/3.75 font-600 text-on-ink normal-nums"
            aria-hidden
          >
            {sentFieldCount}
          </sup>
        )}
      </button>
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
        onInput={(event) => view.setState({ author: event.currentTarget.value })}
      />
    </>
  );
}
