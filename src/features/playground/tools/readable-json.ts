import { isDeeperThan, mostJsonLevels, type Json } from '../../../lib/json.ts';

const mostLetters = 44;

/** JSON text on one line where it is short, else two spaces deep; `asCame` where it nests too deep to be laid out. */
export function readableJson(value: Json, asCame: string): string {
  if (isDeeperThan(mostJsonLevels, value)) return asCame;
  const deep = JSON.stringify(value, null, 2);
  const flat = deep.replaceAll(/\n\s*/g, ' ');
  return flat.length <= mostLetters ? flat : deep;
}
