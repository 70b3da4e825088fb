import { getOwnProperty } from '../../lib/json.ts';
import type { Kernel, MakeKernel } from './kernel.ts';
import kernelUrl from './kernel.wasm?url&inline';

const pageBytes = 65_536;
/** Functions exported by vector-kernel.as. */
const kernelFunctions = ['dots', 'pairs', 'tile', 'spread', 'add'] as const;

type Exports = Pick<Kernel, (typeof kernelFunctions)[number]> & { memory: WebAssembly.Memory };

/** Compiles the kernel. Throws if WebAssembly is not allowed or SIMD is not supported. */
export function compileWasmKernel(): MakeKernel {
  const base64 = kernelUrl.slice(kernelUrl.indexOf(',') + 1);
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const module = new WebAssembly.Module(bytes);
  return () => createWasmKernel(module);
}

function createWasmKernel(module: WebAssembly.Module): Kernel {
  const { exports } = new WebAssembly.Instance(module);
  if (!isKernel(exports)) throw new Error('The kernel is missing a function.');
  const { memory, ...computing } = exports;
  const kernel = {
    ...computing,
    floats: new Float32Array(memory.buffer),
    doubles: new Float64Array(memory.buffer),
    reserve(bytes: number) {
      const missingPages = Math.ceil((bytes - memory.buffer.byteLength) / pageBytes);
      if (missingPages <= 0) return;
      memory.grow(missingPages);
      kernel.floats = new Float32Array(memory.buffer);
      kernel.doubles = new Float64Array(memory.buffer);
    },
  };
  return kernel;
}

function isKernel(exports: object): exports is Exports {
  return (
    'memory' in exports &&
    exports.memory instanceof WebAssembly.Memory &&
    kernelFunctions.every((name) => typeof getOwnProperty(exports, name) === 'function')
  );
}
