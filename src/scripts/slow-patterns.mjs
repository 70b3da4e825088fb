// Part of npm run soak: finds regular expressions in src whose time grows faster than the text, since texts come from
// models, files and links.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { analyse } from 'scslre';
import { parseAst } from 'vite';

import { root } from './packages.mjs';

const sourceFolder = path.join(root, 'src');

const slowPatterns = readdirSync(sourceFolder, { recursive: true })
  .map((name) => name.split(path.sep).join('/'))
  // A demo model reads only the first 4,000 characters of a message.
  .filter(
    (name) =>
      /\.tsx?$/.test(name) &&
      !name.startsWith('demo-gateway/') &&
      !/\.(?:test|d)\.ts|(?:^|\/)(?:testing|walks|__fixtures__)\//.test(name),
  )
  .flatMap((name) => listPatterns(name, readFileSync(path.join(sourceFolder, name), 'utf8')))
  .flatMap(({ place: location, pattern, flags }) =>
    analyse({ source: pattern, flags }).reports.map(
      ({ character, exponential }) =>
        `${location}: /${pattern}/${flags} is ${exponential ? 'exponential' : 'polynomial'} for repeated ${JSON.stringify(character.pick)}`,
    ),
  );
for (const line of slowPatterns) console.log(line);
process.exitCode = slowPatterns.length === 0 ? 0 : 1;

/** Returns every regex literal of a file with its line. */
function listPatterns(name, text) {
  const patterns = [];
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.regex) {
      const line = text.slice(0, node.start).split('\n').length;
      patterns.push({ location: `${name}:${line}`, pattern: node.regex.pattern, flags: node.regex.flags });
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(text, { lang: name.endsWith('.tsx') ? 'tsx' : 'ts' }));
  return patterns;
}
