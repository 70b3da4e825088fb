import type { ReactNode } from 'react';

/**
 * Maximum length of a displayed ID: longer than any real ID, and limited because lists lay out every line completely.
 */
const maxIdChars = 300;

interface ModelIdProps {
  id: string;
  /** Renders a part of the ID if it needs more than plain text. */
  renderPart?: (id: string, from: number, to: number) => ReactNode;
}

const renderPlainPart = (id: string, from: number, to: number): ReactNode => id.slice(from, to);

/** Model ID; in pickers, the owner is grey. */
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
