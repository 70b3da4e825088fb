import { decodeEntities } from '../parse/entities.ts';

/** The first word after a fence, which names the language; undefined where there is none. */
export function languageOf(info: string | undefined): string | undefined {
  const word = /^\S+/.exec((info ?? '').trim())?.[0];
  return word === undefined ? undefined : decodeEntities(word.replace(/\\([!-/:-@[-`{-~])/g, '$1'));
}
