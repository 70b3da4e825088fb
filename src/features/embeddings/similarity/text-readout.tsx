import type { ReactNode } from 'react';

import { rowOf } from '../../../state/lab/lab-state.ts';
import { useLabState } from '../hooks/use-lab.ts';
import type { Nearest } from '../nearest/use-nearest.ts';
import { cosineWords } from '../views/dimension-words.ts';

interface TextReadoutProps {
  id: string;
  text: number | undefined;
  nearest: Nearest | undefined;
  children?: ReactNode;
}

/** One line under a picture: the text that is pointed at, its group, and how close it is to what is looked for. */
export function TextReadout({ id, text, nearest, children }: TextReadoutProps) {
  const found = useLabState((state) => (text === undefined ? undefined : state.texts[text]));
  const group = useLabState((state) => (found?.group === undefined ? undefined : state.groups[found.group]));
  const row = nearest && text !== undefined ? rowOf(nearest.shown.set, text) : undefined;
  const value = row === undefined ? undefined : nearest?.scoreOf(row);
  const isItself = nearest?.source.of === 'text' && nearest.source.text === text;
  return (
    <p id={id} className="lab-readout">
      {children}
      {found ? (
        <>
          {value !== undefined && !isItself && <b>{cosineWords(value, 3)}</b>}
          <span dir="auto">{found.text}</span>
          {group !== undefined && <span className="mut"> {group}</span>}
        </>
      ) : (
        <span className="mut">Arrow keys move from point to point. Enter finds similar texts.</span>
      )}
    </p>
  );
}
