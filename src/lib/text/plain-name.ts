/** Returns the name in lower case without separators, so that `topK`, `top_k` and `top-k` are equal. */
export function toPlainName(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
