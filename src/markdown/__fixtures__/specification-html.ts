import type { MarkdownChild, MarkdownNode, NodeKind } from '../tree/markdown-tree.ts';

const tags: Partial<Record<NodeKind, string>> = {
  paragraph: 'p',
  quote: 'blockquote',
  emphasis: 'em',
  strong: 'strong',
  deleted: 'del',
  'code-span': 'code',
};

/** A tree as CommonMark's specification writes it in HTML, but for what `comparableHtml` levels. */
export function specificationHtml(node: MarkdownNode): string {
  const { kind, attributes, children } = node;
  const inside = children.map(childHtml).join('');
  const title = attributes.title ? ` title="${attributes.title}"` : '';
  switch (kind) {
    case 'html':
      return inside;
    case 'root':
      return children.map(childHtml).join('\n');
    case 'heading':
      return `<h${attributes.level}>${inside}</h${attributes.level}>`;
    case 'list':
      return listHtml(node);
    case 'item':
      return `<li>${children.map(childHtml).join('\n')}</li>`;
    case 'code':
      return `<pre><code${attributes.language ? ` class="language-${attributes.language}"` : ''}>${inside}</code></pre>`;
    case 'line':
      return `${inside}\n`;
    case 'rule':
      return '<hr />';
    case 'break':
      return '<br />\n';
    case 'link':
      return `<a href="${attributes.href}"${title}>${inside}</a>`;
    case 'image':
      return `<img src="${attributes.href}" alt="${attributes.alt}"${title} />`;
    default:
      return `<${tags[kind] ?? kind}>${inside}</${tags[kind] ?? kind}>`;
  }
}

function childHtml(child: MarkdownChild): string {
  return typeof child === 'string' ? child : specificationHtml(child);
}

function listHtml({ attributes: { start, loose }, children }: MarkdownNode): string {
  const items = children.map((item) => {
    const html = childHtml(item);
    if (typeof item === 'string' || loose === true) return html;
    const blocks = item.children.map((block) =>
      typeof block !== 'string' && block.kind === 'paragraph'
        ? block.children.map(childHtml).join('')
        : childHtml(block),
    );
    return `<li>${blocks.join('\n')}</li>`;
  });
  if (start === undefined) return `<ul>${items.join('')}</ul>`;
  return `<ol${start === 1 ? '' : ` start="${start}"`}>${items.join('')}</ol>`;
}

/**
 * HTML without what is not asked for: how characters are escaped (markup of the text is text here), how addresses are
 * encoded, and white space beside blocks.
 */
export function comparableHtml(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/(?<= (?:href|src)=")[^"]*/g, (address) => decoded(address))
    .replace(/\s*(<\/?(?:p|blockquote|ul|ol|li|h[1-6]|pre|hr)(?: [^>]*)?\/?>)\s*/g, '$1')
    .trim();
}

function decoded(address: string): string {
  return address.replace(/(?:%[\dA-F]{2})+/g, (escapes) => decodeURIComponent(escapes));
}
