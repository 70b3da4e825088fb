import { createSharedTask } from '../../lib/shared-task.ts';
import { runInSlices } from './run-in-slices.ts';

type MathRenderer = (tex: string, display: boolean) => Node | undefined;

const MAX_CACHED_FORMULAS = 300;
const formulaCache = new Map<string, Node | undefined>();
let renderer: MathRenderer | undefined;

const loadRenderer = createSharedTask(async () => {
  renderer = (await import('./math-renderer.ts')).renderMath;
});

interface PendingFormula {
  container: HTMLElement;
  tex: string;
  display: boolean;
}

// Beyond this number, the formulas of one task are rendered in slices, since each takes about 1 ms.
const MAX_SYNC_FORMULAS = 20;
let syncFormulaCount = 0;
const pendingFormulas: PendingFormula[] = [];

/**
 * Renders the formula whose source is the element's text. The renderer is loaded for the first formula; until then, and
 * if the source is invalid, the source stays visible.
 */
export function renderMathInto(container: HTMLElement, display: boolean): void {
  const tex = container.textContent ?? '';
  if (renderer !== undefined && syncFormulaCount < MAX_SYNC_FORMULAS) {
    if (syncFormulaCount === 0) setTimeout(() => (syncFormulaCount = 0), 0);
    syncFormulaCount += 1;
    drawFormula(container, tex, display, renderer);
    return;
  }
  if (pendingFormulas.push({ container, tex, display }) === 1) void startDrawingPending();
}

async function startDrawingPending(): Promise<void> {
  try {
    await loadRenderer();
    runInSlices(drawPendingSteps(), () => true);
  } catch {
    // Without the renderer (after an app update, or offline) formulas show their source.
    pendingFormulas.length = 0;
  }
}

function* drawPendingSteps(): Generator<void, void> {
  for (let index = 0; index < pendingFormulas.length; index += 1) {
    const formula = pendingFormulas[index];
    if (formula !== undefined && renderer !== undefined && formula.container.isConnected)
      if (formula.container.textContent === formula.tex)
        drawFormula(formula.container, formula.tex, formula.display, renderer);
    yield;
  }
  pendingFormulas.length = 0;
}

function drawFormula(container: HTMLElement, tex: string, display: boolean, render: MathRenderer): void {
  const key = `${display ? 'd' : 'i'}${tex}`;
  if (!formulaCache.has(key)) {
    if (formulaCache.size >= MAX_CACHED_FORMULAS) formulaCache.clear();
    formulaCache.set(key, render(tex, display));
  }
  const formula = formulaCache.get(key);
  if (formula === undefined) return;
  container.title = tex;
  container.classList.add('md-math-set');
  container.replaceChildren(formula.cloneNode(true));
}
