import { kernelBase64 } from './kernel-bytes.ts';
import type { Kernel, MakeKernel } from './kernel.ts';

/** What vector-kernel.as exports; a test compiles it and compares the bytes. */
type KernelExports = { memory: WebAssembly.Memory } & Pick<Kernel, 'dots' | 'tile' | 'spread'>;

const pageBytes = 65_536;

/** Compiles the kernel. Throws where WebAssembly is refused, or has no SIMD. */
export function compileWasmKernel(): MakeKernel {
  const bytes = Uint8Array.from(atob(kernelBase64), (character) => character.charCodeAt(0));
  const module = new WebAssembly.Module(bytes);
  return () => wasmKernel(module);
}

function wasmKernel(module: WebAssembly.Module): Kernel {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own bytes, held to their source by a test
  const { memory, dots, tile, spread } = new WebAssembly.Instance(module).exports as unknown as KernelExports;
  const kernel = {
    floats: new Float32Array(memory.buffer),
    doubles: new Float64Array(memory.buffer),
    reserve(bytes: number) {
      const missing = Math.ceil((bytes - memory.buffer.byteLength) / pageBytes);
      if (missing <= 0) return;
      memory.grow(missing);
      kernel.floats = new Float32Array(memory.buffer);
      kernel.doubles = new Float64Array(memory.buffer);
    },
    dots,
    tile,
    spread,
  };
  return kernel;
}
