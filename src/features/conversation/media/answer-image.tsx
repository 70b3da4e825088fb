import { useState } from 'react';
import { useStore } from 'zustand';

import { emptyDraft, type DraftImage } from '../../../conversation/session/draft.ts';
import type { SessionId } from '../../../conversation/session/types.ts';
import { parseSafeImage } from '../../../markdown/parse/safe-link.ts';
import { useSessionServices, useRunServices } from '../../../state/contexts.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Chip } from '../../../ui/display/tag.tsx';
import { CheckIcon, Link2, Paperclip } from '../../../ui/icons.tsx';
import { ImageOff } from '../../../ui/late-icons.tsx';
import { getHost, useStoredImage } from '../../attachments/use-stored-image.ts';
import { PromptImageViewer } from '../message/prompt-image.tsx';

interface AnswerImageProps {
  url: string;
  /** Number among the images of the answer, from 1. */
  number: number;
  sessionId: SessionId;
}

/** Image in an answer, which can be opened at full size. A remote image is shown as a link and never fetched. */
export function AnswerImage({ url, number, sessionId }: AnswerImageProps) {
  const image = useStoredImage(url);
  const [isOpen, setIsOpen] = useState(false);
  const name = `Image ${number}`;
  if (image.state === 'missing') {
    return (
      <p className="my-2">
        <Chip title="This image is not stored in this browser.">
          <ImageOff className="icon-14" aria-hidden />
          {name} is missing
        </Chip>
      </p>
    );
  }
  return (
    <div className="my-2 flex flex-col items-start gap-1">
      {image.state === 'elsewhere' && <ImageLink url={url} />}
      {image.state === 'loading' && (
        <span
          className="block max-h-90 min-h-6 max-w-full min-w-6 rounded-2 bg-sunken ring-1 ring-line-2"
          aria-hidden
        />
      )}
      {image.state === 'here' && (
        <button
          type="button"
          className="max-w-full cursor-zoom-in rounded-2"
          title={`View image ${number}`}
          onClick={() => setIsOpen(true)}
        >
          <img
            className="block max-h-90 min-h-6 max-w-full min-w-6 rounded-2 bg-sunken object-contain ring-1 ring-line-2"
            src={image.src}
            alt={`${name} of the answer`}
          />
        </button>
      )}
      <AttachButton image={{ url, name: getImageName(url, number), detail: 'auto' }} sessionId={sessionId} />
      {isOpen && image.state === 'here' && (
        <PromptImageViewer
          src={image.src}
          title={name}
          {...(image.bytes === undefined ? {} : { bytes: image.bytes })}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  );
}

function getImageName(url: string, number: number): string {
  return url.startsWith('http') ? getHost(url) : `Answer image ${number}`;
}

function ImageLink({ url }: { url: string }) {
  const link = parseSafeImage(url);
  if (!link) return <Chip>{url.slice(0, 80)}</Chip>;
  return (
    <a
      className="inline-flex min-h-6 min-w-0 items-center gap-1.25 wrap-anywhere text-ink-2 underline decoration-edge underline-offset-3 hover:text-ink"
      href={link.href}
      target="_blank"
      rel="noopener noreferrer"
      title={link.href}
    >
      <Link2 className="icon-14 flex-none" aria-hidden />
      Image from {link.host}
    </a>
  );
}

/** Button that attaches the image to the current draft. Not available in recordings, which have no draft. */
function AttachButton({ image, sessionId }: { image: DraftImage; sessionId: SessionId }) {
  const { drafts } = useSessionServices();
  const { playhead } = useRunServices();
  const isAttached = useStore(drafts.state, (state) =>
    (state[sessionId] ?? emptyDraft).images.some(({ url }) => url === image.url),
  );
  if (playhead) return null;
  const Icon = isAttached ? CheckIcon : Paperclip;
  const attach = () => drafts.change(sessionId, (draft) => ({ ...draft, images: [...draft.images, image] }));
  return (
    <Button
      size="small"
      variant="ghost"
      className="-ml-2 max-phone:-ml-3"
      disabled={isAttached}
      onClick={attach}
    >
      <Icon className="icon-14" aria-hidden />
      {isAttached ? 'Attached to next message' : 'Attach to next message'}
    </Button>
  );
}
