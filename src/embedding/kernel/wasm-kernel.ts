import { kernelHex } from './kernel-bytes.ts';
import type { Kernel, MakeKernel } from './kernel.ts';
import { instanceOf, moduleOf } from './wasm-module.ts';

/** What vector-kernel.as exports; a test compiles it and compares the bytes. */
const calls = ['dots', 'pairs', 'tile', 'spread', 'add'] as const;

/** Compiles the kernel. Throws where WebAssembly is refused, or has no SIMD. */
export function compileWasmKernel(): MakeKernel {
  const module = moduleOf(kernelHex);
  return () => wasmKernel(module);
}

function wasmKernel(module: WebAssembly.Module): Kernel {
  const { memory, grow, ...computing } = instanceOf<Pick<Kernel, (typeof calls)[number]>>(module, calls);
  const kernel = {
    ...computing,
    floats: new Float32Array(memory.buffer),
    doubles: new Float64Array(memory.buffer),
    reserve(bytes: number) {
      if (!grow(bytes)) return;
      kernel.floats = new Float32Array(memory.buffer);
      kernel.doubles = new Float64Array(memory.buffer);
    },
  };
  return kernel;
}
