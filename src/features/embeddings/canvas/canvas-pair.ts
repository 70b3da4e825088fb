import { readCssColors, type CssColors } from './css-colors.ts';

interface CanvasPairOptions {
  /** Draws both canvases. `isMoving`: more frames are about to come, so that speed matters more than edges. */
  draw: (isMoving: boolean) => void;
  /** The canvases took another size, in pixels of the screen; they are drawn at once afterwards. */
  onResize?: (width: number, height: number) => void;
}

/**
 * Two canvases that fill their host: the picture below, marks and the pointer above. Draws once a frame at most. Plain,
 * no React: `destroy` ends it.
 */
export class CanvasPair {
  readonly baseCanvas = document.createElement('canvas');
  readonly overlayCanvas = document.createElement('canvas');
  /** Of the theme; another object after `refresh`. */
  colors: CssColors;
  /** CSS pixels; 0 until the host has a size. */
  widthPx = 0;
  heightPx = 0;
  /** Pixels of the screen for a CSS pixel. */
  pixelRatio = 1;
  readonly #host: HTMLElement;
  readonly #options: CanvasPairOptions;
  readonly #resizeObserver = new ResizeObserver(() => this.#resize());
  #frameRequest = 0;

  /** Nothing is drawn before `start`: who draws is not made yet. */
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

  /** The theme changed. */
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

  /** To draw in CSS pixels; undefined while there is no room to draw in. */
  getContext(canvas: HTMLCanvasElement): CanvasRenderingContext2D | undefined {
    const context = this.widthPx === 0 ? null : canvas.getContext('2d');
    context?.setTransform(this.pixelRatio, 0, 0, this.pixelRatio, 0, 0);
    return context ?? undefined;
  }

  /** Both as they stand, as a PNG. Rejects where the browser gives none. */
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
    // A cleared canvas is seen until the next frame.
    this.drawNow();
  }
}
