/** Colour in the byte order of ImageData on little-endian machines: 0xAABBGGRR. */
export type PixelColor = number;

export interface CssColors {
  /** Returns the current colour of a custom property of the element, such as `--lane-a`. */
  getPixelColor: (name: `--${string}`) => PixelColor;
  /** Returns the same colour as CSS text. */
  getCssValue: (name: `--${string}`) => string;
}

/** Returns a function that reads red, green and blue (0 to 255) of any CSS colour. */
function createChannelReader(): (color: string) => readonly [number, number, number] {
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

/** Reads the theme colours from an element. Call it again when the theme changes. */
export function readCssColors(element: Element): CssColors {
  const styles = getComputedStyle(element);
  const readChannels = createChannelReader();
  const getCssValue = (name: string) => styles.getPropertyValue(name).trim() || 'CanvasText';
  return {
    getCssValue,
    getPixelColor: (name) => {
      const [red, green, blue] = readChannels(getCssValue(name));
      return toPixelColor(red, green, blue);
    },
  };
}

function toPixelColor(red: number, green: number, blue: number): PixelColor {
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Returns 256 evenly spaced steps through the given colours. */
export function buildColorRamp(stops: readonly PixelColor[]): Uint32Array {
  const last = stops.length - 1;
  return Uint32Array.from({ length: 256 }, (_, step) => {
    const position = (step / 255) * last;
    const lower = stops[Math.floor(position)] ?? 0;
    const upper = stops[Math.ceil(position)] ?? 0;
    const share = position - Math.floor(position);
    const mixChannel = (shift: number) => {
      const low = (lower >>> shift) & 255;
      return Math.round(low + (((upper >>> shift) & 255) - low) * share);
    };
    return toPixelColor(mixChannel(0), mixChannel(8), mixChannel(16));
  });
}

/**
 * Builds the ramp from the theme's eleven steps of one hue, from no similarity to identical; views.css defines them for
 * both themes.
 */
export function buildHeatRamp(colors: CssColors): Uint32Array {
  return buildColorRamp(Array.from({ length: 11 }, (_, step) => colors.getPixelColor(`--heat-${step}`)));
}
