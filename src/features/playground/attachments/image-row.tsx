import { useState } from 'react';

import { parseImageHash } from '../../../conversation/request/message-images.ts';
import type { DraftImage } from '../../../conversation/session/draft.ts';
import { formatError } from '../../../lib/format-error.ts';
import { formatBytes, formatCount } from '../../../lib/format.ts';
import { usePlayground } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { TextField } from '../../../ui/controls/field.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { createPlace, focusNext, textArea } from '../../../ui/focus/focus-target.ts';
import { ImageOff, Link2, X } from '../../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import { useStoredImage, type ShownImage } from '../message/use-stored-image.ts';
import { AttachmentRow, thumbLook } from './attachment-row.tsx';
import { scaledTo, smallerSides } from './image-scale.ts';

const removeButton = createPlace('remove image');

interface Props {
  image: DraftImage;
  note: string | undefined;
  onChange: (image: DraftImage) => void;
  onRemove: () => void;
}

/** One image that waits to be sent: preview, name, size as it is sent, detail. */
export function ImageRow({ image, note, onChange, onRemove }: Props) {
  const [problem, setProblem] = useState('');
  const [natural, setNatural] = useState<{ width: number; height: number }>();
  const shown = useStoredImage(image.url);
  const sized =
    image.width === undefined && natural && parseImageHash(image.url) ? { ...image, ...natural } : image;
  const bytes = image.bytes ?? (shown.state === 'here' ? shown.bytes : undefined);
  return (
    <AttachmentRow
      thumb={<Preview name={image.name} shown={shown} onSize={setNatural} />}
      name={image.name}
      title={image.url.startsWith('http') ? image.url : undefined}
      words={
        <>
          {shown.state === 'elsewhere' && 'Sent as a link; the provider downloads it. '}
          {bytes !== undefined && `${formatBytes(bytes)}, `}
          <SizeChoice image={sized} onChange={onChange} onProblem={setProblem} />
          <DetailChoice image={image} onChange={onChange} />
          {note !== undefined && note !== '' && ` ${note}`}
          {problem !== '' && <span className="text-warn-ink"> {problem}</span>}
        </>
      }
    >
      <IconButton
        label="Remove image"
        size="small"
        {...removeButton.here}
        {...focusNext(removeButton, textArea)}
        onClick={onRemove}
      >
        <X className="icon-14" aria-hidden />
      </IconButton>
    </AttachmentRow>
  );
}

interface PreviewProps {
  name: string;
  shown: ShownImage;
  onSize: (size: { width: number; height: number }) => void;
}

function Preview({ name, shown, onSize }: PreviewProps) {
  if (shown.state === 'here') {
    return (
      <img
        className={thumbLook}
        src={shown.src}
        alt={`Preview of ${name}`}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          onSize({ width: naturalWidth, height: naturalHeight })
        }
      />
    );
  }
  const Icon = shown.state === 'elsewhere' ? Link2 : ImageOff;
  return (
    <span className={thumbLook} aria-hidden>
      {shown.state !== 'loading' && <Icon className="icon-14" />}
    </span>
  );
}

/** A word of the sentence that opens a menu. */
const choiceLook = classes(
  '-my-1 inline-flex min-h-6 items-center gap-px rounded-1 text-ink-2 underline decoration-line-2 underline-offset-3',
  'hover:bg-hover hover:text-ink',
);

interface ChoiceProps {
  image: DraftImage;
  onChange: (image: DraftImage) => void;
}

function SizeChoice({ image, onChange, onProblem }: ChoiceProps & { onProblem: (problem: string) => void }) {
  const { images } = usePlayground();
  const { width, height, original } = image;
  if (width === undefined || height === undefined) return null;
  const words = `${formatCount(width)} × ${formatCount(height)}`;
  const sides = smallerSides(image);
  if (sides.length === 0) return `${words}, `;
  const scale = async (side: number | undefined) => {
    onProblem('');
    try {
      onChange(await scaledTo(image, side, images));
    } catch (error) {
      onProblem(formatError(error));
    }
  };
  const full = original ?? { width, height };
  const items: MenuItem[] = [
    {
      label: 'Original size',
      hint: `${formatCount(full.width)} × ${formatCount(full.height)}`,
      onPick: () => void scale(undefined),
    },
    ...sides.map((side): MenuItem => ({
      label: `Scale down to ${formatCount(side)}`,
      hint: 'longest side',
      onPick: () => void scale(side),
    })),
  ];
  return (
    <>
      <Menu label={`Size ${words}`} className={choiceLook} placement="start" items={items}>
        {words}
        {original && ' scaled down'}
      </Menu>
      {', '}
    </>
  );
}

const details = ['auto', 'low', 'high'];

/** §2.3: low, high, auto or another string; or the field is not sent. */
function DetailChoice({ image, onChange }: ChoiceProps) {
  const [isOther, setIsOther] = useState(false);
  const { detail, ...rest } = image;
  const choose = (next: string | undefined) => {
    setIsOther(false);
    onChange(next === undefined ? rest : { ...rest, detail: next });
  };
  if (isOther) {
    return (
      <>
        <label>
          detail{' '}
          <TextField
            aria-label="Detail"
            autoFocus
            defaultValue={detail}
            onBlur={(event) => choose(event.currentTarget.value.trim() || undefined)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' && event.key !== 'Escape') return;
              event.preventDefault();
              event.stopPropagation();
              event.currentTarget.blur();
            }}
          />
        </label>
        .
      </>
    );
  }
  const words = detail === undefined ? 'detail not sent' : `detail ${detail}`;
  return (
    <>
      <Menu
        label={words}
        className={choiceLook}
        placement="start"
        items={[
          ...details.map((value): MenuItem => ({ label: `detail ${value}`, onPick: () => choose(value) })),
          { label: 'Other detail', startsGroup: true, onPick: () => setIsOther(true) },
          { label: 'Do not send detail', onPick: () => choose(undefined) },
        ]}
      >
        {words}
      </Menu>
      .
    </>
  );
}
