import type { KeyboardEvent, MouseEvent } from 'react';

/** Ignores double clicks and a held Enter on a button that takes the place of another one under the pointer or focus. */
export const ignoreRepeatedPresses = {
  onClickCapture: (event: MouseEvent) => {
    if (event.detail > 1) event.stopPropagation();
  },
  onKeyDownCapture: (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.repeat) event.preventDefault();
  },
};
