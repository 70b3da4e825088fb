import type { MarkdownChild, MarkdownNode, NodeKind } from '../tree/markdown-tree.ts';

const tagNames: Partial<Record<NodeKind, string>> = {
  paragraph: 'p',
  quote: 'blockquote',
  emphasis: 'em',
  strong: 'strong',
  deleted: 'del',
  'code-span': 'code',
};

/** Writes a tree as the HTML of the CommonMark specification, except for differences that `normalizeHtml` removes. */
export function toSpecificationHtml(node: MarkdownNode): string {
  const { kind, attributes, children } = node;
  const innerHtml = children.map(renderChild).join('');
  const titleAttribute = attributes.title ? ` title="${attributes.title}"` : '';
  switch (kind) {
    case 'html':
      return innerHtml;
    case 'root':
      return children.map(renderChild).join('\n');
    case 'heading':
      return `<h${attributes.level}>${innerHtml}</h${attributes.level}>`;
    case 'list':
      return renderList(node);
    case 'item':
      return `<li>${children.map(renderChild).join('\n')}</li>`;
    case 'code':
      return `<pre><code${attributes.language ? ` class="language-${attributes.language}"` : ''}>${innerHtml}</code></pre>`;
    case 'line':
      return `${innerHtml}\n`;
    case 'rule':
      return '<hr />';
    case 'break':
      return '<br />\n';
    case 'link':
      return `<a href="${attributes.href}"${titleAttribute}>${innerHtml}</a>`;
    case 'image':
      return `<img src="${attributes.href}" alt="${attributes.alt}"${titleAttribute} />`;
    default:
      return `<${tagNames[kind] ?? kind}>${innerHtml}</${tagNames[kind] ?? kind}>`;
  }
}

function renderChild(child: MarkdownChild): string {
  return typeof child === 'string' ? child : toSpecificationHtml(child);
}

function renderList({ attributes: { start, loose }, children }: MarkdownNode): string {
  const items = children.map((item) => {
    const html = renderChild(item);
    if (typeof item === 'string' || loose === true) return html;
    const blocks = item.children.map((block) =>
      typeof block !== 'string' && block.kind === 'paragraph'
        ? block.children.map(renderChild).join('')
        : renderChild(block),
    );
    return `<li>${blocks.join('\n')}</li>`;
  });
  if (start === undefined) return `<ul>${items.join('')}</ul>`;
  return `<ol${start === 1 ? '' : ` start="${start}"`}>${items.join('')}</ol>`;
}

/**
 * Removes irrelevant differences: escaping (HTML is shown as text here), URL encoding, and white space next to blocks.
 */
export function normalizeHtml(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/(?<= (?:href|src)=")[^"]*/g, (address) => decodeAddress(address))
    .replace(/\s*(<\/?(?:p|blockquote|ul|ol|li|h[1-6]|pre|hr)(?: [^>]*)?\/?>)\s*/g, '$1')
    .trim();
}

function decodeAddress(address: string): string {
  return address.replace(/(?:%[\dA-F]{2})+/g, (escapes) => decodeURIComponent(escapes));
}
