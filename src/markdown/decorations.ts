import type { Decorator } from './dom-writer.ts';
import type { Highlighter } from './highlighter.ts';
import { showMath } from './math-view.ts';

let highlighter: Highlighter | undefined;
let loading: Promise<Highlighter | undefined> | undefined;

/** The one highlighter of the page, loaded when the first code is met. Undefined where it cannot be loaded; the next code tries again. */
async function load(): Promise<Highlighter | undefined> {
  try {
    const [{ Highlighter: Made }, { default: address }] = await Promise.all([
      import('./highlighter.ts'),
      import('./highlight-worker.ts?worker&url'),
    ]);
    highlighter = new Made(address);
    return highlighter;
  } catch {
    loading = undefined;
    return undefined;
  }
}

function withHighlighter(act: (ready: Highlighter) => void): void {
  if (highlighter !== undefined) {
    act(highlighter);
    return;
  }
  loading ??= load();
  void loading.then((ready) => {
    if (ready !== undefined) act(ready);
  });
}

/** Colours for code and MathML for formulas, both loaded when first met. */
export const decorations: Decorator = {
  lineClosed(line, code, language) {
    if (language !== undefined) withHighlighter((ready) => ready.addLine(code, language, line));
  },
  codeClosed(code) {
    withHighlighter((ready) => ready.closeBlock(code));
  },
  mathClosed: showMath,
};
