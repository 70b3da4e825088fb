import type { Json } from '../../../lib/json.ts';

const mostLetters = 44;

/** JSON text on one line where it is short, else two spaces deep. */
export function readableJson(value: Json): string {
  const deep = JSON.stringify(value, null, 2);
  const flat = deep.replaceAll(/\n\s*/g, ' ');
  return flat.length <= mostLetters ? flat : deep;
}
