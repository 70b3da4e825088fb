import { createSharedTask } from '../../lib/shared-task.ts';
import type { Decorator } from './dom-writer.ts';
import type { Highlighter } from './highlighter.ts';
import { renderMathInto } from './math-view.ts';

/** The one highlighter of the page, loaded when the first code is met. */
const loadHighlighter = createSharedTask(async () => {
  const [{ Highlighter: LoadedHighlighter }, { default: workerUrl }] = await Promise.all([
    import('./highlighter.ts'),
    import('./highlight-worker.ts?worker&url'),
  ]);
  return new LoadedHighlighter(workerUrl);
});

/** Where it cannot be loaded code stays as it is; the next code tries again. */
function runWithHighlighter(action: (highlighter: Highlighter) => void): void {
  loadHighlighter().then(action, () => undefined);
}

/** Colours for code and MathML for formulas, both loaded when first met. */
export const markdownDecorator: Decorator = {
  onLineClosed(line, code, language) {
    if (language !== undefined)
      runWithHighlighter((highlighter) => highlighter.addLine(code, language, line));
  },
  onCodeClosed(code) {
    runWithHighlighter((highlighter) => highlighter.closeBlock(code));
  },
  onMathClosed: renderMathInto,
};
