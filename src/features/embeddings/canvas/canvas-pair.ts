import { readCssColors, type CssColors } from './css-colors.ts';

interface CanvasPairOptions {
  /** Draws both canvases. `isMoving`: more frames follow soon, so speed matters more than smooth edges. */
  draw: (isMoving: boolean) => void;
  /** Handles a new canvas size, in device pixels. Both canvases are redrawn afterwards. */
  onResize?: (width: number, height: number) => void;
}

/**
 * Pair of canvases that fill their host: the image below, marks and pointer input above. Draws at most once per frame.
 * Independent of React; `destroy` disposes of it.
 */
export class CanvasPair {
  readonly baseCanvas = document.createElement('canvas');
  readonly overlayCanvas = document.createElement('canvas');
  /** Colours of the current theme; replaced by `refresh`. */
  colors: CssColors;
  /** Size in CSS pixels; 0 until the host has a size. */
  widthPx = 0;
  heightPx = 0;
  /** Device pixels per CSS pixel. */
  pixelRatio = 1;
  readonly #host: HTMLElement;
  readonly #options: CanvasPairOptions;
  readonly #resizeObserver = new ResizeObserver(() => this.#resize());
  #frameRequest = 0;

  /** Does not draw before `start`, because the object that draws is still being constructed. */
  constructor(host: HTMLElement, options: CanvasPairOptions) {
    this.#host = host;
    this.#options = options;
    this.colors = readCssColors(host);
    this.overlayCanvas.className = 'points-overlay';
    host.append(this.baseCanvas, this.overlayCanvas);
  }

  start(): void {
    this.#resizeObserver.observe(this.#host);
    this.#resize();
  }

  /** Reads the colours again after a theme change. */
  refresh(): void {
    this.colors = readCssColors(this.#host);
  }

  schedule(isMoving = false): void {
    if (this.#frameRequest !== 0) return;
    this.#frameRequest = requestAnimationFrame(() => {
      this.#frameRequest = 0;
      this.#options.draw(isMoving);
    });
  }

  drawNow(isMoving = false): void {
    cancelAnimationFrame(this.#frameRequest);
    this.#frameRequest = 0;
    this.#options.draw(isMoving);
  }

  /** Returns a 2D context scaled to CSS pixels, or `undefined` while the canvas has no size. */
  getContext(canvas: HTMLCanvasElement): CanvasRenderingContext2D | undefined {
    const context = this.widthPx === 0 ? null : canvas.getContext('2d');
    context?.setTransform(this.pixelRatio, 0, 0, this.pixelRatio, 0, 0);
    return context ?? undefined;
  }

  /** Returns both canvases combined as a PNG. Rejects if the browser cannot create it. */
  async toPng(): Promise<Blob> {
    this.drawNow();
    const combined = document.createElement('canvas');
    combined.width = this.baseCanvas.width;
    combined.height = this.baseCanvas.height;
    const context = combined.getContext('2d');
    context?.drawImage(this.baseCanvas, 0, 0);
    context?.drawImage(this.overlayCanvas, 0, 0);
    return await new Promise((resolve, reject) => {
      combined.toBlob((blob) => {
        if (blob) resolve(blob);
        else reject(new Error('The browser could not create an image of this view.'));
      }, 'image/png');
    });
  }

  destroy(): void {
    cancelAnimationFrame(this.#frameRequest);
    this.#resizeObserver.disconnect();
    this.baseCanvas.remove();
    this.overlayCanvas.remove();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#host;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.pixelRatio = Math.min(2, devicePixelRatio || 1);
    this.widthPx = clientWidth;
    this.heightPx = clientHeight;
    const width = Math.round(clientWidth * this.pixelRatio);
    const height = Math.round(clientHeight * this.pixelRatio);
    for (const canvas of [this.baseCanvas, this.overlayCanvas]) {
      canvas.width = width;
      canvas.height = height;
      canvas.style.width = `${clientWidth}px`;
      canvas.style.height = `${clientHeight}px`;
    }
    this.#options.onResize?.(width, height);
    // Draws immediately: resizing clears the canvas, which would otherwise stay blank until the next frame.
    this.drawNow();
  }
}
