const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function withoutEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi, (whole, hex, decimal, name) => {
    const code = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : undefined;
    if (code === undefined) return names[String(name).toLowerCase()] ?? whole;
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** What a web page (or an XML error) that came instead of an answer says about itself, as text; undefined for anything else. */
export function pageOf(text: string): { title?: string } | undefined {
  const start = text.slice(0, 64 * 1024).trimStart();
  if (!start.startsWith('<')) return undefined;
  for (const tag of ['title', 'h1', 'message', 'h2']) {
    // Bounded, so that a hostile page can not make the search slow.
    const found = new RegExp(`<${tag}(?:\\s[^>]{0,200})?>([^<]{1,500})<`, 'i').exec(start)?.[1];
    const title = withoutEntities(found ?? '').replace(/\s+/g, ' ').trim();
    if (title) return { title: title.slice(0, 200) };
  }
  return {};
}
