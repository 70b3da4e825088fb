import { common, createLowlight } from 'lowlight';

import type { HighlightReply, HighlightRequest, HighlightSpan } from './highlight-tokens.ts';
import { splitRunsByLine, getTokenKindIndex } from './highlight-tokens.ts';

const lowlight = createLowlight(common);

type HighlightTree = ReturnType<typeof lowlight.highlight>;

function collectSpans(
  children: HighlightTree['children'],
  kind: number,
  spans: HighlightSpan[],
): HighlightSpan[] {
  for (const child of children) {
    if (child.type === 'text') spans.push({ kind, text: child.value });
    else if (child.type === 'element') {
      const classes = child.properties['className'];
      const scope = Array.isArray(classes) ? classes[0] : undefined;
      collectSpans(
        child.children,
        (typeof scope === 'string' ? getTokenKindIndex(scope) : undefined) ?? kind,
        spans,
      );
    }
  }
  return spans;
}

addEventListener('message', (event: MessageEvent<HighlightRequest>) => {
  const { id, language, lines, contextLineCount } = event.data;
  const reply: HighlightReply = { id, runs: undefined };
  if (lowlight.registered(language)) {
    const tree = lowlight.highlight(language, lines.join('\n'));
    reply.runs = splitRunsByLine(collectSpans(tree.children, 0, [])).slice(contextLineCount);
  }
  postMessage(reply);
});
