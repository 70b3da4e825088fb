// npm run build:kernel: writes src/embedding/kernel/kernel-bytes.ts from vector-kernel.as. Only needed when that changes.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { compileKernel } from './compile-kernel.mjs';

const bytes = await compileKernel();
const lines =
  Buffer.from(bytes)
    .toString('base64')
    .match(/.{1,100}/g) ?? [];
const target = path.resolve(import.meta.dirname, '../embedding/kernel/kernel-bytes.ts');
writeFileSync(
  target,
  `/** WebAssembly made from vector-kernel.as by src/scripts/build-kernel.mjs; not edited by hand. */
export const kernelBase64 =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`,
);
console.log(`${bytes.length} bytes`);
