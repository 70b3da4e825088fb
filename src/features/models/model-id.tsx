import type { ReactNode } from 'react';

/** Longer than any that is real; a list lays out each of its lines as a whole. */
const maxIdChars = 300;

interface ModelIdProps {
  id: string;
  /** Draws a part of it, where that is more than its letters. */
  renderPart?: (id: string, from: number, to: number) => ReactNode;
}

const renderPlainPart = (id: string, from: number, to: number): ReactNode => id.slice(from, to);

/** An id, in pickers with its owner in grey. */
export function ModelId({ id: fullId, renderPart = renderPlainPart }: ModelIdProps) {
  const id = fullId.length > maxIdChars ? `${fullId.slice(0, maxIdChars)}…` : fullId;
  const nameStart = id.lastIndexOf('/') + 1;
  return (
    <>
      {nameStart > 0 && (
        <span className="in-[.model-picker]:font-450 in-[.model-picker]:text-ink-3">
          {renderPart(id, 0, nameStart)}
        </span>
      )}
      <span className="model-name">{renderPart(id, nameStart, id.length)}</span>
    </>
  );
}
