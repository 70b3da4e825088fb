const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

function decodeEntity(entity: string, name: string): string {
  const codeMatch = /^#(x?)([0-9a-f]+)$/i.exec(name);
  if (!codeMatch) return entities.get(name.toLowerCase()) ?? entity;
  const code = Number.parseInt(codeMatch[2] ?? '', codeMatch[1] ? 16 : 10);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}

function replaceEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, decodeEntity);
}

/** Returns the title of a web page (or XML error) received in place of an answer; `undefined` for other text. */
export function parseWebPage(text: string): { title?: string } | undefined {
  const start = text.slice(0, 64 * 1024).trimStart();
  if (!start.startsWith('<')) return undefined;
  for (const tag of ['title', 'h1', 'message', 'h2']) {
    // Bounded, so that a hostile page cannot slow down the search.
    const titleText = new RegExp(`<${tag}(?:\\s[^>]{0,200})?>([^<]{1,500})<`, 'i').exec(start)?.[1];
    const title = replaceEntities(titleText ?? '')
      .replace(/\s+/g, ' ')
      .trim();
    if (title) return { title: title.slice(0, 200) };
  }
  return {};
}
