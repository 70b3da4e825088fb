/** A colour as ImageData holds it on little-endian machines: 0xAABBGGRR. */
export type PixelColor = number;

export interface CssColors {
  /** The colour that a custom property of the element has now, such as `--lane-a`. */
  token: (name: `--${string}`) => PixelColor;
  /** The same as CSS. */
  css: (name: `--${string}`) => string;
}

/** Red, green and blue, 0 to 255, of any colour that CSS knows. */
function channelReader(): (color: string) => readonly [number, number, number] {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return (color) => {
    if (!context) return [0, 0, 0];
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue];
  };
}

/** Reads the colours of the theme from an element. Ask again when the theme changes. */
export function cssColors(element: Element): CssColors {
  const styles = getComputedStyle(element);
  const channels = channelReader();
  const css = (name: string) => styles.getPropertyValue(name).trim() || 'CanvasText';
  return {
    css,
    token: (name) => {
      const [red, green, blue] = channels(css(name));
      return pixelOf(red, green, blue);
    },
  };
}

function pixelOf(red: number, green: number, blue: number): PixelColor {
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

/** 256 steps through the given colours, evenly. */
export function rampOf(stops: readonly PixelColor[]): Uint32Array {
  const last = stops.length - 1;
  return Uint32Array.from({ length: 256 }, (_, step) => {
    const place = (step / 255) * last;
    const under = stops[Math.floor(place)] ?? 0;
    const over = stops[Math.ceil(place)] ?? 0;
    const share = place - Math.floor(place);
    const channel = (shift: number) => {
      const low = (under >>> shift) & 255;
      return Math.round(low + (((over >>> shift) & 255) - low) * share);
    };
    return pixelOf(channel(0), channel(8), channel(16));
  });
}

/** The design's eleven steps of one hue, from nothing in common to the same; set in views.css for both themes. */
export function heatRamp(colors: CssColors): Uint32Array {
  return rampOf(Array.from({ length: 11 }, (_, step) => colors.token(`--heat-${step}`)));
}
