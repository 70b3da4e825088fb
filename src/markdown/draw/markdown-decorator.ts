import { createSharedTask } from '../../lib/shared-task.ts';
import type { Decorator } from './dom-writer.ts';
import type { Highlighter } from './highlighter.ts';
import { showMath } from './math-view.ts';

/** The one highlighter of the page, loaded when the first code is met. */
const highlighter = createSharedTask(async () => {
  const [{ Highlighter: Made }, { default: address }] = await Promise.all([
    import('./highlighter.ts'),
    import('./highlight-worker.ts?worker&url'),
  ]);
  return new Made(address);
});

/** Where it cannot be loaded code stays as it is; the next code tries again. */
function withHighlighter(act: (ready: Highlighter) => void): void {
  highlighter().then(act, () => undefined);
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
