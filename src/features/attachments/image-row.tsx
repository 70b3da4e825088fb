import { useState, type ComponentProps } from 'react';

import { parseImageHash } from '../../conversation/request/message-images.ts';
import type { DraftImage } from '../../conversation/session/draft.ts';
import { formatError } from '../../lib/format-error.ts';
import { formatBytes, formatCount } from '../../lib/format.ts';
import { useSessionServices } from '../../state/contexts.tsx';
import { TextField } from '../../ui/controls/field.tsx';
import { Link2 } from '../../ui/icons.tsx';
import { ImageOff } from '../../ui/late-icons.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { AttachmentRow, RemoveAttachmentButton } from './attachment-row.tsx';
import { createScaledImage, listSmallerSides } from './image-scale.ts';
import { useStoredImage, type ImageState } from './use-stored-image.ts';

interface Props {
  image: DraftImage;
  note: string | undefined;
  onChange: (image: DraftImage) => void;
  onRemove: () => void;
}

/** Attached image before sending: preview, name, size as sent, detail. */
export function ImageRow({ image, note, onChange, onRemove }: Props) {
  const [problem, setProblem] = useState('');
  const [naturalSize, setNaturalSize] = useState<{ width: number; height: number }>();
  const storedImage = useStoredImage(image.url);
  const sizedImage =
    image.width === undefined && naturalSize && parseImageHash(image.url)
      ? { ...image, ...naturalSize }
      : image;
  const bytes = image.bytes ?? (storedImage.state === 'here' ? storedImage.bytes : undefined);
  return (
    <AttachmentRow
      thumb={<Preview name={image.name} image={storedImage} onSize={setNaturalSize} />}
      name={image.name}
      title={image.url.startsWith('http') ? image.url : undefined}
      note={
        <>
          {storedImage.state === 'elsewhere' && 'The provider fetches this link. '}
          {bytes !== undefined && `${formatBytes(bytes)}, `}
          <SizeChoice image={sizedImage} onChange={onChange} onProblem={setProblem} />
          <DetailChoice image={image} onChange={onChange} />
          {note !== undefined && note !== '' && ` ${note}`}
          {problem !== '' && <span className="text-warn-ink"> {problem}</span>}
        </>
      }
    >
      <RemoveAttachmentButton label="Remove image" onRemove={onRemove} />
    </AttachmentRow>
  );
}

interface PreviewProps {
  name: string;
  image: ImageState;
  onSize: (size: { width: number; height: number }) => void;
}

function Preview({ name, image, onSize }: PreviewProps) {
  if (image.state === 'here') {
    return (
      <img
        className="size-full object-cover"
        src={image.src}
        alt={`Preview of ${name}`}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          onSize({ width: naturalWidth, height: naturalHeight })
        }
      />
    );
  }
  const Icon = image.state === 'elsewhere' ? Link2 : ImageOff;
  return image.state !== 'loading' && <Icon className="icon-14" aria-hidden />;
}

/** Word within a sentence that opens a menu. */
function WordMenu(props: Pick<ComponentProps<typeof Menu>, 'label' | 'items' | 'children'>) {
  return (
    <Menu
      className="-my-1 inline-flex min-h-6 items-center gap-px rounded-1 text-ink-2 underline decoration-line-2 underline-offset-3 hover:bg-hover hover:text-ink"
      placement="start"
      {...props}
    />
  );
}

interface ChoiceProps {
  image: DraftImage;
  onChange: (image: DraftImage) => void;
}

function SizeChoice({ image, onChange, onProblem }: ChoiceProps & { onProblem: (problem: string) => void }) {
  const { images } = useSessionServices();
  const { width, height, original } = image;
  if (width === undefined || height === undefined) return null;
  const sizeText = `${formatCount(width)} × ${formatCount(height)}`;
  const sides = listSmallerSides(image);
  if (sides.length === 0) return `${sizeText}, `;
  const scale = async (side: number | undefined) => {
    onProblem('');
    try {
      onChange(await createScaledImage(image, side, images));
    } catch (error) {
      onProblem(formatError(error));
    }
  };
  const originalSize = original ?? { width, height };
  const items: MenuItem[] = [
    {
      label: 'Original size',
      hint: `${formatCount(originalSize.width)} × ${formatCount(originalSize.height)}`,
      onPick: () => void scale(undefined),
    },
    ...sides.map((side): MenuItem => ({
      label: `Scale down to ${formatCount(side)}`,
      hint: 'Longest side',
      onPick: () => void scale(side),
    })),
  ];
  return (
    <>
      <WordMenu label={`Size ${sizeText}`} items={items}>
        {sizeText}
        {original && ' (scaled down)'}
      </WordMenu>
      {', '}
    </>
  );
}

const detailLevels = ['auto', 'low', 'high'];

/** Menu for `detail` (§2.3): low, high, auto, another string, or not sent. */
function DetailChoice({ image, onChange }: ChoiceProps) {
  const [isCustomDetail, setIsCustomDetail] = useState(false);
  const { detail, ...imageWithoutDetail } = image;
  const choose = (next: string | undefined) => {
    setIsCustomDetail(false);
    onChange(next === undefined ? imageWithoutDetail : { ...imageWithoutDetail, detail: next });
  };
  if (isCustomDetail) {
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
  const detailText = detail === undefined ? 'detail not sent' : `detail ${detail}`;
  return (
    <>
      <WordMenu
        label={detailText}
        items={[
          ...detailLevels.map((value): MenuItem => ({
            label: `detail ${value}`,
            onPick: () => choose(value),
          })),
          { label: 'Other value', startsGroup: true, onPick: () => setIsCustomDetail(true) },
          { label: 'Do not send detail', onPick: () => choose(undefined) },
        ]}
      >
        {detailText}
      </WordMenu>
      .
    </>
  );
}
