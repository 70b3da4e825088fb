type MathRenderer = (tex: string, display: boolean) => Node | undefined;

const MOST_KEPT = 300;
const kept = new Map<string, Node | undefined>();
let renderer: MathRenderer | undefined;
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  renderer = (await import('./math-renderer.ts')).renderMath;
}

/**
 * Shows the formula whose source is the element's text. The renderer is loaded when the first formula is met; until
 * then, and where it cannot read the source, the source stays.
 */
export function showMath(home: HTMLElement, display: boolean): void {
  const tex = home.textContent ?? '';
  if (renderer !== undefined) {
    draw(home, tex, display, renderer);
    return;
  }
  loading ??= load();
  loading
    .then(() => {
      if (renderer !== undefined && home.isConnected && home.textContent === tex)
        draw(home, tex, display, renderer);
    })
    .catch(() => {
      // Without the renderer (the app was updated, the network is gone) formulas stay as they were written.
      loading = undefined;
    });
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
  home.replaceChildren(formula.cloneNode(true));
}
