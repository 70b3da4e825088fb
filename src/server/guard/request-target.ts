/**
 * Returns why a raw request target is rejected, or `undefined` for an unambiguous one: a path on this server without
 * dot segments, encoded separators or characters that programs interpret differently.
 */
export function findTargetProblem(target: string): string | undefined {
  if (!target.startsWith('/')) return 'The address must be a path of this server.';
  if (target.length > MAX_TARGET_CHARS) return 'The address is too long.';
  if (target.startsWith('//')) return 'The address must not start with two slashes.';
  if (/[^\x21-\x7e]|[\\#]/.test(target)) return 'The address contains a character that is not allowed.';
  if (/%(?![0-9a-f]{2})/i.test(target)) return 'The address contains an invalid percent escape.';
  if (/%(?:[01][0-9a-f]|7f)/i.test(target)) return 'The address contains an encoded control character.';
  const path = getTargetPath(target);
  if (/%(?:2e|2f|5c)/i.test(path)) return 'The address contains an encoded dot or slash.';
  if (/(?:^|\/)\.{1,2}(?:\/|$)/.test(path)) return 'The address contains a dot segment.';
  return undefined;
}

/** Returns the target without its query. */
export function getTargetPath(target: string): string {
  const queryStart = target.indexOf('?');
  return queryStart === -1 ? target : target.slice(0, queryStart);
}

const MAX_TARGET_CHARS = 4096;
