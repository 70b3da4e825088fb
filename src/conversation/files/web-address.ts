/** The address as a browser reads it where it is one of the web, without what would end a link; undefined for any other. */
export function toWebAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, href } = new URL(url);
  const isWeb = (protocol === 'https:' || protocol === 'http:') && host !== '';
  return isWeb ? href.replaceAll(/[<>()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`) : undefined;
}
