// npm run benchmark -- NAME [options]: runs src/testing/bench/NAME.bench.mjs; without a name it lists what there is.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = path.resolve(import.meta.dirname, '../testing/bench');
const suffix = '.bench.mjs';
const names = readdirSync(folder)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length));

const [name, ...args] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
  if (name !== undefined) console.error(`There is no benchmark named ${name}.`);
  console.error(`npm run benchmark -- NAME, where NAME is one of: ${names.join(', ')}.`);
  process.exit(name === undefined ? 0 : 2);
}
const { run } = await import(pathToFileURL(path.join(folder, name + suffix)).href);
process.exit((await run(args)) ?? 0);
