// node src/scripts/build-kernel.mjs: writes src/embedding/kernel/kernel-bytes.ts from vector-kernel.as beside it. Only
// needed when that changes. With --check it writes nothing and fails when the committed bytes are not what it makes.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import asc from 'assemblyscript/asc';

const folder = path.resolve(import.meta.dirname, '../embedding/kernel');
const options = '--outFile kernel.wasm --runtime stub --enable simd -O3 --noAssert --converge'.split(' ');
const [from, to] = ['vector-kernel.as', 'kernel-bytes.ts'];

const bytes = await compiled(await readFile(path.join(folder, from), 'utf8'));
const lines =
  Buffer.from(bytes)
    .toString('hex')
    .match(/.{1,100}/g) ?? [];
const text = `/**
 * WebAssembly made from ${from} by src/scripts/build-kernel.mjs; not edited by hand. As hex: longer than base64,
 * but what repeats in the bytes repeats in the text, so that it is smaller compressed.
 */
export const kernelHex =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`;
if (!process.argv.includes('--check')) {
  await writeFile(path.join(folder, to), text);
  console.log(`${to}: ${bytes.length} bytes`);
} else if ((await readFile(path.join(folder, to), 'utf8')) !== text) {
  console.error(`${to} is not what ${from} makes: run node src/scripts/build-kernel.mjs`);
  process.exit(1);
}

async function compiled(source) {
  let bytes;
  const { error, stderr } = await asc.main(['kernel.ts', ...options], {
    readFile: (name) => (name === 'kernel.ts' ? source : null),
    writeFile: (name, contents) => {
      if (name === 'kernel.wasm') bytes = contents;
    },
    listFiles: () => [],
  });
  if (error === null && bytes !== undefined) return bytes;
  console.error(`${error?.message ?? 'The compiler wrote nothing.'}\n${stderr.toString()}`);
  process.exit(1);
}
