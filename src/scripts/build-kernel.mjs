// node src/scripts/build-kernel.mjs: writes src/embedding/kernel/kernel-bytes.ts from vector-kernel.as. Only needed
// when that changes. With --check it writes nothing and fails when the committed bytes are not what the source makes.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import asc from 'assemblyscript/asc';

const folder = path.resolve(import.meta.dirname, '../embedding/kernel');
const target = path.join(folder, 'kernel-bytes.ts');
const source = await readFile(path.join(folder, 'vector-kernel.as'), 'utf8');
const options = '--outFile kernel.wasm --runtime stub --enable simd -O3 --noAssert --converge'.split(' ');

let bytes;
const { error, stderr } = await asc.main(['kernel.ts', ...options], {
  readFile: (name) => (name === 'kernel.ts' ? source : null),
  writeFile: (name, contents) => {
    if (name === 'kernel.wasm') bytes = contents;
  },
  listFiles: () => [],
});
if (error !== null || bytes === undefined) {
  console.error(`${error?.message ?? 'The compiler wrote nothing.'}\n${stderr.toString()}`);
  process.exit(1);
}

const lines =
  Buffer.from(bytes)
    .toString('hex')
    .match(/.{1,100}/g) ?? [];
const text = `/**
 * WebAssembly made from vector-kernel.as by src/scripts/build-kernel.mjs; not edited by hand. As hex: longer than base64,
 * but what repeats in the bytes repeats in the text, so that it is smaller compressed.
 */
export const kernelHex =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`;
if (!process.argv.includes('--check')) {
  await writeFile(target, text);
  console.log(`${bytes.length} bytes`);
} else if ((await readFile(target, 'utf8')) !== text) {
  console.error('kernel-bytes.ts is not what vector-kernel.as makes: run node src/scripts/build-kernel.mjs');
  process.exit(1);
}
