/**
 * Returns a normalized http(s) address with characters escaped that could end a link, `undefined` for any other
 * address.
 */
export function toWebAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, href } = new URL(url);
  const isWeb = (protocol === 'https:' || protocol === 'http:') && host !== '';
  return isWeb ? href.replaceAll(/[<>()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`) : undefined;
}
