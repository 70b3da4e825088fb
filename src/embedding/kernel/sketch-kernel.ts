import { sketchHex } from './sketch-bytes.ts';
import { instanceOf, moduleOf, type Instance } from './wasm-module.ts';

/** What sketch-kernel.as exports. All addresses are bytes. */
interface SketchCalls {
  /**
   * out[i][j] = a[i] · b[j] in whole numbers of four bytes: of two bytes in a, of one in b; rows of `width` numbers, a
   * multiple of 32, side by side.
   */
  rough(a: number, aCount: number, b: number, bCount: number, width: number, out: number): void;
  /**
   * Writes a row of `width` numbers, a multiple of 32, as whole numbers of one byte, or of two where `wide` is 1. Told are
   * what one of them is worth, at least `least`, and the square of the length that rounding left out.
   */
  shrink(row: number, width: number, to: number, wide: 0 | 1, least: number, told: number): void;
}

/** Products of rows in whole numbers. Throws where WebAssembly is refused: nothing stands in for it, none is needed. */
export function sketchKernel(): Instance<SketchCalls> {
  return instanceOf<SketchCalls>(moduleOf(sketchHex), ['rough', 'shrink']);
}
