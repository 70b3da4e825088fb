/**
 * Copies text, and optionally HTML, to the clipboard. Returns whether it worked; insecure origins use the legacy
 * method.
 */
export async function copyText(text: string, html?: string): Promise<boolean> {
  try {
    await (html === undefined ? navigator.clipboard.writeText(text) : writeTextAndHtml(text, html));
    return true;
  } catch {
    return html === undefined ? copyBySelection(text) : copyText(text);
  }
}

function writeTextAndHtml(text: string, html: string): Promise<void> {
  const blobs = Object.entries({ 'text/plain': text, 'text/html': html }).map(
    ([type, content]) => [type, new Blob([content], { type })] as const,
  );
  return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
