import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.md', '.webmanifest', '.wasm']);
const SMALLEST_BYTES = 1024;
/** 11 takes ten times as long for a few per cent, and a bare clone's `npm start` waits for it. */
const QUALITY = 9;

/** Writes a `.br` and a `.gz` beside every file of a built folder that shrinks by it. */
export async function precompress(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const files = names.map((name) => path.join(folder, name)).filter((file) => TEXT.has(path.extname(file)));
  await Promise.all(files.map(compressFile));
}

async function compressFile(file: string): Promise<void> {
  if ((await stat(file)).size < SMALLEST_BYTES) return;
  const plain = await readFile(file);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
    promisify(gzip)(plain, { level: 9 }),
  ]);
  if (br.length < plain.length) await writeFile(`${file}.br`, br);
  if (gz.length < plain.length) await writeFile(`${file}.gz`, gz);
}
