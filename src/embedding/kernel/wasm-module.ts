import { ownProperty } from '../../lib/json.ts';

const pageBytes = 65_536;

/** What a module computes with, in a memory of its own. */
export type Instance<Calls> = Calls & {
  readonly memory: WebAssembly.Memory;
  /** Makes the memory at least so many bytes, keeping what is in it; true where it is another one now. Throws a RangeError where there is no more. */
  grow: (bytes: number) => boolean;
};

/** Compiles the bytes. Throws where WebAssembly is refused, or has no SIMD. */
export function moduleOf(hex: string): WebAssembly.Module {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return new WebAssembly.Module(bytes);
}

/** `names`: the functions that the module's source exports. */
export function instanceOf<Calls>(
  module: WebAssembly.Module,
  names: readonly (keyof Calls & string)[],
): Instance<Calls> {
  const { exports } = new WebAssembly.Instance(module);
  if (!hasCalls<Calls>(exports, names)) throw new Error('The kernel lacks one of its functions.');
  const { memory } = exports;
  return {
    ...exports,
    grow(bytes) {
      const missing = Math.ceil((bytes - memory.buffer.byteLength) / pageBytes);
      if (missing > 0) memory.grow(missing);
      return missing > 0;
    },
  };
}

function hasCalls<Calls>(
  exports: object,
  names: readonly (keyof Calls & string)[],
): exports is Calls & { memory: WebAssembly.Memory } {
  return (
    'memory' in exports &&
    exports.memory instanceof WebAssembly.Memory &&
    names.every((name) => typeof ownProperty(exports, name) === 'function')
  );
}
