import { createSharedTask } from '../../lib/shared-task.ts';
import type { Decorator } from './dom-writer.ts';
import type { Highlighter } from './highlighter.ts';
import { renderMathInto } from './math-view.ts';

/** The only highlighter of the page, loaded when code first appears. */
const loadHighlighter = createSharedTask(async () => {
  const [{ Highlighter: LoadedHighlighter }, { default: workerUrl }] = await Promise.all([
    import('./highlighter.ts'),
    import('./highlight-worker.ts?worker&url'),
  ]);
  return new LoadedHighlighter(workerUrl);
});

/** If the highlighter cannot be loaded, code stays plain; the next code block tries again. */
function runWithHighlighter(action: (highlighter: Highlighter) => void): void {
  loadHighlighter().then(action, () => undefined);
}

/** Highlights code and renders formulas as MathML, loading both on first use. */
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
