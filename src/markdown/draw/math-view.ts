import { createSharedTask } from '../../lib/shared-task.ts';
import { runInSlices } from './run-in-slices.ts';

type MathRenderer = (tex: string, display: boolean) => Node | undefined;

const MOST_KEPT = 300;
const kept = new Map<string, Node | undefined>();
let renderer: MathRenderer | undefined;

const load = createSharedTask(async () => {
  renderer = (await import('./math-renderer.ts')).renderMath;
});

interface WaitingFormula {
  home: HTMLElement;
  tex: string;
  display: boolean;
}

// More than these in one task are drawn in slices: each takes about a millisecond.
const MOST_AT_ONCE = 20;
let drawnAtOnce = 0;
const waiting: WaitingFormula[] = [];

/**
 * Shows the formula whose source is the element's text. The renderer is loaded when the first formula is met; until
 * then, and where it cannot read the source, the source stays.
 */
export function showMath(home: HTMLElement, display: boolean): void {
  const tex = home.textContent ?? '';
  if (renderer !== undefined && drawnAtOnce < MOST_AT_ONCE) {
    if (drawnAtOnce === 0) setTimeout(() => (drawnAtOnce = 0), 0);
    drawnAtOnce += 1;
    draw(home, tex, display, renderer);
    return;
  }
  if (waiting.push({ home, tex, display }) === 1) void startWaiting();
}

async function startWaiting(): Promise<void> {
  try {
    await load();
    runInSlices(drawWaiting(), () => true);
  } catch {
    // Without the renderer (the app was updated, the network is gone) formulas stay as they were written.
    waiting.length = 0;
  }
}

function* drawWaiting(): Generator<void, void> {
  for (let at = 0; at < waiting.length; at += 1) {
    const formula = waiting[at];
    if (formula !== undefined && renderer !== undefined && formula.home.isConnected)
      if (formula.home.textContent === formula.tex)
        draw(formula.home, formula.tex, formula.display, renderer);
    yield;
  }
  waiting.length = 0;
}

function draw(home: HTMLElement, tex: string, display: boolean, render: MathRenderer): void {
  const key = `${display ? 'd' : 'i'}${tex}`;
  if (!kept.has(key)) {
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, render(tex, display));
  }
  const formula = kept.get(key);
  if (formula === undefined) return;
  home.title = tex;
  home.classList.add('md-math-set');
  home.replaceChildren(formula.cloneNode(true));
}
