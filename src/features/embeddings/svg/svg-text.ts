/** Words as they may stand in SVG, in an attribute too. */
export function escaped(words: string): string {
  return words.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign,
  );
}

/** A line of words; `more`: further attributes. */
export function svgText(words: string, x: number, y: number, more: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped(words)}</text>`;
}
