import { common, createLowlight } from 'lowlight';

import type { HighlightReply, HighlightRequest, Stretch } from './highlight-tokens.ts';
import { runsOfLines, tokenKindOf } from './highlight-tokens.ts';

const lowlight = createLowlight(common);

type Highlighted = ReturnType<typeof lowlight.highlight>;

function stretchesOf(children: Highlighted['children'], kind: number, into: Stretch[]): Stretch[] {
  for (const child of children) {
    if (child.type === 'text') into.push({ kind, text: child.value });
    else if (child.type === 'element') {
      const classes = child.properties['className'];
      const scope = Array.isArray(classes) ? classes[0] : undefined;
      stretchesOf(child.children, (typeof scope === 'string' ? tokenKindOf(scope) : undefined) ?? kind, into);
    }
  }
  return into;
}

addEventListener('message', (event: MessageEvent<HighlightRequest>) => {
  const { id, language, lines, from } = event.data;
  const reply: HighlightReply = { id, runs: undefined };
  if (lowlight.registered(language)) {
    const tree = lowlight.highlight(language, lines.join('\n'));
    reply.runs = runsOfLines(stretchesOf(tree.children, 0, [])).slice(from);
  }
  postMessage(reply);
});
