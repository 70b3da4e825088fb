/** What is fetched late can fail: the network is gone, or the app was updated. Wherever that is done, somebody hears of it. */
import { expect, it } from 'vitest';

import { ownProperty } from './lib/json.ts';
import { lineAt, nodesOf, sourceFiles, type SourceFile } from './testing/source/source-files.ts';

/** What they are given is asked for again by the next who needs it, and what fails is told or left as it was. */
const doors = new Set(['fetched', 'fetchedInAdvance', 'lazyOverlay', 'lazyView', 'shared']);

/** Files whose callers hear of it. */
const heardByCallers: readonly { file: string; by: string }[] = [
  {
    file: 'app/browser-page.ts',
    by: 'state/trials/scoring/scorer.ts and state/sessions/session-files.ts, in a try',
  },
];

/** The lines of this file where code is fetched late and no door, `catch` or second handler is around it. */
function unmet(source: SourceFile): string[] {
  const nodes = nodesOf(source);
  const around = nodes.flatMap((node) => {
    if (node['type'] !== 'CallExpression') return [];
    const { callee } = node;
    const method = ownProperty(ownProperty(callee, 'property'), 'name');
    const isHandled =
      method === 'catch' ||
      (method === 'then' && Array.isArray(node['arguments']) && node['arguments'].length > 1);
    const isDoor = doors.has(String(ownProperty(callee, 'name')));
    return isHandled || isDoor ? [node] : [];
  });
  return nodes
    .filter(({ type }) => type === 'ImportExpression')
    .filter(({ start, end }) =>
      around.every((outer) => Number(outer['start']) > Number(start) || Number(outer['end']) < Number(end)),
    )
    .map(({ start }) => `${source.file}:${lineAt(source.text, Number(start))}`);
}

const ofThePage = sourceFiles().filter(
  ({ file }) => !/\.test\.|^(?:testing|walks|scripts|server)\//.test(file),
);

it('is met wherever it is done', () => {
  const known = new Set(heardByCallers.map(({ file }) => file));
  expect(ofThePage.filter(({ file }) => !known.has(file)).flatMap(unmet)).toEqual([]);
  expect(heardByCallers.filter(({ file }) => !ofThePage.some((each) => each.file === file))).toEqual([]);
});

it('is told from what is not met', () => {
  const one = (text: string) => unmet({ file: 'some.ts', text });
  expect(one('const { a } = await import("./a.ts");')).toEqual(['some.ts:1']);
  expect(one('\nimport("./a.ts").then((a) => a);')).toEqual(['some.ts:2']);
  expect(one('import("./a.ts").then((a) => a, () => undefined);')).toEqual([]);
  expect(one('await import("./a.ts").catch(() => undefined);')).toEqual([]);
  expect(one('const load = fetchedInAdvance(() => import("./a.ts"));')).toEqual([]);
  expect(one('const View = lazyView("A view", async () => (await import("./a.tsx")).View);')).toEqual([]);
});
