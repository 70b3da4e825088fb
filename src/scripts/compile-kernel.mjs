// Compiles the vector kernel to WebAssembly. Used by build-kernel.mjs, and by the test that proves the committed bytes.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import asc from 'assemblyscript/asc';

const source = path.resolve(import.meta.dirname, '../embedding/kernel/vector-kernel.as');

/** The bytes of the kernel as its source in this tree makes them. Rejects with the compiler's words. */
export async function compileKernel() {
  const text = await readFile(source, 'utf8');
  let bytes;
  const { error, stderr } = await asc.main(
    [
      'kernel.ts',
      '--outFile',
      'kernel.wasm',
      '--runtime',
      'stub',
      '--enable',
      'simd',
      '-O3',
      '--noAssert',
      '--converge',
    ],
    {
      readFile: (name) => (name === 'kernel.ts' ? text : null),
      writeFile: (name, contents) => {
        if (name === 'kernel.wasm') bytes = contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || bytes === undefined)
    throw new Error(`${error?.message ?? 'no output'}\n${stderr.toString()}`);
  return bytes;
}
