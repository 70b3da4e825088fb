import { useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

import { runPage } from './page.mjs';

/** A page whose columns are one React root each: `view(text, live)` is drawn with the text so far, once a frame. */
export function runReactPage(view) {
  runPage((home) => {
    let set;
    function Column() {
      const [{ text, live }, setText] = useState({ text: '', live: true });
      useLayoutEffect(() => {
        set = setText;
      }, []);
      return view(text, live);
    }
    const root = createRoot(home);
    flushSync(() => root.render(<Column />));
    return (text, live) => flushSync(() => set({ text, live }));
  });
}
